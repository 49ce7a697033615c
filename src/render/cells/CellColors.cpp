#include "render/cells/CellColors.h"

#include <algorithm>
#include <array>
#include <bit>
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

/// Whether the value is infinite or NaN, without a branch.
inline bool isSpecial(float value)
{
    return (std::bit_cast<std::uint32_t>(value) & 0x7fffffffu) >= 0x7f800000u;
}

/// A number of values known to the compiler, so that it works on several at once.
constexpr Index colorChunk = 256;

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
    std::array<float, colorChunk> padded{};
    std::array<QRgb, colorChunk> colors;
    bool special = false;
    Index begin = 0;
    for (; begin + colorChunk <= count; begin += colorChunk)
        special |= mapChunk(values + begin, out + begin);
    if (begin < count) {
        std::copy(values + begin, values + count, padded.begin());
        special |= mapChunk(padded.data(), colors.data());
        std::copy_n(colors.begin(), count - begin, out + begin);
    }
    return special;
}

bool CellColors::mapChunk(const float *values, QRgb *out) const
{
    std::uint32_t special = 0;
    for (Index i = 0; i < colorChunk; ++i)
        special |= static_cast<std::uint32_t>(isSpecial(values[i]));
    if (m_width == 0.0f) {
        std::fill_n(out, colorChunk, m_table[128]);
        return special != 0;
    }
    std::array<std::int32_t, colorChunk> entries;
    const float minimum = m_minimum;
    const float width = m_width;
    for (Index i = 0; i < colorChunk; ++i)
        entries[static_cast<std::size_t>(i)] = tableEntry(values[i], minimum, width);
    const QRgb *table = m_table.data();
    for (Index i = 0; i < colorChunk; ++i)
        out[i] = table[entries[static_cast<std::size_t>(i)]];
    return special != 0;
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
