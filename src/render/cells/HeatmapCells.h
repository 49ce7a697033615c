#pragma once

#include "engine/pooling/PooledMap.h"
#include "render/cells/CellBlockReader.h"
#include "render/cells/CellColors.h"
#include "render/cells/CellHatching.h"

#include <memory>
#include <vector>

namespace attn {

class PooledMaps;
struct SceneMap;

/// What is kept from one reading of a block to the next: room, and of pools what did not change.
struct CellMemory
{
    PoolReading cells;
    PoolReading allowed;
    std::vector<PoolState> least; ///< of pools: rows x spans
};

/// The numbers of a block of drawn cells with everything their look depends on: one read, whatever the size.
class HeatmapCells
{
public:
    /// pooled: reads large maps without waiting; null = waits for every number. memory: of the same block
    /// through the same pools before, or of none.
    HeatmapCells(const SceneMap &map, const PoolSize &pool, const CellBlock &block, CellMemory memory = {},
                 PooledMaps *pooled = nullptr);
    CellMemory takeMemory() && { return std::move(m_memory); }

    const CellBlock &block() const { return m_block; }
    const CellColors &colors() const { return m_colors; }
    /// Row of the block, counted from its first.
    const float *row(Index row) const { return m_memory.cells.numbers.data() + row * m_block.colCount; }
    /// Columns of the block that change together.
    const std::vector<PoolReading::Span> &spans() const { return m_memory.cells.spans; }
    /// Whether the numbers or states of a row may differ there from those that were read before.
    bool isNew(Index row, std::size_t span) const { return isNewIn(m_memory.cells, row, span); }
    bool hasMask() const { return m_hasMask; }
    /// The same of which cells are masked.
    bool isMaskNew(Index row, std::size_t span) const
    {
        return m_hasMask && isNewIn(m_memory.allowed, row, span);
    }
    bool isAllExact() const { return m_isAllExact; }
    PoolState state(Index row, Index col) const
    {
        return m_isAllExact ? PoolState::Exact
                            : m_memory.cells.states[static_cast<std::size_t>(row * m_block.colCount + col)];
    }
    /// One for each number of a row; not to be called where all are exact.
    const PoolState *states(Index row) const { return m_memory.cells.states.data() + row * m_block.colCount; }
    /// What is not known yet has no mark.
    CellMark mark(Index row, Index col) const
    {
        const std::size_t at = static_cast<std::size_t>(row * m_block.colCount + col);
        if (!m_isAllExact && m_memory.cells.states[at] == PoolState::Unknown)
            return CellMark::None;
        return cellMark(m_memory.cells.numbers[at], !m_hasMask || m_memory.allowed.numbers[at] != 0.0f);
    }

private:
    bool isNewIn(const PoolReading &reading, Index row, std::size_t span) const
    {
        return !m_isPooled || reading.isNew[static_cast<std::size_t>(row) * spans().size() + span];
    }
    void read(const SceneMap &map, const PoolSize &pool, PooledMaps *pooled);
    void readMask(const SceneMap &map, const PoolSize &pool, PooledMaps *pooled);
    void markInexactRows(const SceneMap &map, const PoolSize &pool);
    void noteStates(const ValueRange &range);
    PoolState noteStates(Index first, Index count, float blank);

    CellBlock m_block;
    CellColors m_colors;
    CellMemory m_memory;
    bool m_hasMask = false; ///< else all are allowed
    bool m_isPooled = false;
    bool m_isAllExact = true;
};

} // namespace attn
