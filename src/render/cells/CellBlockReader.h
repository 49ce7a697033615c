#pragma once

#include "engine/StageValues.h"
#include "engine/pooling/PoolSize.h"
#include "render/cells/CellGrid.h"

#include <vector>

namespace attn {

/// The smallest pool that leaves every drawn cell at least one pixel; of large maps the next power of two, so
/// that zooming finds the pools again that are kept.
PoolSize poolFor(Index rows, Index cols, double widthPx, double heightPx);

/// Reads pooled cells [block.row, ...) of a head, row-major; without pooling these are the plain cells. Every
/// number counts: NaN in any pooled cell gives NaN with Max.
std::vector<float> readCells(const StageValues &values, Index head, const PoolSize &pool,
                             const CellBlock &block, Pooling pooling);

} // namespace attn
