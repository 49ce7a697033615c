#pragma once

#include "engine/StageValues.h"

#include <functional>
#include <mutex>
#include <optional>
#include <vector>

namespace attn {

/// A double as the nearest float for painting: finite stays finite.
float paintedFloat(double value);

/// Counts the cells of a rectangle.
template<typename Scalar>
ValueStatistics countCells(const Scalar *cells, Index stride, Index rows, Index cols);

/// Of no cells: where a total starts.
ValueStatistics noStatistics();
/// Adds the counts of a part to a total.
void addStatistics(ValueStatistics &total, const ValueStatistics &part);

/// Counts each part of a head once, when first asked; what did not change since an older stage is taken over.
/// May be used from any thread.
class StatisticsCache
{
public:
    explicit StatisticsCache(const Shape &shape);

    /// Whether rows of both stages hold the same numbers.
    using IsSame = std::function<bool(Index head, Index firstRow, Index rowCount)>;
    /// Takes over what an older stage of the same shape has counted. Before the first of().
    void adopt(const StatisticsCache &before, const IsSame &isSame);

    /// values: the stage this cache belongs to; head < 0 = all heads.
    ValueStatistics of(const StageValues &values, Index head) const;

private:
    Index partsPerHead() const;
    std::optional<ValueStatistics> countedPart(Index part) const;

    Shape m_shape;
    Index m_partRows; ///< a part is so many rows of one head
    mutable std::mutex m_mutex;
    mutable std::vector<std::optional<ValueStatistics>>
        m_parts; ///< head first; empty until the first question
};

} // namespace attn
