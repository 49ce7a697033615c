#include "render/cells/HeatmapCells.h"

#include "engine/pooling/PooledMaps.h"
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

/// Where nobody counts versions, other numbers are other values; the pools hold those they were read from.
std::uint64_t versionOf(const StageValuesPtr &values, std::uint64_t version)
{
    return version != 0 ? version
                        : static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(values.get()));
}

PooledMaps::Request requestOf(const SceneMap &map, const PoolSize &pool, const CellBlock &block)
{
    PooledMaps::Request request;
    request.stage = map.key.stage;
    request.head = map.head;
    request.values = map.values;
    request.version = map.version;
    if (map.key.role == MapKey::Role::Derived) {
        request.name = map.key.id.toStdString();
        request.version = versionOf(map.values, 0);
    }
    request.pool = pool;
    request.area = {block.row, block.col, block.rowCount, block.colCount};
    request.pooling = map.pooling;
    return request;
}

/// Stages and maps with a name are known to the pools; layers and slices of stages are read here.
bool readsPools(const SceneMap &map, const PoolSize &pool, const PooledMaps *pooled)
{
    const bool hasName = map.key.role == MapKey::Role::Stage || map.key.role == MapKey::Role::Derived;
    return pooled && hasName && map.key.rowOffset == 0 && map.key.colOffset == 0 &&
           PooledMaps::isWorthwhile(*map.values, pool);
}

} // namespace

HeatmapCells::HeatmapCells(const SceneMap &map, const PoolSize &pool, const CellBlock &block,
                           CellMemory memory, PooledMaps *pooled)
    : m_block(block)
    , m_colors(map.range, *map.colorMap)
    , m_memory(std::move(memory))
    , m_isPooled(readsPools(map, pool, pooled))
{
    m_memory.cells.spans.assign(block.isEmpty() ? 0 : 1, {0, block.colCount}); // pools have their own
    if (block.isEmpty())
        return;
    if (pool.isNone() && needsDoubles(map.range)) {
        m_memory.cells.numbers = readPlaces(map, block);
        const bool constant = !(map.range.maximum > map.range.minimum);
        m_colors = CellColors(ValueRange{constant ? 0.5 : 0.0, constant ? 0.5 : 1.0, false}, *map.colorMap);
    } else {
        read(map, pool, pooled);
    }
    if (map.allowed)
        readMask(map, pool, pooled);
}

void HeatmapCells::read(const SceneMap &map, const PoolSize &pool, PooledMaps *pooled)
{
    if (m_isPooled) {
        pooled->read(requestOf(map, pool, m_block), m_memory.cells);
        noteStates(map.range);
    } else {
        m_memory.cells.numbers = readCells(*map.values, map.head, pool, m_block, map.pooling);
        markInexactRows(map, pool);
    }
}

void HeatmapCells::readMask(const SceneMap &map, const PoolSize &pool, PooledMaps *pooled)
{
    m_hasMask = true;
    if (!m_isPooled) {
        m_memory.allowed.numbers = readCells(*map.allowed, map.allowedHead, pool, m_block, Pooling::Max);
        return;
    }
    PooledMaps::Request request = requestOf(map, pool, m_block);
    request.stage = Stage::Allowed;
    request.head = map.allowedHead;
    request.values = map.allowed;
    request.version = versionOf(map.allowed, map.allowedVersion);
    request.pooling = Pooling::Max;
    pooled->read(request, m_memory.allowed);
    // NaN, where the mask is not known yet, counts as allowed.
}

/// Numbers that stand in for others which are being computed.
void HeatmapCells::markInexactRows(const SceneMap &map, const PoolSize &pool)
{
    const Index firstCol = m_block.col * pool.cols;
    const Index colCount = std::min(map.values->cols(), firstCol + m_block.colCount * pool.cols) - firstCol;
    const auto isExact = [&](Index row, Index count) {
        const Index first = (m_block.row + row) * pool.rows;
        const Index last = std::min(map.values->rows(), first + count * pool.rows);
        return map.values->blockStatus(map.head, first, firstCol, last - first, colCount) ==
               BlockStatus::Exact;
    };
    if (isExact(0, m_block.rowCount))
        return;
    PoolReading &cells = m_memory.cells;
    cells.states.assign(cells.numbers.size(), PoolState::Exact);
    for (Index row = 0; row < m_block.rowCount; ++row) {
        if (isExact(row, 1))
            continue;
        for (Index at = row * m_block.colCount; at < (row + 1) * m_block.colCount; ++at) {
            const auto i = static_cast<std::size_t>(at);
            cells.states[i] = std::isnan(cells.numbers[i]) ? PoolState::Unknown : PoolState::Stale;
        }
    }
    noteStates(map.range);
}

/// Where nothing is known yet no number is shown: one without a mark of its own stands there.
void HeatmapCells::noteStates(const ValueRange &range)
{
    m_memory.least.resize(static_cast<std::size_t>(m_block.rowCount) * spans().size(), PoolState::Exact);
    std::size_t part = 0;
    for (Index row = 0; row < m_block.rowCount; ++row)
        for (std::size_t span = 0; span < spans().size(); ++span, ++part)
            if (isNew(row, span))
                m_memory.least[part] = noteStates(row * m_block.colCount + spans()[span].first,
                                                  spans()[span].count, static_cast<float>(range.minimum));
    m_isAllExact = leastSure(m_memory.least.data(), std::ssize(m_memory.least)) == PoolState::Exact;
}

/// The least sure state of these cells. blank: stands where no number is known.
PoolState HeatmapCells::noteStates(Index first, Index count, float blank)
{
    PoolReading &cells = m_memory.cells;
    const PoolState least = leastSure(cells.states.data() + first, count);
    if (least == PoolState::Unknown)
        for (Index at = first; at < first + count; ++at) {
            const auto i = static_cast<std::size_t>(at);
            cells.numbers[i] = cells.states[i] == PoolState::Unknown ? blank : cells.numbers[i];
        }
    return least;
}

} // namespace attn
