#include "engine/lab/DirectionSample.h"

#include "base/Assert.h"
#include "engine/MatrixFill.h"
#include "engine/lab/AngleStatistics.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace attn {

namespace {

/// Products of the packing before it stops: about half a second.
constexpr double mostPackingWork = 6e8;

/// In a fixed order of eight running sums, which compilers turn into vector instructions.
double dotOf(const double *a, const double *b, Index count)
{
    double sums[8] = {};
    Index i = 0;
    for (; i + 8 <= count; i += 8)
        for (Index lane = 0; lane < 8; ++lane)
            sums[lane] += a[i + lane] * b[i + lane];
    for (; i < count; ++i)
        sums[i % 8] += a[i] * b[i];
    return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}

/// [count, n], rows of length 1.
std::vector<double> unitDirections(Index count, Index n, std::uint64_t seed)
{
    MatrixFill fill;
    fill.kind = MatrixFill::Kind::Normal;
    fill.seed = seed;
    const Result<Tensor> drawn = filledMatrix(fill, {1, count, n}, Tensor::Storage::Float64, {});
    ATTN_ASSERT(drawn.ok(), "a fill that is always possible");
    std::vector<double> directions = drawn->toDoubles();
    for (Index i = 0; i < count; ++i) {
        double *row = directions.data() + i * n;
        const double length = std::sqrt(dotOf(row, row, n));
        for (Index c = 0; c < n; ++c)
            row[c] /= length;
    }
    return directions;
}

/// Exactly 0 at 90 degrees.
double toleranceCosine(double degrees)
{
    return std::sin((90.0 - degrees) * std::numbers::pi / 180.0);
}

Packing packed(const std::vector<double> &drawn, Index n, double cosine, bool isTwoSided)
{
    Packing packing;
    std::vector<const double *> kept;
    double work = 0.0;
    const Index tries = static_cast<Index>(drawn.size()) / n;
    while (packing.tries < tries && work < mostPackingWork) {
        const double *candidate = drawn.data() + packing.tries++ * n;
        const bool fits = std::all_of(kept.begin(), kept.end(), [&](const double *other) {
            work += static_cast<double>(n);
            const double dot = dotOf(candidate, other, n);
            return (isTwoSided ? std::abs(dot) : dot) <= cosine;
        });
        if (fits)
            kept.push_back(candidate);
    }
    packing.kept = static_cast<Index>(kept.size());
    return packing;
}

} // namespace

DirectionSample::DirectionSample(const DirectionOptions &options)
    : m_options(options)
{
    // Two seeds apart, so that the packing is independent of the histogram.
    const std::vector<double> directions =
        unitDirections(options.directions, options.dimension, options.seed * 2);
    measureAngles(directions);
    measureInterference(directions);
    const std::vector<double> drawn = unitDirections(options.tries, options.dimension, options.seed * 2 + 1);
    const double cosine = toleranceCosine(options.degrees);
    m_twoSided = packed(drawn, options.dimension, cosine, true);
    m_oneSided = packed(drawn, options.dimension, cosine, false);
}

void DirectionSample::measureAngles(const std::vector<double> &directions)
{
    const Index n = m_options.dimension;
    const double cosine = toleranceCosine(m_options.degrees);
    double angleSum = 0.0;
    double angleSquares = 0.0;
    double dotSum = 0.0;
    double dotSquares = 0.0;
    for (Index i = 0; i < m_options.directions; ++i) {
        for (Index j = 0; j < i; ++j) {
            const double dot = dotOf(directions.data() + i * n, directions.data() + j * n, n);
            const double angle = std::acos(std::clamp(dot, -1.0, 1.0)) * 180.0 / std::numbers::pi;
            m_angles.push_back(angle);
            angleSum += angle;
            angleSquares += (angle - 90.0) * (angle - 90.0);
            dotSum += dot;
            dotSquares += dot * dot;
            m_nearlyOrthogonal += std::abs(dot) < cosine ? 1 : 0;
        }
    }
    const double pairs = std::max(1.0, static_cast<double>(m_angles.size()));
    m_meanAngle = angleSum / pairs;
    m_angleDeviation = std::sqrt(angleSquares / pairs);
    m_meanDot = dotSum / pairs;
    m_dotDeviation = std::sqrt(dotSquares / pairs);
}

/// Groups of consecutive directions are added up, and each of the group is read back from the sum.
void DirectionSample::measureInterference(const std::vector<double> &directions)
{
    const Index n = m_options.dimension;
    for (Index active = 1; active <= m_options.directions; active *= 2) {
        Interference result;
        result.active = active;
        result.expected = std::sqrt(static_cast<double>(active - 1)) * attn::dotDeviation(n);
        double squares = 0.0;
        for (Index first = 0; first + active <= m_options.directions; first += active) {
            std::vector<double> sum(static_cast<std::size_t>(n), 0.0);
            for (Index i = first; i < first + active; ++i)
                for (Index c = 0; c < n; ++c)
                    sum[static_cast<std::size_t>(c)] += directions[static_cast<std::size_t>(i * n + c)];
            for (Index i = first; i < first + active; ++i) {
                const double error = dotOf(sum.data(), directions.data() + i * n, n) - 1.0;
                squares += error * error;
                ++result.readings;
            }
        }
        result.measured = std::sqrt(squares / static_cast<double>(result.readings));
        m_interference.push_back(result);
    }
}

} // namespace attn
