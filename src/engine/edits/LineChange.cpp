#include "engine/edits/LineChange.h"

#include <algorithm>

namespace attn {

LineChange LineChange::inserted(std::vector<Index> positions)
{
    return {Kind::Insert, std::move(positions), 0};
}

LineChange LineChange::removed(std::vector<Index> positions)
{
    return {Kind::Remove, std::move(positions), 0};
}

LineChange LineChange::moved(Index from, Index to)
{
    return {Kind::Move, {from}, to};
}

std::optional<Index> LineChange::newPosition(Index old) const
{
    if (m_kind == Kind::Move) {
        const Index from = m_positions.front();
        if (old == from)
            return m_to;
        if (from < old && old <= m_to)
            return old - 1;
        if (m_to <= old && old < from)
            return old + 1;
        return old;
    }
    if (m_kind == Kind::Insert) {
        const auto after = std::upper_bound(m_positions.begin(), m_positions.end(), old);
        return old + static_cast<Index>(after - m_positions.begin());
    }
    const auto found = std::lower_bound(m_positions.begin(), m_positions.end(), old);
    if (found != m_positions.end() && *found == old)
        return std::nullopt;
    return old - static_cast<Index>(found - m_positions.begin());
}

std::vector<Index> LineChange::newLines() const
{
    if (m_kind != Kind::Insert)
        return {};
    std::vector<Index> lines;
    for (const Index position : m_positions)
        lines.push_back(position + static_cast<Index>(lines.size()));
    return lines;
}

Index LineChange::newLength(Index length) const
{
    const Index count = static_cast<Index>(m_positions.size());
    return m_kind == Kind::Move ? length : (m_kind == Kind::Insert ? length + count : length - count);
}

Tensor LineChange::rowsOf(const Tensor &tensor, std::span<const double> values, double fill) const
{
    if (m_kind == Kind::Move)
        return tensor.withRowMoved(m_positions.front(), m_to);
    Tensor result = tensor;
    for (auto position = m_positions.rbegin(); position != m_positions.rend(); ++position)
        result = m_kind == Kind::Insert ? result.withRowInserted(*position, values, fill)
                                        : result.withoutRow(*position);
    return result;
}

Tensor LineChange::colsOf(const Tensor &tensor, double fill) const
{
    if (m_kind == Kind::Move)
        return tensor.withColMoved(m_positions.front(), m_to);
    Tensor result = tensor;
    for (auto position = m_positions.rbegin(); position != m_positions.rend(); ++position)
        result = m_kind == Kind::Insert ? result.withColInserted(*position, {}, fill)
                                        : result.withoutCol(*position);
    return result;
}

Pins changedPins(const Pins &pins, const Shape &shape, const LineChange *rows, const LineChange *cols)
{
    const auto moved = [&](const CellIndex &cell) -> std::optional<CellIndex> {
        const std::optional<Index> row = rows ? rows->newPosition(cell.row) : cell.row;
        const std::optional<Index> col = cols ? cols->newPosition(cell.col) : cell.col;
        if (!row || !col)
            return std::nullopt;
        return CellIndex{cell.head, *row, *col};
    };
    Pins result;
    if (!pins.whole().isNull()) {
        Tensor whole = pins.whole();
        whole = rows ? rows->rowsOf(whole, {}, 0.0) : whole;
        whole = cols ? cols->colsOf(whole, 0.0) : whole;
        result = Pins(whole);
        const Index rowCount = rows ? rows->newLength(shape.rows) : shape.rows;
        const Index colCount = cols ? cols->newLength(shape.cols) : shape.cols;
        for (Index head = 0; head < shape.heads; ++head) {
            for (const Index row : rows ? rows->newLines() : std::vector<Index>())
                for (Index col = 0; col < colCount; ++col)
                    result.clear({head, row, col});
            for (const Index col : cols ? cols->newLines() : std::vector<Index>())
                for (Index row = 0; row < rowCount; ++row)
                    result.clear({head, row, col});
        }
        for (const CellIndex &hole : pins.holes())
            if (const auto cell = moved(hole))
                result.clear(*cell);
    }
    for (const auto &[at, value] : pins.cells())
        if (const auto cell = moved(at))
            result.set(*cell, value);
    return result;
}

} // namespace attn
