#include "engine/lab/ConceptDirection.h"

#include "base/Assert.h"
#include "engine/lab/TokenGeometry.h"

#include <array>
#include <cmath>
#include <limits>

namespace attn {

std::span<const double> needsObjectDirection()
{
    static constexpr std::array<double, 6> direction = {0.3, 0.5, 0.1, 0.6, 0.2, 0.4};
    return direction;
}

DirectionReading readDirection(std::span<const double> row, std::span<const double> direction)
{
    ATTN_ASSERT(row.size() == direction.size(), "a direction of the same space");
    constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
    const double directionNorm = std::sqrt(dotProduct(direction, direction));
    const double rowNorm = std::sqrt(dotProduct(row, row));
    DirectionReading reading;
    reading.dot = dotProduct(row, direction);
    reading.length = directionNorm > 0.0 ? reading.dot / directionNorm : nothing;
    reading.cosine = rowNorm > 0.0 ? reading.length / rowNorm : nothing;
    reading.projectionNorm = std::abs(reading.length);
    double squares = 0.0;
    for (std::size_t i = 0; i < row.size(); ++i) {
        const double rest = row[i] - reading.length * (direction[i] / directionNorm);
        squares += rest * rest;
        if (reading.largestAt < 0 ? !std::isnan(row[i]) : row[i] > reading.largest) {
            reading.largestAt = static_cast<Index>(i);
            reading.largest = row[i];
        }
    }
    reading.residualNorm = std::sqrt(squares);
    return reading;
}

std::vector<double> projectionOn(std::span<const double> row, std::span<const double> direction)
{
    ATTN_ASSERT(row.size() == direction.size(), "a direction of the same space");
    const double norm = std::sqrt(dotProduct(direction, direction));
    const double length = dotProduct(row, direction) / norm;
    std::vector<double> projection;
    for (const double number : direction)
        projection.push_back(length * (number / norm));
    return projection;
}

} // namespace attn
