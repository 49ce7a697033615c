#include "engine/lab/Span.h"

#include "base/Assert.h"
#include "engine/SingularDecomposition.h"

#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace attn {

namespace {

Matrix<double> spanMatrix(const SmallMatrix &values)
{
    return Eigen::Map<const Matrix<double>>(values.data.data(), values.rows, values.cols);
}

SmallMatrix chosenColumns(const SmallMatrix &vectors, const std::vector<Index> &columns)
{
    SmallMatrix chosen = SmallMatrix::zeros(vectors.rows, static_cast<Index>(columns.size()));
    for (std::size_t i = 0; i < columns.size(); ++i)
        chosen.setColumn(static_cast<Index>(i), vectors.column(columns[i]));
    return chosen;
}

/// Each column brought to a size near 1 by a power of two. How long a vector is says nothing about whether
/// the others give it, but beside one of 1e300 a vector of length 1 would count as rounding.
struct EvenColumns
{
    SmallMatrix matrix;
    std::vector<int> exponents; ///< column = column of matrix · 2^exponent
};

EvenColumns evenColumns(const SmallMatrix &vectors)
{
    EvenColumns even{vectors, {}};
    for (Index j = 0; j < vectors.cols; ++j) {
        const std::vector<double> column = vectors.column(j);
        even.exponents.push_back(exponentOf(column));
        even.matrix.setColumn(j, timesPowerOfTwo(column, -even.exponents.back()));
    }
    return even;
}

void findPivots(const SmallMatrix &vectors, SpanFacts &facts)
{
    for (Index i = 0; i < vectors.cols; ++i) {
        std::vector<Index> tried = facts.pivots;
        tried.push_back(i);
        if (columnRank(chosenColumns(vectors, tried)) == static_cast<Index>(tried.size())) {
            facts.pivots = std::move(tried);
            continue;
        }
        VectorRelation relation{i, facts.pivots, {}};
        if (!facts.pivots.empty())
            relation.coefficients =
                reachOf(chosenColumns(vectors, facts.pivots), vectors.column(i)).coefficients;
        facts.relations.push_back(std::move(relation));
    }
}

} // namespace

Index columnRank(const SmallMatrix &vectors)
{
    return rankOf(singularValues(spanMatrix(evenColumns(vectors).matrix)), spanTolerance);
}

SpanFacts spanFacts(const SmallMatrix &vectors)
{
    ATTN_ASSERT(vectors.rows > 0 && vectors.cols > 0, "a span needs vectors");
    SpanFacts facts;
    facts.dimension = vectors.rows;
    facts.count = vectors.cols;
    facts.singularValues = singularValues(spanMatrix(vectors));
    const SingularDecomposition decomposition =
        singularDecomposition(spanMatrix(evenColumns(vectors).matrix));
    facts.rank = rankOf(decomposition.values, spanTolerance);
    facts.directions = SmallMatrix::zeros(vectors.rows, facts.rank);
    for (Index i = 0; i < vectors.rows; ++i)
        for (Index j = 0; j < facts.rank; ++j)
            facts.directions.at(i, j) = decomposition.U(i, j);
    if (vectors.rows == vectors.cols)
        facts.determinant = spanMatrix(vectors).determinant();
    findPivots(vectors, facts);
    return facts;
}

std::vector<double> combination(const SmallMatrix &vectors, std::span<const double> coefficients)
{
    return vectors * coefficients;
}

