#pragma once

#include "engine/BlockPool.h"
#include "engine/StageValues.h"
#include "engine/pooling/ChangedCells.h"

#include <cstdint>
#include <vector>

namespace attn {

/// Rows of a strip, the unit of computation over n rows.
constexpr Index stripRowsOf(Index rows)
{
    const Index whole = (rows + 7) / 8 * 8;
    return whole < 8 ? 8 : whole > 64 ? 64 : whole;
}

/// How the heads of StageBlocks lie in their stage.
enum class HeadsShown
{
    Apart,      ///< heads of the stage
    SideBySide, ///< one head, the columns of one after those of the other
    Stacked,    ///< one head, the rows of one after those of the other
};

/// The numbers of one stage in the evaluation's precision: per head a list of blocks of `blockRows` rows with
/// a stride of their own. Blocks are immutable and shared between evaluations, heads and stages that hold the
/// same numbers; a null block is not computed yet.
template<typename Scalar>
struct StageBlocks
{
    Shape shape{0, 0, 0};
    Index blockRows = 1;
    Index blocksPerHead = 0;
    std::vector<BlockReference> blocks; ///< head first

    StageBlocks() = default;
    StageBlocks(const Shape &blocksShape, Index rowsOfBlock)
        : shape(blocksShape)
        , blockRows(rowsOfBlock)
        , blocksPerHead((blocksShape.rows + rowsOfBlock - 1) / rowsOfBlock)
        , blocks(static_cast<std::size_t>(blocksShape.heads * blocksPerHead))
    {
    }

    std::size_t indexOf(Index head, Index block) const
    {
        return static_cast<std::size_t>(head * blocksPerHead + block);
    }
    BlockReference &at(Index head, Index block) { return blocks[indexOf(head, block)]; }
    const BlockReference &at(Index head, Index block) const { return blocks[indexOf(head, block)]; }
    const Scalar *data(Index head, Index block) const { return at(head, block).template as<const Scalar>(); }
    const Scalar *row(Index head, Index index) const
    {
        const BlockReference &block = at(head, index / blockRows);
        return block.template as<const Scalar>() + (index % blockRows) * block->stride();
    }
    /// Rows of the stage in a block: fewer in the last one.
    Index rowsIn(Index block) const
    {
        const Index left = shape.rows - block * blockRows;
        return left < blockRows ? left : blockRows;
    }
    bool liesAs(const StageBlocks &other) const
    {
        return shape == other.shape && blockRows == other.blockRows;
    }
    /// Adds the rows of a head that lie in other blocks than in `before`, which lies alike.
    void addChangedRows(const StageBlocks &before, Index head,
                        std::vector<ChangedCells::Lines> &changed) const
    {
        for (Index block = 0; block < blocksPerHead; ++block)
            if (!(at(head, block) == before.at(head, block)))
                addLines(changed, {block * blockRows, rowsIn(block)});
    }
    /// Of a block that is there.
    ValueStatistics statistics(Index head, Index block) const
    {
        return at(head, block)->template statistics<Scalar>(rowsIn(block), shape.cols);
    }
};

/// Elements from row to row in a block of its own: rows start at multiples of 64 bytes of doubles.
constexpr Index strideFor(Index cols)
{
    return cols < 8 ? 8 : (cols + 7) / 8 * 8;
}

/// Memory for one block of such a stage.
template<typename Scalar>
BlockReference takeBlock(BlockPool &pool, const StageBlocks<Scalar> &blocks)
{
    const Index stride = strideFor(blocks.shape.cols);
    return pool.take(static_cast<std::size_t>(blocks.blockRows * stride) * sizeof(Scalar), stride);
}

/// The one reading interface over stored blocks. inexact: per block, not zero = from an older generation, or
/// (a null block, read as NaN) not computed yet; empty when all is exact.
template<typename Scalar>
StageValuesPtr valuesOf(StageBlocks<Scalar> blocks, HeadsShown heads, std::vector<std::uint8_t> inexact = {});

/// One matrix that stands by itself. numbers: row-major, rows x cols
template<typename Scalar>
StageValuesPtr valuesOf(Index rows, Index cols, const Scalar *numbers);

} // namespace attn
