#include "engine/MatrixRank.h"

#include "engine/Matrix.h"

#include <Eigen/SVD>

#include <algorithm>
#include <limits>

namespace attn {

namespace {

constexpr Index largestRankedSide = 64;

} // namespace

Index numericalRank(const StageValues &values, Index head)
{
    if (std::min(values.rows(), values.cols()) > largestRankedSide)
        return -1;
    Matrix<double> matrix(values.rows(), values.cols());
    values.readBlock(head, 0, 0, values.rows(), values.cols(), matrix.data(), values.cols());
    if (!matrix.allFinite())
        return -1;
    const Eigen::BDCSVD<Matrix<double>> decomposition(matrix);
    const auto &singular = decomposition.singularValues();
    if (singular.size() == 0 || singular(0) == 0.0)
        return 0;
    const double least = static_cast<double>(std::max(matrix.rows(), matrix.cols())) *
                         std::numeric_limits<double>::epsilon() * singular(0);
    Index rank = 0;
    for (Index i = 0; i < singular.size(); ++i)
        rank += singular(i) > least ? 1 : 0;
    return rank;
}

} // namespace attn
