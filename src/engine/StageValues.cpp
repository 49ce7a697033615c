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
    TensorValues(const Tensor &tensor, const TensorValues *before)
        : m_tensor(tensor)
        , m_statistics(tensor.shape())
    {
        if (before)
            m_statistics.adopt(before->m_statistics, [&](Index head, Index firstRow, Index rowCount) {
                return tensor.sameBlocks(before->m_tensor, head, firstRow, rowCount);
            });
    }

    Shape shape() const override { return m_tensor.shape(); }
    bool isSinglePrecision() const override { return m_tensor.storage() == Tensor::Storage::Float32; }
    double value(Index head, Index row, Index col) const override { return m_tensor.at(head, row, col); }
    void readBlock(Index head, Index row, Index col, Index rowCount, Index colCount, float *out,
                   Index stride) const override
    {
        if (isSinglePrecision()) {
            readRows<float>(head, row, col, rowCount, colCount, out, stride,
                            [](float value) { return value; });
            return;
        }
        readRows<double>(head, row, col, rowCount, colCount, out, stride, paintedFloat);
    }
    void readBlock(Index head, Index row, Index col, Index rowCount, Index colCount, double *out,
                   Index stride) const override
    {
        readRows<double>(head, row, col, rowCount, colCount, out, stride, [](double value) { return value; });
    }
    ValueStatistics statistics(Index head) const override { return m_statistics.of(*this, head); }

private:
    template<typename Stored, typename Out, typename Convert>
    void readRows(Index head, Index row, Index col, Index rowCount, Index colCount, Out *out, Index stride,
                  const Convert &convert) const
    {
        std::vector<Stored> line(static_cast<std::size_t>(colCount));
        for (Index r = 0; r < rowCount; ++r) {
            m_tensor.copyBlock(head, row + r, col, 1, colCount, line.data(), colCount);
            std::transform(line.begin(), line.end(), out + r * stride, convert);
        }
    }

    Tensor m_tensor;
    StatisticsCache m_statistics;
};

/// One output cell of readPooled: takes the cells of a pool, a stretch of a row at a time.
class PooledCell
{
public:
    void add(const double *values, Index count, Pooling pooling)
    {
        if (pooling == Pooling::Mean)
            addToMean(values, count);
        else
            addToMaximum(values, count);
    }

    double result(Pooling pooling) const
    {
        if (m_count == 0)
            return notANumber;
        if (pooling == Pooling::Mean)
            return m_sum / static_cast<double>(m_count);
        return m_hasNan ? notANumber : m_greatest;
    }

private:
    void addToMean(const double *values, Index count)
    {
        for (Index i = 0; i < count; ++i) {
            if (std::isfinite(values[i])) {
                m_sum += values[i];
                ++m_count;
            }
        }
    }
    void addToMaximum(const double *values, Index count)
    {
        m_count += count;
        double greatest = m_greatest;
        bool hasNan = false;
        for (Index i = 0; i < count; ++i) {
            greatest = values[i] > greatest ? values[i] : greatest;
            hasNan |= values[i] != values[i];
        }
        m_greatest = greatest;
        m_hasNan |= hasNan;
    }

    double m_greatest = -std::numeric_limits<double>::infinity();
    double m_sum = 0.0;
    Index m_count = 0;
    bool m_hasNan = false;
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
    // Values that are computed where they are read cost less in bands of rows.
    constexpr Index mostBandRows = 16;
    const Index bandRows = std::min(pool, mostBandRows);
    std::vector<double> band(static_cast<std::size_t>(bandRows * width));
    std::vector<PooledCell> pooled;
    for (Index i = 0; i < rowCount; ++i) {
        pooled.assign(static_cast<std::size_t>(colCount), {});
        const Index lastRow = std::min(rows(), row + (i + 1) * pool);
        for (Index first = row + i * pool; first < lastRow; first += bandRows) {
            const Index count = std::min(bandRows, lastRow - first);
            readBlock(head, first, col, count, width, band.data(), width);
            for (Index r = 0; r < count; ++r)
                for (Index begin = 0; begin < width; begin += pool)
                    pooled[static_cast<std::size_t>(begin / pool)].add(
                        band.data() + r * width + begin, std::min(pool, width - begin), pooling);
        }
        for (Index j = 0; j < colCount; ++j)
            out[i * stride + j] = paintedFloat(pooled[static_cast<std::size_t>(j)].result(pooling));
    }
}

BlockStatus StageValues::blockStatus(Index, Index, Index, Index, Index) const
{
    return BlockStatus::Exact;
}

StageValuesPtr valuesOf(const Tensor &tensor, const StageValuesPtr &before)
{
    if (tensor.isNull())
        return nullptr;
    return std::make_shared<const TensorValues>(tensor, dynamic_cast<const TensorValues *>(before.get()));
}

} // namespace attn
