// Tables as text (RFC 4180 and what spreadsheets make of it): one matrix, optionally with a row of column
// labels and a column of row labels. UTF-8 with or without byte-order mark, UTF-16 with one, else Latin-1.
//
//   query\key,I,love        corner and column labels (optional)
//   I,0.6,0.15              row label (optional), numbers
#include "io/Csv.h"

#include "base/NumberText.h"
#include "io/CsvTable.h"

#include <QFileInfo>
#include <QStringDecoder>

#include <algorithm>
#include <limits>

namespace attn {

namespace {

class CsvFile : public TensorFile
{
public:
    const std::vector<FileTensorInfo> &entries() const override { return m_entries; }
    Result<FileTensor> load(std::size_t) const override { return m_tensor; }

    void setTensor(FileTensor tensor)
    {
        m_entries = {{tensor.name, tensor.dtype, tensor.shape, {}}};
        m_tensor = std::move(tensor);
    }

private:
    std::vector<FileTensorInfo> m_entries;
    FileTensor m_tensor;
};

/// Numbers of one table, which all use the same decimal mark.
class CsvNumbers
{
public:
    CsvNumbers(const CsvTable &table, char delimiter)
        : m_marks(thousandsMarksBeside(delimiter))
    {
        std::size_t withComma = 0, withPoint = 0;
        for (const CsvField &field : table.fields) {
            const std::size_t lastMark = field.raw.find_last_of(".,");
            if (lastMark == std::string_view::npos)
                continue;
            if (field.raw[lastMark] == '.')
                withPoint += read(field, DecimalMark::Point) ? 1 : 0;
            else
                withComma += read(field, DecimalMark::Comma) ? 1 : 0;
        }
        m_mark = withComma > withPoint ? DecimalMark::Comma : DecimalMark::Point;
    }

    std::optional<double> operator()(const CsvField &field) const { return read(field, m_mark); }
    bool isText(const CsvField &field) const { return !field.isEmpty() && !(*this)(field); }
    /// Whether thousands marks stand in it.
    bool isGrouped(const CsvField &field) const
    {
        return field.raw.find_first_of(m_mark == DecimalMark::Point ? "," : ".") != std::string_view::npos ||
               withPlainBlanks(field.raw).find(' ') != std::string::npos;
    }

private:
    std::optional<double> read(const CsvField &field, DecimalMark mark) const
    {
        if (mark == DecimalMark::Point) // the usual case, and the fast one
            if (const auto plain = parseNumber(field.raw))
                return plain;
        if (field.raw.find_first_of("0123456789") == std::string_view::npos)
            return parseNumber(field.raw);
        return parseGroupedNumber(field.raw, mark, m_marks);
    }

    ThousandsMarks m_marks;
    DecimalMark m_mark = DecimalMark::Point;
};

/// Which row and column of a table are labels.
struct CsvLayout
{
    bool hasLabelRow = false;
    bool hasLabelColumn = false;
};

/// "query\key", "out/in", or a word that names rows: what stands over a label column.
bool looksLikeCorner(const CsvField &field)
{
    const QString text = QString::fromStdString(field.text()).trimmed().toLower();
    const auto parts = text.split(text.contains(u'\\') ? u'\\' : u'/');
    const auto isWord = [](const QString &part) {
        return !part.isEmpty() && std::all_of(part.begin(), part.end(), [](QChar c) {
            return c.isLetterOrNumber() || c == u' ' || c == u'_';
        });
    };
    if (parts.size() == 2)
        return isWord(parts[0]) && isWord(parts[1]);
    static const QStringList words = {
        QStringLiteral("token"), QStringLiteral("tokens"),  QStringLiteral("label"), QStringLiteral("labels"),
        QStringLiteral("query"), QStringLiteral("queries"), QStringLiteral("word"),  QStringLiteral("name"),
        QStringLiteral("row"),   QStringLiteral("index")};
    return words.contains(text);
}

class CsvLayoutGuess
{
public:
    CsvLayoutGuess(const CsvTable &table, const CsvNumbers &numbers)
        : m_table(table)
        , m_numbers(numbers)
        , m_cols(table.cols(0))
    {
    }

