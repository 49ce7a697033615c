#pragma once

#include "base/Result.h"
#include "engine/Snapshot.h"

#include <stop_token>
#include <vector>

namespace attn {

/// How the weights of several heads are put into one picture.
enum class HeadMix
{
    Mean,
    Max,
    Sum,
};

/// The weights of these heads in one matrix: [1, n_q, n_k], made where it is read; added in the order given.
/// Heads see values of their own, so that no output follows from such a matrix: it only shows where several
/// heads look. Needs A; heads: inside A, at least one
StageValuesPtr mixedWeights(const SnapshotPtr &snapshot, const std::vector<Index> &heads, HeadMix mix);
/// 1 where the mask lets at least one of these heads see the key, else 0. [1, n_q, n_k]
StageValuesPtr allowedInSome(const SnapshotPtr &snapshot, const std::vector<Index> &heads);

/// What a set of heads adds to the output, and what the other heads and b^O make of it.
struct HeadSum
{
    StageValuesPtr chosen;   ///< sum of their head_contribution: [1, n_q, d_out]
    StageValuesPtr rest;     ///< output - chosen: the other heads, b^O, and pins of concat and output
    double chosenNorm = 0.0; ///< Frobenius norms
    double restNorm = 0.0;
    double outputNorm = 0.0;
    double gap = 0.0; ///< largest |output - b^O - sum over all heads|: of pins, or rounding
};
/// heads: inside A; none = nothing is added. An error says why there is no output.
Result<HeadSum> headSum(const SnapshotPtr &snapshot, const std::vector<Index> &heads,
                        std::stop_token stop = {});

} // namespace attn
