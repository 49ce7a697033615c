#pragma once

#include "base/Result.h"
#include "engine/Snapshot.h"

#include <stop_token>
#include <vector>

namespace attn {

/// The numbers of heads into which the same matrices can be cut, ascending.
std::vector<Index> possibleHeadCounts(const Experiment &experiment);

/// The same input and weights cut into another number of heads, each with a KV head of its own. Key and value
/// weights that do not fit are regrouped as kvWeightsFor() says; pins that do not fit are dropped: `notes`.
struct RecutHeads
{
    Experiment experiment;
    std::vector<std::string> notes;
};
Result<RecutHeads> withHeadCount(const Experiment &experiment, Index heads);

struct RecutSnapshot
{
    SnapshotPtr snapshot; ///< null only when stopped
    std::vector<std::string> notes;
};
/// Evaluated. Refused where it would take longer than `mostMs`.
Result<RecutSnapshot> evaluatedWithHeadCount(const Experiment &experiment, Index heads,
                                             std::stop_token stop = {}, double mostMs = 6000.0);

} // namespace attn
