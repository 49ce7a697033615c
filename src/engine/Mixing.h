#pragma once

#include "engine/Matrix.h"

namespace attn {

/// The rows of W^O that a head feeds; without W^O the same rows of the identity.
///
/// Wo: [concatWidth, d_out] or null; width: of one head
/// returns: [width, d_out]
template<typename Scalar>
Matrix<Scalar> headOutputWeight(const Matrix<Scalar> *Wo, Index concatWidth, Index head, Index width);

} // namespace attn
