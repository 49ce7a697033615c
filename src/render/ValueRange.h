#pragma once

#include "engine/Stage.h"
#include "engine/StageValues.h"
#include "render/ColorMap.h"

#include <optional>

namespace attn {

/// The numbers at the two ends of a colour scale.
struct ValueRange
{
    double minimum = 0.0;
    double maximum = 1.0;
    bool isEmpty = false; ///< no finite value: the legend says so

    /// Place on the scale, 0 at the low end, 1 at the high end, clamped; 0.5 for a constant matrix.
    double place(double value) const;
    bool operator==(const ValueRange &) const = default;
};

/// Automatic range over the finite cells. Sequential: minimum..maximum. Diverging: symmetric about 0.
ValueRange automaticRange(const ValueStatistics &statistics, ColorMap::Kind kind);

/// Weights (A, masks, flags) are sequential, everything signed is diverging.
ColorMap::Kind defaultKind(Stage stage);

} // namespace attn
