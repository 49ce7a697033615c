#include "engine/pooling/PooledTile.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attn {

namespace {

constexpr float pooledNan = std::numeric_limits<float>::quiet_NaN();
constexpr float pooledMinusInfinity = -std::numeric_limits<float>::infinity();

/// One row of pools while its cells come in, row by row.
class PoolRow
{
public:
    explicit PoolRow(Index cols)
        : m_greatest(static_cast<std::size_t>(cols))
        , m_sum(m_greatest.size())
        , m_count(m_greatest.size())
        , m_hasNan(m_greatest.size())
    {
    }

    void clear()
    {
        std::fill(m_greatest.begin(), m_greatest.end(), pooledMinusInfinity);
        std::fill(m_sum.begin(), m_sum.end(), 0.0);
        std::fill(m_count.begin(), m_count.end(), Index(0));
        std::fill(m_hasNan.begin(), m_hasNan.end(), false);
    }

    void add(const float *cells, Index count, Index pool)
    {
        for (Index begin = 0; begin < count; begin += pool)
            addStretch(static_cast<std::size_t>(begin / pool), cells + begin, std::min(pool, count - begin));
    }

    void store(PooledTile &tile, Index row) const
    {
        for (std::size_t i = 0; i < m_greatest.size(); ++i) {
            const auto at = static_cast<std::size_t>(row * tile.cols) + i;
            tile.greatest[at] = m_hasNan[i] ? pooledNan : m_greatest[i];
            tile.finite[at] = static_cast<float>(m_count[i]);
            tile.mean[at] =
                m_count[i] == 0 ? pooledNan : static_cast<float>(m_sum[i] / static_cast<double>(m_count[i]));
        }
        tile.isKnown[static_cast<std::size_t>(row)] = true;
    }

private:
    /// Cells of one row in one pool. Four partial results each, so that the loop need not wait for itself.
    void addStretch(std::size_t pool, const float *cells, Index count)
    {
        float greatest[4] = {pooledMinusInfinity, pooledMinusInfinity, pooledMinusInfinity,
                             pooledMinusInfinity};
        float sum[4] = {};
        const Index whole = count / 4 * 4;
        for (Index i = 0; i < whole; i += 4) {
            for (Index k = 0; k < 4; ++k) {
                const float value = cells[i + k];
                greatest[k] = value > greatest[k] ? value : greatest[k];
                sum[k] += value;
            }
        }
        for (Index i = whole; i < count; ++i) {
            greatest[0] = cells[i] > greatest[0] ? cells[i] : greatest[0];
            sum[0] += cells[i];
        }
        const float most = std::max(std::max(greatest[0], greatest[1]), std::max(greatest[2], greatest[3]));
        m_greatest[pool] = std::max(m_greatest[pool], most);
        const float total = (sum[0] + sum[1]) + (sum[2] + sum[3]);
        if (std::isfinite(total)) {
            m_sum[pool] += static_cast<double>(total);
            m_count[pool] += count;
        } else {
            addOneByOne(pool, cells, count);
        }
    }

    void addOneByOne(std::size_t pool, const float *cells, Index count)
    {
        for (Index i = 0; i < count; ++i) {
            m_hasNan[pool] = m_hasNan[pool] || std::isnan(cells[i]);
            if (std::isfinite(cells[i])) {
                m_sum[pool] += static_cast<double>(cells[i]);
                ++m_count[pool];
            }
        }
    }

    std::vector<float> m_greatest;
    std::vector<double> m_sum;
    std::vector<Index> m_count;
    std::vector<bool> m_hasNan;
};

/// Joins up to four neighbours.
struct JoinedPool
{
    float greatest = pooledMinusInfinity;
    double sum = 0.0;
    float finite = 0.0f;

    void add(const PooledTile &tile, Index row, Index col)
    {
        const auto at = static_cast<std::size_t>(row * tile.cols + col);
        const float value = tile.greatest[at];
        if (!std::isnan(greatest))
            greatest = std::isnan(value) || value > greatest ? value : greatest;
        if (tile.finite[at] > 0.0f)
            sum += static_cast<double>(tile.mean[at]) * static_cast<double>(tile.finite[at]);
        finite += tile.finite[at];
    }
};

} // namespace

PooledTile::PooledTile(Index rowCount, Index colCount)
    : rows(rowCount)
    , cols(colCount)
    , greatest(static_cast<std::size_t>(rowCount * colCount), pooledNan)
    , mean(greatest.size(), pooledNan)
    , finite(greatest.size(), 0.0f)
    , isKnown(static_cast<std::size_t>(rowCount), false)
{
}

bool PooledTile::isComplete() const
{
    return std::find(isKnown.begin(), isKnown.end(), false) == isKnown.end();
}

PooledTile pooledTile(const StageValues &values, Index head, const PoolSize &pool, Index tileRow,
                      Index tileCol, const std::function<bool()> &stopped)
{
    constexpr Index side = PooledTile::side;
    const Index firstRow = tileRow * side * pool.rows;
    const Index firstCol = tileCol * side * pool.cols;
    const Index rowCount = std::min(values.rows() - firstRow, side * pool.rows);
    const Index colCount = std::min(values.cols() - firstCol, side * pool.cols);
    PooledTile tile((rowCount + pool.rows - 1) / pool.rows, (colCount + pool.cols - 1) / pool.cols);
    std::vector<float> cells(static_cast<std::size_t>(std::min(rowCount, pool.rows) * colCount));
    PoolRow pooled(tile.cols);
    for (Index row = 0; row < tile.rows && !stopped(); ++row) {
        const Index begin = firstRow + row * pool.rows;
        const Index count = std::min(pool.rows, firstRow + rowCount - begin);
        if (values.blockStatus(head, begin, firstCol, count, colCount) != BlockStatus::Exact)
            continue;
        values.readBlock(head, begin, firstCol, count, colCount, cells.data(), colCount);
        pooled.clear();
        for (Index r = 0; r < count; ++r)
            pooled.add(cells.data() + r * colCount, colCount, pool.cols);
        pooled.store(tile, row);
    }
    return tile;
}

PooledTile halved(const PooledTile &tile, bool rows, bool cols)
{
    const Index rowStep = rows ? 2 : 1;
    const Index colStep = cols ? 2 : 1;
    PooledTile result((tile.rows + rowStep - 1) / rowStep, (tile.cols + colStep - 1) / colStep);
    for (Index i = 0; i < result.rows; ++i) {
        const Index lastRow = std::min(tile.rows, (i + 1) * rowStep);
        bool isKnown = true;
        for (Index row = i * rowStep; row < lastRow; ++row)
            isKnown = isKnown && tile.isKnown[static_cast<std::size_t>(row)];
        if (!isKnown)
            continue;
        result.isKnown[static_cast<std::size_t>(i)] = true;
        for (Index j = 0; j < result.cols; ++j) {
            JoinedPool joined;
            for (Index row = i * rowStep; row < lastRow; ++row)
                for (Index col = j * colStep; col < std::min(tile.cols, (j + 1) * colStep); ++col)
                    joined.add(tile, row, col);
            const auto at = static_cast<std::size_t>(i * result.cols + j);
            result.greatest[at] = joined.greatest;
            result.finite[at] = joined.finite;
            result.mean[at] = joined.finite > 0.0f
                                  ? static_cast<float>(joined.sum / static_cast<double>(joined.finite))
                                  : pooledNan;
        }
    }
    return result;
}

} // namespace attn
