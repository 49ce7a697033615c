#include "engine/pooling/PooledMap.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace attn {

namespace {

constexpr Index largestBase = 32;
constexpr float unknownPool = std::numeric_limits<float>::quiet_NaN();

Index powerOfTwoFrom(Index wanted)
{
    return static_cast<Index>(std::bit_ceil(static_cast<std::size_t>(std::max<Index>(wanted, 1))));
}

Index poolsAlong(Index count, Index by)
{
    return (count + by - 1) / by;
}

/// Numbers that will be read soon. Tiles come from another thread, whose processor has them: one line after
/// the other, that takes as long as all the rest of a reading.
template<typename Number>
void fetch(const Number *numbers, Index count)
{
#ifdef __GNUC__
    constexpr Index perLine = 64 / Index(sizeof(Number));
    for (Index i = 0; i < count; i += perLine)
        __builtin_prefetch(numbers + i);
#endif
}

/// One pool from pools of the last level.
class JoinedPools
{
public:
    explicit JoinedPools(Pooling pooling)
        : m_pooling(pooling)
    {
    }

    void add(float number, float finite, PoolState state)
    {
        m_state = std::min(m_state, state);
        if (!std::isnan(m_greatest))
            m_greatest = std::isnan(number) || number > m_greatest ? number : m_greatest;
        if (finite > 0.0f && !std::isnan(number))
            m_sum += static_cast<double>(number) * static_cast<double>(finite);
        m_finite += static_cast<double>(finite);
    }
    float result() const
    {
        if (m_pooling == Pooling::Max)
            return m_greatest;
        return m_finite > 0.0 ? static_cast<float>(m_sum / m_finite) : unknownPool;
    }
    /// That of the least sure one.
    PoolState state() const { return m_state; }

private:
    Pooling m_pooling;
    float m_greatest = -std::numeric_limits<float>::infinity();
    double m_sum = 0.0;
    double m_finite = 0.0;
    PoolState m_state = PoolState::Exact;
};

} // namespace

PoolSize poolOfPyramid(const PoolSize &wanted)
{
    PoolSize pool{powerOfTwoFrom(wanted.rows), powerOfTwoFrom(wanted.cols)};
    if (pool.rows >= largestBase && pool.cols >= largestBase)
        pool.rows = pool.cols = std::max(pool.rows, pool.cols);
    return pool;
}

PooledMap::PooledMap(const Shape &shape, const PoolSize &base)
    : m_shape(shape)
    , m_base(base)
    , m_tiles(levels)
{
}

int PooledMap::levelOf(const PoolSize &pool) const
{
    const Index ratio = std::max(pool.rows / m_base.rows, pool.cols / m_base.cols);
    return std::min(levels - 1, static_cast<int>(std::bit_width(static_cast<std::size_t>(ratio))) - 1);
}

PoolSize PooledMap::poolAt(int level) const
{
    const Index factor = Index(1) << level;
    return {m_base.rows == largestBase ? m_base.rows * factor : m_base.rows,
            m_base.cols == largestBase ? m_base.cols * factor : m_base.cols};
}

Index PooledMap::poolRows(int level) const
{
    return poolsAlong(m_shape.rows, poolAt(level).rows);
}

Index PooledMap::poolCols(int level) const
{
    return poolsAlong(m_shape.cols, poolAt(level).cols);
}

void PooledMap::setStamp(std::uint64_t stamp, const ChangedCells &changed)
{
    if (changed.everywhere) {
        m_outdatedAt = m_now;
    } else {
        for (int level = 0; level < levels; ++level) {
            for (auto &[place, tile] : m_tiles[static_cast<std::size_t>(level)]) {
                if (tile.stamp != m_stamp)
                    continue;
                if (tile.mayBeExact && isChangedThroughout(level, place, changed)) {
                    tile.changedAt = m_now; // and its stamp says that it is outdated
                    continue;
                }
                if (tile.mayBeExact)
                    markChanged(level, place, tile, changed);
                tile.stamp = stamp;
            }
        }
    }
    m_stamp = stamp;
}

