#include "engine/evaluation/MaskStatistics.h"

#include "engine/ValueStatistics.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace attn {

namespace {

/// The real keys, so that those of a span are counted and found at once.
class RealKeys
{
public:
    RealKeys(const Tensor &padding, Index count)
        : m_before(static_cast<std::size_t>(count) + 1)
        , m_positionsBefore(m_before.size())
    {
        for (Index key = 0; key < count; ++key) {
            const auto at = static_cast<std::size_t>(key);
            const bool isReal = padding.isNull() || padding.at(0, key) != 0.0;
            m_before[at + 1] = m_before[at] + (isReal ? 1 : 0);
            m_positionsBefore[at + 1] = m_positionsBefore[at] + (isReal ? static_cast<double>(key) : 0.0);
            if (isReal)
                m_keys.push_back(key);
        }
    }

    Index count(const KeySpan &span) const
    {
        return span.begin < span.end ? before(span.end) - before(span.begin) : 0;
    }
    /// Their distances to a position, added up.
    double distances(const KeySpan &span, Index position) const
    {
        const Index middle = std::clamp(position, span.begin, span.end);
        const auto side = [&](Index begin, Index end) {
            return positionsBefore(end) - positionsBefore(begin) -
                   static_cast<double>(position) * static_cast<double>(before(end) - before(begin));
        };
        return side(middle, span.end) - side(span.begin, middle);
    }
    /// Of a span that has real keys: the smallest and greatest distance to a position.
    std::pair<Index, Index> nearestAndFarthest(const KeySpan &span, Index position) const
    {
        const Index first = before(span.begin);
        const Index last = before(span.end) - 1;
        const Index next = std::clamp(before(std::clamp<Index>(position, 0, count())), first, last);
        const auto distance = [&](Index number) {
            return std::abs(m_keys[static_cast<std::size_t>(number)] - position);
        };
        return {std::min(distance(next), distance(std::max(first, next - 1))),
                std::max(distance(first), distance(last))};
    }

private:
    Index count() const { return static_cast<Index>(m_before.size()) - 1; }
    Index before(Index key) const { return m_before[static_cast<std::size_t>(key)]; }
    double positionsBefore(Index key) const { return m_positionsBefore[static_cast<std::size_t>(key)]; }

    std::vector<Index> m_before; ///< how many lie before each key
    std::vector<double> m_positionsBefore;
    std::vector<Index> m_keys;
};

bool hasMatrices(const MaskParts &mask)
{
    return !mask.boolean.isNull() || !mask.add.isNull();
}

void takeExtreme(ValueStatistics &total, double value)
{
    total.minimum = std::isnan(total.minimum) ? value : std::min(total.minimum, value);
    total.maximum = std::isnan(total.maximum) ? value : std::max(total.maximum, value);
}

} // namespace

std::optional<ValueStatistics> allowedStatistics(const MaskParts &mask, Index rows, Index cols)
{
    if (hasMatrices(mask))
        return std::nullopt;
    const RealKeys keys(mask.padding, cols);
    ValueStatistics total = noStatistics();
    total.finiteCount = rows * cols;
    for (Index row = 0; row < rows; ++row) {
        const Index allowed = keys.count(mask.allowedSpan(row, cols));
        total.sum += static_cast<double>(allowed);
        if (allowed > 0)
            takeExtreme(total, 1.0);
        if (allowed < cols)
            takeExtreme(total, 0.0);
    }
    return total;
}

std::optional<ValueStatistics> biasStatistics(const MaskParts &mask, Index head, Index rows, Index cols,
                                              bool isSinglePrecision)
{
    const double slope = mask.alibi.isNull() ? 0.0 : mask.alibi.at(0, head);
    constexpr Index farthest = Index(1) << 52;
    if (hasMatrices(mask) || !std::isfinite(slope) || std::abs(mask.qOffset) > farthest)
        return std::nullopt;
    const auto cell = [&](Index distance) {
        const double value = -slope * static_cast<double>(distance);
        return isSinglePrecision ? static_cast<double>(static_cast<float>(value)) : value;
    };
    if (!std::isfinite(cell(rows + cols + std::abs(mask.qOffset))))
        return std::nullopt;
    const RealKeys keys(mask.padding, cols);
    ValueStatistics total = noStatistics();
    total.finiteCount = rows * cols;
    for (Index row = 0; row < rows; ++row) {
        const KeySpan span = mask.allowedSpan(row, cols);
        const Index position = row + mask.qOffset;
        const Index allowed = keys.count(span);
        if (allowed < cols)
            takeExtreme(total, 0.0);
        if (allowed < 1)
            continue;
        const auto [nearest, farthestOfRow] = keys.nearestAndFarthest(span, position);
        takeExtreme(total, cell(nearest));
        takeExtreme(total, cell(farthestOfRow));
        total.sum += -slope * keys.distances(span, position);
    }
    return total;
}

} // namespace attn
