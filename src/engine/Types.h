#pragma once

#include <Eigen/Core>

namespace attn {

using Index = Eigen::Index;

/// Row-major, as NumPy's C order. The only file that spells Eigen types.
template<typename Scalar>
using Matrix = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

template<typename Scalar>
using RowVector = Eigen::Matrix<Scalar, 1, Eigen::Dynamic, Eigen::RowMajor>;

template<typename Scalar>
using MatrixRef = Eigen::Ref<const Matrix<Scalar>, 0, Eigen::OuterStride<>>;

template<typename Scalar>
using MutableMatrixRef = Eigen::Ref<Matrix<Scalar>, 0, Eigen::OuterStride<>>;

/// The number format in which an experiment is evaluated. Given numbers keep their own storage.
enum class Precision
{
    Float64,
    Float32,
};

/// One cell of a stage, counted from 0. `head` is 0 for stages without a head axis.
struct CellIndex
{
    Index head = 0;
    Index row = 0;
    Index col = 0;

    auto operator<=>(const CellIndex &) const = default;
};

struct CellValue
{
    CellIndex cell;
    double value = 0.0;
};

} // namespace attn
