#include "engine/lab/SingularDirections.h"

#include "engine/SingularDecomposition.h"
#include "engine/lab/Span.h"

#include <algorithm>
#include <cmath>

namespace attn {

Result<SingularDirections> singularDirections(const SmallMatrix &M)
{
    if (std::min(M.rows, M.cols) < 1 || std::min(M.rows, M.cols) > largestDecomposedSide)
        return Error{ErrorCode::BadInput, "singular values: expected a shorter side of 1 to " +
                                              std::to_string(largestDecomposedSide) + ", found " +
                                              std::to_string(M.rows) + "×" + std::to_string(M.cols)};
    if (!M.isFinite())
        return Error{ErrorCode::BadInput, "singular values: a number of the matrix is not finite"};
    const Matrix<double> matrix = Eigen::Map<const Matrix<double>>(M.data.data(), M.rows, M.cols);
    const SingularDecomposition decomposition = singularDecomposition(matrix);
    const Index count = decomposition.U.cols();
    SingularDirections found;
    found.rank = rankOf(decomposition.values, spanTolerance);
    found.stretches = decomposition.values;
    found.left = SmallMatrix::zeros(M.rows, count);
    found.right = SmallMatrix::zeros(M.cols, count);
    for (Index j = 0; j < count; ++j) {
        Index largest = 0;
        decomposition.U.col(j).cwiseAbs().maxCoeff(&largest);
        const double sign = decomposition.U(largest, j) < 0.0 ? -1.0 : 1.0;
        for (Index i = 0; i < M.rows; ++i)
            found.left.at(i, j) = sign * decomposition.U(i, j);
        for (Index i = 0; i < M.cols; ++i)
            found.right.at(i, j) = sign * decomposition.V(i, j);
    }
    return found;
}

SmallMatrix turnedPlane(const SmallMatrix &from, const SmallMatrix &to, double t)
{
    if (t <= 0.0)
        return from;
    if (t >= 1.0)
        return to;
    SmallMatrix mixed = (1.0 - t) * from + t * to;
    // Halfway between opposite directions nothing is left: then from and to stand in for the missing ones.
    SmallMatrix candidates = SmallMatrix::zeros(from.rows, 4);
    for (Index k = 0; k < 2; ++k) {
        candidates.setColumn(k, mixed.column(k));
        candidates.setColumn(k + 2, to.column(1 - k));
    }
    return planeOf(candidates);
}

} // namespace attn
