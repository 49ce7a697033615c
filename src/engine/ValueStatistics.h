#pragma once

#include "engine/StageValues.h"

#include <mutex>
#include <optional>
#include <vector>

namespace attn {

/// A double as the nearest float for painting: finite stays finite.
float paintedFloat(double value);

/// Counts the cells of one head.
ValueStatistics countHead(const StageValues &values, Index head);

/// Counts each head once, when first asked. May be used from any thread.
class StatisticsCache
{
public:
    explicit StatisticsCache(Index heads);

    /// values: the stage this cache belongs to; head < 0 = all heads.
    ValueStatistics of(const StageValues &values, Index head) const;

private:
    mutable std::mutex m_mutex;
    mutable std::vector<std::optional<ValueStatistics>> m_heads;
};

} // namespace attn
