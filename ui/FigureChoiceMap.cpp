#include "FigureChoiceMap.h"

#include <algorithm>

namespace attn {

namespace {

using namespace Qt::StringLiterals;

template<typename Enum>
Enum enumFrom(const QVariantMap &map, const QString &key, Enum fallback, Enum last)
{
    const int number = map.value(key, static_cast<int>(fallback)).toInt();
    return static_cast<Enum>(std::clamp(number, 0, static_cast<int>(last)));
}

} // namespace

QVariantMap toVariantMap(const FigureChoice &choice)
{
    const FigureOptions &options = choice.options;
    return {{u"content"_s, static_cast<int>(choice.content)},
            {u"format"_s, static_cast<int>(options.format)},
            {u"widthMm"_s, options.widthMm},
            {u"dpi"_s, options.dpi},
            {u"dark"_s, options.dark},
            {u"transparent"_s, options.transparent},
            {u"labels"_s, options.showLabels},
            {u"values"_s, options.showValues},
            {u"colorBars"_s, options.showColorBars},
            {u"sequentialMap"_s, choice.sequentialMap},
            {u"divergingMap"_s, choice.divergingMap},
            {u"ownRange"_s, choice.ownRange},
            {u"rangeMode"_s, static_cast<int>(choice.range.mode)},
            {u"rangeMinimum"_s, choice.range.minimum},
            {u"rangeMaximum"_s, choice.range.maximum}};
}

FigureChoice figureChoiceFrom(const QVariantMap &map)
{
    FigureChoice choice;
    FigureOptions &options = choice.options;
    choice.content = enumFrom(map, u"content"_s, choice.content, FigureContent::EveryStage);
    options.format = enumFrom(map, u"format"_s, options.format, FigureOptions::Format::Pdf);
    options.widthMm = std::clamp(map.value(u"widthMm"_s, options.widthMm).toDouble(), 10.0, 2000.0);
    options.dpi = std::clamp(map.value(u"dpi"_s, options.dpi).toInt(), 30, 2400);
    options.dark = map.value(u"dark"_s, options.dark).toBool();
    options.transparent = map.value(u"transparent"_s, options.transparent).toBool();
    options.showLabels = map.value(u"labels"_s, options.showLabels).toBool();
    options.showValues = map.value(u"values"_s, options.showValues).toBool();
    options.showColorBars = map.value(u"colorBars"_s, options.showColorBars).toBool();
    choice.sequentialMap = map.value(u"sequentialMap"_s).toString();
    choice.divergingMap = map.value(u"divergingMap"_s).toString();
    choice.ownRange = map.value(u"ownRange"_s, choice.ownRange).toBool();
    choice.range.mode = enumFrom(map, u"rangeMode"_s, choice.range.mode, DisplayOptions::RangeMode::Fixed);
    const double minimum = map.value(u"rangeMinimum"_s, choice.range.minimum).toDouble();
    const double maximum = map.value(u"rangeMaximum"_s, choice.range.maximum).toDouble();
    if (minimum < maximum) {
        choice.range.minimum = minimum;
        choice.range.maximum = maximum;
    }
    return choice;
}

} // namespace attn
