#include "render/cells/CellHatching.h"

#include <algorithm>
#include <cmath>

namespace attn {

HatchStyle HatchStyle::of(CellMark mark, double unit)
{
    const double spacing = mark == CellMark::Masked ? 8.0 : 5.0;
    HatchStyle style;
    style.stroke = std::max(1, static_cast<int>(std::lround(unit)));
    style.period = std::max(style.stroke + 2, static_cast<int>(std::lround(spacing * unit)));
    style.rising = mark == CellMark::MinusInfinity || mark == CellMark::Masked;
    return style;
}

HatchColors::HatchColors(const Theme &theme)
    : missingGround(mixedColor(theme.card.rgb(), theme.missing.rgb(), 0.30))
    , missingStroke(theme.missing.rgb())
    , infinityGround(theme.card.rgb())
    , infinityStroke(theme.masked.rgb())
    , card(theme.card.rgb())
    , notExact(theme.mutedText.rgb())
{
}

QRgb HatchColors::ground(CellMark mark, QRgb color) const
{
    if (mark == CellMark::Missing)
        return missingGround;
    return mark == CellMark::MinusInfinity ? infinityGround : color;
}

QRgb HatchColors::stroke(CellMark mark, QRgb color) const
{
    if (mark == CellMark::Missing)
        return missingStroke;
    if (mark == CellMark::MinusInfinity)
        return infinityStroke;
    const double share = mark == CellMark::PlusInfinity ? 0.6 : 0.35;
    return mixedColor(color, readableOn(color).rgb(), share);
}

std::vector<QLineF> hatchLines(const QRectF &rect, const HatchStyle &style)
{
    std::vector<QLineF> lines;
    const double reach = rect.width() + rect.height();
    for (double along = style.period / 2.0; along < reach; along += style.period) {
        // A stroke x + y = along from the left or bottom edge to the top or right one, mirrored when falling.
        const double bottom = std::min(along, rect.height());
        const double right = std::min(along, rect.width());
        const QPointF from(along - bottom, bottom);
        const QPointF to(right, along - right);
        const auto placed = [&](QPointF point) {
            return rect.topLeft() + (style.rising ? point : QPointF(point.x(), rect.height() - point.y()));
        };
        lines.emplace_back(placed(from), placed(to));
    }
    return lines;
}

QRgb mixedColor(QRgb from, QRgb to, double share)
{
    const auto channel = [share](int a, int b) {
        return static_cast<int>(std::lround(a + (b - a) * share));
    };
    return qRgb(channel(qRed(from), qRed(to)), channel(qGreen(from), qGreen(to)),
                channel(qBlue(from), qBlue(to)));
}

} // namespace attn
