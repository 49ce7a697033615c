#include "io/MatrixText.h"

#include "base/NumberText.h"
#include "io/CsvTable.h"
#include "io/GroupedNumber.h"

#include <algorithm>
#include <optional>
#include <string_view>

namespace attn {

namespace {

/// One way in which a text can be meant.
struct PasteReading
{
    char delimiter = '\t';
    DecimalMark mark = DecimalMark::Point;
};

struct ReadTable
{
    PastedBlock block;
    PasteReading reading;
    bool usesDecimalComma = false; ///< some number has a comma that cannot be a thousands mark
};

/// Digits and marks only: perhaps no number, but no label either.
bool looksNumeric(const CsvField &field)
{
    const std::string text = withPlainBlanks(field.text());
    return text.find_first_of("0123456789") != std::string::npos &&
           text.find_first_not_of("0123456789.,+-eE %") == std::string::npos;
}

std::string cellName(std::size_t row, std::size_t col)
{
    return "row " + std::to_string(row + 1) + ", column " + std::to_string(col + 1);
}

Error cellError(std::size_t row, std::size_t col, const std::string &message)
{
    return {ErrorCode::BadInput, cellName(row, col) + ": " + message};
}

/// Reads the cells of one table under one reading.
class PastedTableReader
{
public:
    PastedTableReader(const CsvTable &table, const PasteReading &reading)
        : m_table(table)
        , m_reading(reading)
        , m_rows(table.rows())
        , m_cols(table.cols(0))
    {
    }

    Result<ReadTable> read();
    /// How many numbers were read before an error.
    std::size_t progress() const { return m_progress; }

private:
    std::optional<double> number(std::size_t row, std::size_t col) const
    {
        const CsvField &field = m_table.at(row, col);
        if (m_reading.mark == DecimalMark::Point) // the usual case, and the fast one
            if (const std::optional<double> plain = parseNumber(field.raw))
                return plain;
        return parseGroupedNumber(field.text(), m_reading.mark, thousandsMarksBeside(m_reading.delimiter));
    }
    bool isText(std::size_t row, std::size_t col) const
    {
        const CsvField &field = m_table.at(row, col);
        return !field.isEmpty() && !number(row, col) && !looksNumeric(field);
    }
    bool hasTextInFirstRow() const
    {
        for (std::size_t col = 1; col < m_cols; ++col)
            if (isText(0, col))
                return true;
        return false;
    }
    bool hasTextInFirstColumn() const
    {
        for (std::size_t row = 1; row < m_rows; ++row)
            if (isText(row, 0))
                return true;
        return false;
    }
    std::optional<Error> findLabels();
    QString label(std::size_t row, std::size_t col) const
    {
        return QString::fromStdString(m_table.at(row, col).text());
    }

