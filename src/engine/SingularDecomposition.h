#pragma once

#include "engine/Matrix.h"

#include <span>
#include <vector>

namespace attn {

/// M = U diag(values) Vᵀ, thin. The one place that takes a matrix apart, so the templates of the
/// decomposition are compiled once: they are by far the slowest of the engine to build.
struct SingularDecomposition
{
    Matrix<double> U;           ///< [rows, k], orthonormal columns; k = min(rows, cols)
    std::vector<double> values; ///< k, descending, none negative
    Matrix<double> V;           ///< [cols, k], orthonormal columns

    /// The shortest x of those that bring M x nearest to `target`; values up to `tolerance` of the largest
    /// count as 0. target: rows numbers; returns: cols numbers
    std::vector<double> solve(std::span<const double> target, double tolerance) const;
};

/// M: [rows, cols], finite, no side empty
/// Divide and conquer on the bidiagonal form (Gu and Eisenstat 1995); below 16 columns Jacobi rotations.
SingularDecomposition singularDecomposition(const MatrixRef<double> &M);

/// The values alone, which costs a fraction. M as above
std::vector<double> singularValues(const MatrixRef<double> &M);

/// How many of the values, descending, are above `tolerance` of the largest. 0 if all are 0.
Index rankOf(std::span<const double> values, double tolerance);

} // namespace attn
