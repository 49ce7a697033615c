#pragma once

#include "engine/evaluation/PanelCache.h"
#include "engine/evaluation/StageGraph.h"

namespace attn {

/// What one thread needs for itself.
template<typename Scalar>
struct StripWorker
{
    std::vector<Scalar> tile; ///< one strip of one leaf
    /// Of one strip, where they are not kept: of a group's leaves, of the groups.
    std::vector<Scalar> partials;
    std::vector<RowStatistics<Scalar>> groupRows; ///< of one strip
    std::vector<const Scalar *> partialList;
    PackedOperands<Scalar> packed;
    EvaluationCounts counts;
};

} // namespace attn
