#include "engine/masks/MaskCells.h"

#include "engine/ValueStatistics.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace attn {

namespace {

/// Reads the parts of a mask row by row.
class MaskRowReader
{
public:
    explicit MaskRowReader(const MaskParts &mask)
        : m_mask(mask)
        , m_causal(onlyCausal(mask))
        , m_window(onlyWindow(mask))
    {
    }

    /// Of keys [col, col + count) of one query; valid until the next call.
    const std::vector<MaskPartSet> &read(Index head, Index row, Index col, Index count)
    {
        m_sets.assign(static_cast<std::size_t>(count), {});
        if (m_mask.causal)
            addOutside(MaskPart::Causal, m_causal.allowedSpan(row, col + count), col);
        if (m_mask.window)
            addOutside(MaskPart::Window, m_window.allowedSpan(row, col + count), col);
        const auto isZero = [](double value) {
            return value == 0.0;
        };
        const auto isMinusInfinity = [](double value) {
            return std::isinf(value) && value < 0.0;
        };
        addWhere(MaskPart::Padding, m_mask.padding, 0, 0, col, isZero);
        addWhere(MaskPart::Boolean, m_mask.boolean, head, row, col, isZero);
        addWhere(MaskPart::Additive, m_mask.add, head, row, col, isMinusInfinity);
        return m_sets;
    }

private:
    static MaskParts onlyCausal(const MaskParts &mask)
    {
        MaskParts part;
        part.causal = mask.causal;
        part.qOffset = mask.qOffset;
        return part;
    }
    static MaskParts onlyWindow(const MaskParts &mask)
    {
        MaskParts part;
        part.window = mask.window;
        part.qOffset = mask.qOffset;
        return part;
    }

    void addOutside(MaskPart part, const KeySpan &span, Index col)
    {
        const Index count = static_cast<Index>(m_sets.size());
        const Index begin = std::clamp<Index>(span.begin - col, 0, count);
        const Index end = std::clamp<Index>(span.end - col, begin, count);
        for (Index i = 0; i < begin; ++i)
            m_sets[static_cast<std::size_t>(i)].add(part);
        for (Index i = end; i < count; ++i)
            m_sets[static_cast<std::size_t>(i)].add(part);
    }

    template<typename Hides>
    void addWhere(MaskPart part, const Tensor &matrix, Index head, Index row, Index col, const Hides &hides)
    {
        if (matrix.isNull())
            return;
        const Index count = static_cast<Index>(m_sets.size());
        m_line.resize(m_sets.size());
        matrix.copyBlock(matrix.heads() == 1 ? 0 : head, row, col, 1, count, m_line.data(), count);
        for (std::size_t i = 0; i < m_sets.size(); ++i)
            if (hides(m_line[i]))
                m_sets[i].add(part);
    }

    const MaskParts &m_mask;
    MaskParts m_causal;
    MaskParts m_window;
    std::vector<MaskPartSet> m_sets;
    std::vector<double> m_line;
};

class HidingValues final : public StageValues
{
public:
    HidingValues(const MaskParts &mask, const Shape &shape)
        : m_mask(mask)
        , m_shape(shape)
        , m_statistics(shape)
    {
    }

    Shape shape() const override { return m_shape; }
    bool isSinglePrecision() const override { return false; }
    double value(Index head, Index row, Index col) const override
    {
        return HidingCode::of(hiddenBy(m_mask, {head, row, col}));
    }
    void readBlock(Index head, Index row, Index col, Index rowCount, Index colCount, float *out,
                   Index stride) const override
    {
        readCodes(head, row, col, rowCount, colCount, out, stride);
    }
    void readBlock(Index head, Index row, Index col, Index rowCount, Index colCount, double *out,
                   Index stride) const override
    {
        readCodes(head, row, col, rowCount, colCount, out, stride);
    }
    ValueStatistics statistics(Index head) const override { return m_statistics.of(*this, head); }

private:
    template<typename Out>
    void readCodes(Index head, Index row, Index col, Index rowCount, Index colCount, Out *out,
                   Index stride) const
    {
        MaskRowReader reader(m_mask);
        for (Index r = 0; r < rowCount; ++r) {
            const std::vector<MaskPartSet> &sets = reader.read(head, row + r, col, colCount);
            for (Index c = 0; c < colCount; ++c)
                out[r * stride + c] = static_cast<Out>(HidingCode::of(sets[static_cast<std::size_t>(c)]));
        }
    }

    MaskParts m_mask;
    Shape m_shape;
    StatisticsCache m_statistics;
};

} // namespace

int MaskPartSet::count() const
{
    return std::popcount(m_bits);
}

std::vector<MaskPart> MaskPartSet::parts() const
{
    std::vector<MaskPart> list;
    for (int i = 0; i < maskPartCount; ++i)
        if (has(static_cast<MaskPart>(i)))
            list.push_back(static_cast<MaskPart>(i));
    return list;
}

MaskPartSet maskPartsSet(const Experiment &experiment)
{
    MaskPartSet set;
    if (experiment.causal)
        set.add(MaskPart::Causal);
    if (experiment.window)
        set.add(MaskPart::Window);
    if (experiment.isGiven(Stage::MaskPadding))
        set.add(MaskPart::Padding);
    if (experiment.isGiven(Stage::MaskBool))
        set.add(MaskPart::Boolean);
    if (experiment.isGiven(Stage::MaskAdd))
        set.add(MaskPart::Additive);
    if (experiment.isGiven(Stage::MaskAlibi))
        set.add(MaskPart::Alibi);
    return set;
}

MaskPartSet hiddenBy(const MaskParts &mask, const CellIndex &cell)
{
    return MaskRowReader(mask).read(cell.head, cell.row, cell.col, 1).front();
}

Index hiddenKeysOf(const MaskParts &mask, Index head, Index row, Index col, Index count)
{
    MaskRowReader reader(mask);
    return std::ranges::count_if(reader.read(head, row, col, count),
                                 [](const MaskPartSet &set) { return !set.isEmpty(); });
}

int HidingCode::of(MaskPartSet parts)
{
    if (parts.isEmpty())
        return allowed;
    return parts.count() > 1 ? several : of(parts.parts().front());
}

StageValuesPtr hidingPartsOf(const Experiment &experiment)
{
    const Sizes sizes = sizesOf(experiment);
    return std::make_shared<const HidingValues>(maskPartsOf(experiment),
                                                Shape{sizes.nHeads, sizes.nQ, sizes.nK});
}

MaskCounts maskCountsOf(const Experiment &experiment, Index head, std::stop_token stop)
{
    const Sizes sizes = sizesOf(experiment);
    const MaskParts mask = maskPartsOf(experiment);
    MaskRowReader reader(mask);
    MaskCounts counts;
    counts.cells = sizes.nQ * sizes.nK;
    for (Index row = 0; row < sizes.nQ && !stop.stop_requested(); ++row) {
        Index allowed = 0;
        for (const MaskPartSet &set : reader.read(head, row, 0, sizes.nK)) {
            if (set.isEmpty()) {
                ++allowed;
                continue;
            }
            const bool isAlone = set.count() == 1;
            for (int i = 0; i < maskPartCount; ++i) {
                if (!set.has(static_cast<MaskPart>(i)))
                    continue;
                ++counts.hidden[static_cast<std::size_t>(i)];
                counts.hiddenAlone[static_cast<std::size_t>(i)] += isAlone ? 1 : 0;
            }
        }
        counts.allowed += allowed;
        counts.allowedKeys.push_back(allowed);
        if (allowed == 0)
            counts.fullyMasked.push_back(row);
    }
    return counts;
}

} // namespace attn
