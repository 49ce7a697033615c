#include "render/cells/HeatmapCells.h"

#include "render/Scene.h"

#include <algorithm>
#include <cmath>

namespace attn {

namespace {

/// Ranges whose numbers or differences leave float32: their cells are placed on the scale in doubles.
bool needsDoubles(const ValueRange &range)
{
    const double reach = std::max(std::abs(range.minimum), std::abs(range.maximum));
    const double width = range.maximum - range.minimum;
    return reach > 1e37 || (reach > 0.0 && reach < 1e-30) || (width > 0.0 && width < reach * 1e-5);
}

std::vector<float> readPlaces(const SceneMap &map, const CellBlock &block)
{
    const auto count = static_cast<std::size_t>(block.rowCount * block.colCount);
    std::vector<double> numbers(count);
    map.values->readBlock(map.head, block.row, block.col, block.rowCount, block.colCount, numbers.data(),
                          block.colCount);
    std::vector<float> places(count);
    std::ranges::transform(numbers, places.begin(), [&map](double value) {
        if (!std::isfinite(value))
            return static_cast<float>(value);
        // Outside stays outside, so that clipped cells are found.
        if (value < map.range.minimum || value > map.range.maximum)
            return value < map.range.minimum ? -1.0f : 2.0f;
        return static_cast<float>(map.range.place(value));
    });
    return places;
}

} // namespace

HeatmapCells::HeatmapCells(const SceneMap &map, const PoolSize &pool, const CellBlock &block)
    : m_block(block)
    , m_colors(map.range, *map.colorMap)
{
    if (block.isEmpty())
        return;
    if (pool.isNone() && needsDoubles(map.range)) {
        m_values = readPlaces(map, block);
        const bool constant = !(map.range.maximum > map.range.minimum);
        m_colors = CellColors(ValueRange{constant ? 0.5 : 0.0, constant ? 0.5 : 1.0, false}, *map.colorMap);
    } else {
        m_values = readCells(*map.values, map.head, pool, block, map.pooling);
    }
    if (map.allowed)
        m_allowed = readCells(*map.allowed, map.allowedHead, pool, block, Pooling::Max);
}

} // namespace attn
