#pragma once

#include "base/Result.h"
#include "engine/Comparison.h"

#include <stop_token>
#include <vector>

namespace attn {

/// A document with this head alone: h = 1, its columns of W^Q, W^K, W^V, its rows of W^O, and its mask. b^O
/// belongs to no head and is left out, and so are numbers set by hand: they would stand in for what is to be
/// computed. Refused where the document contradicts itself.
Result<Experiment> headAlone(const Experiment &experiment, Index head);

/// The numbers of one head of a stage that are set by hand, beside what is computed there.
struct HeadByHand
{
    Stage stage = Stage::Q;
    Index cells = 0;
    bool isComputed = false; ///< false: without them the stage has no numbers, and nothing below counts
    Index different = 0;     ///< of them farther from what is computed than rounding brings them
    CellDifference farthest; ///< A: set by hand, B: computed; a cell of the whole stage
};

/// The head computed by small matrices of its own, and how far that is from its part of the one big pass. In
/// both nothing is set by hand.
struct HeadAloneCheck
{
    SnapshotPtr whole; ///< the big pass: the given snapshot where nothing is set by hand
    SnapshotPtr alone;
    /// The head's part of the big pass (A) and the small one (B): of Q, K, V, scores, A, head_out and
    /// head_contribution, as far as both have them.
    std::vector<StageComparison> parts;
    std::vector<HeadByHand> byHand; ///< of the head, in pipeline order
};

/// Longer evaluations are refused with the time they would take.
inline constexpr double mostHeadAloneMs = 6000.0;

/// An error says why there is nothing to compare; null in it, and nothing compared, only when stopped.
Result<HeadAloneCheck> checkHeadAlone(const SnapshotPtr &whole, Index head, std::stop_token stop = {});

} // namespace attn
