#pragma once

#include "engine/Types.h"

#include <QRectF>

class QPainter;

namespace attn {

class HeatmapCells;
struct SceneMap;

/// Whether a fixed range leaves out finite values of the map's head, and on which side.
struct ClippedSides
{
    bool below = false;
    bool above = false;
};
ClippedSides clippedSides(const SceneMap &map);

/// Whether cells of this map can carry clip marks and are large enough for them; size is that of the map.
bool clipMarksFit(const SceneMap &map, const QSizeF &size, double unit);

/// A small triangle in the left corner of a cell whose number lies outside the range: pointing up in the
/// upper corner when above, down in the lower one when below. Row and column within the block of `cells`.
void drawClipMark(QPainter &painter, const HeatmapCells &cells, Index row, Index col, const QRectF &cell,
                  double unit);

} // namespace attn
