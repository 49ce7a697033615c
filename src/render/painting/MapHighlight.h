#pragma once

#include "render/Scene.h"

class QPainter;

namespace attn {

struct CellGrid;

/// What the selection marks in one map, in cells of the map; last < first: nothing.
struct MapHighlight
{
    bool isSelected = false; ///< the selected block itself lies here
    bool isQuiet = false;    ///< the cursor is elsewhere
    Index firstRow = 0, lastRow = -1;
    Index firstCol = 0, lastCol = -1;
    Index currentRow = -1, currentCol = -1;

    bool hasRows() const { return lastRow >= firstRow; }
    bool hasCols() const { return lastCol >= firstCol; }
    bool marksRow(Index row) const { return row >= firstRow && row <= lastRow; }
    bool marksCol(Index col) const { return col >= firstCol && col <= lastCol; }
};

/// In the selected stage and head the block; elsewhere the rows and columns that stand for the same token or
/// feature, where the axis is of the same kind.
MapHighlight highlightOf(const SceneMap &map, const SceneHighlight &highlight);

/// Block, current cell and cross-hair. unit: painter units per device-independent pixel.
void drawHighlight(QPainter &painter, const CellGrid &grid, const MapHighlight &highlight, bool crossHair,
                   const Theme &theme, double unit);
/// The marks of linked views, drawn in their order.
void drawEmphasis(QPainter &painter, const CellGrid &grid, const std::vector<MapEmphasis> &emphasis,
                  const Theme &theme, double unit);

} // namespace attn
