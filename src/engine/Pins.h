#pragma once

#include "engine/Tensor.h"

#include <map>
#include <optional>
#include <set>

namespace attn {

/// Numbers set by hand over one computed stage: single cells, or the whole stage less some cells.
class Pins
{
public:
    Pins() = default;
    /// Every cell pinned to this matrix.
    explicit Pins(Tensor whole);

    bool isEmpty() const;
    /// True when all cells of a stage of this shape are pinned.
    bool coversAll(const Shape &shape) const;
    Index count() const;
    std::optional<double> at(const CellIndex &cell) const;

    void set(const CellIndex &cell, double value);
    void clear(const CellIndex &cell);

    const Tensor &whole() const { return m_whole; }
    const std::map<CellIndex, double> &cells() const { return m_cells; }
    const std::set<CellIndex> &holes() const { return m_holes; }

    /// Every pinned cell in order; dense for a pinned stage, so not for large ones in a loop.
    std::vector<CellValue> all() const;

    bool sameBits(const Pins &other) const;

private:
    Tensor m_whole;                      ///< null: only single cells
    std::map<CellIndex, double> m_cells; ///< over m_whole
    std::set<CellIndex> m_holes;         ///< cells of m_whole that are not pinned
};

} // namespace attn
