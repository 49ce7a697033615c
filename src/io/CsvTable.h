#pragma once

#include "base/Result.h"
#include "io/GroupedNumber.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

/// One cell as it stands in the text: without its quotes, doubled quotes still doubled.
struct CsvField
{
    std::string_view raw;
    bool isQuoted = false;

    std::string text() const; ///< doubled quotes made single
    bool isEmpty() const;     ///< nothing or only blanks, not quoted
};

/// The cells of a table, row by row; rows may differ in length. Refers to the text it was read from.
struct CsvTable
{
    std::vector<CsvField> fields;
    std::vector<std::size_t> rowStarts; ///< one per row, and the end
    std::vector<std::int64_t> lines;    ///< line on which each row begins, from 1

    std::size_t rows() const { return lines.size(); }
    std::size_t cols(std::size_t row) const { return rowStarts[row + 1] - rowStarts[row]; }
    const CsvField &at(std::size_t row, std::size_t col) const { return fields[rowStarts[row] + col]; }
    bool endsWithEmptyColumn() const; ///< every row has more than one cell, the last one empty
    void dropLastColumn();
};

inline constexpr char csvBlanks = ' '; ///< as a delimiter: any run of blanks

/// Tab, semicolon, comma or csvBlanks, from the beginning of the text.
char guessCsvDelimiter(std::string_view text);

/// The thousands marks that cannot be taken for this delimiter.
ThousandsMarks thousandsMarksBeside(char delimiter);

/// RFC 4180 with any delimiter and any line end. Empty lines are left out. Where every cell but the first of
/// each row begins with a blank, that blank belongs to the delimiter.
/// Errors: a quote that is never closed, text behind a closing quote.
Result<CsvTable> scanCsv(std::string_view text, char delimiter);

} // namespace attn
