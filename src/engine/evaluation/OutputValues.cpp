#include "engine/evaluation/OutputValues.h"

#include "engine/ValueStatistics.h"
#include "engine/evaluation/PanelProducts.h"
#include "engine/evaluation/StageStore.h"

#include <algorithm>
#include <limits>
#include <mutex>
#include <type_traits>

namespace attn {

namespace {

bool samePins(const Pins *a, const Pins *b)
{
    return a == b || (a && b && a->sameBits(*b));
}

template<typename Scalar>
class OutputValues final : public StageValues, public TracesChanges
{
public:
    OutputValues(BlockPool pool, OutputSources<Scalar> sources, StageBlocks<Scalar> blocks,
                 std::vector<OutputStrip> states, std::shared_ptr<ReadMarks> reads,
                 const OutputValues *before)
        : m_pool(std::move(pool))
        , m_sources(std::move(sources))
        , m_blocks(std::move(blocks))
        , m_states(std::move(states))
        , m_reads(std::move(reads))
    {
        for (Index strip = 0; strip < m_blocks.blocksPerHead; ++strip)
            if (stateOf(strip) == OutputStrip::OnRead)
                m_blocks.at(0, strip) = before ? before->readStripLike(*this, strip) : BlockReference();
    }

    Shape shape() const override { return m_blocks.shape; }
    bool isSinglePrecision() const override { return std::is_same_v<Scalar, float>; }
    double value(Index head, Index row, Index col) const override
    {
        double number = 0.0;
        readBlock(head, row, col, 1, 1, &number, 1);
        return number;
    }
    void readBlock(Index, Index row, Index col, Index rowCount, Index colCount, float *out,
                   Index stride) const override
    {
        read(row, col, rowCount, colCount, out, stride, [](Scalar number) {
            if constexpr (std::is_same_v<Scalar, float>)
                return number;
            else
                return paintedFloat(number);
        });
    }
    void readBlock(Index, Index row, Index col, Index rowCount, Index colCount, double *out,
                   Index stride) const override
    {
        read(row, col, rowCount, colCount, out, stride,
             [](Scalar number) { return static_cast<double>(number); });
    }
    BlockStatus blockStatus(Index, Index row, Index, Index rowCount, Index colCount) const override
    {
        if (rowCount < 1 || colCount < 1)
            return BlockStatus::Exact;
        for (Index strip = row / m_blocks.blockRows; strip <= (row + rowCount - 1) / m_blocks.blockRows;
             ++strip)
            if (stateOf(strip) == OutputStrip::Updating)
                return BlockStatus::Updating;
        return BlockStatus::Exact;
    }
    ValueStatistics statistics(Index) const override
    {
        ValueStatistics total = noStatistics();
        for (Index strip = 0; strip < m_blocks.blocksPerHead; ++strip) {
            if (const BlockReference block = blockOf(strip)) {
                addStatistics(total,
                              block->template statistics<Scalar>(m_blocks.rowsIn(strip), this->cols()));
                continue;
            }
            ValueStatistics missing = noStatistics();
            missing.nanCount = m_blocks.rowsIn(strip) * this->cols();
            addStatistics(total, missing);
        }
        return total;
    }

    ChangedCells changedSince(const StageValues &before, Index) const override
    {
        const auto *older = dynamic_cast<const OutputValues *>(&before);
        if (!older || !older->m_blocks.liesAs(m_blocks))
            return {};
        ChangedCells changed{false, {}, {}};
        for (Index strip = 0; strip < m_blocks.blocksPerHead; ++strip)
            if (!isStripAlike(*older, strip))
                addLines(changed.rows, {strip * m_blocks.blockRows, m_blocks.rowsIn(strip)});
        return changed;
    }

private:
    OutputStrip stateOf(Index strip) const { return m_states[static_cast<std::size_t>(strip)]; }

    bool isStripAlike(const OutputValues &older, Index strip) const
    {
        if (stateOf(strip) == OutputStrip::Updating || older.stateOf(strip) == OutputStrip::Updating)
            return knownBlock(strip) == older.knownBlock(strip);
        return m_sources.isStripAlike(older.m_sources, strip);
    }

    /// The block of a strip as far as it was computed.
    BlockReference knownBlock(Index strip) const
    {
        const std::scoped_lock lock(m_mutex);
        return m_blocks.at(0, strip);
    }

    /// A strip that is known here and computed from the same as that of newer values.
    BlockReference readStripLike(const OutputValues &newer, Index strip) const
    {
        if (!m_blocks.liesAs(newer.m_blocks) || stateOf(strip) == OutputStrip::Updating ||
            !m_sources.isStripAlike(newer.m_sources, strip))
            return {};
        return knownBlock(strip);
    }

