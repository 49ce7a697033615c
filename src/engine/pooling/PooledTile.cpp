#include "engine/pooling/PooledTile.h"

#include "engine/kernels/KernelTable.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attn {

namespace {

constexpr float pooledNan = std::numeric_limits<float>::quiet_NaN();
constexpr float pooledMinusInfinity = -std::numeric_limits<float>::infinity();

/// Cells are read in pieces of at least so many rows and columns, where a tile has them.
constexpr Index bandRows = 64;
constexpr Index bandCols = 256;

/// Cells of a map that lie in memory.
struct CellRows
{
    const float *first = nullptr;
    Index stride = 0;
    Index rows = 0;
    Index cols = 0;
};

/// Makes pools from the cells of one row of pools. Room for `mostCols` columns of cells.
class PoolFolder
{
public:
    explicit PoolFolder(Index mostCols)
        : m_greatest(static_cast<std::size_t>(mostCols))
        , m_sum(m_greatest.size())
    {
    }

    /// Pools of row `row` from column `firstCol` on.
    void fold(const CellRows &cells, Index poolCols, PooledTile &tile, Index row, Index firstCol)
    {
        kernels().f32.foldRows(cells.first, cells.stride, cells.rows, cells.cols, m_greatest.data(),
                               m_sum.data());
        for (Index begin = 0; begin < cells.cols; begin += poolCols) {
            const Index count = std::min(poolCols, cells.cols - begin);
            const auto at = static_cast<std::size_t>(row * tile.cols + firstCol + begin / poolCols);
            foldColumns({cells.first + begin, cells.stride, cells.rows, count}, begin, tile, at);
        }
    }

private:
    void foldColumns(const CellRows &cells, Index begin, PooledTile &tile, std::size_t at) const
    {
        const float *greatest = m_greatest.data() + begin;
        const float *sums = m_sum.data() + begin;
        float most = pooledMinusInfinity;
        double sum = 0.0;
        bool hasNan = false;
        // Without a branch: nobody can foresee which is greater.
        for (Index col = 0; col < cells.cols; ++col) {
            most = greatest[col] > most ? greatest[col] : most;
            hasNan |= std::isnan(greatest[col]);
            sum += static_cast<double>(sums[col]);
        }
        most = hasNan ? pooledNan : most;
        Index count = cells.rows * cells.cols;
        if (!std::isfinite(sum)) {
            const bool isHidden = most == pooledMinusInfinity && !std::isnan(sum);
            count = isHidden ? 0 : countOneByOne(cells, sum);
        }
        tile.greatest[at] = most;
        tile.finite[at] = static_cast<float>(count);
        tile.mean[at] = count == 0 ? pooledNan : static_cast<float>(sum / static_cast<double>(count));
    }

    /// returns how many are finite; sum: of these
    static Index countOneByOne(const CellRows &cells, double &sum)
    {
        Index count = 0;
        sum = 0.0;
        for (Index row = 0; row < cells.rows; ++row) {
            for (Index col = 0; col < cells.cols; ++col) {
                const float cell = cells.first[row * cells.stride + col];
                sum += std::isfinite(cell) ? static_cast<double>(cell) : 0.0;
                count += std::isfinite(cell) ? 1 : 0;
            }
        }
        return count;
    }

    std::vector<float> m_greatest;
    std::vector<float> m_sum;
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
    // Some rows of pools at a time, a piece that stays in the cache after the other.
    const Index bandPools = std::max<Index>(1, bandRows / pool.rows);
    const Index pieceCols = std::max<Index>(1, bandCols / pool.cols) * pool.cols;
    std::vector<float> cells(static_cast<std::size_t>(bandPools * pool.rows * pieceCols));
    PoolFolder folder(pieceCols);
    for (Index first = 0; first < tile.rows && !stopped(); first += bandPools) {
        const Index begin = firstRow + first * pool.rows;
        const Index end = std::min(begin + bandPools * pool.rows, firstRow + rowCount);
        std::vector<bool> isExact;
        for (Index row = begin; row < end; row += pool.rows)
            isExact.push_back(values.blockStatus(head, row, firstCol, std::min(pool.rows, end - row),
                                                 colCount) == BlockStatus::Exact);
        if (std::find(isExact.begin(), isExact.end(), true) == isExact.end())
            continue;
        for (Index col = 0; col < colCount; col += pieceCols) {
            const Index cols = std::min(pieceCols, colCount - col);
            values.readBlock(head, begin, firstCol + col, end - begin, cols, cells.data(), pieceCols);
            for (std::size_t i = 0; i < isExact.size(); ++i) {
                const Index row = static_cast<Index>(i) * pool.rows;
                const CellRows ofPools{cells.data() + row * pieceCols, pieceCols,
                                       std::min(pool.rows, end - begin - row), cols};
                if (isExact[i])
                    folder.fold(ofPools, pool.cols, tile, first + static_cast<Index>(i), col / pool.cols);
            }
        }
        std::copy(isExact.begin(), isExact.end(), tile.isKnown.begin() + first);
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
