#pragma once

#include "engine/Edit.h"
#include "engine/Snapshot.h"

#include <span>
#include <vector>

namespace attn {

/// Scores whose softmax is this row: factor ln a, less the row's mean over the finite entries. Any constant
/// may be added to a row of scores; this choice makes each row add to 0.
///
/// weights: >= 0; a weight of 0 needs a score of -inf
/// factor: sqrt(d_k) for scores before the usual scale, 1 for scaled ones
std::vector<double> scoresForWeights(std::span<const double> weights, double factor);

/// The scores that would give the present weights A of one head.
struct InverseSoftmax
{
    Tensor scores;      ///< [1, n_q, n_k], as the stage `target` would hold them
    Index restored = 0; ///< rows whose weights come back as they are
    Index rescaled = 0; ///< rows that do not add to 1: they come back divided by their sum
    Index left = 0;     ///< rows of nothing but 0, and cells the mask hides, keep their present scores
};

/// More weights than this are not turned into scores in one step.
inline constexpr Index mostInvertedWeights = 1 << 18;

/// target: Stage::Scores (before the scale) or Stage::Scaled. What a mask adds after the scale is taken off
/// again, so that the softmax after the mask gives A. Fails for weights that no score gives (negative, NaN),
/// a scale of 0, and sizes beyond mostInvertedWeights.
Result<InverseSoftmax> inverseSoftmax(const Snapshot &snapshot, Index head, Stage target);

/// Sets those scores of every head by hand and frees A, so that the softmax gives the present weights. Where
/// A is the document's own the document starts at the scores instead.
Result<Edit> inverseSoftmaxEdit(const Snapshot &snapshot, Stage target);

} // namespace attn
