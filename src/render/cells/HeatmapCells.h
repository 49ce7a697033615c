#pragma once

#include "render/cells/CellBlockReader.h"
#include "render/cells/CellColors.h"
#include "render/cells/CellHatching.h"

#include <memory>
#include <vector>

namespace attn {

struct SceneMap;

/// The numbers of a block of drawn cells with everything their look depends on: one read, whatever the size.
class HeatmapCells
{
public:
    HeatmapCells(const SceneMap &map, const PoolSize &pool, const CellBlock &block);

    const CellBlock &block() const { return m_block; }
    const CellColors &colors() const { return m_colors; }
    /// Row of the block, counted from its first.
    const float *row(Index row) const { return m_values.data() + row * m_block.colCount; }
    bool hasMask() const { return !m_allowed.empty(); }
    CellMark mark(Index row, Index col) const
    {
        const std::size_t at = static_cast<std::size_t>(row * m_block.colCount + col);
        return cellMark(m_values[at], m_allowed.empty() || m_allowed[at] != 0.0f);
    }

private:
    CellBlock m_block;
    CellColors m_colors;
    std::vector<float> m_values;
    std::vector<float> m_allowed; ///< empty = all allowed
};

} // namespace attn
