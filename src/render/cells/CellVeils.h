#pragma once

#include "render/cells/CellGrid.h"

#include <QRgb>

#include <vector>

namespace attn {

struct SceneMap;
struct Theme;

/// Which cells of a map are drawn faded. The fading belongs to the colour of a cell, not over it: the number
/// on it is then chosen to be readable on what is really painted.
struct CellVeils
{
    QRgb card = 0;                 ///< what faded cells go towards
    bool isUpdating = false;       ///< all of them, a little: not exact yet
    std::vector<CellBlock> blocks; ///< what takes no part

    static CellVeils of(const SceneMap &map, const Theme &theme);

    bool isNone() const { return !isUpdating && blocks.empty(); }
    /// The colour of this cell of the map as it is painted.
    QRgb over(QRgb color, Index row, Index col) const;

    bool operator==(const CellVeils &) const = default;
};

} // namespace attn
