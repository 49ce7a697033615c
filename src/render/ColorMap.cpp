#include "render/ColorMap.h"

#include "render/ColorMapTables.h"
#include "render/DivergingColors.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace attn {

namespace {

struct NamedColorMap
{
    const char16_t *name;
    ColorMap::Kind kind;
    ColorTable (*table)(bool dark);
};

ColorTable grayTable(bool)
{
    ColorTable table{};
    for (std::uint32_t i = 0; i < 256; ++i)
        table[i] = i * 0x010101u;
    return table;
}

/// Every picture asks for them, and making one takes powers of hundreds of numbers.
template<int negativeHue, int positiveHue>
ColorTable keptDivergingTable(bool dark)
{
    constexpr DivergingHues hues{negativeHue, positiveHue};
    static const std::array<ColorTable, 2> tables{divergingTable(hues, false), divergingTable(hues, true)};
    return tables[dark ? 1 : 0];
}

// The first of each kind is its default.
constexpr NamedColorMap colorMapTable[] = {
    {u"viridis", ColorMap::Kind::Sequential,
     [](bool) {
         return viridisTable;
     }},
    {u"magma", ColorMap::Kind::Sequential,
     [](bool) {
         return magmaTable;
     }},
    {u"cividis", ColorMap::Kind::Sequential,
     [](bool) {
         return cividisTable;
     }},
    {u"gray", ColorMap::Kind::Sequential, grayTable},
    {u"blue-orange", ColorMap::Kind::Diverging, keptDivergingTable<250, 50>},
    {u"purple-green", ColorMap::Kind::Diverging, keptDivergingTable<310, 150>},
};

/// Every picture of a map asks for all of its colours: powers are taken once.
double linearChannel(int byte)
{
    static const std::array<double, 256> linear = [] {
        std::array<double, 256> channels;
        for (std::size_t i = 0; i < channels.size(); ++i) {
            const double value = static_cast<double>(i) / 255.0;
            channels[i] = value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
        }
        return channels;
    }();
    return linear[static_cast<std::size_t>(byte)];
}

} // namespace

QRgb ColorMap::rgb(double t) const
{
    const double place = std::isnan(t) ? 0.0 : std::clamp(t, 0.0, 1.0);
    return m_table[static_cast<std::size_t>(place * 255.0 + 0.5)];
}

QStringList ColorMap::names(Kind kind)
{
    QStringList result;
    for (const NamedColorMap &entry : colorMapTable) {
        if (entry.kind == kind)
            result << QString::fromUtf16(entry.name);
    }
    return result;
}

ColorMap ColorMap::byName(const QString &name, Kind fallback, bool dark)
{
    const NamedColorMap *found = nullptr;
    for (const NamedColorMap &entry : colorMapTable) {
        const bool isDefault = found == nullptr && entry.kind == fallback;
        if (isDefault || name == QStringView(entry.name))
            found = &entry;
    }
    ColorMap map;
    map.m_name = QString::fromUtf16(found->name);
    map.m_kind = found->kind;
    const ColorTable table = found->table(dark);
    std::ranges::transform(table, map.m_table.begin(), [](std::uint32_t rgb) { return 0xff000000u | rgb; });
    return map;
}

QColor readableOn(QRgb background)
{
    // WCAG 2.1: contrast = (lighter + 0.05) / (darker + 0.05); black wins exactly where it passes 0.179.
    const double luminance = 0.2126 * linearChannel(qRed(background)) +
                             0.7152 * linearChannel(qGreen(background)) +
                             0.0722 * linearChannel(qBlue(background));
    const double onWhite = 1.05 / (luminance + 0.05);
    const double onBlack = (luminance + 0.05) / 0.05;
    return onBlack >= onWhite ? QColor(Qt::black) : QColor(Qt::white);
}

} // namespace attn
