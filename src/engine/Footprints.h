#pragma once

#include "engine/Snapshot.h"

#include <stop_token>

namespace attn {

/// Which sum a footprint is a term of.
enum class FootprintTarget
{
    Head,       ///< A_i[:, t] (x) v_t, [n_q, d_v]; sums over t to head_out_i
    HeadMapped, ///< that times the head's rows of W^O, [n_q, d_out]; sums over t and i to output - b^O
    Token,      ///< sum of HeadMapped over the heads, [n_q, d_out]; sums over t to output - b^O
};

/// The footprint of key token `token` on head `head` (ignored for Token), computed on demand from A, V and
/// W^O. null where those are not available.
StageValuesPtr footprint(const SnapshotPtr &snapshot, FootprintTarget target, Index head, Index token);

/// The two factors of a Head footprint: column A_i[:, t] as [n_q, 1] and row v_t as [1, d_v].
StageValuesPtr footprintColumn(const SnapshotPtr &snapshot, Index head, Index token);
StageValuesPtr footprintRow(const SnapshotPtr &snapshot, Index head, Index token);

/// Sum of the footprints of the tokens whose flag is set, added in the order given (more than 64: by
/// products). Stopped: what was added until then.
StageValuesPtr footprintSum(const SnapshotPtr &snapshot, FootprintTarget target, Index head,
                            const std::vector<Index> &tokens, const std::stop_token &stop = {});

/// Largest |target - (sum of all footprints [+ b^O])|: what pins of concat or output, or rounding, leave
/// over.
double footprintResidual(const SnapshotPtr &snapshot, FootprintTarget target, Index head,
                         const std::vector<Index> &tokens);
/// The same for a sum that is already there.
double residualOfSum(const SnapshotPtr &snapshot, FootprintTarget target, Index head,
                     const StageValuesPtr &sum);

} // namespace attn
