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

/// Whether A, V and, where it matters, W^O are there and fit for the footprint of this token.
bool hasFootprints(const Snapshot &snapshot, FootprintTarget target, Index head, Index token);

/// The footprint of key token `token` on head `head` (ignored for Token), computed on demand from A, V and
/// W^O; null without hasFootprints(). Here and below: null once stopped, too.
StageValuesPtr footprint(const SnapshotPtr &snapshot, FootprintTarget target, Index head, Index token,
                         const std::stop_token &stop = {});

/// The two factors of a Head footprint: column A_i[:, t] as [n_q, 1] and row v_t as [1, d_v].
StageValuesPtr footprintColumn(const SnapshotPtr &snapshot, Index head, Index token,
                               const std::stop_token &stop = {});
StageValuesPtr footprintRow(const SnapshotPtr &snapshot, Index head, Index token);

/// Sum of the footprints of the tokens, added in the order given (more than 64: by products).
StageValuesPtr footprintSum(const SnapshotPtr &snapshot, FootprintTarget target, Index head,
                            const std::vector<Index> &tokens, const std::stop_token &stop = {});

/// Largest |target - (sum of all footprints [+ b^O])|: what pins of concat or output, or rounding, leave
/// over.
double footprintResidual(const SnapshotPtr &snapshot, FootprintTarget target, Index head,
                         const std::vector<Index> &tokens);
/// The same for a sum that is already there.
double residualOfSum(const SnapshotPtr &snapshot, FootprintTarget target, Index head,
                     const StageValuesPtr &sum);

/// Frobenius norm of each token's footprint; for Token the sum of its heads' norms, which is never less.
std::vector<double> footprintNorms(const Snapshot &snapshot, FootprintTarget target, Index head,
                                   const std::stop_token &stop = {});

} // namespace attn
