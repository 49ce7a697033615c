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

} // namespace

ValueStatistics countHead(const StageValues &values, Index head)
{
    ValueStatistics total = noCells();
    std::vector<double> line(static_cast<std::size_t>(values.cols()));
    for (Index row = 0; row < values.rows(); ++row) {
        values.readBlock(head, row, 0, 1, values.cols(), line.data(), values.cols());
        for (const double value : line)
            takeIn(total, value);
    }
    return total;
}

StatisticsCache::StatisticsCache(Index heads)
    : m_heads(static_cast<std::size_t>(heads))
{
}

ValueStatistics StatisticsCache::of(const StageValues &values, Index head) const
{
    const std::scoped_lock lock(m_mutex);
    const auto counted = [&](Index index) -> const ValueStatistics & {
        auto &entry = m_heads[static_cast<std::size_t>(index)];
        if (!entry)
            entry = countHead(values, index);
        return *entry;
    };
    if (head >= 0)
        return counted(head);
    ValueStatistics total = noCells();
    for (Index index = 0; index < static_cast<Index>(m_heads.size()); ++index)
        takeIn(total, counted(index));
    return total;
}

} // namespace attn
