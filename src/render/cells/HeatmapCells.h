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

/// Room for the numbers of a block, kept from one to the next.
struct CellMemory
{
    std::vector<float> values;
    std::vector<PoolState> states;
};

/// The numbers of a block of drawn cells with everything their look depends on: one read, whatever the size.
class HeatmapCells
{
public:
    /// pooled: reads large maps without waiting; null = waits for every number.
    HeatmapCells(const SceneMap &map, const PoolSize &pool, const CellBlock &block, CellMemory memory = {},
                 PooledMaps *pooled = nullptr);
    CellMemory takeMemory() && { return {std::move(m_values), std::move(m_states)}; }

    const CellBlock &block() const { return m_block; }
    const CellColors &colors() const { return m_colors; }
    /// Row of the block, counted from its first.
    const float *row(Index row) const { return m_values.data() + row * m_block.colCount; }
    bool hasMask() const { return !m_allowed.empty(); }
    bool isAllExact() const { return m_isAllExact; }
    PoolState state(Index row, Index col) const
    {
        return m_isAllExact ? PoolState::Exact
                            : m_states[static_cast<std::size_t>(row * m_block.colCount + col)];
    }
    /// One for each number of a row; not to be called where all are exact.
    const PoolState *states(Index row) const { return m_states.data() + row * m_block.colCount; }
    /// What is not known yet has no mark.
    CellMark mark(Index row, Index col) const
    {
        const std::size_t at = static_cast<std::size_t>(row * m_block.colCount + col);
        if (!m_isAllExact && m_states[at] == PoolState::Unknown)
            return CellMark::None;
        return cellMark(m_values[at], m_allowed.empty() || m_allowed[at] != 0.0f);
    }

private:
    void read(const SceneMap &map, const PoolSize &pool, PooledMaps *pooled);
    void readMask(const SceneMap &map, const PoolSize &pool, PooledMaps *pooled);
    void markInexactRows(const SceneMap &map, const PoolSize &pool);
    void noteStates(const ValueRange &range);

    CellBlock m_block;
    CellColors m_colors;
    std::vector<float> m_values;
    std::vector<float> m_allowed;    ///< empty = all allowed
    std::vector<PoolState> m_states; ///< not to be read where all are exact
    bool m_isAllExact = true;
};

} // namespace attn
