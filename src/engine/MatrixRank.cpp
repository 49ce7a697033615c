#include "engine/MatrixRank.h"

#include "engine/SingularDecomposition.h"
#include "engine/StageNumbers.h"

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
    const Matrix<double> matrix = numbersOf(values, head);
    if (!matrix.allFinite())
        return -1;
    if (matrix.size() == 0)
        return 0;
    const double longerSide = static_cast<double>(std::max(matrix.rows(), matrix.cols()));
    return rankOf(singularValues(matrix), longerSide * std::numeric_limits<double>::epsilon());
}

} // namespace attn
