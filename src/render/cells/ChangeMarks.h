#pragma once

#include "render/Scene.h"
#include "render/cells/CellGrid.h"

#include <memory>
#include <utility>
#include <vector>

namespace attn {

/// How much each cell of a block changed between two snapshots: what is marked for a moment after an edit.
struct ChangeMarks
{
    CellBlock block;
    std::vector<float> strength; ///< row-major; 0 = unchanged, 1 = by the width of the range or more

    bool isEmpty() const { return strength.empty(); }
    float at(Index row, Index col) const ///< cell of the map; 0 outside of the block
    {
        const Index r = row - block.row;
        const Index c = col - block.col;
        const bool isInside = !isEmpty() && r >= 0 && c >= 0 && r < block.rowCount && c < block.colCount;
        return isInside ? strength[static_cast<std::size_t>(r * block.colCount + c)] : 0.0f;
    }
};

/// The marks of the maps of a scene.
struct SceneChanges
{
    std::vector<std::pair<MapKey, ChangeMarks>> maps; ///< those in which something changed

    /// Null when nothing changed in that map.
    const ChangeMarks *find(const MapKey &key) const;
};

/// Compares a block of one map in two scenes; each side is read once, and nothing is kept of it. The square
/// root of the change as a share of the range, so that small ones are seen; a number that became or was NaN
/// or infinite counts as a full change. Empty when nothing changed, the shapes differ or one side is not
/// exact there.
ChangeMarks changeMarks(const SceneMap &before, const SceneMap &after, const CellBlock &block);

/// Compares what is visible (scene units) of the maps that both scenes have. Maps whose cells would be
/// smaller than 4 device-independent pixels are left out, so the work is bounded by the window, whatever the
/// size of the matrices. Null when nothing is to be marked.
std::shared_ptr<const SceneChanges> sceneChanges(const Scene &before, const Scene &after,
                                                 const QRectF &visible, double zoom);

/// A frame inside of every changed cell, the thicker the more it changed. fade: 1 = just changed, 0 = gone;
/// unit: painter units per device-independent pixel.
void drawChangeMarks(QPainter &painter, const CellGrid &grid, const CellBlock &visible,
                     const ChangeMarks &marks, double fade, const Theme &theme, double unit);

} // namespace attn
