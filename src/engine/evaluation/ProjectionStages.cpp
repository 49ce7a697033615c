#include "engine/evaluation/ProjectionStages.h"

#include "engine/Rotation.h"
#include "engine/evaluation/PanelProducts.h"

#include <cmath>
#include <limits>

namespace attn {

namespace {

/// Rows of a large output count as looked at for so many evaluations after they were read: a fast hand edits
/// more often than the screen is drawn.
constexpr std::uint8_t lookedAtFor = 4;

} // namespace

template<typename Scalar>
ProjectionStages<Scalar>::ProjectionStages(StageGraph<Scalar> &graph)
    : m_graph(graph)
{
}

template<typename Scalar>
void ProjectionStages<Scalar>::adopt(const Focus &focus)
{
    adoptAngles(m_queryAngles, Stage::Qr);
    adoptAngles(m_keyAngles, Stage::Kr);
    adoptOutput(focus);
}

template<typename Scalar>
void ProjectionStages<Scalar>::makeRoom(StripWorker<Scalar> &worker) const
{
    Index panels = 0;
    Index depth = 0;
    Index cols = 0;
    for (const Stage weight : {Stage::Wq, Stage::Wk, Stage::Wv}) {
        const StageBlocks<Scalar> &blocks = m_graph.at(weight).blocks;
        panels = std::max(panels, blocks.blocksPerHead);
        depth = std::max(depth, blocks.blockRows);
        cols = std::max(cols, blocks.shape.cols);
    }
    worker.packed.weights.makeRoom(m_graph.pool(), panels, depth, cols);
    const StageBlocks<Scalar> &Wo = m_graph.at(Stage::Wo).blocks;
    worker.packed.outputWeights.makeRoom(m_graph.pool(), Wo.shape.heads * Wo.blocksPerHead, Wo.blockRows,
                                         Wo.shape.cols);
}

/// Notes which strips of a large output are looked at.
template<typename Scalar>
void ProjectionStages<Scalar>::adoptOutput(const Focus &focus)
{
    const StageStore<Scalar> &store = m_graph.at(Stage::Output);
    const Index strips = store.blocks.blocksPerHead;
    m_isOutputOnRead = store.source == StageSource::Computed && m_graph.at(Stage::Wo).exists() &&
                       store.blocks.shape.rows > mostStoredKeys;
    if (!m_outputReads || m_outputReads->strips() != strips) {
        m_outputReads = std::make_shared<ReadMarks>(strips);
        m_lookedAt.assign(static_cast<std::size_t>(strips), 0);
    }
    const Index rows = store.blocks.blockRows;
    for (Index strip = 0; strip < strips; ++strip) {
        std::uint8_t &left = m_lookedAt[static_cast<std::size_t>(strip)];
        const bool isInFocus = focus.stage == Stage::Output && focus.firstRow < (strip + 1) * rows &&
                               focus.firstRow + focus.rowCount > strip * rows;
        if (m_outputReads->take(strip) || isInFocus)
            left = lookedAtFor;
        else if (left > 0)
            --left;
    }
}

template<typename Scalar>
void ProjectionStages<Scalar>::adoptAngles(Angles &angles, Stage rotated)
{
    const StageStore<Scalar> &store = m_graph.at(rotated);
    Shape shape{0, 0, 0};
    if (store.source == StageSource::Computed) {
        const Index turned = rotatedColumns(*m_graph.experiment().rotary, store.blocks.shape.cols);
        shape = {1, store.blocks.shape.rows, turned / 2 * 2};
    }
    if (angles.blocks.shape == shape && angles.blocks.blockRows == store.blocks.blockRows)
        return;
    angles.blocks = StageBlocks<Scalar>(shape, store.blocks.blockRows);
    angles.computedAt.assign(angles.blocks.blocks.size(), 0);
}

template<typename Scalar>
void ProjectionStages<Scalar>::weights(EvaluationCounts &counts)
{
    using Needed = std::pair<Stage, Stage>;
    for (const auto &[stage, user] :
         {Needed(Stage::Wq, Stage::Q), Needed(Stage::Bq, Stage::Q), Needed(Stage::Wk, Stage::K),
          Needed(Stage::Bk, Stage::K), Needed(Stage::Wv, Stage::V), Needed(Stage::Bv, Stage::V),
          Needed(Stage::Wo, Stage::Concat), Needed(Stage::Bo, Stage::Output)}) {
        const StageStore<Scalar> &store = m_graph.at(stage);
        const StageSource needed = m_graph.at(user).source;
        if (!store.exists() ||
            (user == Stage::Concat ? needed == StageSource::None : needed != StageSource::Computed))
            continue;
        for (Index head = 0; head < store.blocks.shape.heads; ++head)
            for (Index block = 0; block < store.blocks.blocksPerHead; ++block)
                m_graph.refresh(stage, head, block, 0, counts, [] { return BlockReference(); });
    }
}

template<typename Scalar>
void ProjectionStages<Scalar>::input(Stage stage, Index block, EvaluationCounts &counts)
{
    m_graph.refresh(stage, 0, block, 0, counts, [] { return BlockReference(); });
}

template<typename Scalar>
void ProjectionStages<Scalar>::queryStrip(Index head, Index strip, StripWorker<Scalar> &worker)
{
    if (head < m_graph.at(Stage::Q).blocks.shape.heads)
        projected(Stage::Q, Stage::X, Stage::Wq, Stage::Bq, head, strip, worker);
    if (head < m_graph.at(Stage::Qr).blocks.shape.heads)
        rotated(Stage::Qr, Stage::Q, m_queryAngles, m_graph.experiment().qOffset, m_graph.queryAnglesAt(),
                head, strip, worker.counts);
}

template<typename Scalar>
void ProjectionStages<Scalar>::keyBlock(Index kvHead, Index block, StripWorker<Scalar> &worker)
{
    if (kvHead < m_graph.at(Stage::K).blocks.shape.heads)
        projected(Stage::K, m_graph.keySource(), Stage::Wk, Stage::Bk, kvHead, block, worker);
    if (kvHead < m_graph.at(Stage::Kr).blocks.shape.heads)
        rotated(Stage::Kr, Stage::K, m_keyAngles, 0, m_graph.keyAnglesAt(), kvHead, block, worker.counts);
}

template<typename Scalar>
void ProjectionStages<Scalar>::valueBlock(Index kvHead, Index block, StripWorker<Scalar> &worker)
{
    if (kvHead < m_graph.at(Stage::V).blocks.shape.heads)
        projected(Stage::V, m_graph.keySource(), Stage::Wv, Stage::Bv, kvHead, block, worker);
}

/// One block of Q, K or V.
template<typename Scalar>
void ProjectionStages<Scalar>::projected(Stage stage, Stage source, Stage weight, Stage bias, Index head,
                                         Index block, StripWorker<Scalar> &worker)
{
    const StageStore<Scalar> &store = m_graph.at(stage);
    if (store.source != StageSource::Computed) {
        m_graph.refresh(stage, head, block, 0, worker.counts, [] { return BlockReference(); });
        return;
    }
    const StageStore<Scalar> &biasStore = m_graph.at(bias);
    Epoch othersAt = std::max({m_graph.at(weight).changeOfHead(head), biasStore.inputAtAll,
                               m_graph.at(Stage::Xkv).inputAtAll, store.inputOf(head, block)});
    if (biasStore.exists())
        othersAt = std::max(othersAt, biasStore.changeOf(head, 0));
    const StageStore<Scalar> &X = m_graph.at(source);
    Epoch sourceAt = 0;
    const Index firstRow = block * store.blocks.blockRows;
    for (Index row = 0; row < store.blocks.rowsIn(block); row += X.blocks.blockRows)
        sourceAt = std::max(sourceAt, X.changeOf(0, (firstRow + row) / X.blocks.blockRows));
    m_graph.refresh(stage, head, block, std::max(othersAt, sourceAt), worker.counts, [&] {
        const Epoch computed = store.computedAt[store.blocks.indexOf(head, block)];
        const bool isReusable = computed > 0 && computed >= othersAt && !store.pins;
        return project(stage, source, weight, bias, head, block, isReusable ? computed : 0,
                       worker.packed.weights);
    });
}

/// reusableSince: rows of the old block hold whose source has not changed since then; 0 = none do
template<typename Scalar>
BlockReference ProjectionStages<Scalar>::project(Stage stage, Stage source, Stage weight, Stage bias,
                                                 Index head, Index block, Epoch reusableSince,
                                                 PanelCache<Scalar> &packedWeights)
{
    const Kernels<Scalar> &kernels = m_graph.kernels();
    const StageBlocks<Scalar> &blocks = m_graph.at(stage).blocks;
    const StageStore<Scalar> &X = m_graph.at(source);
    const StageStore<Scalar> &biasStore = m_graph.at(bias);
    const StageBlocks<Scalar> &W = m_graph.at(weight).blocks;
    const Index cols = blocks.shape.cols;
    BlockReference fresh = m_graph.take(stage);
    const BlockReference &old = blocks.at(head, block);
    for (Index row = 0; row < blocks.rowsIn(block); row += X.blocks.blockRows) {
        const Index sourceBlock = (block * blocks.blockRows + row) / X.blocks.blockRows;
        const Index rows = std::min(X.blocks.blockRows, blocks.rowsIn(block) - row);
        Scalar *out = fresh.template as<Scalar>() + row * fresh->stride();
        if (reusableSince > 0 && old->stride() == fresh->stride() &&
            X.changeOf(0, sourceBlock) <= reusableSince) {
            std::copy_n(old.template as<const Scalar>() + row * old->stride(), rows * fresh->stride(), out);
            continue;
        }
        const BlockReference &from = X.blocks.at(0, sourceBlock);
        multiplyByPanels(kernels, from.template as<const Scalar>(), from->stride(), W, head, out,
                         fresh->stride(), rows, false, &packedWeights);
        if (biasStore.exists())
            kernels.add(out, fresh->stride(), biasStore.blocks.data(head, 0), 0, rows, cols);
    }
    return fresh;
}

/// One block of Qr or Kr.
template<typename Scalar>
void ProjectionStages<Scalar>::rotated(Stage stage, Stage split, Angles &angles, Index firstPosition,
                                       Epoch anglesAt, Index head, Index block, EvaluationCounts &counts)
{
    if (m_graph.at(stage).source != StageSource::Computed) {
        m_graph.refresh(stage, head, block, 0, counts, [] { return BlockReference(); });
        return;
    }
    const StageStore<Scalar> &source = m_graph.at(split);
    const Epoch inputs = std::max(anglesAt, source.changeOf(head, block));
    m_graph.refresh(stage, head, block, inputs, counts, [&] {
        const Rotary &rotary = *m_graph.experiment().rotary;
        const StageBlocks<Scalar> &blocks = m_graph.at(stage).blocks;
        const Index rows = blocks.rowsIn(block);
        const Index pairs = angles.blocks.shape.cols / 2;
        BlockReference &turn = angles.blocks.at(0, block);
        Epoch &turnAt = angles.computedAt[static_cast<std::size_t>(block)];
        if (turnAt == 0 || turnAt < anglesAt) {
            turn = takeBlock(m_graph.pool(), angles.blocks);
            rotaryAngles(rotary, firstPosition + block * blocks.blockRows, rows, pairs,
                         turn.template as<Scalar>(), turn.template as<Scalar>() + pairs, turn->stride());
            turnAt = m_graph.epoch();
        }
        BlockReference fresh = m_graph.take(stage);
        const BlockReference &from = source.blocks.at(head, block);
        for (Index row = 0; row < rows; ++row)
            std::copy_n(from.template as<const Scalar>() + row * from->stride(), blocks.shape.cols,
                        fresh.template as<Scalar>() + row * fresh->stride());
        m_graph.kernels().rotate(fresh.template as<Scalar>(), fresh->stride(),
                                 turn.template as<const Scalar>(), turn.template as<const Scalar>() + pairs,
                                 turn->stride(), rows, pairs, rotary.pairing == Rotary::Pairing::Interleaved);
        return fresh;
    });
}

template<typename Scalar>
void ProjectionStages<Scalar>::concatStrip(Index head, Index strip, EvaluationCounts &counts)
{
    if (!m_graph.at(Stage::Concat).exists())
        return;
    const StageStore<Scalar> &source = m_graph.at(Stage::HeadOut);
    // Without heads the concat has rows, but no columns.
    const bool hasHead = head < source.blocks.shape.heads;
    const bool isComputed = m_graph.at(Stage::Concat).source == StageSource::Computed && hasHead;
    m_graph.refresh(Stage::Concat, head, strip, isComputed ? source.changeOf(head, strip) : 0, counts,
                    [&] { return hasHead ? source.blocks.at(head, strip) : m_graph.take(Stage::Concat); });
}

template<typename Scalar>
Epoch ProjectionStages<Scalar>::outputInputsAt(Index strip) const
{
    if (m_graph.at(Stage::Output).source != StageSource::Computed)
        return 0;
    const StageStore<Scalar> &concat = m_graph.at(Stage::Concat);
    const StageStore<Scalar> &Wo = m_graph.at(Stage::Wo);
    const StageStore<Scalar> &bo = m_graph.at(Stage::Bo);
    Epoch inputs = std::max({Wo.inputAtAll, bo.inputAtAll, Wo.exists() ? Wo.newestChange() : 0,
                             bo.exists() ? bo.newestChange() : 0});
    for (Index head = 0; head < concat.blocks.shape.heads; ++head)
        inputs = std::max(inputs, concat.changeOf(head, strip));
    return inputs;
}

template<typename Scalar>
OutputSources<Scalar> ProjectionStages<Scalar>::outputSources() const
{
    const StageStore<Scalar> &bo = m_graph.at(Stage::Bo);
    OutputSources<Scalar> sources;
    sources.kernels = &m_graph.kernels();
    sources.concat = m_graph.at(Stage::Concat).blocks;
    sources.Wo = m_graph.at(Stage::Wo).blocks;
    if (bo.exists())
        sources.bo = bo.blocks.at(0, 0);
    sources.experiment = m_graph.experimentPtr();
    sources.pins = m_graph.at(Stage::Output).pins;
    return sources;
}

template<typename Scalar>
void ProjectionStages<Scalar>::outputStrip(Index strip, StripWorker<Scalar> &worker)
{
    StageStore<Scalar> &store = m_graph.at(Stage::Output);
    if (!store.exists())
        return;
    const Epoch inputs = outputInputsAt(strip);
    if (isOutputLeft(strip) && !m_graph.isOnlyMarking() && m_graph.isStale(Stage::Output, 0, strip, inputs)) {
        // Whoever reads it has other numbers than these from now on.
        store.blocks.at(0, strip) = {};
        store.computedAt[store.blocks.indexOf(0, strip)] = 0;
        return;
    }
    m_graph.refresh(Stage::Output, 0, strip, inputs, worker.counts, [&] {
        if (!m_graph.at(Stage::Wo).exists())
            return outputWithoutWeights(strip);
        BlockReference fresh = m_graph.take(Stage::Output);
        const StageStore<Scalar> &bo = m_graph.at(Stage::Bo);
        computeOutput(m_graph.kernels(), m_graph.at(Stage::Concat).blocks, m_graph.at(Stage::Wo).blocks,
                      bo.exists() ? bo.blocks.data(0, 0) : nullptr, strip, fresh.template as<Scalar>(),
                      fresh->stride(), &worker.packed.outputWeights);
        return fresh;
    });
}

template<typename Scalar>
BlockReference ProjectionStages<Scalar>::outputWithoutWeights(Index strip)
{
    const StageBlocks<Scalar> &concat = m_graph.at(Stage::Concat).blocks;
    const StageStore<Scalar> &bo = m_graph.at(Stage::Bo);
    if (concat.shape.heads == 1 && !bo.exists())
        return concat.at(0, strip);
    BlockReference fresh = m_graph.take(Stage::Output);
    const Index rows = concat.rowsIn(strip);
    const Index width = concat.shape.cols;
    for (Index head = 0; head < concat.shape.heads; ++head) {
        const BlockReference &from = concat.at(head, strip);
        for (Index row = 0; row < rows; ++row)
            std::copy_n(from.template as<const Scalar>() + row * from->stride(), width,
                        fresh.template as<Scalar>() + row * fresh->stride() + head * width);
    }
    if (bo.exists())
        m_graph.kernels().add(fresh.template as<Scalar>(), fresh->stride(), bo.blocks.data(0, 0), 0, rows,
                              concat.shape.heads * width);
    return fresh;
}

template<typename Scalar>
void ProjectionStages<Scalar>::contributionStrip(Index head, Index strip, EvaluationCounts &counts)
{
    const StageStore<Scalar> &store = m_graph.at(Stage::HeadContribution);
    if (!store.exists() || !store.isStored)
        return;
    const StageStore<Scalar> &concat = m_graph.at(Stage::Concat);
    const StageStore<Scalar> &Wo = m_graph.at(Stage::Wo);
    const Epoch inputs =
        std::max({concat.changeOf(head, strip), Wo.inputAtAll, Wo.exists() ? Wo.changeOfHead(head) : 0});
    m_graph.refresh(Stage::HeadContribution, head, strip, inputs, counts, [&] {
        BlockReference fresh = m_graph.take(Stage::HeadContribution);
        const BlockReference &from = concat.blocks.at(head, strip);
        contribution(m_graph.kernels(), Wo.exists() ? &Wo.blocks : nullptr, concat.blocks.shape.heads, head,
                     from.template as<const Scalar>(), from->stride(), store.blocks.rowsIn(strip),
                     concat.blocks.shape.cols, fresh.template as<Scalar>(), fresh->stride());
        return fresh;
    });
}

template<typename Scalar>
void ProjectionStages<Scalar>::contribution(const Kernels<Scalar> &kernels, const StageBlocks<Scalar> *Wo,
                                            Index nHeads, Index head, const Scalar *concat, Index stride,
                                            Index rows, Index width, Scalar *out, Index outStride)
{
    if (Wo) {
        multiplyByPanels(kernels, concat, stride, *Wo, head, out, outStride, rows, false);
        return;
    }
    // The product with this head's rows of the identity, NaN from 0 * inf and 0 * NaN included.
    for (Index row = 0; row < rows; ++row) {
        const Scalar *from = concat + row * stride;
        Scalar *to = out + row * outStride;
        const auto wild =
            std::count_if(from, from + width, [](Scalar number) { return !std::isfinite(number); });
        std::fill_n(to, nHeads * width, wild > 0 ? std::numeric_limits<Scalar>::quiet_NaN() : Scalar(0));
        for (Index col = 0; col < width; ++col)
            if (wild == 0 || (wild == 1 && !std::isfinite(from[col])))
                to[head * width + col] = from[col];
    }
}

template class ProjectionStages<double>;
template class ProjectionStages<float>;

} // namespace attn
