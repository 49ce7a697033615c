#include "render/ValueRange.h"

#include <algorithm>
#include <cmath>

namespace attn {

double ValueRange::place(double value) const
{
    // Halves keep the difference finite for ranges wider than the largest double.
    const double width = maximum / 2 - minimum / 2;
    if (!(width > 0.0))
        return 0.5;
    return std::clamp((value / 2 - minimum / 2) / width, 0.0, 1.0);
}

ValueRange automaticRange(const ValueStatistics &statistics, ColorMap::Kind kind)
{
    if (statistics.finiteCount == 0)
        return {0.0, 1.0, true};
    if (kind == ColorMap::Kind::Sequential)
        return {statistics.minimum, statistics.maximum, false};
    const double reach = std::max(std::abs(statistics.minimum), std::abs(statistics.maximum));
    return {reach == 0.0 ? 0.0 : -reach, reach, false};
}

ColorMap::Kind defaultKind(Stage stage)
{
    switch (stage) {
    case Stage::A:
    case Stage::ASoft:
    case Stage::Allowed:
    case Stage::FullyMasked:
    case Stage::MaskBool:
    case Stage::MaskPadding:
        return ColorMap::Kind::Sequential;
    default:
        return ColorMap::Kind::Diverging;
    }
}

} // namespace attn
