#pragma once

#include "engine/Types.h"

namespace attn {

/// Angles between two independent, uniformly random directions of R^n, as closed forms. n >= 2; angles in
/// degrees.

/// The mean of the angle and of the dot product: turned over, a direction is as likely.
inline constexpr double meanAngleDegrees = 90.0;
inline constexpr double meanDotProduct = 0.0;

/// Density per radian: Gamma(n/2) / (sqrt(pi) Gamma((n-1)/2)) sin(theta)^(n-2).
double angleDensity(Index n, double degrees);
/// The same per degree.
double angleDensityPerDegree(Index n, double degrees);
/// Standard deviation of the angle about its mean of 90 degrees: sqrt(psi_1(n/2) / 2), in degrees.
double angleDeviation(Index n);
/// Root mean square of the dot product of two random unit vectors: 1 / sqrt(n).
double dotDeviation(Index n);
/// Mean of its absolute value.
double meanAbsoluteDot(Index n);

/// P(degrees < angle < 180 - degrees) = I_{cos^2}(1/2, (n-1)/2), for degrees <= 90.
double probabilityNearlyOrthogonal(Index n, double degrees);
/// P(angle > degrees), for degrees <= 90.
double probabilityBeyond(Index n, double degrees);

/// Expected counts among all pairs of `directions` independent random directions.
struct ExpectedPairs
{
    double pairs = 0.0;
    double beyond = 0.0;           ///< angle > degrees
    double nearlyOrthogonal = 0.0; ///< also < 180 - degrees
    double failing = 0.0;          ///< not nearly orthogonal
};

ExpectedPairs expectedPairs(Index n, double directions, double degrees);

} // namespace attn
