#pragma once

#include "engine/Snapshot.h"

#include <string>
#include <vector>

namespace attn::bench {

/// Rows of head_out of one head, and of output when `withOutput`, against plain loops in double over the
/// experiment's own numbers. returns the worst difference, relative to the largest number of these rows;
/// infinite when a stage is not there. No rotary, no pins; causal masks only.
double errorOfRows(const Snapshot &snapshot, Index head, const std::vector<Index> &rows, bool withOutput);

/// Whether `rowCount` rows of a stage hold the same bits in both, in all heads or one.
bool sameBits(const Snapshot &a, const Snapshot &b, Stage stage, Index head, Index firstRow, Index rowCount);

/// What an error may be: a few roundings, which grow slowly with the length of the sums.
double toleranceOf(bool isDouble);

} // namespace attn::bench
