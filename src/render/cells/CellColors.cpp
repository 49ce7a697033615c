#include "render/cells/CellColors.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace attn {

namespace {

/// The same arithmetic for one value and for many; NaN fails the first comparison and gives the low end.
/// Division, not multiplication by the reciprocal: zero must fall exactly in the middle of -m..m.
inline std::int32_t tableEntry(float value, float minimum, float width)
{
    float place = (value - minimum) / width;
    place = place > 0.0f ? place : 0.0f;
    place = place < 1.0f ? place : 1.0f;
    return static_cast<std::int32_t>(place * 255.0f + 0.5f);
}

} // namespace

CellColors::CellColors(const ValueRange &range, const ColorMap &map)
    : m_minimum(static_cast<float>(range.minimum))
    , m_maximum(static_cast<float>(range.maximum))
    , m_width(m_maximum - m_minimum)
    , m_table(map.table())
{
    if (!(m_width > 0.0f) || !std::isfinite(m_width))
        m_width = 0.0f;
    std::ranges::transform(m_table, m_inkWhite.begin(),
                           [](QRgb rgb) { return readableOn(rgb) == QColor(Qt::white); });
}

bool CellColors::map(const float *values, Index count, QRgb *out) const
{
    constexpr Index chunk = 512;
    std::array<std::int32_t, chunk> entries;
    bool special = false;
    for (Index begin = 0; begin < count; begin += chunk) {
        const Index size = std::min(chunk, count - begin);
        const float *from = values + begin;
        float trouble = 0.0f; // NaN as soon as one value is not finite
        for (Index i = 0; i < size; ++i)
            trouble += from[i] - from[i];
        special = special || std::isnan(trouble);
        if (m_width == 0.0f) {
            std::fill_n(out + begin, size, m_table[128]);
            continue;
        }
        for (Index i = 0; i < size; ++i)
            entries[static_cast<std::size_t>(i)] = tableEntry(from[i], m_minimum, m_width);
        for (Index i = 0; i < size; ++i)
            out[begin + i] = m_table[static_cast<std::size_t>(entries[static_cast<std::size_t>(i)])];
    }
    return special;
}

std::size_t CellColors::entry(float value) const
{
    return m_width == 0.0f ? 128 : static_cast<std::size_t>(tableEntry(value, m_minimum, m_width));
}

QRgb CellColors::color(float value) const
{
    return m_table[entry(value)];
}

} // namespace attn
