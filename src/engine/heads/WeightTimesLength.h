#pragma once

#include "base/Result.h"
#include "engine/Snapshot.h"

namespace attn {

/// A_h[i, j] · |v_j|, Euclidean, v_j of the KV head that head h reads: [h, n_q, n_k], made where it is read.
/// A weight alone says where a head looks; this says how much it takes from there. An error says why there
/// is none.
Result<StageValuesPtr> weightsTimesLength(const SnapshotPtr &snapshot);

} // namespace attn
