#include "engine/heads/ValuesOnRead.h"

#include "engine/ValueStatistics.h"

#include <vector>

namespace attn {

namespace {

class ReadValues final : public StageValues
{
public:
    explicit ReadValues(ReadRule rule)
        : m_rule(std::move(rule))
        , m_statistics(m_rule.shape)
    {
    }

    Shape shape() const override { return m_rule.shape; }
    bool isSinglePrecision() const override { return m_rule.isSinglePrecision; }
    double value(Index head, Index row, Index col) const override
    {
        double number = 0.0;
        m_rule.read(head, row, col, 1, 1, &number, 1);
        return number;
    }
    void readBlock(Index head, Index row, Index col, Index rowCount, Index colCount, float *out,
                   Index stride) const override
    {
        std::vector<double> block(static_cast<std::size_t>(rowCount * colCount));
        m_rule.read(head, row, col, rowCount, colCount, block.data(), colCount);
        for (Index r = 0; r < rowCount; ++r)
            for (Index c = 0; c < colCount; ++c)
                out[r * stride + c] = paintedFloat(block[static_cast<std::size_t>(r * colCount + c)]);
    }
    void readBlock(Index head, Index row, Index col, Index rowCount, Index colCount, double *out,
                   Index stride) const override
    {
        m_rule.read(head, row, col, rowCount, colCount, out, stride);
    }
    BlockStatus blockStatus(Index head, Index row, Index col, Index rowCount, Index colCount) const override
    {
        return m_rule.status ? m_rule.status(head, row, col, rowCount, colCount) : BlockStatus::Exact;
    }
    ValueStatistics statistics(Index head) const override { return m_statistics.of(*this, head); }

private:
    ReadRule m_rule;
    StatisticsCache m_statistics;
};

} // namespace

StageValuesPtr valuesOnRead(ReadRule rule)
{
    return std::make_shared<const ReadValues>(std::move(rule));
}

} // namespace attn
