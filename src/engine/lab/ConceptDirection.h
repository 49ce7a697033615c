#pragma once

#include "engine/Types.h"

#include <span>
#include <vector>

namespace attn {

/// The example of a meaning as a direction: "needs an object", in 6 dimensions.
std::span<const double> needsObjectDirection();

/// How far one row reaches along a direction. Not numbers where the direction, or for the cosine the row, has
/// no length.
struct DirectionReading
{
    double dot = 0.0;
    double length = 0.0;         ///< signed, along the unit direction: dot / |direction|
    double cosine = 0.0;         ///< length / |row|
    double projectionNorm = 0.0; ///< |length|
    double residualNorm = 0.0;   ///< of what is left at a right angle to the direction
    Index largestAt = -1;        ///< the row's largest coordinate, the first of equals; -1 = none is a number
    double largest = 0.0;
};

/// row and direction: of the same size
DirectionReading readDirection(std::span<const double> row, std::span<const double> direction);

/// The row's part along the direction; the rest of the row is the residual.
std::vector<double> projectionOn(std::span<const double> row, std::span<const double> direction);

} // namespace attn
