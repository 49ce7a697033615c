#pragma once

#include "engine/Experiment.h"

#include <optional>
#include <span>
#include <vector>

namespace attn {

/// What happens to the rows, or the columns, along one axis: lines inserted or removed, or one line moved.
/// Tensors and pins follow the same rule, so that a pin stays on its cell.
class LineChange
{
public:
    /// A line before each of these old positions (ascending; equal to the length = at the end).
    static LineChange inserted(std::vector<Index> positions);
    /// Without the lines at these old positions (ascending).
    static LineChange removed(std::vector<Index> positions);
    static LineChange moved(Index from, Index to);

    /// Where an old line is now; nothing for a removed one.
    std::optional<Index> newPosition(Index old) const;
    /// Positions, in the new numbering, of the lines that did not exist before.
    std::vector<Index> newLines() const;
    Index newLength(Index length) const;

    /// values: the new rows one head after another, for a single inserted row only; empty = fill.
    Tensor rowsOf(const Tensor &tensor, std::span<const double> values, double fill) const;
    Tensor colsOf(const Tensor &tensor, double fill) const;

private:
    enum class Kind
    {
        Insert,
        Remove,
        Move,
    };

    LineChange(Kind kind, std::vector<Index> positions, Index to)
        : m_kind(kind)
        , m_positions(std::move(positions))
        , m_to(to)
    {
    }

    Kind m_kind;
    std::vector<Index> m_positions;
    Index m_to;
};

/// The pins of a stage of the given old shape after its rows and columns changed (null: they did not). New
/// cells are not pinned; pins of removed lines go.
Pins changedPins(const Pins &pins, const Shape &shape, const LineChange *rows, const LineChange *cols);

} // namespace attn
