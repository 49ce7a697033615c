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
    /// Whole rows are copied from the tensor, then cut; single cells are fetched one by one.
    template<typename Stored, typename Out, typename Convert>
    void readRows(Index head, Index row, Index col, Index rowCount, Index colCount, Out *out, Index stride,
                  const Convert &convert) const
    {
        const bool wide = colCount * 4 >= cols();
        std::vector<Stored> line(static_cast<std::size_t>(wide ? cols() : colCount));
        const Stored *from = line.data() + (wide ? col : 0);
        for (Index r = 0; r < rowCount; ++r) {
            if (wide)
                m_tensor.copyRows(head, row + r, 1, line.data());
            for (Index c = 0; !wide && c < colCount; ++c)
                line[static_cast<std::size_t>(c)] = static_cast<Stored>(m_tensor.at(head, row + r, col + c));
            std::transform(from, from + colCount, out + r * stride, convert);
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

StageValuesPtr valuesOf(const Tensor &tensor)
{
    if (tensor.isNull())
        return nullptr;
    return std::make_shared<const TensorValues>(tensor);
}

} // namespace attn
