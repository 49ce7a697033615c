#include "render/cells/CellBlockReader.h"

#include "engine/pooling/PooledMaps.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attn {

namespace {

Index ceilRatio(Index count, double pixels)
{
    const double ratio = std::ceil(static_cast<double>(count) / std::max(1.0, std::floor(pixels)));
    return std::max<Index>(1, static_cast<Index>(ratio));
}

/// Pools a strip of rows to one row: the rectangular pools that StageValues does not offer.
class StripPool
{
public:
    StripPool(Index count, Pooling pooling)
        : m_pooling(pooling)
        , m_sum(static_cast<std::size_t>(count), 0.0)
        , m_count(static_cast<std::size_t>(count), 0)
        , m_greatest(static_cast<std::size_t>(count), -std::numeric_limits<float>::infinity())
    {
    }

    void add(Index index, float value)
    {
        const auto i = static_cast<std::size_t>(index);
        if (std::isfinite(value)) {
            m_sum[i] += static_cast<double>(value);
            ++m_count[i];
        }
        float &greatest = m_greatest[i];
        if (std::isnan(value) || value > greatest)
            greatest = std::isnan(greatest) ? greatest : value;
    }

    float result(Index index) const
    {
        const auto i = static_cast<std::size_t>(index);
        if (m_pooling == Pooling::Max)
            return m_greatest[i];
        return m_count[i] == 0 ? std::numeric_limits<float>::quiet_NaN()
                               : static_cast<float>(m_sum[i] / static_cast<double>(m_count[i]));
    }

private:
    Pooling m_pooling;
    std::vector<double> m_sum;
    std::vector<Index> m_count;
    std::vector<float> m_greatest;
};

void readRectangularPools(const StageValues &values, Index head, const PoolSize &pool, const CellBlock &block,
                          Pooling pooling, float *out)
{
    const Index firstCol = block.col * pool.cols;
    const Index colCount = std::min(values.cols(), (block.col + block.colCount) * pool.cols) - firstCol;
    std::vector<float> strip;
    for (Index i = 0; i < block.rowCount; ++i) {
        const Index firstRow = (block.row + i) * pool.rows;
        const Index rowCount = std::min(values.rows(), firstRow + pool.rows) - firstRow;
        strip.resize(static_cast<std::size_t>(rowCount * colCount));
        values.readBlock(head, firstRow, firstCol, rowCount, colCount, strip.data(), colCount);
        StripPool pooled(block.colCount, pooling);
        for (Index r = 0; r < rowCount; ++r)
            for (Index c = 0; c < colCount; ++c)
                pooled.add(c / pool.cols, strip[static_cast<std::size_t>(r * colCount + c)]);
        for (Index j = 0; j < block.colCount; ++j)
            out[i * block.colCount + j] = pooled.result(j);
    }
}

} // namespace

PoolSize poolFor(Index rows, Index cols, double widthPx, double heightPx)
{
    const PoolSize pool{ceilRatio(rows, heightPx), ceilRatio(cols, widthPx)};
    return PooledMaps::keeps(rows, cols) ? poolOfPyramid(pool) : pool;
}

std::vector<float> readCells(const StageValues &values, Index head, const PoolSize &pool,
                             const CellBlock &block, Pooling pooling)
{
    std::vector<float> cells(static_cast<std::size_t>(block.rowCount * block.colCount));
    if (cells.empty())
        return cells;
    if (pool.isNone())
        values.readBlock(head, block.row, block.col, block.rowCount, block.colCount, cells.data(),
                         block.colCount);
    else if (pool.rows == pool.cols)
        values.readPooled(head, block.row * pool.rows, block.col * pool.cols, pool.rows, block.rowCount,
                          block.colCount, pooling, cells.data(), block.colCount);
    else
        readRectangularPools(values, head, pool, block, pooling, cells.data());
    return cells;
}

} // namespace attn