    /// Null where nothing is known yet.
    BlockReference blockOf(Index strip) const
    {
        m_reads->note(strip);
        BlockReference known = knownBlock(strip);
        if (known || stateOf(strip) != OutputStrip::OnRead)
            return known;
        BlockPool pool = m_pool;
        BlockReference fresh = takeBlock(pool, m_blocks);
        computeOutput(*m_sources.kernels, m_sources.concat, m_sources.Wo,
                      m_sources.bo ? m_sources.bo.template as<const Scalar>() : nullptr, strip,
                      fresh.template as<Scalar>(), fresh->stride());
        const Index firstRow = strip * m_blocks.blockRows;
        overlayPins(m_sources.pins, {0, firstRow, m_blocks.rowsIn(strip), 0, this->cols()},
                    fresh.template as<Scalar>(), fresh->stride());
        // Whoever comes first keeps it; the bits are the same.
        const std::scoped_lock lock(m_mutex);
        BlockReference &kept = m_blocks.at(0, strip);
        if (!kept)
            kept = std::move(fresh);
        return kept;
    }

    template<typename Out, typename Convert>
    void read(Index row, Index col, Index rowCount, Index colCount, Out *out, Index stride,
              const Convert &convert) const
    {
        for (Index done = 0; done < rowCount;) {
            const Index strip = (row + done) / m_blocks.blockRows;
            const Index offset = (row + done) % m_blocks.blockRows;
            const Index count = std::min(m_blocks.blockRows - offset, rowCount - done);
            const BlockReference block = blockOf(strip);
            for (Index r = 0; r < count; ++r) {
                Out *line = out + (done + r) * stride;
                if (!block) {
                    std::fill_n(line, colCount, std::numeric_limits<Out>::quiet_NaN());
                    continue;
                }
                const Scalar *from = block.template as<const Scalar>() + (offset + r) * block->stride() + col;
                std::transform(from, from + colCount, line, convert);
            }
            done += count;
        }
    }

    BlockPool m_pool;
    OutputSources<Scalar> m_sources;
    mutable std::mutex m_mutex;
    mutable StageBlocks<Scalar> m_blocks; ///< strips that are computed when read are null until then
    std::vector<OutputStrip> m_states;
    std::shared_ptr<ReadMarks> m_reads;
};

} // namespace

template<typename Scalar>
void computeOutput(const Kernels<Scalar> &kernels, const StageBlocks<Scalar> &concat,
                   const StageBlocks<Scalar> &Wo, const Scalar *bo, Index strip, Scalar *out, Index stride,
                   PanelCache<Scalar> *packedWeights)
{
    const Index rows = concat.rowsIn(strip);
    for (Index head = 0; head < concat.shape.heads; ++head) {
        const BlockReference &from = concat.at(head, strip);
        multiplyByPanels(kernels, from.template as<const Scalar>(), from->stride(), Wo, head, out, stride,
                         rows, head > 0, packedWeights, head * Wo.blocksPerHead);
    }
    if (bo)
        kernels.add(out, stride, bo, 0, rows, Wo.shape.cols);
}

template<typename Scalar>
bool OutputSources<Scalar>::isStripAlike(const OutputSources &other, Index strip) const
{
    if (kernels != other.kernels || !concat.liesAs(other.concat) || !Wo.liesAs(other.Wo) ||
        Wo.blocks != other.Wo.blocks || !(bo == other.bo) || !samePins(pins, other.pins))
        return false;
    for (Index head = 0; head < concat.shape.heads; ++head)
        if (!(concat.at(head, strip) == other.concat.at(head, strip)))
            return false;
    return true;
}

template<typename Scalar>
StageValuesPtr outputOnRead(BlockPool pool, OutputSources<Scalar> sources, StageBlocks<Scalar> blocks,
                            std::vector<OutputStrip> states, std::shared_ptr<ReadMarks> reads,
                            const StageValuesPtr &before)
{
    return std::make_shared<const OutputValues<Scalar>>(
        std::move(pool), std::move(sources), std::move(blocks), std::move(states), std::move(reads),
        dynamic_cast<const OutputValues<Scalar> *>(before.get()));
}

#define ATTN_INSTANTIATE(Scalar)                                                                             \
    template struct OutputSources<Scalar>;                                                                   \
    template void computeOutput(const Kernels<Scalar> &, const StageBlocks<Scalar> &,                        \
                                const StageBlocks<Scalar> &, const Scalar *, Index, Scalar *, Index,         \
                                PanelCache<Scalar> *);                                                       \
    template StageValuesPtr outputOnRead(BlockPool, OutputSources<Scalar>, StageBlocks<Scalar>,              \
                                         std::vector<OutputStrip>, std::shared_ptr<ReadMarks>,               \
                                         const StageValuesPtr &);
ATTN_INSTANTIATE(double)
ATTN_INSTANTIATE(float)
#undef ATTN_INSTANTIATE

} // namespace attn