/// Whether one range of rows, as edits that reach all sums make it, holds all cells of a tile.
bool PooledMap::isChangedThroughout(int level, const TileIndex &place, const ChangedCells &changed) const
{
    const Index cellsAlong = PooledTile::side * poolAt(level).rows;
    const Index first = place.row * cellsAlong;
    const Index end = std::min(first + cellsAlong, m_shape.rows);
    return std::ranges::any_of(changed.rows, [&](const ChangedCells::Lines &range) {
        return range.first <= first && end <= range.first + range.count;
    });
}

void PooledMap::markChanged(int level, const TileIndex &place, Tile &tile, const ChangedCells &changed) const
{
    constexpr Index side = PooledTile::side;
    const PoolSize pool = poolAt(level);
    bool isChanged = false;
    /// Calls each(first, count) for the lines of pools of this tile that hold any of these lines of cells.
    const auto forEach = [&](const std::vector<ChangedCells::Lines> &lines, Index tileNumber,
                             Index poolLength, const auto &each) {
        for (const ChangedCells::Lines &range : lines) {
            const Index first = std::max<Index>(0, range.first / poolLength - tileNumber * side);
            const Index last =
                std::min(side - 1, (range.first + range.count - 1) / poolLength - tileNumber * side);
            if (first > last)
                continue;
            isChanged = true;
            each(first, last + 1 - first);
        }
    };
    forEach(changed.rows, place.row, pool.rows,
            [&](Index first, Index count) { makeStale(tile.states.data() + first * side, count * side); });
    forEach(changed.cols, place.col, pool.cols, [&](Index first, Index count) {
        for (Index row = 0; row < side; ++row)
            makeStale(tile.states.data() + row * side + first, count);
    });
    if (!isChanged)
        return;
    tile.changedAt = m_now;
    tile.mayBeExact =
        std::memchr(tile.states.data(), static_cast<int>(PoolState::Exact), tile.states.size()) != nullptr;
}

PooledMap::Tile &PooledMap::tileFor(int level, const TileIndex &place)
{
    const auto [found, isNew] = m_tiles[static_cast<std::size_t>(level)].try_emplace(place);
    Tile &tile = found->second;
    if (isNew) {
        constexpr auto count = static_cast<std::size_t>(PooledTile::side * PooledTile::side);
        tile.greatest.assign(count, unknownPool);
        tile.mean.assign(count, unknownPool);
        if (level == levels - 1)
            tile.finite.assign(count, 0.0f);
        tile.states.assign(count, PoolState::Unknown);
        tile.usedAt = m_now;
        ++m_tileCount;
    } else if (tile.stamp != m_stamp) {
        makeStale(tile.states.data(), static_cast<Index>(tile.states.size()));
    }
    tile.stamp = m_stamp;
    tile.changedAt = m_now;
    tile.mayBeExact = true;
    return tile;
}

/// The pools of a level that lie under one tile of the finest ones.
PooledArea PooledMap::underBase(int level, const TileIndex &basePlace) const
{
    const Index rowShift = m_base.rows == largestBase ? level : 0;
    const Index colShift = m_base.cols == largestBase ? level : 0;
    PooledArea area;
    area.row = basePlace.row * PooledTile::side >> rowShift;
    area.col = basePlace.col * PooledTile::side >> colShift;
    area.rows = std::min(PooledTile::side >> rowShift, poolRows(level) - area.row);
    area.cols = std::min(PooledTile::side >> colShift, poolCols(level) - area.col);
    return area;
}

