#include "io/CsvTable.h"

#include "base/NumberText.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>

namespace attn {

namespace {

bool isLineEnd(char c)
{
    return c == '\n' || c == '\r';
}

bool isBlank(char c)
{
    return c == ' ' || c == '\t';
}

class CsvScanner
{
public:
    CsvScanner(std::string_view text, char delimiter)
        : m_text(text)
        , m_delimiter(delimiter)
    {
    }

    Result<CsvTable> scan();

private:
    std::optional<Error> scanField();
    std::optional<Error> scanQuoted();
    void skipBlanks()
    {
        while (m_at < m_text.size() && isBlank(m_text[m_at]) &&
               (m_delimiter == csvBlanks || m_text[m_at] != m_delimiter))
            ++m_at;
    }
    bool atRowEnd() const { return m_at >= m_text.size() || isLineEnd(m_text[m_at]); }
    void passLineEnd()
    {
        if (m_at + 1 < m_text.size() && m_text[m_at] == '\r' && m_text[m_at + 1] == '\n')
            ++m_at;
        ++m_at;
        ++m_line;
    }
    Error damaged(const std::string &message) const
    {
        return {ErrorCode::Damaged, "line " + std::to_string(m_line) + ", column " +
                                        std::to_string(m_table.fields.size() - m_table.rowStarts.back() + 1) +
                                        ": " + message};
    }

