#include "engine/StageSlice.h"

#include "engine/ValueStatistics.h"

namespace attn {

namespace {

class SliceValues final : public StageValues
{
public:
    SliceValues(StageValuesPtr whole, Index head, Index row, Index col, Index rowCount, Index colCount)
        : m_whole(std::move(whole))
        , m_head(head)
        , m_row(row)
        , m_col(col)
        , m_shape{1, rowCount, colCount}
        , m_statistics(m_shape)
    {
    }

    Shape shape() const override { return m_shape; }
    bool isSinglePrecision() const override { return m_whole->isSinglePrecision(); }
    double value(Index, Index row, Index col) const override
    {
        return m_whole->value(m_head, m_row + row, m_col + col);
    }
    void readBlock(Index, Index row, Index col, Index rowCount, Index colCount, float *out,
                   Index stride) const override
    {
        m_whole->readBlock(m_head, m_row + row, m_col + col, rowCount, colCount, out, stride);
    }
    void readBlock(Index, Index row, Index col, Index rowCount, Index colCount, double *out,
                   Index stride) const override
    {
        m_whole->readBlock(m_head, m_row + row, m_col + col, rowCount, colCount, out, stride);
    }
    BlockStatus blockStatus(Index, Index row, Index col, Index rowCount, Index colCount) const override
    {
        return m_whole->blockStatus(m_head, m_row + row, m_col + col, rowCount, colCount);
    }
    ValueStatistics statistics(Index) const override { return m_statistics.of(*this, 0); }

private:
    StageValuesPtr m_whole;
    Index m_head;
    Index m_row;
    Index m_col;
    Shape m_shape;
    StatisticsCache m_statistics;
};

} // namespace

StageValuesPtr sliceOf(StageValuesPtr values, Index head, Index row, Index col, Index rowCount,
                       Index colCount)
{
    if (!values)
        return nullptr;
    return std::make_shared<const SliceValues>(std::move(values), head, row, col, rowCount, colCount);
}

} // namespace attn
