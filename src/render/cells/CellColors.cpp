#include "render/cells/CellColors.h"

#include "engine/kernels/KernelTable.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace attn {

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

bool CellColors::places(const float *values, Index count, std::uint16_t *out) const
{
    const bool isConstant = m_width == 0.0f;
    const bool areFinite =
        kernels().f32.scalePlaces(values, count, m_minimum, isConstant ? 1.0f : m_width, out);
    if (isConstant)
        std::fill_n(out, count, std::uint16_t(128));
    return !areFinite;
}

bool CellColors::map(const float *values, Index count, QRgb *out) const
{
    std::array<std::uint16_t, 256> chunk;
    constexpr auto most = static_cast<Index>(chunk.size());
    bool special = false;
    for (Index begin = 0; begin < count; begin += most) {
        const Index number = std::min(most, count - begin);
        special |= places(values + begin, number, chunk.data());
        kernels().pickWords(m_table.data(), chunk.data(), number, out + begin);
    }
    return special;
}

std::size_t CellColors::entry(float value) const
{
    std::uint16_t place = 0;
    places(&value, 1, &place);
    return place;
}

QRgb CellColors::color(float value) const
{
    return m_table[entry(value)];
}

} // namespace attn
