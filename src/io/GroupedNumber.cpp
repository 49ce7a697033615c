#include "io/GroupedNumber.h"

#include "base/NumberText.h"

#include <QString>

#include <algorithm>

namespace attn {

namespace {

bool isDecimalDigit(char c)
{
    return c >= '0' && c <= '9';
}

/// The text without thousands marks; nothing when they stand in other places.
std::optional<std::string> ungrouped(std::string_view text, std::string_view groupMarks, char decimalMark)
{
    const std::size_t wholeEnd =
        std::min({text.find(decimalMark), text.find('e'), text.find('E'), text.size()});
    const std::string_view whole = text.substr(0, wholeEnd);
    const std::string_view rest = text.substr(wholeEnd);
    if (rest.find_first_of(groupMarks) != std::string_view::npos)
        return {};
    const std::size_t firstDigit = whole.find_first_of("0123456789");
    const std::size_t firstMark = whole.find_first_of(groupMarks);
    if (firstMark == std::string_view::npos)
        return std::string(text);
    if (firstDigit == std::string_view::npos || firstMark < firstDigit + 1 || firstMark > firstDigit + 3 ||
        whole[firstDigit] == '0')
        return {};
    std::string plain(whole.substr(0, firstMark));
    for (std::size_t at = firstMark; at < whole.size(); at += 4) {
        const std::string_view group = whole.substr(at, 4);
        const bool isGroup = group.size() == 4 && group[0] == whole[firstMark] &&
                             std::all_of(group.begin() + 1, group.end(), isDecimalDigit);
        if (!isGroup)
            return {};
        plain += group.substr(1);
    }
    return plain.append(rest);
}

} // namespace

std::string withPlainBlanks(std::string_view raw)
{
    QString text = QString::fromUtf8(raw.data(), static_cast<qsizetype>(raw.size())).trimmed();
    for (QChar &c : text)
        if (c.isSpace() || c == QChar(0x202F) || c == u'\'' || c == QChar(0x2019))
            c = u' ';
    return text.toStdString();
}

std::optional<double> parseGroupedNumber(std::string_view text, DecimalMark mark, ThousandsMarks marks)
{
    const char decimal = mark == DecimalMark::Point ? '.' : ',';
    const std::string_view groupMarks = marks == ThousandsMarks::Blanks ? " "
                                        : mark == DecimalMark::Point    ? " ,"
                                                                        : " .";
    std::optional<std::string> plain = ungrouped(withPlainBlanks(text), groupMarks, decimal);
    if (!plain)
        return {};
    if (mark == DecimalMark::Comma) {
        if (plain->find('.') != std::string::npos)
            return {};
        std::replace(plain->begin(), plain->end(), ',', '.');
    }
    return parseNumber(*plain);
}

} // namespace attn