    CsvLayout layout() const
    {
        const CsvField &corner = m_table.at(0, 0);
        const bool isCornerText = m_numbers.isText(corner);
        if (m_cols == 1)
            return {isCornerText, false};
        const bool isCorner = isCornerText && looksLikeCorner(corner);
        std::size_t headTexts = 0;
        for (std::size_t col = 1; col < m_cols; ++col)
            headTexts += m_numbers.isText(m_table.at(0, col)) ? 1 : 0;
        CsvLayout result;
        if (headTexts > 0)
            result.hasLabelRow = isCornerText || corner.isEmpty() || corner.isQuoted;
        else if (isCornerText)
            result.hasLabelRow = isCorner || labelColumnTexts() == 0 || headEqualsLabelColumn();
        else if (corner.isEmpty())
            result.hasLabelRow = headEqualsLabelColumn() || headCountsUp();
        if (result.hasLabelRow && (corner.isEmpty() || isCorner || (isCornerText && headTexts == 0)))
            result.hasLabelColumn = true;
        else
            result.hasLabelColumn =
                labelColumnTexts() > 0 &&
                (2 * labelColumnTexts() >= m_table.rows() - (result.hasLabelRow ? 1 : 0) ||
                 (!result.hasLabelRow && isCornerText));
        return result;
    }

private:
    std::size_t labelColumnTexts() const
    {
        std::size_t texts = 0;
        for (std::size_t row = 1; row < m_table.rows(); ++row)
            texts += m_numbers.isText(m_table.at(row, 0)) ? 1 : 0;
        return texts;
    }
    bool headEqualsLabelColumn() const
    {
        if (m_table.rows() != m_cols)
            return false;
        for (std::size_t i = 1; i < m_cols; ++i)
            if (m_table.at(0, i).raw != m_table.at(i, 0).raw)
                return false;
        return true;
    }
    bool headCountsUp() const
    {
        for (std::size_t col = 1; col < m_cols; ++col)
            if (m_numbers(m_table.at(0, col)) != static_cast<double>(col - 1))
                return false;
        return true;
    }

