#pragma once

#include "engine/StageValues.h"
#include "engine/pooling/PoolSize.h"

#include <functional>
#include <vector>

namespace attn {

/// A rectangle of cells or of pools.
struct PooledArea
{
    Index row = 0;
    Index col = 0;
    Index rows = 0;
    Index cols = 0;

    bool operator==(const PooledArea &) const = default;
};

/// Maximum and mean of pools, side by side, with the number of finite cells behind each mean, so that pools
/// of pools are exact. A row of pools can be unknown while its stage is being computed.
struct PooledTile
{
    static constexpr Index side = 64; ///< pools along each edge; fewer at the edges of a matrix

    Index rows = 0;
    Index cols = 0;
    std::vector<float> greatest; ///< rows x cols: NaN when any cell is
    std::vector<float> mean;     ///< over the finite cells: NaN when there is none
    std::vector<float> finite;   ///< how many they are
    std::vector<bool> isKnown;   ///< per row

    PooledTile(Index rowCount, Index colCount);
    bool isComplete() const;
};

/// Pools of one tile: those of rows and columns [tileRow * 64, ...), [tileCol * 64, ...) in a grid of pools.
///
/// Rows of pools whose cells the stage does not have exactly stay unknown. stopped: asked between rows of
/// pools; when it says true the rest stays unknown.
PooledTile pooledTile(const StageValues &values, Index head, const PoolSize &pool, Index tileRow,
                      Index tileCol, const std::function<bool()> &stopped);

/// Pools of pools: every second row, or column, or both is joined with the one before.
PooledTile halved(const PooledTile &tile, bool rows, bool cols);

} // namespace attn
