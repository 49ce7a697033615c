#pragma once

#include "engine/Types.h"

#include <optional>
#include <span>

namespace attn {

/// How far the scores of one row lie apart before the softmax, which alone decides how uneven its weights
/// are.
struct ScoreSpread
{
    Index visible = 0; ///< keys that are not hidden
    double lowest = 0.0;
    double highest = 0.0;

    double size() const { return highest - lowest; }
    /// The largest weight of the row divided by the smallest one of a visible key: e^size.
    double ratio() const;
};

/// row: masked scores, -inf = hidden. Nothing without a visible key, or with +inf or NaN.
std::optional<ScoreSpread> scoreSpread(std::span<const double> row);

/// Whether the largest weight of the row is less than half as large again as the smallest one.
bool isNearlyEven(const ScoreSpread &spread);

/// What the score of one key would have to be for it to get the weight `wanted`, all other scores of the row
/// as they are: ln(wanted / (1 - wanted)) + ln(sum of e^s over the other keys).
///
/// row: as above; wanted: in (0, 1). Nothing where scoreSpread() is nothing, where the key is hidden, and
/// where no other key is visible: its weight is 1 whatever its score.
std::optional<double> scoreForWeight(std::span<const double> row, Index key, double wanted);

} // namespace attn
