#include "engine/StageValues.h"

#include "engine/ValueStatistics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace attn {

namespace {

constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();

/// Numbers of a document as they are stored.
class TensorValues final : public StageValues
{
public:
    explicit TensorValues(const Tensor &tensor)
        : m_tensor(tensor)
        , m_statistics(tensor.heads())
    {
    }

    Shape shape() const override { return m_tensor.shape(); }
    bool isSinglePrecision() const override { return m_tensor.storage() == Tensor::Storage::Float32; }
    double value(Index head, Index row, Index col) const override { return m_tensor.at(head, row, col); }
    ValueStatistics statistics(Index head) const override { return m_statistics.of(*this, head); }

private:
    Tensor m_tensor;
    StatisticsCache m_statistics;
};

/// One output cell of readPooled: takes the cells of a pool one by one.
class PooledCell
{
public:
    void add(double value, Pooling pooling)
    {
        if (pooling == Pooling::Mean) {
            if (std::isfinite(value)) {
                m_sum += value;
                ++m_count;
            }
            return;
        }
        ++m_count;
        if (std::isnan(value) || std::isnan(m_greatest))
            m_greatest = notANumber;
        else
            m_greatest = std::max(m_greatest, value);
    }

    double result(Pooling pooling) const
    {
        if (m_count == 0)
            return notANumber;
        return pooling == Pooling::Mean ? m_sum / static_cast<double>(m_count) : m_greatest;
    }

private:
    double m_greatest = -std::numeric_limits<double>::infinity();
    double m_sum = 0.0;
    Index m_count = 0;
};

} // namespace

float paintedFloat(double value)
{
    constexpr double largest = static_cast<double>(std::numeric_limits<float>::max());
    return static_cast<float>(std::isfinite(value) ? std::clamp(value, -largest, largest) : value);
}

void StageValues::readBlock(Index head, Index row, Index col, Index rowCount, Index colCount, float *out,
                            Index stride) const
{
    for (Index r = 0; r < rowCount; ++r)
        for (Index c = 0; c < colCount; ++c)
            out[r * stride + c] = paintedFloat(value(head, row + r, col + c));
}

void StageValues::readBlock(Index head, Index row, Index col, Index rowCount, Index colCount, double *out,
                            Index stride) const
{
    for (Index r = 0; r < rowCount; ++r)
        for (Index c = 0; c < colCount; ++c)
            out[r * stride + c] = value(head, row + r, col + c);
}

void StageValues::readPooled(Index head, Index row, Index col, Index pool, Index rowCount, Index colCount,
                             Pooling pooling, float *out, Index stride) const
{
    const Index lastCol = std::min(cols(), col + colCount * pool);
    const Index width = std::max<Index>(0, lastCol - col);
    std::vector<double> line(static_cast<std::size_t>(width));
    std::vector<PooledCell> pooled;
    for (Index i = 0; i < rowCount; ++i) {
        pooled.assign(static_cast<std::size_t>(colCount), {});
        const Index lastRow = std::min(rows(), row + (i + 1) * pool);
        for (Index r = row + i * pool; r < lastRow; ++r) {
            readBlock(head, r, col, 1, width, line.data(), width);
            for (Index c = 0; c < width; ++c)
                pooled[static_cast<std::size_t>(c / pool)].add(line[static_cast<std::size_t>(c)], pooling);
        }
        for (Index j = 0; j < colCount; ++j)
            out[i * stride + j] = paintedFloat(pooled[static_cast<std::size_t>(j)].result(pooling));
    }
}

BlockStatus StageValues::blockStatus(Index, Index, Index, Index, Index) const
{
    return BlockStatus::Exact;
}

StageValuesPtr valuesOf(const Tensor &tensor)
{
    if (tensor.isNull())
        return nullptr;
    return std::make_shared<const TensorValues>(tensor);
}

} // namespace attn