void PooledMap::store(int level, const TileIndex &basePlace, const PooledTile &pools)
{
    constexpr Index side = PooledTile::side;
    const PooledArea area = underBase(level, basePlace);
    Tile &tile = tileFor(level, {area.row / side, area.col / side});
    if (pools.isComplete()) // else it did not have its turn
        tile.computedAt = m_now;
    for (Index row = 0; row < pools.rows; ++row) {
        if (!pools.isKnown[static_cast<std::size_t>(row)])
            continue;
        const auto from = static_cast<std::ptrdiff_t>(row * pools.cols);
        const auto to = static_cast<std::ptrdiff_t>((area.row + row) % side * side + area.col % side);
        std::copy_n(pools.greatest.begin() + from, pools.cols, tile.greatest.begin() + to);
        std::copy_n(pools.mean.begin() + from, pools.cols, tile.mean.begin() + to);
        if (!tile.finite.empty())
            std::copy_n(pools.finite.begin() + from, pools.cols, tile.finite.begin() + to);
        std::fill_n(tile.states.begin() + to, pools.cols, PoolState::Exact);
    }
}

void PooledMap::insert(const TileIndex &place, const PooledTile &tile)
{
    store(0, place, tile);
    PooledTile pools = tile;
    const bool doublesRows = m_base.rows == largestBase;
    const bool doublesCols = m_base.cols == largestBase;
    for (int level = 1; level < levels && (doublesRows || doublesCols); ++level) {
        pools = halved(pools, doublesRows, doublesCols);
        store(level, place, pools);
    }
}

PooledArea PooledMap::areaAt(int level, const PoolSize &pool, const PooledArea &area) const
{
    const PoolSize finer = poolAt(level);
    const Index byRows = pool.rows / finer.rows;
    const Index byCols = pool.cols / finer.cols;
    PooledArea result{area.row * byRows, area.col * byCols, 0, 0};
    result.rows = std::min(area.rows * byRows, poolRows(level) - result.row);
    result.cols = std::min(area.cols * byCols, poolCols(level) - result.col);
    return result;
}

void PooledMap::read(const PoolSize &pool, const PooledArea &area, Pooling pooling, PoolReading &reading)
{
    const int level = levelOf(pool);
    if (poolAt(level) == pool)
        readLevel(level, area, pooling, reading);
    else
        readJoined(pool, area, pooling, reading);
}

/// Pools beyond the last level.
void PooledMap::readJoined(const PoolSize &pool, const PooledArea &area, Pooling pooling,
                           PoolReading &reading)
{
    constexpr int last = levels - 1;
    const PooledArea fine = areaAt(last, pool, area);
    const Index byRows = pool.rows / poolAt(last).rows;
    const Index byCols = pool.cols / poolAt(last).cols;
    PoolReading parts;
    parts.fit({0, poolAt(last), fine, pooling});
    readLevel(last, fine, pooling, parts);
    for (Index row = 0; row < area.rows; ++row) {
        for (Index col = 0; col < area.cols; ++col) {
            JoinedPools joined(pooling);
            for (Index r = row * byRows; r < std::min(fine.rows, (row + 1) * byRows); ++r)
                for (Index c = col * byCols; c < std::min(fine.cols, (col + 1) * byCols); ++c)
                    joined.add(parts.numbers[static_cast<std::size_t>(r * fine.cols + c)],
                               finiteAt(fine.row + r, fine.col + c),
                               parts.states[static_cast<std::size_t>(r * fine.cols + c)]);
            const auto at = static_cast<std::size_t>(row * area.cols + col);
            reading.numbers[at] = joined.result();
            reading.states[at] = joined.state();
        }
    }
    std::ranges::fill(reading.isNew, std::uint8_t(1));
}

float PooledMap::finiteAt(Index row, Index col) const
{
    constexpr Index side = PooledTile::side;
    const auto found = m_tiles.back().find({row / side, col / side});
    return found == m_tiles.back().end()
               ? 0.0f
               : found->second.finite[static_cast<std::size_t>(row % side * side + col % side)];
}

void PooledMap::readLevel(int level, const PooledArea &area, Pooling pooling, PoolReading &reading)
{
    constexpr Index side = PooledTile::side;
    const Target target{level, area, pooling, reading, reading.isNew};
    for (Index row = area.row; row < area.row + area.rows;) {
        const Index rows = std::min((row / side + 1) * side, area.row + area.rows) - row;
        for (Index col = area.col; col < area.col + area.cols;) {
            const Index cols = std::min((col / side + 1) * side, area.col + area.cols) - col;
            readTile(target, {row / side, col / side}, {row, col, rows, cols});
            col += cols;
        }
        row += rows;
    }
}

