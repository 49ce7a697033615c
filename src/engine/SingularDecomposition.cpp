#include "engine/SingularDecomposition.h"

#include "base/Assert.h"

#include <Eigen/SVD>

#include <algorithm>

namespace attn {

namespace {

using Solver = Eigen::BDCSVD<Matrix<double>>;

Solver solved(const MatrixRef<double> &M, unsigned options)
{
    ATTN_ASSERT(M.size() > 0 && M.allFinite(), "numbers to decompose");
    return Solver(M, options);
}

std::vector<double> valuesOf(const Solver &solver)
{
    return {solver.singularValues().begin(), solver.singularValues().end()};
}

} // namespace

std::vector<double> SingularDecomposition::solve(std::span<const double> target, double tolerance) const
{
    ATTN_ASSERT(static_cast<Index>(target.size()) == U.rows(), "a target of the columns' dimension");
    const Eigen::Map<const RowVector<double>> wanted(target.data(), U.rows());
    const Index rank = rankOf(values, tolerance);
    RowVector<double> amounts = wanted * U.leftCols(rank);
    for (Index i = 0; i < rank; ++i)
        amounts(i) /= values[static_cast<std::size_t>(i)];
    const RowVector<double> x = amounts * V.leftCols(rank).transpose();
    return {x.begin(), x.end()};
}

SingularDecomposition singularDecomposition(const MatrixRef<double> &M)
{
    const Solver solver = solved(M, Eigen::ComputeThinU | Eigen::ComputeThinV);
    return {solver.matrixU(), valuesOf(solver), solver.matrixV()};
}

std::vector<double> singularValues(const MatrixRef<double> &M)
{
    return valuesOf(solved(M, 0));
}

Index rankOf(std::span<const double> values, double tolerance)
{
    return std::count_if(values.begin(), values.end(),
                         [&values, tolerance](double value) { return value > tolerance * values.front(); });
}

} // namespace attn
