#pragma once

#include "engine/Matrix.h"

namespace attn {

/// Softmax of each row, shifted by the row maximum (Vaswani et al. 2017, eq. (1)).
///
/// masked: [n_q, n_k], -inf = hidden
/// returns: [n_q, n_k]; hidden keys exactly 0; a row of nothing but -inf is all 0; a row with +inf or NaN is
/// all NaN, hidden keys included
template<typename Scalar>
Matrix<Scalar> softmaxRows(const Matrix<Scalar> &masked);

/// 1 for each row that is nothing but -inf (also a row without keys), else 0.
///
/// masked: [n_q, n_k]
/// returns: [1, n_q]
template<typename Scalar>
RowVector<Scalar> fullyMaskedRows(const Matrix<Scalar> &masked);

} // namespace attn
