#pragma once

#include "engine/StageValues.h"
#include "render/cells/CellGrid.h"

#include <vector>

namespace attn {

/// How many rows and columns of a matrix share one drawn cell.
struct PoolSize
{
    Index rows = 1;
    Index cols = 1;

    bool isNone() const { return rows == 1 && cols == 1; }
    bool operator==(const PoolSize &) const = default;
};

/// The pool that leaves every drawn cell at least one pixel.
PoolSize poolFor(Index rows, Index cols, double widthPx, double heightPx);

/// Reads pooled cells [block.row, ...) of a head, row-major; without pooling these are the plain cells. Every
/// number counts: NaN in any pooled cell gives NaN with Max.
std::vector<float> readCells(const StageValues &values, Index head, const PoolSize &pool,
                             const CellBlock &block, Pooling pooling);

} // namespace attn
