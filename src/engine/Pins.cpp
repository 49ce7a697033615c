#include "engine/Pins.h"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace attn {

namespace {

bool shapeContains(const Shape &shape, const CellIndex &cell)
{
    return cell.head >= 0 && cell.head < shape.heads && cell.row >= 0 && cell.row < shape.rows &&
           cell.col >= 0 && cell.col < shape.cols;
}

} // namespace

Pins::Pins(Tensor whole)
    : m_whole(std::move(whole))
{
}

bool Pins::isEmpty() const
{
    return m_cells.empty() &&
           (m_whole.isNull() || m_whole.shape().size() <= static_cast<Index>(m_holes.size()));
}

bool Pins::coversAll(const Shape &shape) const
{
    if (!m_whole.isNull())
        return m_holes.empty() && m_whole.shape() == shape;
    return shape.size() > 0 && static_cast<Index>(m_cells.size()) == shape.size() &&
           std::all_of(m_cells.begin(), m_cells.end(),
                       [&](const auto &entry) { return shapeContains(shape, entry.first); });
}

Index Pins::count() const
{
    if (m_whole.isNull())
        return static_cast<Index>(m_cells.size());
    const auto outside = std::count_if(m_cells.begin(), m_cells.end(), [this](const auto &entry) {
        return !shapeContains(m_whole.shape(), entry.first);
    });
    return m_whole.shape().size() - static_cast<Index>(m_holes.size()) + static_cast<Index>(outside);
}

std::optional<double> Pins::at(const CellIndex &cell) const
{
    if (const auto found = m_cells.find(cell); found != m_cells.end())
        return found->second;
    if (m_whole.isNull() || !shapeContains(m_whole.shape(), cell) || m_holes.contains(cell))
        return std::nullopt;
    return m_whole.at(cell.head, cell.row, cell.col);
}

void Pins::set(const CellIndex &cell, double value)
{
    m_cells[cell] = value;
    m_holes.erase(cell);
}

void Pins::clear(const CellIndex &cell)
{
    m_cells.erase(cell);
    if (!m_whole.isNull() && shapeContains(m_whole.shape(), cell))
        m_holes.insert(cell);
}

std::vector<CellValue> Pins::all() const
{
    std::vector<CellValue> pinned;
    pinned.reserve(static_cast<std::size_t>(count()));
    if (!m_whole.isNull()) {
        const Shape &shape = m_whole.shape();
        for (Index head = 0; head < shape.heads; ++head)
            for (Index row = 0; row < shape.rows; ++row)
                for (Index col = 0; col < shape.cols; ++col)
                    if (const CellIndex cell{head, row, col};
                        !m_holes.contains(cell) && !m_cells.contains(cell))
                        pinned.push_back({cell, m_whole.at(head, row, col)});
    }
    const auto middle = static_cast<std::ptrdiff_t>(pinned.size());
    for (const auto &[cell, value] : m_cells)
        pinned.push_back({cell, value});
    std::inplace_merge(pinned.begin(), pinned.begin() + middle, pinned.end(),
                       [](const CellValue &a, const CellValue &b) { return a.cell < b.cell; });
    return pinned;
}

bool Pins::sameBits(const Pins &other) const
{
    const auto same = [](double a, double b) {
        return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
    };
    const auto sameEntry = [&](const auto &a, const auto &b) {
        return a.first == b.first && same(a.second, b.second);
    };
    if (m_whole.sameBlocks(other.m_whole) && m_holes == other.m_holes &&
        std::equal(m_cells.begin(), m_cells.end(), other.m_cells.begin(), other.m_cells.end(), sameEntry))
        return true;
    if (count() != other.count())
        return false;
    // The same pins can be held as a whole stage or cell by cell.
    const std::vector<CellValue> mine = all();
    const std::vector<CellValue> theirs = other.all();
    return std::equal(
        mine.begin(), mine.end(), theirs.begin(), theirs.end(),
        [&](const CellValue &a, const CellValue &b) { return a.cell == b.cell && same(a.value, b.value); });
}

} // namespace attn
