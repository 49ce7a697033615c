#pragma once

#include "engine/Experiment.h"
#include "engine/Snapshot.h"

#include <vector>

namespace attn {

/// What a new token does where no causal mask hides it from the old ones: their rows are no longer final, so
/// nothing that follows from them could be kept.
struct BidirectionalChange
{
    Index oldRows = 0;
    Index changedRows = 0;  ///< old rows with an output number that moved
    double largest = 0.0;   ///< largest change of an output number of an old row
    StageValuesPtr weights; ///< A of the head asked for over the tokens so far, all looking at all
};

inline constexpr Index mostBidirectionalTokens = 256;

/// experiment: self attention; its causal mask is left out. Compares the passes over the first `before` and
/// the first `after` tokens. Nothing (no weights) beyond mostBidirectionalTokens.
BidirectionalChange bidirectionalChange(const Experiment &experiment, Index before, Index after, Index head);

} // namespace attn
