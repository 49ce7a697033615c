#pragma once

#include "engine/Snapshot.h"
#include "engine/lab/SingularDirections.h"

namespace attn {

/// The part of a weight matrix that belongs to one query head, what goes into it, and its singular values.
struct HeadWeight
{
    Stage weight = Stage::Wq;
    Stage input = Stage::X; ///< whose rows it multiplies
    Index inputHead = 0;
    Index firstRow = 0; ///< of `matrix` in the weight
    Index firstCol = 0;
    SmallMatrix matrix; ///< [rows, cols]: a row x becomes x · matrix
    SingularDirections directions;
};

/// weight: Wq, Wk, Wv (columns of the head; of its KV head) or Wo (rows of the head).
/// Fails where the weight or its input has no values, a side is shorter than 2, and as singularDirections.
/// May run off the GUI thread.
Result<HeadWeight> headWeight(const Snapshot &snapshot, Stage weight, Index head);

/// The first `count` rows that go into it. [count, rows of the weight]
SmallMatrix inputRows(const Snapshot &snapshot, const HeadWeight &weight, Index first, Index count);

} // namespace attn
