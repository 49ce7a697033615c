#include "engine/StageBlocks.h"

#include "engine/ValueStatistics.h"
#include "engine/pooling/ChangedCells.h"

#include <algorithm>
#include <limits>
#include <type_traits>

namespace attn {

namespace {

template<typename Scalar>
class StoredValues final : public StageValues, public TracesChanges
{
public:
    StoredValues(StageBlocks<Scalar> blocks, HeadsShown heads, std::vector<std::uint8_t> inexact)
        : m_blocks(std::move(blocks))
        , m_inexact(std::move(inexact))
        , m_isSideBySide(heads == HeadsShown::SideBySide && m_blocks.shape.heads > 1)
        , m_shape(m_isSideBySide ? Shape{1, m_blocks.shape.rows, m_blocks.shape.heads * m_blocks.shape.cols}
                                 : m_blocks.shape)
    {
    }

    Shape shape() const override { return m_shape; }
    bool isSinglePrecision() const override { return std::is_same_v<Scalar, float>; }
    double value(Index head, Index row, Index col) const override
    {
        double number = 0.0;
        readBlock(head, row, col, 1, 1, &number, 1);
        return number;
    }
    void readBlock(Index head, Index row, Index col, Index rowCount, Index colCount, float *out,
                   Index stride) const override
    {
        read(head, row, col, rowCount, colCount, out, stride, [](Scalar number) {
            if constexpr (std::is_same_v<Scalar, float>)
                return number;
            else
                return paintedFloat(number);
        });
    }
    void readBlock(Index head, Index row, Index col, Index rowCount, Index colCount, double *out,
                   Index stride) const override
    {
        read(head, row, col, rowCount, colCount, out, stride,
             [](Scalar number) { return static_cast<double>(number); });
    }
    BlockStatus blockStatus(Index head, Index row, Index col, Index rowCount, Index colCount) const override
    {
        if (m_inexact.empty() || rowCount < 1 || colCount < 1)
            return BlockStatus::Exact;
        const Index firstHead = m_isSideBySide ? col / m_blocks.shape.cols : head;
        const Index lastHead = m_isSideBySide ? (col + colCount - 1) / m_blocks.shape.cols : head;
        for (Index h = firstHead; h <= lastHead; ++h)
            for (Index b = row / m_blocks.blockRows; b <= (row + rowCount - 1) / m_blocks.blockRows; ++b)
                if (m_inexact[m_blocks.indexOf(h, b)] != 0)
                    return BlockStatus::Updating;
        return BlockStatus::Exact;
    }
    ValueStatistics statistics(Index head) const override
    {
        ValueStatistics total = noStatistics();
        const bool isOneHead = head >= 0 && !m_isSideBySide;
        const Index first = isOneHead ? head : 0;
        for (Index each = first; each < (isOneHead ? head + 1 : m_blocks.shape.heads); ++each)
            for (Index block = 0; block < m_blocks.blocksPerHead; ++block)
                addStatistics(total, statisticsOf(each, block));
        return total;
    }

    ChangedCells changedSince(const StageValues &before, Index head) const override
    {
        const auto *older = dynamic_cast<const StoredValues *>(&before);
        if (!older || !older->m_blocks.liesAs(m_blocks))
            return {};
        ChangedCells changed{false, {}, {}};
        const Index first = m_isSideBySide ? 0 : head;
        for (Index each = first; each <= (m_isSideBySide ? m_blocks.shape.heads - 1 : head); ++each)
            m_blocks.addChangedRows(older->m_blocks, each, changed.rows);
        return changed;
    }

private:
    /// Cells that are not there are read as NaN.
    ValueStatistics statisticsOf(Index head, Index block) const
    {
        if (m_blocks.at(head, block))
            return m_blocks.statistics(head, block);
        ValueStatistics missing = noStatistics();
        missing.nanCount = m_blocks.rowsIn(block) * m_blocks.shape.cols;
        return missing;
    }

    template<typename Out, typename Convert>
    void read(Index head, Index row, Index col, Index rowCount, Index colCount, Out *out, Index stride,
              const Convert &convert) const
    {
        const Index width = m_blocks.shape.cols;
        for (Index done = 0; done < colCount;) {
            const Index storedHead = m_isSideBySide ? (col + done) / width : head;
            const Index first = m_isSideBySide ? (col + done) % width : col;
            const Index count = m_isSideBySide ? std::min(colCount - done, width - first) : colCount;
            for (Index r = 0; r < rowCount; ++r)
                readLine(storedHead, row + r, first, count, out + r * stride + done, convert);
            done += count;
        }
    }

    template<typename Out, typename Convert>
    void readLine(Index head, Index row, Index col, Index count, Out *out, const Convert &convert) const
    {
        const BlockReference &block = m_blocks.at(head, row / m_blocks.blockRows);
        if (!block) {
            std::fill_n(out, count, std::numeric_limits<Out>::quiet_NaN());
            return;
        }
        const Scalar *line =
            block.template as<const Scalar>() + (row % m_blocks.blockRows) * block->stride() + col;
        std::transform(line, line + count, out, convert);
    }

    StageBlocks<Scalar> m_blocks;
    std::vector<std::uint8_t> m_inexact;
    bool m_isSideBySide;
    Shape m_shape;
};

} // namespace

template<typename Scalar>
StageValuesPtr valuesOf(StageBlocks<Scalar> blocks, HeadsShown heads, std::vector<std::uint8_t> inexact)
{
    return std::make_shared<const StoredValues<Scalar>>(std::move(blocks), heads, std::move(inexact));
}

template<typename Scalar>
StageValuesPtr valuesOf(Index rows, Index cols, const Scalar *numbers)
{
    BlockPool pool;
    StageBlocks<Scalar> blocks(Shape{1, rows, cols}, std::max<Index>(1, rows));
    if (rows > 0) {
        blocks.at(0, 0) = takeBlock(pool, blocks);
        auto *out = blocks.at(0, 0).template as<Scalar>();
        for (Index row = 0; row < rows; ++row)
            std::copy_n(numbers + row * cols, cols, out + row * blocks.at(0, 0)->stride());
    }
    return valuesOf(std::move(blocks), HeadsShown::Apart);
}

#define ATTN_INSTANTIATE(Scalar)                                                                             \
    template StageValuesPtr valuesOf(StageBlocks<Scalar>, HeadsShown, std::vector<std::uint8_t>);            \
    template StageValuesPtr valuesOf(Index, Index, const Scalar *);
ATTN_INSTANTIATE(double)
ATTN_INSTANTIATE(float)
#undef ATTN_INSTANTIATE

} // namespace attn
