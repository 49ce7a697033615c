#pragma once

#include "engine/lab/TokenGeometry.h"

#include <array>

namespace attn {

/// The plane in which the rows of a matrix are spread the most (principal component analysis).
///
/// Signs are fixed: of each axis the component of the largest magnitude (the first of equals) is positive.
struct PrincipalPlane
{
    struct Point
    {
        double x = 0.0;
        double y = 0.0;
    };

    bool isCentred = true;
    std::vector<double> origin; ///< the mean of the rows when centred, else 0; what lies at (0, 0)
    std::array<std::vector<double>, 2> axes; ///< orthonormal; all 0 where the rows do not spread that far
    std::array<double, 2> shares{};          ///< of the sum of squared distances from the origin; 0 to 1
    std::vector<Point> points;               ///< of the rows

    /// The foot of a vector that starts at the origin, such as a direction.
    Point footOf(std::span<const double> vector) const;
};

/// vectors: finite. Above 128 rows and columns by subspace iteration, to 1e-10 of the largest share or 300
/// rounds; may take seconds: call it from any thread.
PrincipalPlane principalPlane(const TokenVectors &vectors, bool isCentred);

} // namespace attn
