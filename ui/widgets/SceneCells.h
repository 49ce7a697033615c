#pragma once

#include "render/Scene.h"

#include <QString>

#include <optional>

namespace attn {

/// A rectangle of cells of one map, in the map's own rows and columns; both ends are part of it.
struct MapBlock
{
    MapKey map;
    Index firstRow = 0;
    Index lastRow = 0;
    Index firstCol = 0;
    Index lastCol = 0;

    bool isSingleCell() const { return firstRow == lastRow && firstCol == lastCol; }
    bool contains(Index row, Index col) const
    {
        return row >= firstRow && row <= lastRow && col >= firstCol && col <= lastCol;
    }
    bool operator==(const MapBlock &) const = default;
};

/// Rows and columns of a map; 0 when it has no numbers.
Index mapRows(const SceneMap &map);
Index mapCols(const SceneMap &map);

/// The cell of `key.stage` that a cell of the map shows.
CellIndex stageCell(const MapKey &key, Index row, Index col);
/// Whether the cells of such a map are cells of `key.stage`; layers and sums of footprints have their own.
bool showsStageCells(const MapKey &key);
/// Whether its cells can be selected with all views: those of stages and of scratch matrices.
bool isSelectable(const MapKey &key);
/// Row and column in the map of this cell of its stage; nothing when the map does not show it.
std::optional<std::pair<Index, Index>> mapCellOf(const SceneMap &map, Stage stage, const CellIndex &cell);
/// The same for a cell of a scratch matrix.
std::optional<std::pair<Index, Index>> mapCellOf(const SceneMap &map, const QString &lab,
                                                 const CellIndex &cell);

/// The number as it is edited and copied: the shortest text that reads back to the same bits.
QString fullValueText(const SceneMap &map, Index row, Index col);
/// The same for the eye, with a true minus: in tips and on the status bar.
QString tipValueText(const SceneMap &map, Index row, Index col);
/// The number as it is drawn, with the map's decimals.
QString shownValueText(const SceneMap &map, Index row, Index col);

/// "A[love, prog], head 1": the map's name with the labels of the cell; numbers from 0 where there is no
/// label.
QString cellName(const SceneMap &map, Index row, Index col);

} // namespace attn
