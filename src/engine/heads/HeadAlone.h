#pragma once

#include "base/Result.h"
#include "engine/Comparison.h"

#include <stop_token>
#include <vector>

namespace attn {

/// A document with this head alone: h = 1, its columns of W^Q, W^K, W^V, its rows of W^O, its mask and pins.
/// b^O belongs to no head and is left out, and so are pins of the output. Refused where the document
/// contradicts itself.
Result<Experiment> headAlone(const Experiment &experiment, Index head);

/// The head computed by small matrices of its own, and how far that is from its part of the one big pass.
struct HeadAloneCheck
{
    SnapshotPtr alone;
    /// The head's part of the big pass (A) and the small one (B): of Q, K, V, scores, A, head_out and
    /// head_contribution, as far as both have them.
    std::vector<StageComparison> parts;
};

/// Longer evaluations are refused with the time they would take.
inline constexpr double mostHeadAloneMs = 6000.0;

/// An error says why there is nothing to compare; null in it, and nothing compared, only when stopped.
Result<HeadAloneCheck> checkHeadAlone(const Snapshot &whole, Index head, std::stop_token stop = {});

} // namespace attn
