#pragma once

#include "engine/Matrix.h"

namespace attn {

/// X W + b, the bias added to every row right after the product.
///
/// X: [n, d]; W: [d, w]; bias: [1, w] or null
/// returns: [n, w]
template<typename Scalar>
Matrix<Scalar> project(const Matrix<Scalar> &X, const Matrix<Scalar> &W, const Matrix<Scalar> *bias);

/// The columns of one head: [n, heads * w] -> [n, w].
template<typename Scalar>
Matrix<Scalar> headColumns(const Matrix<Scalar> &whole, Index heads, Index head);

/// Grouped queries (Ainslie et al. 2023): the KV head that a query head reads.
constexpr Index kvHeadOf(Index head, Index nHeads, Index nKvHeads)
{
    return head / (nHeads / nKvHeads);
}

} // namespace attn
