#include "engine/ValueStatistics.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attn {

namespace {

ValueStatistics noCells()
{
    constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
    return {nothing, nothing, 0.0};
}

void takeIn(ValueStatistics &total, const ValueStatistics &part)
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

/// Counts the cells of some rows.
ValueStatistics countRows(const StageValues &values, Index head, Index firstRow, Index rowCount)
{
    ValueStatistics total = noCells();
    std::vector<double> line(static_cast<std::size_t>(values.cols()));
    for (Index row = firstRow; row < firstRow + rowCount; ++row) {
        values.readBlock(head, row, 0, 1, values.cols(), line.data(), values.cols());
        for (const double value : line)
            takeIn(total, value);
    }
    return total;
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
    , m_parts(static_cast<std::size_t>(shape.heads * partsPerHead()))
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
    const std::scoped_lock lock(m_mutex);
    const Index first = head >= 0 ? head * partsPerHead() : 0;
    const Index end = head >= 0 ? first + partsPerHead() : static_cast<Index>(m_parts.size());
    ValueStatistics total = noCells();
    for (Index part = first; part < end; ++part) {
        auto &entry = m_parts[static_cast<std::size_t>(part)];
        if (!entry) {
            const Index firstRow = part % partsPerHead() * m_partRows;
            entry = countRows(values, part / partsPerHead(), firstRow,
                              std::min(m_partRows, m_shape.rows - firstRow));
        }
        takeIn(total, *entry);
    }
    return total;
}

} // namespace attn
