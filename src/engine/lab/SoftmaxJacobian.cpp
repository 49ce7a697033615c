#include "engine/lab/SoftmaxJacobian.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace attn {

namespace {

class JacobianValues final : public StageValues
{
public:
    JacobianValues(std::vector<double> weights, double sharpness)
        : m_weights(std::move(weights))
        , m_sharpness(sharpness)
        , m_statistics(computedStatistics())
    {
    }

    Shape shape() const override { return {1, size(), size()}; }
    bool isSinglePrecision() const override { return false; }
    double value(Index, Index row, Index col) const override
    {
        const double weight = m_weights[static_cast<std::size_t>(row)];
        const double other = m_weights[static_cast<std::size_t>(col)];
        return m_sharpness * weight * ((row == col ? 1.0 : 0.0) - other);
    }
    ValueStatistics statistics(Index) const override { return m_statistics; }

private:
    Index size() const { return static_cast<Index>(m_weights.size()); }

    /// From the weights alone: the largest cells stand on the diagonal, the lowest one where the two largest
    /// weights meet.
    ValueStatistics computedStatistics() const
    {
        constexpr double none = std::numeric_limits<double>::quiet_NaN();
        const Index cells = size() * size();
        const double total = std::accumulate(m_weights.begin(), m_weights.end(), 0.0);
        if (m_weights.empty() || !std::isfinite(total))
            return {none, none, 0.0, 0, cells, 0, 0};
        double least = std::numeric_limits<double>::infinity();
        double greatest = -least;
        for (Index i = 0; i < size(); ++i) {
            least = std::min(least, value(0, i, i));
            greatest = std::max(greatest, value(0, i, i));
        }
        if (size() > 1) {
            std::vector<double> top = m_weights;
            std::nth_element(top.begin(), top.begin() + 1, top.end(), std::greater<>());
            least = std::min(least, -m_sharpness * top[0] * top[1]);
            greatest = std::max(greatest, -m_sharpness * top[0] * top[1]);
        }
        return {least, greatest, m_sharpness * total * (1.0 - total), cells, 0, 0, 0};
    }

    std::vector<double> m_weights;
    double m_sharpness;
    ValueStatistics m_statistics;
};

} // namespace

StageValuesPtr softmaxJacobian(std::vector<double> weights, double sharpness)
{
    return std::make_shared<const JacobianValues>(std::move(weights), sharpness);
}

} // namespace attn
