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

Index rankOfColumns(const SmallMatrix &vectors)
{
    return rankOf(singularValues(spanMatrix(vectors)), spanTolerance);
}

void findPivots(const SmallMatrix &vectors, SpanFacts &facts)
{
    for (Index i = 0; i < vectors.cols; ++i) {
        std::vector<Index> tried = facts.pivots;
        tried.push_back(i);
        if (rankOfColumns(chosenColumns(vectors, tried)) == static_cast<Index>(tried.size())) {
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

SpanFacts spanFacts(const SmallMatrix &vectors)
{
    ATTN_ASSERT(vectors.rows > 0 && vectors.cols > 0, "a span needs vectors");
    SpanFacts facts;
    facts.dimension = vectors.rows;
    facts.count = vectors.cols;
    const SingularDecomposition decomposition = singularDecomposition(spanMatrix(vectors));
    facts.rank = rankOf(decomposition.values, spanTolerance);
    facts.singularValues = decomposition.values;
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
    const SingularDecomposition decomposition = singularDecomposition(spanMatrix(vectors));
    Reach reach;
    reach.coefficients = decomposition.solve(target, spanTolerance);
    reach.closest = combination(vectors, reach.coefficients);
    reach.distance = normOf(added(target, reach.closest, -1.0));
    reach.isReachable = reach.distance <= spanTolerance * std::max(1.0, normOf(target));
    reach.isUnique = rankOf(decomposition.values, spanTolerance) == vectors.cols;
    return reach;
}

AngleFacts angleFacts(std::span<const double> u, std::span<const double> v)
{
    AngleFacts facts;
    facts.dot = dotOf(u, v);
    facts.normU = normOf(u);
    facts.normV = normOf(v);
    const bool hasZero = facts.normU == 0.0 || facts.normV == 0.0;
    facts.cosine =
        hasZero ? std::numeric_limits<double>::quiet_NaN() : facts.dot / (facts.normU * facts.normV);
    facts.angleDegrees =
        hasZero ? facts.cosine : std::acos(std::clamp(facts.cosine, -1.0, 1.0)) * 180.0 / std::numbers::pi;
    const double product = facts.normU * facts.normV;
    facts.area = std::sqrt(std::max(0.0, product * product - facts.dot * facts.dot));
    if (u.size() == 2)
        facts.cross = {u[0] * v[1] - u[1] * v[0]};
    if (u.size() == 3)
        facts.cross = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
    return facts;
}

SmallMatrix planeOf(const SmallMatrix &vectors)
{
    ATTN_ASSERT(vectors.rows >= 2, "a plane needs two dimensions");
    double largest = 0.0;
    for (Index i = 0; i < vectors.cols; ++i)
        largest = std::max(largest, normOf(vectors.column(i)));
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
        take(vectors.column(i), spanTolerance * largest);
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
