#include "engine/lab/PrincipalPlane.h"

#include "base/Assert.h"
#include "engine/MatrixFill.h"
#include "engine/SingularDecomposition.h"

#include <Eigen/QR>

#include <algorithm>
#include <cmath>

namespace attn {

namespace {

constexpr Index mostDenseSide = 128;
constexpr Index subspaceWidth = 6;
constexpr int mostRounds = 300;

/// The two leading eigenvectors of X^T X as rows, and their eigenvalues.
struct LeadingPair
{
    Matrix<double> axes; ///< [2, width]
    std::array<double, 2> squares{};
};

/// products: symmetric, none of its eigenvalues negative: its singular directions are its eigenvectors.
/// Each as a combination of the basis' rows; zero where there is none.
LeadingPair leadingOf(const Matrix<double> &products, const Matrix<double> &basis, double total)
{
    LeadingPair pair;
    pair.axes = Matrix<double>::Zero(2, basis.cols());
    if (products.size() == 0)
        return pair;
    const SingularDecomposition eigen = singularDecomposition(products);
    for (Index axis = 0; axis < std::min<Index>(2, products.rows()); ++axis) {
        const double square = eigen.values[static_cast<std::size_t>(axis)];
        if (!(square > 1e-20 * total)) // what is left is rounding
            continue;
        pair.squares[static_cast<std::size_t>(axis)] = square;
        const RowVector<double> combination = eigen.U.col(axis).transpose();
        pair.axes.row(axis) = (combination * basis).normalized();
    }
    return pair;
}

LeadingPair denseLeading(const Matrix<double> &X, double total)
{
    if (X.cols() <= X.rows()) {
        const Matrix<double> products = X.transpose() * X;
        const Matrix<double> unit = Matrix<double>::Identity(X.cols(), X.cols());
        return leadingOf(products, unit, total);
    }
    const Matrix<double> products = X * X.transpose();
    return leadingOf(products, X, total);
}

LeadingPair iteratedLeading(const Matrix<double> &X, double total)
{
    MatrixFill fill;
    fill.kind = MatrixFill::Kind::Normal;
    const Result<Tensor> start =
        filledMatrix(fill, {1, X.cols(), subspaceWidth}, Tensor::Storage::Float64, {});
    ATTN_ASSERT(start.ok(), "a fill that is always possible");
    Matrix<double> basis(X.cols(), subspaceWidth);
    start->copyRows(0, 0, X.cols(), basis.data());
    LeadingPair pair;
    for (int round = 0; round < mostRounds; ++round) {
        const Eigen::HouseholderQR<Matrix<double>> factors(basis);
        const Matrix<double> orthonormal =
            factors.householderQ() * Matrix<double>::Identity(X.cols(), subspaceWidth);
        const Matrix<double> images = X * orthonormal;
        const Matrix<double> small = images.transpose() * images;
        const Matrix<double> rows = orthonormal.transpose();
        const LeadingPair next = leadingOf(small, rows, total);
        const bool isSettled = round > 0 &&
                               std::abs(next.squares[0] - pair.squares[0]) <= 1e-10 * next.squares[0] &&
                               std::abs(next.squares[1] - pair.squares[1]) <= 1e-10 * next.squares[0];
        pair = next;
        if (isSettled)
            break;
        basis.noalias() = X.transpose() * images;
    }
    return pair;
}

void fixSign(Eigen::Ref<RowVector<double>> axis)
{
    Index largest = 0;
    for (Index i = 1; i < axis.size(); ++i)
        if (std::abs(axis(i)) > std::abs(axis(largest)) * (1.0 + 1e-12))
            largest = i;
    if (axis.size() > 0 && axis(largest) < 0.0)
        axis = -axis;
}

} // namespace

PrincipalPlane::Point PrincipalPlane::footOf(std::span<const double> vector) const
{
    Point foot;
    for (std::size_t i = 0; i < vector.size(); ++i) {
        foot.x += axes[0][i] * vector[i];
        foot.y += axes[1][i] * vector[i];
    }
    return foot;
}

PrincipalPlane principalPlane(const TokenVectors &vectors, bool isCentred)
{
    ATTN_ASSERT(vectors.isFinite(), "numbers");
    Matrix<double> X = Eigen::Map<const Matrix<double>>(vectors.numbers.data(), vectors.count, vectors.width);
    PrincipalPlane plane;
    plane.isCentred = isCentred;
    RowVector<double> origin = RowVector<double>::Zero(vectors.width);
    if (isCentred && vectors.count > 0)
        origin = X.colwise().mean();
    X.rowwise() -= origin;
    const double total = X.squaredNorm();
    LeadingPair pair =
        std::min(X.rows(), X.cols()) <= mostDenseSide ? denseLeading(X, total) : iteratedLeading(X, total);
    plane.origin.assign(origin.data(), origin.data() + origin.size());
    for (std::size_t axis = 0; axis < 2; ++axis) {
        RowVector<double> direction = pair.axes.row(static_cast<Index>(axis));
        fixSign(direction);
        pair.axes.row(static_cast<Index>(axis)) = direction;
        plane.axes[axis].assign(direction.data(), direction.data() + direction.size());
        plane.shares[axis] = total > 0.0 ? pair.squares[axis] / total : 0.0;
    }
    const Matrix<double> feet = X * pair.axes.transpose();
    for (Index i = 0; i < feet.rows(); ++i)
        plane.points.push_back({feet(i, 0), feet(i, 1)});
    return plane;
}

} // namespace attn