Reach reachOf(const SmallMatrix &vectors, std::span<const double> target)
{
    ATTN_ASSERT(static_cast<Index>(target.size()) == vectors.rows, "a target of the vectors' dimension");
    const EvenColumns even = evenColumns(vectors);
    const SingularDecomposition decomposition = singularDecomposition(spanMatrix(even.matrix));
    const Index rank = rankOf(decomposition.values, spanTolerance);
    const int exponent = exponentOf(target);
    const std::vector<double> small = timesPowerOfTwo(target, -exponent);
    Reach reach;
    reach.isUnique = rank == vectors.cols;
    const std::vector<double> amounts = decomposition.solve(small, spanTolerance);
    reach.closest = timesPowerOfTwo(combination(even.matrix, amounts), exponent);
    for (std::size_t j = 0; j < amounts.size(); ++j)
        reach.coefficients.push_back(std::ldexp(amounts[j], exponent - even.exponents[j]));
    if (!reach.isUnique) {
        // Which coefficients are the shortest depends on how long the vectors are.
        const SingularDecomposition lengths = singularDecomposition(spanMatrix(vectors));
        if (rankOf(lengths.values, spanTolerance) == rank)
            reach.coefficients = timesPowerOfTwo(lengths.solve(small, spanTolerance), exponent);
    }
    reach.distance = normOf(added(target, reach.closest, -1.0));
    reach.isReachable = reach.distance <= spanTolerance * normOf(target);
    return reach;
}

AngleFacts angleFacts(std::span<const double> u, std::span<const double> v)
{
    // Products of numbers near 1, so that neither a square nor a product leaves what a double holds.
    const int exponentU = exponentOf(u);
    const int exponentV = exponentOf(v);
    const std::vector<double> a = timesPowerOfTwo(u, -exponentU);
    const std::vector<double> b = timesPowerOfTwo(v, -exponentV);
    const auto back = [exponent = exponentU + exponentV](double value) {
        return std::ldexp(value, exponent);
    };
    const double dot = dotOf(a, b);
    const double product = normOf(a) * normOf(b);
    AngleFacts facts;
    facts.dot = back(dot);
    facts.normU = normOf(u);
    facts.normV = normOf(v);
    facts.cosine = product == 0.0 ? std::numeric_limits<double>::quiet_NaN() : dot / product;
    facts.angleDegrees = product == 0.0
                             ? facts.cosine
                             : std::acos(std::clamp(facts.cosine, -1.0, 1.0)) * 180.0 / std::numbers::pi;
    facts.area = back(std::sqrt(std::max(0.0, product * product - dot * dot)));
    if (u.size() == 2)
        facts.cross = {back(a[0] * b[1] - a[1] * b[0])};
    if (u.size() == 3)
        facts.cross = {back(a[1] * b[2] - a[2] * b[1]), back(a[2] * b[0] - a[0] * b[2]),
                       back(a[0] * b[1] - a[1] * b[0])};
    return facts;
}

SmallMatrix planeOf(const SmallMatrix &vectors)
{
    ATTN_ASSERT(vectors.rows >= 2, "a plane needs two dimensions");
    SmallMatrix plane = SmallMatrix::zeros(vectors.rows, 2);
    Index found = 0;
    const auto take = [&](std::vector<double> candidate, double least) {
        // Twice: once leaves rounding of the size that was taken away.
        for (int pass = 0; pass < 2; ++pass)
            for (Index k = 0; k < found; ++k)
                candidate = added(candidate, plane.column(k), -dotOf(candidate, plane.column(k)));
        const double length = normOf(candidate);
        if (!(length > least))
            return false;
        plane.setColumn(found++, scaled(1.0 / length, candidate));
        return true;
    };
    for (Index i = 0; i < vectors.cols && found < 2; ++i)
        take(timesPowerOfTwo(vectors.column(i), -exponentOf(vectors.column(i))), spanTolerance);
    while (found < 2) {
        Index best = 0;
        double most = -1.0;
        for (Index axis = 0; axis < vectors.rows; ++axis) {
            double left = 1.0;
            for (Index k = 0; k < found; ++k)
                left -= plane.at(axis, k) * plane.at(axis, k);
            if (left > most + 1e-12) {
                most = left;
                best = axis;
            }
        }
        std::vector<double> unit(static_cast<std::size_t>(vectors.rows), 0.0);
        unit[static_cast<std::size_t>(best)] = 1.0;
        take(std::move(unit), 0.0);
    }
    return plane;
}

} // namespace attn
