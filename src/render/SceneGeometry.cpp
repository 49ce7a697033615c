#include "render/Scene.h"

#include <QLineF>
#include <QPainterPathStroker>

#include <algorithm>

namespace attn {

namespace {

std::optional<QString> labelAmong(const QStringList &list, const std::function<QString(Index)> &at,
                                  Index index)
{
    if (index >= 0 && index < list.size())
        return list.at(index);
    return list.isEmpty() && at ? std::optional(at(index)) : std::nullopt;
}

} // namespace

std::optional<SceneHit> hitTest(const Scene &scene, QPointF point)
{
    for (std::size_t i = scene.maps.size(); i-- > 0;) {
        const SceneMap &map = scene.maps[i];
        const QRectF &rect = map.rect;
        const bool inside = point.x() >= rect.left() && point.x() < rect.right() && point.y() >= rect.top() &&
                            point.y() < rect.bottom();
        if (!inside || !map.values || map.values->rows() == 0 || map.values->cols() == 0)
            continue;
        const Index rows = map.values->rows();
        const Index cols = map.values->cols();
        const auto row =
            static_cast<Index>((point.y() - rect.top()) * static_cast<double>(rows) / rect.height());
        const auto col =
            static_cast<Index>((point.x() - rect.left()) * static_cast<double>(cols) / rect.width());
        return SceneHit{i, std::min(row, rows - 1), std::min(col, cols - 1)};
    }
    return std::nullopt;
}

const SceneShape *shapeAt(const Scene &scene, QPointF point, double slack)
{
    for (auto shape = scene.shapes.rbegin(); shape != scene.shapes.rend(); ++shape) {
        const double reach = shape->strokeWidth / 2.0 + slack;
        if (shape->id.isEmpty() ||
            !shape->path.controlPointRect().adjusted(-reach, -reach, reach, reach).contains(point))
            continue;
        if (shape->fill.isDrawn() && shape->path.contains(point))
            return &*shape;
        QPainterPathStroker stroker;
        stroker.setWidth(2.0 * reach);
        if (shape->stroke.isDrawn() && stroker.createStroke(shape->path).contains(point))
            return &*shape;
    }
    return nullptr;
}

int gripAt(const Scene &scene, QPointF point, double slack)
{
    for (std::size_t i = scene.grips.size(); i-- > 0;)
        if (QLineF(scene.grips[i].pos, point).length() <= scene.grips[i].radius + slack)
            return static_cast<int>(i);
    return -1;
}

std::optional<QString> rowLabelOf(const SceneMap &map, Index row)
{
    return labelAmong(map.rowLabels, map.rowLabelAt, row);
}

std::optional<QString> colLabelOf(const SceneMap &map, Index col)
{
    return labelAmong(map.colLabels, map.colLabelAt, col);
}

QRectF cellRect(const SceneMap &map, Index row, Index col)
{
    if (!map.values || map.values->rows() == 0 || map.values->cols() == 0)
        return {};
    const double width = map.rect.width() / static_cast<double>(map.values->cols());
    const double height = map.rect.height() / static_cast<double>(map.values->rows());
    return {map.rect.left() + static_cast<double>(col) * width,
            map.rect.top() + static_cast<double>(row) * height, width, height};
}

} // namespace attn
