#include "engine/ScoreSpread.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attn {

namespace {

bool isHiddenScore(double score)
{
    return std::isinf(score) && score < 0.0;
}

} // namespace

double ScoreSpread::ratio() const
{
    return std::exp(size());
}

std::optional<ScoreSpread> scoreSpread(std::span<const double> row)
{
    constexpr double infinity = std::numeric_limits<double>::infinity();
    ScoreSpread spread{0, infinity, -infinity};
    for (const double score : row) {
        if (isHiddenScore(score))
            continue;
        if (!std::isfinite(score))
            return std::nullopt;
        ++spread.visible;
        spread.lowest = std::min(spread.lowest, score);
        spread.highest = std::max(spread.highest, score);
    }
    return spread.visible > 0 ? std::optional(spread) : std::nullopt;
}

bool isNearlyEven(const ScoreSpread &spread)
{
    return spread.ratio() < 1.5;
}

std::optional<double> scoreForWeight(std::span<const double> row, Index key, double wanted)
{
    const std::optional<ScoreSpread> spread = scoreSpread(row);
    const auto own = static_cast<std::size_t>(key);
    if (!spread || spread->visible < 2 || isHiddenScore(row[own]))
        return std::nullopt;
    double largest = -std::numeric_limits<double>::infinity();
    for (std::size_t j = 0; j < row.size(); ++j)
        if (j != own)
            largest = std::max(largest, row[j]);
    double others = 0.0;
    for (std::size_t j = 0; j < row.size(); ++j)
        if (j != own)
            others += std::exp(row[j] - largest);
    return std::log(wanted / (1.0 - wanted)) + largest + std::log(others);
}

} // namespace attn
