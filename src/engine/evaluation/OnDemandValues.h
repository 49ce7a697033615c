#pragma once

#include "engine/StageValues.h"
#include "engine/evaluation/ScoreTiles.h"

#include <cstdint>

namespace attn {

/// What the stages between queries and weights are computed from, when a snapshot is read: immutable, shared
/// by these stages.
template<typename Scalar>
struct AttentionSnapshot
{
    Shape shape;              ///< of A
    ScoreTiles<Scalar> tiles; ///< over the blocks below
    StageBlocks<Scalar> Q;
    StageBlocks<Scalar> K;
    StageBlocks<Scalar> rows; ///< RowStatistics, [h, n_q, 3]
    // Per block, not zero = from an older generation or not there; empty: all exact.
    std::vector<std::uint8_t> inexactQ;
    std::vector<std::uint8_t> inexactK;
    std::vector<std::uint8_t> inexactRows;
};

/// Scores, Scaled, Allowed, Bias, Masked, ASoft or A, computed wherever it is read. Weights of rows whose
/// statistics are not up to date are NaN.
template<typename Scalar>
StageValuesPtr valuesOnDemand(Stage stage, std::shared_ptr<const AttentionSnapshot<Scalar>> source);

/// The heads' contributions to the output, computed wherever they are read.
///
/// concat: [h, n_q, d_v]; Wo: [h, d_v, d_out], or shape {0, 0, 0} for none
template<typename Scalar>
StageValuesPtr contributionsOnDemand(const Kernels<Scalar> &kernels, StageBlocks<Scalar> concat,
                                     StageBlocks<Scalar> Wo, const Shape &shape,
                                     std::vector<std::uint8_t> inexactConcat);

} // namespace attn
