#include "render/cells/ClipMarks.h"

#include "render/Scene.h"
#include "render/cells/HeatmapCells.h"

#include <QPainter>

#include <cmath>

namespace attn {

ClippedSides clippedSides(const SceneMap &map)
{
    if (map.range.isEmpty || !map.values)
        return {};
    const ValueStatistics statistics = map.values->statistics(map.head);
    if (statistics.finiteCount == 0)
        return {};
    return {statistics.minimum<map.range.minimum, statistics.maximum> map.range.maximum};
}

bool clipMarksFit(const SceneMap &map, const QSizeF &size, double unit)
{
    constexpr double smallestCell = 10.0;
    const double width = size.width() / static_cast<double>(map.values->cols());
    const double height = size.height() / static_cast<double>(map.values->rows());
    if (std::min(width, height) < smallestCell * unit)
        return false;
    const ClippedSides sides = clippedSides(map);
    return sides.below || sides.above;
}

void drawClipMark(QPainter &painter, const HeatmapCells &cells, Index row, Index col, const QRectF &cell,
                  double unit)
{
    const float value = cells.row(row)[col];
    if (!std::isfinite(value) || !(cells.colors().isBelow(value) || cells.colors().isAbove(value)))
        return;
    const double size = 5.0 * unit;
    const double gap = 1.0 * unit;
    const double left = cell.left() + gap;
    QPolygonF triangle;
    if (cells.colors().isAbove(value)) {
        const double top = cell.top() + gap;
        triangle << QPointF(left, top + size * 0.8) << QPointF(left + size, top + size * 0.8)
                 << QPointF(left + size / 2, top);
    } else {
        const double bottom = cell.bottom() - gap;
        triangle << QPointF(left, bottom - size * 0.8) << QPointF(left + size, bottom - size * 0.8)
                 << QPointF(left + size / 2, bottom);
    }
    painter.setPen(Qt::NoPen);
    painter.setBrush(cells.colors().isInkWhite(value) ? Qt::white : Qt::black);
    painter.drawPolygon(triangle);
}

} // namespace attn