bool PooledMap::hasChanged(const Tile &tile, std::uint64_t since) const
{
    return tile.changedAt > since || (tile.stamp != m_stamp && m_outdatedAt > since);
}

bool PooledMap::hasUnknown(int level, const TileIndex &place, const Tile &tile) const
{
    constexpr Index side = PooledTile::side;
    const Index rows = std::min(side, poolRows(level) - place.row * side);
    const Index cols = std::min(side, poolCols(level) - place.col * side);
    for (Index row = 0; row < rows; ++row)
        if (leastSure(tile.states.data() + row * side, cols) == PoolState::Unknown)
            return true;
    return false;
}

/// Pools beside each other, from place `from` of a tile on.
void PooledMap::readPools(const Tile *tile, Pooling pooling, Index from, Index count, float *numbers,
                          PoolState *states) const
{
    if (!tile) {
        std::fill_n(numbers, count, unknownPool);
        std::fill_n(states, count, PoolState::Unknown);
        return;
    }
    constexpr Index ahead = 12 * PooledTile::side;
    const std::vector<float> &pools = pooling == Pooling::Max ? tile->greatest : tile->mean;
    if (from + ahead + count <= std::ssize(pools)) {
        fetch(pools.data() + from + ahead, count);
        fetch(tile->states.data() + from + ahead, count);
    }
    std::copy_n(pools.data() + from, count, numbers);
    std::copy_n(tile->states.data() + from, count, states);
    if (tile->stamp != m_stamp)
        makeStale(states, count);
}

/// part: inside of one tile.
void PooledMap::readTile(const Target &target, const TileIndex &place, const PooledArea &part)
{
    constexpr Index side = PooledTile::side;
    Tiles &tiles = m_tiles[static_cast<std::size_t>(target.level)];
    const auto found = tiles.find(place);
    Tile *tile = found == tiles.end() ? nullptr : &found->second;
    if (tile)
        tile->usedAt = m_now;
    if (tile && !tile->isWhole)
        tile->isWhole = !hasUnknown(target.level, place, *tile);
    // Where something is unknown coarser pools stand in, which may have changed.
    const bool isKept = tile && tile->isWhole && !hasChanged(*tile, target.reading.readAt);
    const Index spans = std::ssize(target.reading.spans);
    const Index span = place.col - target.area.col / side;
    for (Index row = part.row; row < part.row + part.rows; ++row) {
        const auto at = static_cast<std::size_t>((row - target.area.row) * spans + span);
        if (isKept && target.isWanted[at] == 0)
            continue;
        target.reading.isNew[at] = 1;
        const Index to = (row - target.area.row) * target.area.cols + part.col - target.area.col;
        readPools(tile, target.pooling, row % side * side + part.col % side, part.cols,
                  target.reading.numbers.data() + to, target.reading.states.data() + to);
    }
    if (!tile || !tile->isWhole)
        readCoarser(target, part);
}

/// Stand-ins for what is unknown, from the finest coarser pools that are known.
void PooledMap::readCoarser(const Target &target, const PooledArea &part) const
{
    constexpr Index side = PooledTile::side;
    for (int level = target.level + 1; level < levels; ++level) {
        const int rowShift = m_base.rows == largestBase ? level - target.level : 0;
        const int colShift = m_base.cols == largestBase ? level - target.level : 0;
        const Tiles &tiles = m_tiles[static_cast<std::size_t>(level)];
        const auto found = tiles.find({(part.row >> rowShift) / side, (part.col >> colShift) / side});
        if (found == tiles.end())
            continue;
        const Tile &tile = found->second;
        const std::vector<float> &from = target.pooling == Pooling::Max ? tile.greatest : tile.mean;
        bool anyLeft = false;
        for (Index row = part.row; row < part.row + part.rows; ++row) {
            for (Index col = part.col; col < part.col + part.cols; ++col) {
                const auto to = static_cast<std::size_t>((row - target.area.row) * target.area.cols + col -
                                                         target.area.col);
                const auto at =
                    static_cast<std::size_t>((row >> rowShift) % side * side + (col >> colShift) % side);
                if (target.reading.states[to] != PoolState::Unknown)
                    continue;
                anyLeft = anyLeft || tile.states[at] == PoolState::Unknown;
                if (tile.states[at] == PoolState::Unknown)
                    continue;
                target.reading.numbers[to] = from[at];
                target.reading.states[to] = PoolState::Stale;
            }
        }
        if (!anyLeft)
            return;
    }
}

