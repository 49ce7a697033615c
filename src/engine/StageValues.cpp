#include "engine/StageValues.h"

#include "engine/ValueStatistics.h"
#include "engine/kernels/KernelTable.h"
#include "engine/pooling/ChangedCells.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace attn {

namespace {

constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();

/// Numbers of a document as they are stored.
class TensorValues final : public StageValues, public TracesChanges
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

    ChangedCells changedSince(const StageValues &before, Index head) const override
    {
        const auto *older = dynamic_cast<const TensorValues *>(&before);
        if (!older || older->isSinglePrecision() != isSinglePrecision())
            return {};
        ChangedCells changed{false, {}, {}};
        for (Index row = 0; row < rows(); ++row) {
            if (m_tensor.sameBlocks(older->m_tensor, head, row, 1))
                continue;
            if (changed.rows.empty() || changed.rows.back().first + changed.rows.back().count < row)
                changed.rows.push_back({row, 0});
            ++changed.rows.back().count;
        }
        return changed;
    }

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

// Values that are computed where they are read cost less in bands of rows.
constexpr Index mostBandRows = 16;

/// One output cell of a pooled mean: takes the cells of a pool, a stretch of a row at a time.
class MeanOfPool
{
public:
    void add(const double *values, Index count)
    {
        for (Index i = 0; i < count; ++i) {
            if (std::isfinite(values[i])) {
                m_sum += values[i];
                ++m_count;
            }
        }
    }

    double result() const { return m_count == 0 ? notANumber : m_sum / static_cast<double>(m_count); }

private:
    double m_sum = 0.0;
    Index m_count = 0;
};

/// The greatest cell of each pool of one row of pools; NaN where any cell is. As they are painted: rounding
/// to float keeps the order.
class GreatestOfPools
{
public:
    explicit GreatestOfPools(Index width)
        : m_columns(static_cast<std::size_t>(width))
        , m_band(m_columns.size())
        , m_sums(m_columns.size())
    {
    }

    void begin() { std::ranges::fill(m_columns, -std::numeric_limits<float>::infinity()); }

    /// cells: [rows, width]
    void add(const std::vector<float> &cells, Index rows)
    {
        const auto width = static_cast<Index>(m_columns.size());
        kernels().f32.foldRows(cells.data(), width, rows, width, m_band.data(), m_sums.data());
        for (std::size_t col = 0; col < m_columns.size(); ++col)
            m_columns[col] = greaterOrNan(m_band[col], m_columns[col]);
    }

    void store(Index pool, float *out) const
    {
        for (std::size_t begin = 0; begin < m_columns.size(); begin += static_cast<std::size_t>(pool)) {
            const std::size_t end = std::min(begin + static_cast<std::size_t>(pool), m_columns.size());
            float greatest = m_columns[begin];
            for (std::size_t col = begin + 1; col < end; ++col)
                greatest = greaterOrNan(m_columns[col], greatest);
            *out++ = greatest;
        }
    }

private:
    static float greaterOrNan(float next, float soFar)
    {
        return next > soFar || std::isnan(next) ? next : soFar;
    }

    std::vector<float> m_columns; ///< of all rows so far
    std::vector<float> m_band;
    std::vector<float> m_sums;
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
    const Index width = std::max<Index>(0, std::min(cols(), col + colCount * pool) - col);
    const Index bandRows = std::min(pool, mostBandRows);
    const auto eachBand = [&](Index i, const auto &take) {
        const Index lastRow = std::min(rows(), row + (i + 1) * pool);
        for (Index first = row + i * pool; first < lastRow; first += bandRows)
            take(first, std::min(bandRows, lastRow - first));
    };
    for (Index i = 0; i < rowCount; ++i)
        std::fill_n(out + i * stride, colCount, std::numeric_limits<float>::quiet_NaN());
    if (width == 0)
        return;
    const auto bandSize = static_cast<std::size_t>(bandRows * width);
    if (pooling == Pooling::Max) {
        std::vector<float> band(bandSize);
        GreatestOfPools greatest(width);
        for (Index i = 0; i < rowCount; ++i) {
            greatest.begin();
            bool hasRows = false;
            eachBand(i, [&](Index first, Index count) {
                readBlock(head, first, col, count, width, band.data(), width);
                greatest.add(band, count);
                hasRows = true;
            });
            if (hasRows)
                greatest.store(pool, out + i * stride);
        }
        return;
    }
    std::vector<double> band(bandSize);
    std::vector<MeanOfPool> means;
    for (Index i = 0; i < rowCount; ++i) {
        means.assign(static_cast<std::size_t>(colCount), {});
        eachBand(i, [&](Index first, Index count) {
            readBlock(head, first, col, count, width, band.data(), width);
            for (Index r = 0; r < count; ++r)
                for (Index j = 0; j * pool < width; ++j)
                    means[static_cast<std::size_t>(j)].add(band.data() + r * width + j * pool,
                                                           std::min(pool, width - j * pool));
        });
        for (Index j = 0; j < colCount; ++j)
            out[i * stride + j] = paintedFloat(means[static_cast<std::size_t>(j)].result());
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