    std::string_view m_text;
    char m_delimiter;
    std::size_t m_at = 0;
    std::int64_t m_line = 1;
    CsvTable m_table;
};

Result<CsvTable> CsvScanner::scan()
{
    while (m_at < m_text.size()) {
        if (m_delimiter == csvBlanks)
            skipBlanks();
        if (atRowEnd()) {
            if (m_at < m_text.size())
                passLineEnd();
            continue;
        }
        m_table.lines.push_back(m_line);
        m_table.rowStarts.push_back(m_table.fields.size());
        for (bool isRowOpen = true; isRowOpen;) {
            if (auto error = scanField())
                return std::move(*error);
            if (m_delimiter == csvBlanks) {
                while (m_at < m_text.size() && isBlank(m_text[m_at]))
                    ++m_at;
                isRowOpen = !atRowEnd();
            } else {
                isRowOpen = m_at < m_text.size() && m_text[m_at] == m_delimiter;
                if (isRowOpen)
                    ++m_at;
            }
        }
        if (m_at < m_text.size())
            passLineEnd();
    }
    m_table.rowStarts.push_back(m_table.fields.size());
    return std::move(m_table);
}

std::optional<Error> CsvScanner::scanField()
{
    const std::size_t begin = m_at;
    skipBlanks();
    if (m_at < m_text.size() && m_text[m_at] == '"')
        return scanQuoted();
    const auto isEnd = [this](char c) {
        return isLineEnd(c) || (m_delimiter == csvBlanks ? isBlank(c) : c == m_delimiter);
    };
    while (m_at < m_text.size() && !isEnd(m_text[m_at]))
        ++m_at;
    m_table.fields.push_back({m_text.substr(begin, m_at - begin), false});
    return std::nullopt;
}

std::optional<Error> CsvScanner::scanQuoted()
{
    const std::size_t begin = ++m_at;
    std::int64_t line = m_line;
    for (;; ++m_at) {
        if (m_at >= m_text.size())
            return damaged("the quotation mark that opens here is never closed");
        if (m_text[m_at] == '\n' || (m_text[m_at] == '\r' && m_text.substr(m_at + 1, 1) != "\n"))
            ++line;
        if (m_text[m_at] != '"')
            continue;
        if (m_text.substr(m_at + 1, 1) != "\"")
            break;
        ++m_at;
    }
    const std::string_view raw = m_text.substr(begin, m_at - begin);
    ++m_at;
    skipBlanks();
    const bool isClosed =
        atRowEnd() || m_text[m_at] == m_delimiter || (m_delimiter == csvBlanks && isBlank(m_text[m_at - 1]));
    if (!isClosed)
        return damaged("text after the closing quotation mark");
    m_line = line;
    m_table.fields.push_back({raw, true});
    return std::nullopt;
}

/// Cells per row for the first rows of the text.
std::vector<std::size_t> rowLengths(std::string_view sample, char delimiter)
{
    constexpr std::size_t enoughRows = 64;
    std::vector<std::size_t> lengths;
    std::size_t length = 1;
    bool isQuoted = false, isLineEmpty = true;
    for (std::size_t i = 0; i < sample.size() && lengths.size() < enoughRows; ++i) {
        const char c = sample[i];
        const bool opens = isLineEmpty || sample[i - 1] == delimiter || sample[i - 1] == ' ';
        if (c == '"' && (isQuoted || opens))
            isQuoted = !isQuoted;
        if (!isQuoted && isLineEnd(c)) {
            if (!isLineEmpty)
                lengths.push_back(length);
            length = 1;
            isLineEmpty = true;
            continue;
        }
        isLineEmpty = false;
        if (!isQuoted && c == delimiter)
            ++length;
    }
    if (!isLineEmpty && lengths.size() < enoughRows)
        lengths.push_back(length);
    return lengths;
}

bool isRowOfNumbersAndBlanks(std::string_view text)
{
    const std::string_view line = text.substr(0, text.find_first_of("\r\n"));
    std::size_t at = 0, count = 0;
    while ((at = line.find_first_not_of(' ', at)) != std::string_view::npos) {
        const std::size_t end = std::min(line.find(' ', at), line.size());
        if (!parseNumber(line.substr(at, end - at)))
            return false;
        ++count;
        at = end;
    }
    return count > 1;
}

} // namespace

std::string CsvField::text() const
{
    std::string text;
    text.reserve(raw.size());
    for (std::size_t i = 0; i < raw.size(); ++i) {
        text.push_back(raw[i]);
        if (isQuoted && raw[i] == '"')
            ++i;
    }
    return text;
}

bool CsvField::isEmpty() const
{
    return !isQuoted && raw.find_first_not_of(" \t") == std::string_view::npos;
}

bool CsvTable::endsWithEmptyColumn() const
{
    for (std::size_t row = 0; row < rows(); ++row)
        if (cols(row) < 2 || !at(row, cols(row) - 1).isEmpty())
            return false;
    return rows() > 0;
}

void CsvTable::dropLastColumn()
{
    std::vector<CsvField> kept;
    kept.reserve(fields.size());
    std::vector<std::size_t> starts;
    for (std::size_t row = 0; row < rows(); ++row) {
        starts.push_back(kept.size());
        for (std::size_t col = 0; col + 1 < cols(row); ++col)
            kept.push_back(at(row, col));
    }
    starts.push_back(kept.size());
    fields = std::move(kept);
    rowStarts = std::move(starts);
}

char guessCsvDelimiter(std::string_view text)
{
    const std::string_view sample = text.substr(0, std::size_t(1) << 16);
    char best = ',';
    double bestShare = 0.0;
    for (const char delimiter : {'\t', ';', ','}) {
        std::vector<std::size_t> lengths = rowLengths(sample, delimiter);
        if (sample.size() < text.size() && lengths.size() > 1)
            lengths.pop_back(); // may be cut
        std::map<std::size_t, std::size_t> uses;
        for (const std::size_t length : lengths)
            ++uses[length];
        const auto usual = std::max_element(uses.begin(), uses.end(),
                                            [](const auto &a, const auto &b) { return a.second < b.second; });
        if (usual == uses.end() || uses.rbegin()->first < 2)
            continue;
        // A delimiter that most rows do without separates nothing.
        const double share = usual->first < 2
                                 ? 0.01
                                 : static_cast<double>(usual->second) / static_cast<double>(lengths.size());
        if (share > bestShare) {
            best = delimiter;
            bestShare = share;
        }
    }
    if (bestShare == 0.0 && isRowOfNumbersAndBlanks(text))
        return csvBlanks;
    return best;
}

ThousandsMarks thousandsMarksBeside(char delimiter)
{
    return delimiter == ',' || delimiter == csvBlanks ? ThousandsMarks::Blanks
                                                      : ThousandsMarks::BlanksAndMarks;
}

Result<CsvTable> scanCsv(std::string_view text, char delimiter)
{
    auto table = CsvScanner(text, delimiter).scan();
    if (!table || delimiter == csvBlanks)
        return table;
    bool isBlankPartOfDelimiter = false;
    for (std::size_t row = 0; row < table->rows(); ++row) {
        for (std::size_t col = 1; col < table->cols(row); ++col) {
            const CsvField &field = table->at(row, col);
            if (field.isQuoted)
                continue;
            if (!field.raw.starts_with(' '))
                return table;
            isBlankPartOfDelimiter = true;
        }
    }
    if (isBlankPartOfDelimiter)
        for (std::size_t row = 0; row < table->rows(); ++row)
            for (std::size_t col = 1; col < table->cols(row); ++col)
                if (CsvField &field = table->fields[table->rowStarts[row] + col]; !field.isQuoted)
                    field.raw.remove_prefix(1);
    return table;
}

} // namespace attn
