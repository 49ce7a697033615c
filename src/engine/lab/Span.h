#pragma once

#include "engine/lab/SmallMatrix.h"

#include <optional>
#include <vector>

namespace attn {

/// Singular values above this fraction of the largest count towards a rank in the labs; where the question is
/// whether vectors are independent, those of the vectors brought to one size.
inline constexpr double spanTolerance = 1e-10;

/// A vector that the ones before it give: v_index = sum of coefficients[i] · v_pivots[i].
struct VectorRelation
{
    Index index = 0;
    std::vector<Index> pivots;
    std::vector<double> coefficients;
};

/// What a set of vectors reaches.
struct SpanFacts
{
    Index dimension = 0; ///< n: numbers in one vector
    Index count = 0;
    Index rank = 0;
    std::vector<double> singularValues; ///< of the vectors as they are: descending, min(n, count) of them
    std::vector<Index> pivots;          ///< taken in order, each as it adds to the span
    std::vector<VectorRelation> relations;
    std::optional<double> determinant; ///< as many vectors as dimensions only
    SmallMatrix directions;            ///< [n, rank]: orthonormal columns that span the same

    bool isIndependent() const { return rank == count; }
    bool spansSpace() const { return rank == dimension; }
    bool isBasis() const { return isIndependent() && spansSpace(); }
};

/// How many of the vectors are independent, however long or short each is.
/// vectors: [n, count], finite, no side empty
Index columnRank(const SmallMatrix &vectors);

/// vectors: [n, count], one column each, finite
SpanFacts spanFacts(const SmallMatrix &vectors);

/// x_1 v_1 + x_2 v_2 + …, added in this order.
/// vectors: [n, count]; coefficients: count
std::vector<double> combination(const SmallMatrix &vectors, std::span<const double> coefficients);

/// How near the span comes to a target, and with which coefficients.
struct Reach
{
    /// Of all that come as near, those of the least length. Of dependent vectors whose lengths differ by more
    /// than spanTolerance: of the least length once the vectors are brought to one size.
    std::vector<double> coefficients;
    std::vector<double> closest; ///< point of the span
    double distance = 0.0;
    bool isReachable = false; ///< distance <= spanTolerance · length of the target
    bool isUnique = false;    ///< no other coefficients give that point
};

Reach reachOf(const SmallMatrix &vectors, std::span<const double> target);

/// Two vectors compared.
struct AngleFacts
{
    double dot = 0.0;
    double normU = 0.0;
    double normV = 0.0;
    double cosine = 0.0;       ///< NaN with a zero vector
    double angleDegrees = 0.0; ///< 0 … 180; NaN with a zero vector
    double area = 0.0;         ///< of the parallelogram
    std::vector<double> cross; ///< one number in the plane, three in space, none elsewhere
};

AngleFacts angleFacts(std::span<const double> u, std::span<const double> v);

/// Orthonormal directions of the plane that two vectors lie in: the first along the first of them that is not
/// zero, the second by Gram and Schmidt's rule; where the vectors are parallel, along the axis that leaves
/// most over.
///
/// vectors: [n, count], n >= 2; returns: [n, 2]
SmallMatrix planeOf(const SmallMatrix &vectors);

} // namespace attn
