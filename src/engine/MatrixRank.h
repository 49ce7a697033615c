#pragma once

#include "engine/StageValues.h"

namespace attn {

/// How many singular values are above max(rows, cols) · eps · the largest, as numpy.linalg.matrix_rank
/// counts. -1 = not computed: both sides are above 64, or a number is not finite.
Index numericalRank(const StageValues &matrix, Index head = 0);

} // namespace attn
