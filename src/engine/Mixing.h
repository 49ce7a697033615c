#pragma once

#include "engine/Matrix.h"
#include "engine/StageBlocks.h"

namespace attn {

/// Scores of one head before the scale: Q K^T.
///
/// Q: [n_q, d_k]; K: [n_k, d_k]
/// returns: [n_q, n_k]
template<typename Scalar>
Matrix<Scalar> rawScores(const Matrix<Scalar> &Q, const Matrix<Scalar> &K);

/// Output of one head: A V. Every term counts, 0 * NaN included.
///
/// A: [n_q, n_k]; V: [n_k, d_v]
/// returns: [n_q, d_v]
template<typename Scalar>
Matrix<Scalar> mixValues(const Matrix<Scalar> &A, const Matrix<Scalar> &V);

/// The heads side by side: h x [n_q, d_v] -> [n_q, h * d_v].
template<typename Scalar>
Matrix<Scalar> concatHeads(const StageBlocks<Scalar> &heads);

/// The rows of W^O that a head feeds; without W^O the same rows of the identity.
///
/// Wo: [concatWidth, d_out] or null; width: of one head
/// returns: [width, d_out]
template<typename Scalar>
Matrix<Scalar> headOutputWeight(const Matrix<Scalar> *Wo, Index concatWidth, Index head, Index width);

/// What one head adds to the output: its columns of concat times its rows of W^O. The sum over heads is
/// output - b^O. Without W^O the product with the identity is carried out, so that NaN spreads as in any
/// other.
///
/// concat: [n_q, h * d_v]; Wo: [h * d_v, d_out] or null
/// returns: [n_q, d_out]
template<typename Scalar>
Matrix<Scalar> headContribution(const Matrix<Scalar> &concat, const Matrix<Scalar> *Wo, Index nHeads,
                                Index head);

} // namespace attn
