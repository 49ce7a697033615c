#pragma once

#include "engine/pooling/PoolState.h"
#include "engine/pooling/PooledTile.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace attn {

/// The pools of an area, kept by their reader from one reading to the next: only what changed in between is
/// read again.
struct PoolReading
{
    /// Columns of the area that lie in the same tiles: they change together.
    struct Span
    {
        Index first = 0;
        Index count = 0;
    };

    /// What was read: of anything else nothing is kept.
    struct Origin
    {
        std::uint64_t map = 0; ///< number of the map among those of its reader
        PoolSize pool;
        PooledArea area;
        Pooling pooling = Pooling::Max;

        bool operator==(const Origin &) const = default;
    };

    Origin origin;
    std::vector<float> numbers;    ///< rows x cols; NaN = unknown
    std::vector<PoolState> states; ///< one for each
    std::vector<Span> spans;
    std::vector<std::uint8_t> isNew;      ///< rows x spans: whether they may differ from the reading before
    std::vector<std::uint8_t> isUpdating; ///< rows whose values are not exact yet, whatever their pools are
    std::uint64_t readAt = 0;             ///< by the clock of the reader's maps; 0 = nothing is kept

    /// Room for its area.
    void fit(const Origin &wanted);
    std::uint8_t *newOf(Index row) { return isNew.data() + row * static_cast<Index>(spans.size()); }
};

inline void PoolReading::fit(const Origin &wanted)
{
    const PooledArea &area = wanted.area;
    const auto count = static_cast<std::size_t>(area.rows * area.cols);
    const auto lines = static_cast<std::size_t>(area.rows);
    if (readAt == 0 || !(origin == wanted)) {
        origin = wanted;
        readAt = 0;
        numbers.resize(count);
        states.resize(count);
        isUpdating.assign(lines, 0);
    }
    constexpr Index side = PooledTile::side;
    spans.clear();
    for (Index col = 0; col < area.cols;) {
        const Index inTile = std::min(side - (area.col + col) % side, area.cols - col);
        spans.push_back({col, inTile});
        col += inTile;
    }
    isNew.assign(lines * spans.size(), readAt == 0 ? 1 : 0);
}

} // namespace attn