    const CsvTable &m_table;
    const CsvNumbers &m_numbers;
    std::size_t m_cols;
};

/// The text without its byte-order mark, as UTF-8.
QByteArray utf8Text(const QByteArray &bytes, std::vector<std::string> &notes, const std::string &fileName)
{
    if (bytes.startsWith("\xff\xfe") || bytes.startsWith("\xfe\xff"))
        return QString(QStringDecoder(QStringDecoder::Utf16)(bytes)).toUtf8();
    const QByteArray text = bytes.startsWith("\xef\xbb\xbf") ? bytes.mid(3) : bytes;
    QStringDecoder decoder(QStringDecoder::Utf8);
    const QString decoded = decoder(text);
    if (!decoder.hasError())
        return text;
    notes.push_back(fileName + ": the text is not UTF-8 and is read as Latin-1");
    return QString::fromLatin1(text).toUtf8();
}

Result<void> checkRowLengths(const CsvTable &table)
{
    for (std::size_t row = 1; row < table.rows(); ++row)
        if (table.cols(row) != table.cols(0))
            return Error{ErrorCode::ShapeMismatch, "line " + std::to_string(table.lines[row]) + " has " +
                                                       std::to_string(table.cols(row)) +
                                                       (table.cols(row) == 1 ? " cell" : " cells") +
                                                       ", line " + std::to_string(table.lines[0]) + " has " +
                                                       std::to_string(table.cols(0))};
    return {};
}

/// A single column of words: a list of labels.
std::unique_ptr<CsvFile> labelList(const CsvTable &table, const std::string &name)
{
    auto file = std::make_unique<CsvFile>();
    for (const CsvField &field : table.fields)
        file->rowLabels.push_back(field.text());
    file->setTensor({name, Dtype::Text, {static_cast<std::int64_t>(table.rows())}, file->rowLabels, {}});
    return file;
}

Result<std::unique_ptr<CsvFile>> matrixOf(const CsvTable &table, const CsvNumbers &numbers,
                                          const std::string &name, const std::string &fileName)
{
    const CsvLayout layout = CsvLayoutGuess(table, numbers).layout();
    const std::size_t firstRow = layout.hasLabelRow ? 1 : 0;
    const std::size_t firstCol = layout.hasLabelColumn ? 1 : 0;
    const std::size_t rows = table.rows() - firstRow;
    const std::size_t cols = table.cols(0) - firstCol;
    auto file = std::make_unique<CsvFile>();
    if (layout.hasLabelRow)
        for (std::size_t col = firstCol; col < table.cols(0); ++col)
            file->colLabels.push_back(table.at(0, col).text());
    std::vector<double> values;
    values.reserve(rows * cols);
    std::vector<bool> missing(rows * cols, false);
    std::size_t missingCount = 0;
    std::string firstGrouped;
    for (std::size_t row = firstRow; row < table.rows(); ++row) {
        if (layout.hasLabelColumn)
            file->rowLabels.push_back(table.at(row, 0).text());
        for (std::size_t col = firstCol; col < table.cols(0); ++col) {
            const CsvField &field = table.at(row, col);
            const auto value = numbers(field);
            if (!value && !field.isEmpty())
                return Error{ErrorCode::BadInput, "line " + std::to_string(table.lines[row]) + ", column " +
                                                      std::to_string(col + 1) + ": '" +
                                                      field.text().substr(0, 40) + "' is not a number"};
            if (value && firstGrouped.empty() && numbers.isGrouped(field))
                firstGrouped = field.text() + " is read as " + shortestText(*value);
            missing[values.size()] = !value;
            missingCount += value ? 0 : 1;
            values.push_back(value.value_or(std::numeric_limits<double>::quiet_NaN()));
        }
    }
    if (rows == 0)
        file->notes.push_back(fileName + ": there are labels but no numbers");
    if (!firstGrouped.empty())
        file->notes.push_back(fileName + ": there are thousands marks: " + firstGrouped);
    if (missingCount > 0)
        file->notes.push_back(fileName + ": " + std::to_string(missingCount) +
                              (missingCount == 1 ? " cell is empty" : " cells are empty") +
                              " and read as missing (NaN)");
    file->setTensor({name,
                     Dtype::F64,
                     {static_cast<std::int64_t>(rows), static_cast<std::int64_t>(cols)},
                     std::move(values),
                     missingCount > 0 ? std::move(missing) : std::vector<bool>()});
    return file;
}

} // namespace

Result<std::unique_ptr<TensorFile>> parseCsv(const QByteArray &bytes, const QString &fileName)
{
    const std::string file = fileName.toStdString();
    const auto failed = [&file](const Error &error) {
        return Error{error.code, file + ": " + error.message};
    };
    std::vector<std::string> notes;
    const QByteArray text = utf8Text(bytes, notes, file);
    if (text.contains('\0'))
        return Error{ErrorCode::BadInput, file + ": byte " + std::to_string(text.indexOf('\0')) +
                                              ": this is neither a table nor a tensor file"};
    const std::string_view view(text.constData(), static_cast<std::size_t>(text.size()));
    const bool isTabbed = fileName.endsWith(QLatin1String(".tsv"), Qt::CaseInsensitive);
    const char delimiter = isTabbed ? '\t' : guessCsvDelimiter(view);
    auto table = scanCsv(view, delimiter);
    if (!table)
        return failed(table.error());
    if (table->rows() == 0)
        return Error{ErrorCode::BadInput, file + ": the file is empty"};
    if (table->endsWithEmptyColumn()) {
        table->dropLastColumn();
        notes.push_back(file + ": every line ends with a delimiter; the empty last column is left out");
    }
    if (const auto checked = checkRowLengths(*table); !checked)
        return failed(checked.error());
    const std::string name = QFileInfo(fileName).completeBaseName().toStdString();
    const CsvNumbers numbers(*table, delimiter);
    const bool isList = table->cols(0) == 1 && table->rows() > 1 &&
                        std::all_of(table->fields.begin(), table->fields.end(),
                                    [&](const CsvField &field) { return !numbers(field); });
    auto matrix = isList ? Result<std::unique_ptr<CsvFile>>(labelList(*table, name))
                         : matrixOf(*table, numbers, name, file);
    if (!matrix)
        return failed(matrix.error());
    (*matrix)->notes.insert((*matrix)->notes.begin(), notes.begin(), notes.end());
    return std::unique_ptr<TensorFile>(std::move(*matrix));
}

} // namespace attn
