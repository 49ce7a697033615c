#include "render/HeadPages.h"

#include <QCoreApplication>

#include <array>

namespace attn {

namespace {

constexpr std::array pageNames = {"grid", "cut", "single", "combine", "patterns"};
constexpr std::array patternNames = {"first", "previous", "self", "offset", "delimiter", "uniform", "sink"};

template<typename Value, std::size_t Count>
std::optional<Value> namedValue(const std::array<const char *, Count> &names, std::string_view name)
{
    for (std::size_t i = 0; i < names.size(); ++i)
        if (name == names[i])
            return static_cast<Value>(i);
    return std::nullopt;
}

} // namespace

const char *headsPageName(HeadsPage page)
{
    return pageNames[static_cast<std::size_t>(page)];
}

std::optional<HeadsPage> headsPageFromName(std::string_view name)
{
    return namedValue<HeadsPage>(pageNames, name);
}

const char *headPatternName(HeadPattern pattern)
{
    return patternNames[static_cast<std::size_t>(pattern)];
}

std::optional<HeadPattern> headPatternFromName(std::string_view name)
{
    return namedValue<HeadPattern>(patternNames, name);
}

QString presetText(HeadPattern pattern, Index head, Index offset)
{
    switch (pattern) {
    case HeadPattern::First:
        return QCoreApplication::translate("Scene", "Make head %1 look at the first token").arg(head + 1);
    case HeadPattern::Previous:
        return QCoreApplication::translate("Scene", "Make head %1 look at the previous token").arg(head + 1);
    case HeadPattern::Self:
        return QCoreApplication::translate("Scene", "Make head %1 look at the token itself").arg(head + 1);
    case HeadPattern::Offset:
        return offset >= 0 ? QCoreApplication::translate("Scene", "Make head %1 look %2 tokens back")
                                 .arg(head + 1)
                                 .arg(offset)
                           : QCoreApplication::translate("Scene", "Make head %1 look %2 tokens ahead")
                                 .arg(head + 1)
                                 .arg(-offset);
    case HeadPattern::Delimiter:
        return QCoreApplication::translate("Scene", "Make head %1 look at the delimiters").arg(head + 1);
    case HeadPattern::Uniform:
        return QCoreApplication::translate("Scene", "Make head %1 look at all keys alike").arg(head + 1);
    case HeadPattern::Sink:
        break;
    }
    return QCoreApplication::translate("Scene", "Make head %1 do nothing").arg(head + 1);
}

} // namespace attn
