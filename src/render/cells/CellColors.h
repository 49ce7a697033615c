#pragma once

#include "engine/Types.h"
#include "render/ColorMap.h"
#include "render/ValueRange.h"

#include <QRgb>

#include <array>
#include <cstdint>

namespace attn {

/// Numbers to colours of a scale, many at a time: the inner loop of every heatmap.
class CellColors
{
public:
    CellColors(const ValueRange &range, const ColorMap &map);

    /// Opaque colours of `count` values; +inf and -inf get the ends, NaN the low end. Returns whether there
    /// was any value that is not finite.
    bool map(const float *values, Index count, QRgb *out) const;
    /// The same in two steps: places in the table first.
    bool places(const float *values, Index count, std::uint16_t *out) const;
    const std::array<QRgb, 256> &table() const { return m_table; }

    QRgb color(float value) const;
    /// Black or white, readable on the colour of this value.
    bool isInkWhite(float value) const { return m_inkWhite[entry(value)]; }
    bool isBelow(float value) const { return value < m_minimum; }
    bool isAbove(float value) const { return value > m_maximum; }

private:
    std::size_t entry(float value) const;

    float m_minimum;
    float m_maximum;
    float m_width; ///< 0: one colour for all
    std::array<QRgb, 256> m_table;
    std::array<bool, 256> m_inkWhite;
};

} // namespace attn
