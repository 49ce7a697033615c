#pragma once

#include "engine/Experiment.h"
#include "engine/Matrix.h"
#include "engine/StageBlocks.h"

namespace attn {

/// The parts of an experiment's mask.
struct MaskParts
{
    bool causal = false;
    std::optional<Window> window;
    Index qOffset = 0;
    Tensor padding; ///< [1, n_k], 0 = hidden; null = all real
    Tensor boolean; ///< [1 or h, n_q, n_k], 0 = hidden; null = all allowed
    Tensor add;     ///< [1 or h, n_q, n_k], -inf = hidden; null = 0
    Tensor alibi;   ///< [1, h], slopes; null = none

    /// True when no part can hide a key.
    bool hidesNothing() const;
};

MaskParts maskPartsOf(const Experiment &experiment);

/// 1 where every part of the mask allows the key, else 0; heads that agree share one block.
///
/// returns: [h, n_q, n_k]; key j is allowed for query i at position p = i + qOffset
template<typename Scalar>
StageBlocks<Scalar> allowedKeys(const MaskParts &parts, const Shape &shape);

/// What is added after scaling: the additive mask and -slope |p - j| (Press et al. 2021, ALiBi); 0 where the
/// key is not allowed, so it holds no -inf.
///
/// returns: [h, n_q, n_k]
template<typename Scalar>
StageBlocks<Scalar> maskBias(const MaskParts &parts, const StageBlocks<Scalar> &allowed);

/// scaled + bias where the key is allowed, else -inf.
///
/// scaled, allowed: [n_q, n_k]; bias: the same or null
template<typename Scalar>
Matrix<Scalar> maskScores(const Matrix<Scalar> &scaled, const Matrix<Scalar> &allowed,
                          const Matrix<Scalar> *bias);

} // namespace attn
