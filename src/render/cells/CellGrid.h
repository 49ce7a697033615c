#pragma once

#include "engine/Types.h"

#include <QRectF>

#include <algorithm>
#include <cmath>

namespace attn {

/// Where the cells of a map lie, in the units of the painter that draws them. With whole pixels every cell
/// begins and ends on a pixel edge, so that no cell is blurred and neighbours never overlap.
struct CellGrid
{
    Index rows = 0;
    Index cols = 0;
    QRectF rect;
    bool wholePixels = false;

    double cellWidth() const { return rect.width() / static_cast<double>(cols); }
    double cellHeight() const { return rect.height() / static_cast<double>(rows); }

    /// Left edge of a column (col = cols: the right edge of the map), top edge of a row.
    double x(Index col) const { return rect.left() + edge(col, cols, rect.width()); }
    double y(Index row) const { return rect.top() + edge(row, rows, rect.height()); }

    QRectF cells(Index row, Index col, Index rowCount = 1, Index colCount = 1) const
    {
        return {QPointF(x(col), y(row)), QPointF(x(col + colCount), y(row + rowCount))};
    }

    /// A column at or shortly before this x, for finding what is visible; inside the map.
    Index colBefore(double at) const { return before(at - rect.left(), cols, rect.width()); }
    Index rowBefore(double at) const { return before(at - rect.top(), rows, rect.height()); }

    double edge(Index index, Index count, double size) const
    {
        const double exact = static_cast<double>(index) * size / static_cast<double>(count);
        return wholePixels ? std::floor(exact + 0.5) : exact;
    }

private:
    static Index before(double offset, Index count, double size)
    {
        const double place = std::floor(offset * static_cast<double>(count) / size) - 1.0;
        return static_cast<Index>(std::clamp(place, 0.0, static_cast<double>(count)));
    }
};

/// A block of cells: [row, row + rowCount) x [col, col + colCount).
struct CellBlock
{
    Index row = 0;
    Index col = 0;
    Index rowCount = 0;
    Index colCount = 0;

    bool isEmpty() const { return rowCount <= 0 || colCount <= 0; }
    bool operator==(const CellBlock &) const = default;
};

/// The cells that meet an area; empty when none does.
inline CellBlock cellsMeeting(const CellGrid &grid, const QRectF &area)
{
    const QRectF met = grid.rect.intersected(area);
    if (met.isEmpty())
        return {};
    CellBlock block{grid.rowBefore(met.top()), grid.colBefore(met.left()), 0, 0};
    block.rowCount = std::min(grid.rows, grid.rowBefore(met.bottom()) + 3) - block.row;
    block.colCount = std::min(grid.cols, grid.colBefore(met.right()) + 3) - block.col;
    return block;
}

} // namespace attn
