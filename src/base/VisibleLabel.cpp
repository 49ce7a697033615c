#include "base/VisibleLabel.h"

#include <algorithm>
#include <array>
#include <utility>

namespace attn {

namespace {

constexpr char32_t spaceSign = U'\u2423';     // open box
constexpr char32_t wideSpaceSign = U'\u237d'; // shouldered open box: any other blank
constexpr char32_t lineBreakSign = U'\u21b5';
constexpr char32_t carriageReturnSign = U'\u21e4';
constexpr char32_t tabSign = U'\u21e5';
constexpr char32_t emptySign = U'\u2205';
constexpr char32_t replacement = U'\ufffd';
constexpr char32_t bytePairSpace = U'\u0120'; // how byte-level tokenizers write a space
constexpr char32_t sentencePieceSpace = U'\u2581';
constexpr char32_t bytePairLineBreak = U'\u010a';

using CodePointRange = std::pair<char32_t, char32_t>;

bool isIn(char32_t codePoint, std::initializer_list<CodePointRange> ranges)
{
    return std::any_of(ranges.begin(), ranges.end(), [codePoint](const CodePointRange &range) {
        return codePoint >= range.first && codePoint <= range.second;
    });
}

/// Unicode 15, category Zs.
bool isBlank(char32_t codePoint)
{
    return isIn(codePoint, {{0x20, 0x20},
                            {0xa0, 0xa0},
                            {0x1680, 0x1680},
                            {0x2000, 0x200a},
                            {0x202f, 0x202f},
                            {0x205f, 0x205f},
                            {0x3000, 0x3000}});
}

/// Unicode 15, categories Cc and Cf, but for joiners and emoji tags: these belong to a grapheme, every other
/// format character is invisible on its own.
bool isWithoutGlyph(char32_t codePoint)
{
    return isIn(codePoint, {{0x00, 0x1f},       {0x7f, 0x9f},       {0xad, 0xad},       {0x600, 0x605},
                            {0x61c, 0x61c},     {0x6dd, 0x6dd},     {0x70f, 0x70f},     {0x890, 0x891},
                            {0x8e2, 0x8e2},     {0x180e, 0x180e},   {0x200b, 0x200b},   {0x200e, 0x200f},
                            {0x202a, 0x202e},   {0x2060, 0x2064},   {0x2066, 0x206f},   {0xfeff, 0xfeff},
                            {0xfff9, 0xfffb},   {0x110bd, 0x110bd}, {0x110cd, 0x110cd}, {0x13430, 0x1343f},
                            {0x1bca0, 0x1bca3}, {0x1d173, 0x1d17a}, {0xe0001, 0xe0001}});
}

std::u32string codePointSign(char32_t codePoint)
{
    constexpr std::u32string_view digits = U"0123456789ABCDEF";
    std::u32string number;
    for (char32_t rest = codePoint; rest > 0 || number.size() < 4; rest /= 16)
        number.insert(number.begin(), digits[rest % 16]);
    return U"\u27e8U+" + number + U'\u27e9';
}

std::u32string visibleCharacter(char32_t codePoint)
{
    if (codePoint == U'\n' || codePoint == 0x2028 || codePoint == 0x2029)
        return {lineBreakSign};
    if (codePoint == U'\t')
        return {tabSign};
    if (codePoint == U'\r')
        return {carriageReturnSign};
    if (codePoint >= 0xd800 && codePoint <= 0xdfff)
        return {replacement};
    if (isWithoutGlyph(codePoint))
        return codePointSign(codePoint);
    return {codePoint};
}

char32_t blankSign(char32_t codePoint)
{
    return codePoint == U' ' ? spaceSign : wideSpaceSign;
}

/// Leading space markers of tokenizers, and labels of nothing but line break markers; returns how many
/// characters they took.
std::size_t appendMarkers(std::u32string_view raw, std::u32string &result)
{
    std::size_t count = 0;
    const bool onlyLineBreaks = std::all_of(raw.begin(), raw.end(), [](char32_t codePoint) {
        return codePoint == bytePairLineBreak || codePoint == bytePairSpace;
    });
    while (count < raw.size()) {
        if (raw[count] == bytePairSpace || raw[count] == sentencePieceSpace)
            result += spaceSign;
        else if (raw[count] == bytePairLineBreak && onlyLineBreaks)
            result += lineBreakSign;
        else
            break;
        ++count;
    }
    return count;
}

std::u32string codePointsOf(const std::string &utf8)
{
    std::u32string points;
    for (std::size_t i = 0; i < utf8.size();) {
        const auto lead = static_cast<unsigned char>(utf8[i]);
        const std::size_t length = lead < 0x80                   ? 1
                                   : lead >= 0xc2 && lead < 0xe0 ? 2
                                   : lead >= 0xe0 && lead < 0xf0 ? 3
                                   : lead >= 0xf0 && lead < 0xf5 ? 4
                                                                 : 0;
        char32_t point = length == 1 ? lead : lead & (0x7fU >> length);
        bool isWhole = length > 0 && i + length <= utf8.size();
        for (std::size_t k = 1; isWhole && k < length; ++k) {
            const auto next = static_cast<unsigned char>(utf8[i + k]);
            isWhole = (next & 0xc0U) == 0x80U;
            point = point * 64 + (next & 0x3fU);
        }
        constexpr std::array<char32_t, 5> least = {0, 0, 0x80, 0x800, 0x10000};
        isWhole = isWhole && point >= least[length] && point <= 0x10ffff;
        points += isWhole ? point : replacement;
        i += isWhole ? length : 1;
    }
    return points;
}

std::string utf8Of(std::u32string_view points)
{
    std::string text;
    const auto add = [&text](char32_t byte) {
        text += static_cast<char>(static_cast<unsigned char>(byte));
    };
    for (const char32_t point : points) {
        if (point < 0x80) {
            add(point);
        } else if (point < 0x800) {
            add(0xc0 | (point >> 6));
            add(0x80 | (point & 0x3f));
        } else if (point < 0x10000) {
            add(0xe0 | (point >> 12));
            add(0x80 | ((point >> 6) & 0x3f));
            add(0x80 | (point & 0x3f));
        } else {
            add(0xf0 | (point >> 18));
            add(0x80 | ((point >> 12) & 0x3f));
            add(0x80 | ((point >> 6) & 0x3f));
            add(0x80 | (point & 0x3f));
        }
    }
    return text;
}

} // namespace

std::u32string visibleLabel(std::u32string_view raw)
{
    if (raw.empty())
        return {emptySign};
    std::u32string result;
    std::size_t begin = appendMarkers(raw, result);
    while (begin < raw.size() && isBlank(raw[begin]))
        result += blankSign(raw[begin++]);
    std::size_t end = raw.size();
    while (end > begin && isBlank(raw[end - 1]))
        --end;
    for (const char32_t codePoint : raw.substr(begin, end - begin))
        result += visibleCharacter(codePoint);
    for (std::size_t i = end; i < raw.size(); ++i)
        result += blankSign(raw[i]);
    return result;
}

std::string visibleLabel(const std::string &raw)
{
    return utf8Of(visibleLabel(codePointsOf(raw)));
}

} // namespace attn
