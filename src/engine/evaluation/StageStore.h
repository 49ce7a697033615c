#pragma once

#include "engine/Pins.h"
#include "engine/StageBlocks.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace attn {

/// Number of an evaluation, counted up; 0 = never.
using Epoch = std::uint64_t;

enum class StageSource
{
    None,  ///< the stage has no numbers
    Fixed, ///< the document's own numbers, or every cell is set by hand
    Computed,
};

/// A rectangle of a stage.
struct TileArea
{
    Index head = 0;
    Index row = 0;
    Index rows = 0;
    Index col = 0;
    Index cols = 0;
};

/// One stage of the running evaluation: its blocks, and of each block when it was computed and when its bits
/// last changed. A block is stale when something it is computed from changed after it was computed.
template<typename Scalar>
struct StageStore
{
    StageSource source = StageSource::None;
    HeadsShown heads = HeadsShown::Apart;
    bool isStored = true;       ///< false: computed on demand; only the times of its inputs are kept
    Tensor fixed;               ///< for Fixed
    Tensor inFile;              ///< a mapped `fixed` as it lies in its file; null: not mapped
    const Pins *pins = nullptr; ///< null: none
    StageBlocks<Scalar> blocks;
    std::vector<Epoch> computedAt;
    std::vector<Epoch> changedAt;
    std::vector<Epoch> exactAt; ///< the last evaluation that found the block to be up to date
    std::vector<Epoch> inputAt; ///< when its own numbers of the document, or pins, last changed
    Epoch inputAtAll = 0;
    Epoch onlyExactAt = 0; ///< not 0: a block that is not exact in this evaluation counts as about to change

    bool exists() const { return source != StageSource::None; }
    void setFixed(Tensor tensor);

    /// Another layout starts anew. True when it was another.
    bool reshape(const Shape &shape, Index blockRows, HeadsShown shown, bool stored)
    {
        if (blocks.shape == shape && blocks.blockRows == blockRows && heads == shown && isStored == stored)
            return false;
        heads = shown;
        isStored = stored;
        blocks = StageBlocks<Scalar>(shape, blockRows);
        for (std::vector<Epoch> *times : {&computedAt, &changedAt, &exactAt, &inputAt})
            times->assign(blocks.blocks.size(), 0);
        return true;
    }

    Epoch inputOf(Index head, Index block) const
    {
        return std::max(inputAtAll, inputAt[blocks.indexOf(head, block)]);
    }
    Epoch changeOf(Index head, Index block) const { return changeOf(blocks.indexOf(head, block)); }
    Epoch changeOf(std::size_t index) const
    {
        constexpr Epoch soon = std::numeric_limits<Epoch>::max();
        return onlyExactAt != 0 && exactAt[index] != onlyExactAt ? soon : changedAt[index];
    }
    /// Of all blocks of a head.
    Epoch changeOfHead(Index head) const
    {
        Epoch newest = 0;
        for (Index block = 0; block < blocks.blocksPerHead; ++block)
            newest = std::max(newest, changeOf(head, block));
        return newest;
    }
    Epoch newestChange() const
    {
        Epoch newest = 0;
        for (std::size_t index = 0; index < changedAt.size(); ++index)
            newest = std::max(newest, changeOf(index));
        return newest;
    }
    Epoch newestInput() const
    {
        return inputAt.empty() ? inputAtAll
                               : std::max(inputAtAll, *std::max_element(inputAt.begin(), inputAt.end()));
    }
    bool isExact(Epoch epoch) const
    {
        return std::all_of(exactAt.begin(), exactAt.end(), [epoch](Epoch at) { return at == epoch; });
    }

    /// Where a block lies in the stage as the document holds it.
    TileArea areaOf(Index head, Index block) const
    {
        const Shape &shape = blocks.shape;
        TileArea area{0, block * blocks.blockRows, blocks.rowsIn(block), 0, shape.cols};
        if (heads == HeadsShown::Apart)
            area.head = head;
        else if (heads == HeadsShown::SideBySide)
            area.col = head * shape.cols;
        else
            area.row += head * shape.rows;
        return area;
    }
    /// The block that holds a cell of the stage as the document holds it.
    std::size_t blockOf(const CellIndex &cell) const
    {
        if (heads == HeadsShown::SideBySide)
            return blocks.indexOf(cell.col / blocks.shape.cols, cell.row / blocks.blockRows);
        if (heads == HeadsShown::Stacked)
            return blocks.indexOf(cell.row / blocks.shape.rows,
                                  cell.row % blocks.shape.rows / blocks.blockRows);
        return blocks.indexOf(cell.head, cell.row / blocks.blockRows);
    }
};

extern template struct StageStore<double>;
extern template struct StageStore<float>;

/// Whether pins set any cell of the area.
bool pinsTouch(const Pins *pins, const TileArea &area);

/// Writes pinned cells over a tile of the area.
template<typename Scalar>
void overlayPins(const Pins *pins, const TileArea &area, Scalar *tile, Index stride);

} // namespace attn