bool PooledMap::isExact(int level, const TileIndex &basePlace) const
{
    constexpr Index side = PooledTile::side;
    const PooledArea area = underBase(level, basePlace);
    const Tiles &tiles = m_tiles[static_cast<std::size_t>(level)];
    const auto found = tiles.find({area.row / side, area.col / side});
    if (found == tiles.end() || found->second.stamp != m_stamp)
        return false;
    for (Index row = area.row; row < area.row + area.rows; ++row) {
        const PoolState *first = found->second.states.data() + row % side * side + area.col % side;
        if (leastSure(first, area.cols) != PoolState::Exact)
            return false;
    }
    return true;
}

std::vector<PooledMap::Wanted> PooledMap::wanted(int level, const PooledArea &area) const
{
    const Index stepRows = m_base.rows == largestBase ? PooledTile::side >> level : PooledTile::side;
    const Index stepCols = m_base.cols == largestBase ? PooledTile::side >> level : PooledTile::side;
    std::vector<Wanted> tiles;
    if (area.rows <= 0 || area.cols <= 0)
        return tiles;
    const double centreRow = static_cast<double>(area.row) + static_cast<double>(area.rows) / 2.0;
    const double centreCol = static_cast<double>(area.col) + static_cast<double>(area.cols) / 2.0;
    for (Index i = area.row / stepRows; i * stepRows < area.row + area.rows; ++i) {
        for (Index j = area.col / stepCols; j * stepCols < area.col + area.cols; ++j) {
            const double dRow = (static_cast<double>(i) + 0.5) * static_cast<double>(stepRows) - centreRow;
            const double dCol = (static_cast<double>(j) + 0.5) * static_cast<double>(stepCols) - centreCol;
            if (isExact(level, {i, j}))
                continue;
            const auto found = m_tiles.front().find({i, j});
            tiles.push_back({{i, j},
                             found == m_tiles.front().end() ? 0 : found->second.computedAt,
                             std::hypot(dRow, dCol)});
        }
    }
    std::sort(tiles.begin(), tiles.end(), [](const Wanted &a, const Wanted &b) { return b.comesBefore(a); });
    return tiles;
}

std::uint64_t PooledMap::oldestUse() const
{
    std::uint64_t oldest = std::numeric_limits<std::uint64_t>::max();
    for (const auto &[place, tile] : m_tiles.front())
        oldest = std::min(oldest, tile.usedAt);
    return oldest;
}

bool PooledMap::forgetOldest(std::uint64_t keepFrom)
{
    Tiles &tiles = m_tiles.front();
    const auto oldest = std::min_element(tiles.begin(), tiles.end(), [](const auto &a, const auto &b) {
        return a.second.usedAt < b.second.usedAt;
    });
    if (oldest == tiles.end() || oldest->second.usedAt >= keepFrom)
        return false;
    tiles.erase(oldest);
    --m_tileCount;
    return true;
}

bool PooledMap::forgetFinest(int level)
{
    const auto end = m_tiles.begin() + level;
    const auto finest = std::find_if(m_tiles.begin(), end, [](const Tiles &tiles) { return !tiles.empty(); });
    if (finest == end)
        return false;
    m_tileCount -= finest->size();
    finest->clear();
    return true;
}

} // namespace attn
