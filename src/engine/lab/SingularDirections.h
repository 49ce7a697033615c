#pragma once

#include "base/Result.h"
#include "engine/lab/SmallMatrix.h"

#include <vector>

namespace attn {

/// The largest shorter side of a matrix that the lab takes apart.
inline constexpr Index largestDecomposedSide = 256;

/// M = U diag(σ) Vᵀ. Row vectors x → x M: x U are the amounts along the directions that M tells apart, σ
/// stretches each, Vᵀ says where they come out. Of each pair of directions the sign is chosen so that the
/// largest number of the left one is positive.
struct SingularDirections
{
    std::vector<double> stretches; ///< σ, descending
    SmallMatrix left;              ///< U: [rows, r], r the shorter side
    SmallMatrix right;             ///< V: [cols, r]
    Index rank = 0;                ///< σ above spanTolerance of the largest
};

/// M: finite. Fails beyond largestDecomposedSide, and for numbers that are not finite.
Result<SingularDirections> singularDirections(const SmallMatrix &M);

/// Orthonormal pair of directions on the way from one such pair (0) to another (1): the plane that a picture
/// is drawn in turns. Both: [n, 2]; n >= 2
SmallMatrix turnedPlane(const SmallMatrix &from, const SmallMatrix &to, double t);

} // namespace attn
