#include "widgets/PaintGesture.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace attn {

std::vector<GridPosition> cellsBetween(GridPosition from, GridPosition to)
{
    std::vector<GridPosition> cells;
    const Index rows = to.row - from.row;
    const Index cols = to.col - from.col;
    const Index steps = std::max(std::abs(rows), std::abs(cols));
    for (Index i = 1; i <= steps; ++i) {
        const auto at = [&](Index start, Index distance) {
            return start +
                   static_cast<Index>(std::lround(static_cast<double>(distance) * static_cast<double>(i) /
                                                  static_cast<double>(steps)));
        };
        cells.push_back({at(from.row, rows), at(from.col, cols)});
    }
    return cells;
}

void PaintGesture::start(const MapKey &map, GridPosition cell, PaintInk ink)
{
    finish();
    m_map = map;
    m_cell = cell;
    m_ink = ink;
    m_active = true;
    emit painted(m_map, {cell}, m_ink, GesturePhase::Begin);
}

void PaintGesture::moveTo(GridPosition cell)
{
    if (!m_active || cell == m_cell)
        return;
    const std::vector<GridPosition> cells = cellsBetween(std::exchange(m_cell, cell), cell);
    emit painted(m_map, cells, m_ink, GesturePhase::Update);
}

void PaintGesture::finish()
{
    if (std::exchange(m_active, false))
        emit painted(m_map, {m_cell}, m_ink, GesturePhase::End);
}

} // namespace attn
