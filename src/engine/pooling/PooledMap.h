#pragma once

#include "engine/pooling/ChangedCells.h"
#include "engine/pooling/PoolReading.h"
#include "engine/pooling/PooledTile.h"

#include <cstdint>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

namespace attn {

/// Edge lengths of pools that a PooledMap has, at least as large as wanted: powers of two, and square from 32
/// on in both directions.
PoolSize poolOfPyramid(const PoolSize &wanted);

/// What is known of the pools of one head of a stage. The finest pools (at most 32 cells along an edge) come
/// in tile by tile; coarser ones are made from them at once. Fine tiles can be forgotten again.
///
/// Pools of an older stamp are stale: they are still read until exact ones come in. Not thread-safe.
class PooledMap
{
public:
    /// shape: of one head; base: of the finest pools, at most 32 by 32
    PooledMap(const Shape &shape, const PoolSize &base);

    const PoolSize &base() const { return m_base; }
    /// How often the base is doubled for these pools (poolOfPyramid with the same base); pools beyond the
    /// last level are joined from those of it.
    int levelOf(const PoolSize &pool) const;
    PoolSize poolAt(int level) const;
    /// The pools of a level that make up this area of larger pools.
    PooledArea areaAt(int level, const PoolSize &pool, const PooledArea &area) const;

    /// Pools that came in for another stamp are stale from now on.
    void setStamp(std::uint64_t stamp) { setStamp(stamp, {}); }
    /// The same where only some cells differ from those of the stamp before: pools of others stay as sure as
    /// they were.
    void setStamp(std::uint64_t stamp, const ChangedCells &changed);
    std::uint64_t stamp() const { return m_stamp; }

    /// Reads without waiting what changed since the reading before, and the rows that are marked as new.
    /// area: in pools, the same as before.
    void read(const PoolSize &pool, const PooledArea &area, Pooling pooling, PoolReading &reading);

    /// A tile of the finest pools, by its place in the grid of tiles.
    struct TileIndex
    {
        Index row = 0;
        Index col = 0;

        auto operator<=>(const TileIndex &) const = default;
    };
    struct Wanted
    {
        TileIndex tile;
        std::uint64_t computedAt = 0; ///< 0 = never, or forgotten
        double distance = 0.0;        ///< from the middle of the area, in pools

        bool comesBefore(const Wanted &other) const
        {
            return std::tie(computedAt, distance) < std::tie(other.computedAt, other.distance);
        }
    };
    /// The tiles that are needed to make pools of this area exact, the next one last: where one edit follows
    /// the other all get their turn; of those that are equally old the nearest to its middle.
    std::vector<Wanted> wanted(int level, const PooledArea &area) const;
    /// Whether the pools of a level over this tile are all exact.
    bool isExact(int level, const TileIndex &place) const;

    /// Takes in a finest tile that was computed for the current stamp.
    void insert(const TileIndex &place, const PooledTile &tile);

    std::size_t bytes() const { return m_tileCount * bytesPerTile; }
    /// Forgets the finest tile that was not read for longest, unless its reading was `keepFrom` or later.
    /// False when there is none.
    bool forgetOldest(std::uint64_t keepFrom);
    /// Forgets all tiles of the finest level below this one that has any: pools of this level and coarser
    /// ones stay. False when there are none.
    bool forgetFinest(int level);
    /// Counted up by whoever reads or brings in tiles; see forgetOldest and PoolReading::readAt.
    void setClock(std::uint64_t now) { m_now = now; }
    std::uint64_t oldestUse() const;

    static constexpr int levels = 7; ///< pools up to 64 times the base
    static constexpr std::size_t bytesPerTile = std::size_t(PooledTile::side * PooledTile::side) * 9;

private:
    struct Tile
    {
        std::vector<float> greatest;
        std::vector<float> mean;
        std::vector<float> finite;     ///< behind each mean; of the last level alone
        std::vector<PoolState> states; ///< as of `stamp`
        std::uint64_t stamp = 0;
        std::uint64_t usedAt = 0;
        std::uint64_t computedAt = 0;
        std::uint64_t changedAt = 0; ///< numbers or states, apart from those outdated by a stamp
        bool mayBeExact = false;     ///< else no state is
        bool isWhole = false;        ///< nothing in it is unknown, which stays so
    };
    using Tiles = std::map<TileIndex, Tile>;

    bool isChangedThroughout(int level, const TileIndex &place, const ChangedCells &changed) const;
    void markChanged(int level, const TileIndex &place, Tile &tile, const ChangedCells &changed) const;
    Tile &tileFor(int level, const TileIndex &place);
    void store(int level, const TileIndex &basePlace, const PooledTile &pools);
    PooledArea underBase(int level, const TileIndex &basePlace) const;
    /// What is read, and where to.
    struct Target
    {
        int level = 0;
        PooledArea area;
        Pooling pooling = Pooling::Max;
        PoolReading &reading;
        std::vector<std::uint8_t> isWanted; ///< parts of rows to be read whether or not they changed
    };

    void readLevel(int level, const PooledArea &area, Pooling pooling, PoolReading &reading);
    void readJoined(const PoolSize &pool, const PooledArea &area, Pooling pooling, PoolReading &reading);
    bool hasChanged(const Tile &tile, std::uint64_t since) const;
    bool hasUnknown(int level, const TileIndex &place, const Tile &tile) const;
    float finiteAt(Index row, Index col) const;
    void readPools(const Tile *tile, Pooling pooling, Index from, Index count, float *numbers,
                   PoolState *states) const;
    void readTile(const Target &target, const TileIndex &place, const PooledArea &part);
    void readCoarser(const Target &target, const PooledArea &part) const;
    Index poolRows(int level) const;
    Index poolCols(int level) const;

    Shape m_shape;
    PoolSize m_base;
    std::uint64_t m_stamp = 0;
    std::uint64_t m_now = 0;
    std::uint64_t m_outdatedAt = 0; ///< when pools of other stamps became stale
    std::size_t m_tileCount = 0;
    std::vector<Tiles> m_tiles; ///< per level
};

} // namespace attn
