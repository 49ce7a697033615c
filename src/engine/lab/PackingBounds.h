#pragma once

#include "engine/Types.h"

#include <optional>

namespace attn {

/// How many directions of R^n can have all their mutual angles near 90 degrees: proven upper bounds. n >= 2,
/// 0 < degrees <= 90.

/// All angles in [degrees, 180 - degrees], by the Welch bound n (1 - c^2) / (1 - n c^2), c = cos(degrees);
/// nothing where n c^2 >= 1: there it says nothing.
std::optional<double> welchBound(Index n, double degrees);

/// A linear programming bound and the degree of the polynomial that proves it.
struct PackingBound
{
    double directions = 0.0; ///< infinite beyond the range of a double
    int degree = 0;
};

/// All angles >= degrees (obtuse ones are free): Levenshtein's bound for spherical codes (Levenshtein 1979;
/// the best that Delsarte's method gives with polynomials of that degree).
PackingBound oneSidedBound(Index n, double degrees);

/// All angles in [degrees, 180 - degrees]: the same bound for lines (real projective space). Its lowest
/// degree is the Welch bound. The degree is that in the cosine.
PackingBound twoSidedBound(Index n, double degrees);

} // namespace attn
