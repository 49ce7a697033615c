#include "engine/lab/LinearMap.h"

#include "base/Assert.h"
#include "engine/SingularDecomposition.h"
#include "engine/lab/Span.h"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>

namespace attn {

namespace {

constexpr double commutingDifference = 1e-12;
constexpr double linearityRounding = 1e-12;

double largestMagnitude(std::span<const double> values)
{
    double largest = 0.0;
    for (const double value : values)
        largest = std::max(largest, std::abs(value));
    return largest;
}

/// Of columns brought near 1, as that of tiny ones is rounded to 0.
int signOfDeterminant(SmallMatrix M)
{
    for (Index j = 0; j < M.cols; ++j)
        M.setColumn(j, timesPowerOfTwo(M.column(j), -exponentOf(M.column(j))));
    return Eigen::Map<const Matrix<double>>(M.data.data(), M.rows, M.cols).determinant() > 0.0 ? 1 : -1;
}

SmallMatrix diagonalMatrix(double first, double second)
{
    return SmallMatrix::of(2, 2, {first, 0.0, 0.0, second});
}

} // namespace

MapFacts mapFacts(const SmallMatrix &M)
{
    const Matrix<double> matrix = Eigen::Map<const Matrix<double>>(M.data.data(), M.rows, M.cols);
    MapFacts facts;
    facts.singularValues = singularValues(matrix);
    facts.rank = columnRank(M);
    if (M.rows != M.cols)
        return facts;
    const double determinant = matrix.determinant();
    facts.determinant = determinant;
    facts.orientation = facts.rank < M.rows ? 0 : signOfDeterminant(M);
    const Eigen::EigenSolver<Matrix<double>> solver(matrix, false);
    std::vector<std::complex<double>> values(solver.eigenvalues().begin(), solver.eigenvalues().end());
    std::sort(values.begin(), values.end(), [](const auto &one, const auto &other) {
        return one.real() != other.real() ? one.real() < other.real() : one.imag() < other.imag();
    });
    for (const std::complex<double> &value : values) {
        facts.eigenvaluesReal.push_back(value.real());
        facts.eigenvaluesImag.push_back(value.imag());
    }
    return facts;
}

CompositionFacts compositionFacts(const SmallMatrix &A, const SmallMatrix &B)
{
    CompositionFacts facts;
    facts.AB = A * B;
    facts.BA = B * A;
    facts.difference = facts.AB - facts.BA;
    facts.differenceNorm = normOf(facts.difference.data);
    facts.commute = largestMagnitude(facts.difference.data) <= commutingDifference;
    return facts;
}

SmallMatrix rotationMatrix(double radians)
{
    // The cosine of a quarter turn is 0, that of the double nearest to it 6e-17.
    const auto cleaned = [](double value) {
        return std::abs(value) < std::numeric_limits<double>::epsilon() ? 0.0 : value;
    };
    const double c = cleaned(std::cos(radians));
    const double s = cleaned(std::sin(radians));
    return SmallMatrix::of(2, 2, {c, -s, s, c});
}

SmallMatrix RotateStretchRotate::first() const
{
    return rotationMatrix(firstAngle);
}

SmallMatrix RotateStretchRotate::stretching() const
{
    return diagonalMatrix(stretch[0], stretch[1]);
}

SmallMatrix RotateStretchRotate::second() const
{
    return rotationMatrix(secondAngle);
}

RotateStretchRotate rotateStretchRotate(const SmallMatrix &M)
{
    ATTN_ASSERT(M.rows == 2 && M.cols == 2, "a map of the plane");
    // Blinn's closed form: the sum and the difference of the two angles belong to the part of M that turns
    // and to the part that turns the plane over; their lengths are the half sum and half difference of the
    // signed stretches.
    const double turnX = 0.5 * (M.at(0, 0) + M.at(1, 1));
    const double turnY = 0.5 * (M.at(1, 0) - M.at(0, 1));
    const double flipX = 0.5 * (M.at(0, 0) - M.at(1, 1));
    const double flipY = 0.5 * (M.at(1, 0) + M.at(0, 1));
    const double turn = std::hypot(turnX, turnY);
    const double flip = std::hypot(flipX, flipY);
    // A pure rotation has no flip: the angle is taken on the first rotation then, and none on the second.
    const double turnAngle = std::atan2(turnY, turnX);
    const double flipAngle = flip > 1e-15 * turn ? std::atan2(flipY, flipX) : turnAngle;
    RotateStretchRotate factors;
    factors.stretch[0] = turn + flip;
    factors.stretch[1] = turn - flip;
    factors.secondAngle = 0.5 * (flipAngle + turnAngle);
    factors.firstAngle = 0.5 * (turnAngle - flipAngle);
    if (flip <= 1e-15 * turn) {
        factors.firstAngle = turnAngle;
        factors.secondAngle = 0.0;
    }
    return factors;
}

SmallMatrix partOfMap(const SmallMatrix &M, double t)
{
    if (t >= 1.0)
        return M;
    const RotateStretchRotate factors = rotateStretchRotate(M);
    // The rotation left over once the stretch is written along axes that stand still.
    const double turn = std::remainder(factors.firstAngle + factors.secondAngle, 2.0 * std::numbers::pi);
    const SmallMatrix toAxes = rotationMatrix(factors.firstAngle);
    const SmallMatrix stretch =
        diagonalMatrix(1.0 + t * (factors.stretch[0] - 1.0), 1.0 + t * (factors.stretch[1] - 1.0));
    return rotationMatrix(t * turn) * (toAxes.transposed() * (stretch * toAxes));
}

SmallMatrix partOfFactors(const SmallMatrix &M, double step)
{
    if (step >= 3.0)
        return M;
    const RotateStretchRotate factors = rotateStretchRotate(M);
    const auto share = [step](double from) {
        return std::clamp(step - from, 0.0, 1.0);
    };
    const SmallMatrix first = rotationMatrix(share(0.0) * factors.firstAngle);
    const SmallMatrix stretch = diagonalMatrix(1.0 + share(1.0) * (factors.stretch[0] - 1.0),
                                               1.0 + share(1.0) * (factors.stretch[1] - 1.0));
    return rotationMatrix(share(2.0) * factors.secondAngle) * (stretch * first);
}

LinearityCheck linearityCheck(const SmallMatrix &T, std::span<const double> u, std::span<const double> v,
                              double c)
{
    LinearityCheck check;
    check.mapOfSum = T * added(u, v);
    check.sumOfMaps = added(T * u, T * v);
    check.mapOfScaled = T * scaled(c, u);
    check.scaledMap = scaled(c, T * u);
    check.largestDifference = std::max(largestMagnitude(added(check.mapOfSum, check.sumOfMaps, -1.0)),
                                       largestMagnitude(added(check.mapOfScaled, check.scaledMap, -1.0)));
    const double size = std::max({1.0, largestMagnitude(check.mapOfSum), largestMagnitude(T * u),
                                  largestMagnitude(T * v), largestMagnitude(check.scaledMap)});
    check.holds = check.largestDifference <= linearityRounding * size;
    return check;
}

} // namespace attn
