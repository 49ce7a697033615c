#include "engine/ValueStatistics.h"

#include "engine/kernels/KernelTable.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attn {

namespace {

void takeIn(ValueStatistics &total, double value)
{
    if (std::isnan(value)) {
        ++total.nanCount;
    } else if (std::isinf(value)) {
        ++(value < 0 ? total.minusInfCount : total.plusInfCount);
    } else {
        total.minimum = total.finiteCount > 0 ? std::min(total.minimum, value) : value;
        total.maximum = total.finiteCount > 0 ? std::max(total.maximum, value) : value;
        total.sum += value;
        ++total.finiteCount;
    }
}

} // namespace

ValueStatistics noStatistics()
{
    constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
    return {nothing, nothing, 0.0};
}

void addStatistics(ValueStatistics &total, const ValueStatistics &part)
{
    if (part.finiteCount > 0) {
        total.minimum = total.finiteCount > 0 ? std::min(total.minimum, part.minimum) : part.minimum;
        total.maximum = total.finiteCount > 0 ? std::max(total.maximum, part.maximum) : part.maximum;
    }
    total.sum += part.sum;
    total.finiteCount += part.finiteCount;
    total.nanCount += part.nanCount;
    total.minusInfCount += part.minusInfCount;
    total.plusInfCount += part.plusInfCount;
}

template<typename Scalar>
ValueStatistics countCells(const Scalar *cells, Index stride, Index rows, Index cols)
{
    ValueStatistics total = noStatistics();
    if (rows < 1 || cols < 1)
        return total;
    FiniteRange range{};
    if (kernels().of<Scalar>().finiteRange(cells, stride, rows, cols, &range)) {
        total.minimum = range.smallest;
        total.maximum = range.greatest;
        total.sum = range.sum;
        total.finiteCount = rows * cols;
        return total;
    }
    for (Index row = 0; row < rows; ++row)
        for (Index col = 0; col < cols; ++col)
            takeIn(total, static_cast<double>(cells[row * stride + col]));
    return total;
}

template ValueStatistics countCells(const double *, Index, Index, Index);
template ValueStatistics countCells(const float *, Index, Index, Index);

namespace {

/// Counts the cells of some rows.
ValueStatistics countRows(const StageValues &values, Index head, Index firstRow, Index rowCount)
{
    const Index cols = values.cols();
    std::vector<double> cells(static_cast<std::size_t>(rowCount * cols));
    values.readBlock(head, firstRow, 0, rowCount, cols, cells.data(), cols);
    return countCells(cells.data(), cols, rowCount, cols);
}

/// Small enough that an edit costs nothing, large enough that a stage has few parts.
Index rowsOfPart(const Shape &shape)
{
    constexpr Index cellsOfPart = Index(1) << 16;
    return std::max<Index>(1, cellsOfPart / std::max<Index>(1, shape.cols));
}

} // namespace

StatisticsCache::StatisticsCache(const Shape &shape)
    : m_shape(shape)
    , m_partRows(rowsOfPart(shape))
{
}

Index StatisticsCache::partsPerHead() const
{
    return (m_shape.rows + m_partRows - 1) / m_partRows;
}

void StatisticsCache::adopt(const StatisticsCache &before, const IsSame &isSame)
{
    if (!(before.m_shape == m_shape))
        return;
    const std::scoped_lock lock(m_mutex, before.m_mutex);
    if (before.m_parts.empty())
        return;
    m_parts.resize(before.m_parts.size());
    for (Index part = 0; part < static_cast<Index>(m_parts.size()); ++part) {
        const auto index = static_cast<std::size_t>(part);
        const Index firstRow = part % partsPerHead() * m_partRows;
        if (before.m_parts[index] &&
            isSame(part / partsPerHead(), firstRow, std::min(m_partRows, m_shape.rows - firstRow)))
            m_parts[index] = before.m_parts[index];
    }
}

ValueStatistics StatisticsCache::of(const StageValues &values, Index head) const
{
    const Index first = head >= 0 ? head * partsPerHead() : 0;
    const Index end = head >= 0 ? first + partsPerHead() : m_shape.heads * partsPerHead();
    ValueStatistics total = noStatistics();
    for (Index part = first; part < end; ++part) {
        std::optional<ValueStatistics> counted = countedPart(part);
        if (!counted) {
            // Unlocked: whoever asks for parts that are known already does not wait for this one.
            const Index firstRow = part % partsPerHead() * m_partRows;
            counted = countRows(values, part / partsPerHead(), firstRow,
                                std::min(m_partRows, m_shape.rows - firstRow));
            const std::scoped_lock lock(m_mutex);
            m_parts[static_cast<std::size_t>(part)] = counted;
        }
        addStatistics(total, *counted);
    }
    return total;
}

std::optional<ValueStatistics> StatisticsCache::countedPart(Index part) const
{
    const std::scoped_lock lock(m_mutex);
    m_parts.resize(static_cast<std::size_t>(m_shape.heads * partsPerHead()));
    return m_parts[static_cast<std::size_t>(part)];
}

} // namespace attn