    const CsvTable &m_table;
    PasteReading m_reading;
    std::size_t m_rows;
    std::size_t m_cols;
    bool m_hasLabelRow = false;
    bool m_hasLabelColumn = false;
    std::size_t m_progress = 0;
};

/// An empty corner stands over labels on both sides, also where they look like numbers. A text in the corner
/// is a label itself, or stands over labels.
std::optional<Error> PastedTableReader::findLabels()
{
    const bool isCornerEmpty = m_table.at(0, 0).isEmpty();
    if (!isCornerEmpty && !isText(0, 0))
        return {};
    const bool inRow = hasTextInFirstRow();
    const bool inColumn = hasTextInFirstColumn();
    if (m_rows == 1 && m_cols == 1)
        return {};
    if (m_rows == 1 || m_cols == 1) {
        m_hasLabelColumn = m_rows == 1 && !inRow;
        m_hasLabelRow = m_cols == 1 && !inColumn;
        return {};
    }
    const std::string corner = m_table.at(0, 0).text();
    const bool namesBoth = corner.find('\\') != std::string::npos || corner.find('/') != std::string::npos;
    if (isCornerEmpty || namesBoth || (inRow && inColumn)) {
        m_hasLabelRow = true;
        m_hasLabelColumn = true;
    } else if (!inRow && !inColumn) {
        return cellError(0, 0, "'" + corner + "' may be the label of a row or of a column");
    } else {
        m_hasLabelRow = inRow;
        m_hasLabelColumn = inColumn;
    }
    return {};
}

Result<ReadTable> PastedTableReader::read()
{
    for (std::size_t row = 1; row < m_rows; ++row)
        if (m_table.cols(row) != m_cols)
            return Error{ErrorCode::BadInput, "row " + std::to_string(row + 1) + " has " +
                                                  std::to_string(m_table.cols(row)) + " cells, row 1 has " +
                                                  std::to_string(m_cols)};
    if (auto error = findLabels())
        return *error;
    const std::size_t firstRow = m_hasLabelRow ? 1 : 0;
    const std::size_t firstCol = m_hasLabelColumn ? 1 : 0;
    ReadTable result;
    result.reading = m_reading;
    for (std::size_t row = firstRow; row < m_rows; ++row) {
        for (std::size_t col = firstCol; col < m_cols; ++col) {
            const CsvField &field = m_table.at(row, col);
            if (field.isEmpty())
                return cellError(row, col, "the cell is empty");
            const std::optional<double> value = number(row, col);
            if (!value)
                return cellError(row, col, "'" + field.text() + "' is not a number");
            const bool hasComma = field.raw.find(',') != std::string_view::npos;
            result.usesDecimalComma =
                result.usesDecimalComma || (hasComma && m_reading.mark == DecimalMark::Comma);
            result.block.values.push_back(*value);
            ++m_progress;
        }
    }
    for (std::size_t row = firstRow; row < m_rows && m_hasLabelColumn; ++row)
        result.block.rowLabels.push_back(label(row, 0));
    for (std::size_t col = firstCol; col < m_cols && m_hasLabelRow; ++col)
        result.block.colLabels.push_back(label(0, col));
    result.block.rows = static_cast<Index>(m_rows - firstRow);
    result.block.cols = static_cast<Index>(m_cols - firstCol);
    return result;
}

/// What may separate the cells. A tab outside of quotes is never anything else.
std::string possibleDelimiters(std::string_view text)
{
    std::string present;
    bool isQuoted = false;
    for (const char c : text) {
        if (c == '"')
            isQuoted = !isQuoted;
        const bool separates = c == '\t' || c == ';' || c == ',';
        if (!isQuoted && separates && present.find(c) == std::string::npos)
            present += c;
    }
    if (present.find('\t') != std::string::npos)
        return "\t";
    return present + csvBlanks;
}

/// An empty line in a single column is an empty cell, not the end of the block.
std::optional<Error> emptyLineError(const CsvTable &table)
{
    for (std::size_t row = 1; row < table.rows(); ++row) {
        const auto between = table.lines[row] - table.lines[row - 1];
        const auto &field = table.at(row - 1, 0);
        const auto own = 1 + std::count(field.raw.begin(), field.raw.end(), '\n');
        if (table.cols(row - 1) == 1 && between > own)
            return cellError(row, 0, "the cell is empty");
    }
    return {};
}

Result<ReadTable> readAs(std::string_view text, const PasteReading &reading, std::size_t &progress)
{
    const Result<CsvTable> table = scanCsv(text, reading.delimiter);
    if (!table)
        return table.error();
    if (table->rows() == 0)
        return Error{ErrorCode::BadInput, "there is nothing to paste"};
    if (auto error = emptyLineError(*table))
        return *error;
    PastedTableReader reader(*table, reading);
    Result<ReadTable> result = reader.read();
    progress = reader.progress();
    return result;
}

/// Where two readings differ.
std::string differenceOf(const PastedBlock &a, const PastedBlock &b)
{
    if (a.rows != b.rows || a.cols != b.cols)
        return "the text can be read as " + std::to_string(a.rows) + " × " + std::to_string(a.cols) +
               " or as " + std::to_string(b.rows) + " × " + std::to_string(b.cols) + " numbers";
    for (std::size_t i = 0; i < a.values.size(); ++i)
        if (a.values[i] != b.values[i])
            return cellName(i / static_cast<std::size_t>(a.cols), i % static_cast<std::size_t>(a.cols)) +
                   ": can be read as " + shortestText(a.values[i]) + " or as " + shortestText(b.values[i]);
    return {};
}

} // namespace

Result<PastedBlock> parsePastedText(const QString &pasted)
{
    const std::string text = pasted.toStdString();
    std::vector<ReadTable> readings;
    std::optional<Error> bestError; // of the reading that got furthest
    std::size_t bestProgress = 0;
    for (const char delimiter : possibleDelimiters(text)) {
        for (const DecimalMark mark : {DecimalMark::Point, DecimalMark::Comma}) {
            if (mark == DecimalMark::Comma && (delimiter == ',' || text.find(',') == std::string::npos))
                continue;
            std::size_t progress = 0;
            Result<ReadTable> table = readAs(text, {delimiter, mark}, progress);
            if (!table && (!bestError || progress > bestProgress)) {
                bestError = table.error();
                bestProgress = progress;
            }
            // Without any decimal comma the point is the mark, as everywhere else.
            if (table && (mark == DecimalMark::Point || table->usesDecimalComma))
                readings.push_back(std::move(*table));
        }
    }
    if (readings.empty())
        return *bestError;
    for (std::size_t i = 1; i < readings.size(); ++i)
        if (const std::string difference = differenceOf(readings[0].block, readings[i].block);
            !difference.empty())
            return Error{ErrorCode::BadInput, difference + "; use a decimal point, and tabs between cells"};
    return std::move(readings.front().block);
}

} // namespace attn
