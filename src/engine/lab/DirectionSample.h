#pragma once

#include "engine/Types.h"

#include <cstdint>
#include <vector>

namespace attn {

struct DirectionOptions
{
    Index dimension = 100;
    double degrees = 85.0; ///< the tolerance: angles from here to 180 - degrees count as nearly orthogonal
    Index directions = 200;
    Index tries = 500; ///< of the packing
    std::uint64_t seed = 1;

    bool operator==(const DirectionOptions &) const = default;
};

/// Directions kept one after the other, each only if its angle with all kept before is within the tolerance.
struct Packing
{
    Index kept = 0;
    Index tries = 0; ///< drawn; fewer than asked for where that would be too much work
};

/// What adding several directions into one vector does to reading one of them back by a dot product.
struct Interference
{
    Index active = 1;      ///< unit directions in the sum
    double measured = 0.0; ///< root mean square of (reading - 1) over the sample
    double expected = 0.0; ///< sqrt((active - 1) / n)
    Index readings = 0;
};

/// Random directions of R^n: what is measured on them. The same seed gives the same numbers on every machine
/// but for the last digits of log and cos. Takes up to seconds in thousands of dimensions: may be made on any
/// thread.
class DirectionSample
{
public:
    explicit DirectionSample(const DirectionOptions &options);

    const DirectionOptions &options() const { return m_options; }
    /// Of all pairs, in degrees.
    const std::vector<double> &angles() const { return m_angles; }
    double meanAngle() const { return m_meanAngle; }
    double angleDeviation() const { return m_angleDeviation; } ///< about 90 degrees
    double meanDot() const { return m_meanDot; }
    double dotDeviation() const { return m_dotDeviation; } ///< root mean square of the dot products
    /// How many pairs are nearly orthogonal.
    Index nearlyOrthogonal() const { return m_nearlyOrthogonal; }

    const Packing &twoSided() const { return m_twoSided; } ///< angles in [degrees, 180 - degrees]
    const Packing &oneSided() const { return m_oneSided; } ///< angles >= degrees
    /// For 1, 2, 4, ... directions in the sum, as far as the sample has them.
    const std::vector<Interference> &interference() const { return m_interference; }

private:
    void measureAngles(const std::vector<double> &directions);
    void measureInterference(const std::vector<double> &directions);

    DirectionOptions m_options;
    std::vector<double> m_angles;
    double m_meanAngle = 0.0;
    double m_angleDeviation = 0.0;
    double m_meanDot = 0.0;
    double m_dotDeviation = 0.0;
    Index m_nearlyOrthogonal = 0;
    Packing m_twoSided;
    Packing m_oneSided;
    std::vector<Interference> m_interference;
};

} // namespace attn
