#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace attn {

enum class DecimalMark
{
    Point,
    Comma,
};

/// Which marks may stand between groups of three digits.
enum class ThousandsMarks
{
    Blanks,         ///< blanks of any width and apostrophes: 1 234.5
    BlanksAndMarks, ///< also the decimal mark that is not in use: 1,234.5 or 1.234,5
};

/// Reads a number as people and spreadsheets write it; text: UTF-8. Groups of three follow one to three
/// digits. Nothing when the marks stand in other places. Independent of the locale.
std::optional<double> parseGroupedNumber(std::string_view text, DecimalMark mark, ThousandsMarks marks);

/// Blanks of every width and apostrophes as ' ', and none at the ends.
std::string withPlainBlanks(std::string_view text);

} // namespace attn
