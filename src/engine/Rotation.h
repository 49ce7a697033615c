#pragma once

#include "engine/Experiment.h"
#include "engine/Matrix.h"

namespace attn {

/// Rotary position embedding of one head (Su et al. 2021, RoFormer).
///
/// M: [n, d_k], row i at position i + firstPosition; the first rotDim columns turn, the rest pass. Angles are
/// computed in double.
/// returns: [n, d_k]; pair (x, y) -> (x cos - y sin, x sin + y cos)
template<typename Scalar>
Matrix<Scalar> rotateHead(const Matrix<Scalar> &M, Index firstPosition, const Rotary &rotary);

/// How many columns turn: as stated, else all (all but one of an odd width).
Index rotatedColumns(const Rotary &rotary, Index dHead);

} // namespace attn
