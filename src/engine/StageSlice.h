#pragma once

#include "engine/StageValues.h"

namespace attn {

/// A block of one head of a stage as values of its own, read on demand from the whole.
///
/// values: rows [row, row + rowCount) and columns [col, col + colCount) of `head` must lie inside
/// returns: [rowCount, colCount]; null for null
StageValuesPtr sliceOf(StageValuesPtr values, Index head, Index row, Index col, Index rowCount,
                       Index colCount);

} // namespace attn
