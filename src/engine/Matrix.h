#pragma once

#include "engine/Types.h"

#include <Eigen/Core>

#include <type_traits>

namespace attn {

static_assert(std::is_same_v<Index, Eigen::Index>);

/// Row-major, as NumPy's C order. The only file that spells Eigen types; only the engine's numerics include
/// it.
template<typename Scalar>
using Matrix = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

template<typename Scalar>
using RowVector = Eigen::Matrix<Scalar, 1, Eigen::Dynamic, Eigen::RowMajor>;

template<typename Scalar>
using MatrixRef = Eigen::Ref<const Matrix<Scalar>, 0, Eigen::OuterStride<>>;

template<typename Scalar>
using MutableMatrixRef = Eigen::Ref<Matrix<Scalar>, 0, Eigen::OuterStride<>>;

} // namespace attn
