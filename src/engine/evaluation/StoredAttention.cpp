#include "engine/evaluation/StoredAttention.h"

#include <array>
#include <limits>

namespace attn {

namespace {

/// Rows of a strip at most.
constexpr std::size_t mostStripRows = 64;

template<typename Scalar>
void copyRows(const BlockReference &from, Index rows, Index cols, const BlockReference &to)
{
    for (Index row = 0; row < rows; ++row)
        std::copy_n(from.template as<const Scalar>() + row * from->stride(), cols,
                    to.template as<Scalar>() + row * to->stride());
}

} // namespace

template<typename Scalar>
StoredAttention<Scalar>::StoredAttention(StageGraph<Scalar> &graph)
    : m_graph(graph)
{
}

template<typename Scalar>
void StoredAttention<Scalar>::prepare(Index head)
{
    const auto changeOf = [&](Stage stage) {
        const StageStore<Scalar> &store = m_graph.at(stage);
        const Index kvHead = head / m_graph.tiles().headsPerKvHead;
        return kvHead < store.blocks.shape.heads ? store.changeOfHead(kvHead) : 0;
    };
    m_keysAt = changeOf(m_graph.keys());
    m_valuesAt = changeOf(Stage::V);
}

template<typename Scalar>
void StoredAttention<Scalar>::strip(Index head, Index strip, EvaluationCounts &counts)
{
    scores(head, strip, counts);
    mask(head, strip, counts);
    weights(head, strip, counts);
    headOut(head, strip, counts);
}

template<typename Scalar>
TileArea StoredAttention<Scalar>::areaOf(Index head, Index strip) const
{
    const Index stripRows = stripRowsOf(m_graph.sizes().nQ);
    return {head, strip * stripRows, std::min(stripRows, m_graph.sizes().nQ - strip * stripRows), 0,
            m_graph.sizes().nK};
}

template<typename Scalar>
void StoredAttention<Scalar>::scores(Index head, Index strip, EvaluationCounts &counts)
{
    StageGraph<Scalar> &graph = m_graph;
    const TileArea area = areaOf(head, strip);
    if (graph.at(Stage::Scores).exists()) {
        Epoch inputs = 0;
        if (graph.at(Stage::Scores).source == StageSource::Computed)
            inputs = std::max({graph.at(graph.queries()).changeOf(head, strip), m_keysAt,
                               graph.at(Stage::Qr).inputAtAll, graph.at(Stage::Kr).inputAtAll});
        graph.refresh(Stage::Scores, head, strip, inputs, counts, [&] {
            BlockReference fresh = graph.take(Stage::Scores);
            graph.tiles().product(area, fresh.template as<Scalar>(), fresh->stride());
            return fresh;
        });
    }
    if (!graph.at(Stage::Scaled).exists())
        return;
    const StageStore<Scalar> &unscaled = graph.at(Stage::Scores);
    const Epoch inputs = graph.at(Stage::Scaled).source == StageSource::Computed
                             ? std::max(unscaled.changeOf(head, strip), graph.scaleAt())
                             : 0;
    graph.refresh(Stage::Scaled, head, strip, inputs, counts, [&] {
        const BlockReference &from = unscaled.blocks.at(head, strip);
        if (graph.tiles().scale == Scalar(1))
            return from;
        BlockReference fresh = graph.take(Stage::Scaled);
        graph.kernels().scaleTo(from.template as<const Scalar>(), from->stride(), graph.tiles().scale,
                                fresh.template as<Scalar>(), fresh->stride(), area.rows, area.cols);
        return fresh;
    });
}

template<typename Scalar>
void StoredAttention<Scalar>::mask(Index head, Index strip, EvaluationCounts &counts)
{
    StageGraph<Scalar> &graph = m_graph;
    const TileArea area = areaOf(head, strip);
    const Epoch paddingAt = graph.paddingAt(0, m_graph.sizes().nK);
    const MaskParts &parts = graph.tiles().mask;
    if (graph.at(Stage::Allowed).exists()) {
        const bool headsDiffer = parts.boolean.heads() > 1 || parts.add.heads() > 1;
        const bool sharesFirst = head > 0 && !headsDiffer && graph.at(Stage::Allowed).blocks.at(0, strip);
        const Epoch inputs = std::max(graph.maskAt(head, strip), paddingAt);
        graph.refresh(Stage::Allowed, head, strip, inputs, counts, [&] {
            // Whichever of the heads comes first computes the block that all share.
            if (sharesFirst && !graph.isStale(Stage::Allowed, 0, strip, inputs))
                return graph.at(Stage::Allowed).blocks.at(0, strip);
            BlockReference fresh = graph.take(Stage::Allowed);
            graph.tiles().allowed(area, fresh.template as<Scalar>(), fresh->stride());
            return fresh;
        });
    }
    if (graph.at(Stage::Bias).exists()) {
        const Epoch inputs = std::max(graph.biasAt(head, strip), paddingAt);
        graph.refresh(Stage::Bias, head, strip, inputs, counts, [&] {
            BlockReference fresh = graph.take(Stage::Bias);
            graph.tiles().bias(area, fresh.template as<Scalar>(), fresh->stride());
            return fresh;
        });
    }
    if (!graph.at(Stage::Masked).exists())
        return;
    const StageStore<Scalar> &scaled = graph.at(Stage::Scaled);
    Epoch inputs = 0;
    if (graph.at(Stage::Masked).source == StageSource::Computed) {
        inputs = std::max({scaled.changeOf(head, strip), graph.at(Stage::Allowed).changeOf(head, strip),
                           graph.at(Stage::Bias).inputAtAll});
        if (graph.at(Stage::Bias).exists())
            inputs = std::max(inputs, graph.at(Stage::Bias).changeOf(head, strip));
    }
    graph.refresh(Stage::Masked, head, strip, inputs, counts, [&] {
        const BlockReference &from = scaled.blocks.at(head, strip);
        if (graph.tiles().hidesNothing && !graph.tiles().hasBias)
            return from;
        BlockReference fresh = graph.take(Stage::Masked);
        copyRows<Scalar>(from, area.rows, area.cols, fresh);
        graph.tiles().applyMask(area, fresh.template as<Scalar>(), fresh->stride());
        return fresh;
    });
}

template<typename Scalar>
void StoredAttention<Scalar>::weights(Index head, Index strip, EvaluationCounts &counts)
{
    StageGraph<Scalar> &graph = m_graph;
    const TileArea area = areaOf(head, strip);
    if (graph.at(Stage::ASoft).exists()) {
        const StageStore<Scalar> &masked = graph.at(Stage::Masked);
        graph.refresh(Stage::ASoft, head, strip, masked.changeOf(head, strip), counts, [&] {
            std::array<RowStatistics<Scalar>, mostStripRows> statistics;
            BlockReference fresh = graph.take(Stage::ASoft);
            auto *tile = fresh.template as<Scalar>();
            copyRows<Scalar>(masked.blocks.at(head, strip), area.rows, area.cols, fresh);
            graph.kernels().leafWeights(tile, fresh->stride(), area.rows, area.cols, statistics.data());
            graph.kernels().normalize(tile, fresh->stride(), area.rows, area.cols, statistics.data());
            return fresh;
        });
    }
    if (!graph.at(Stage::A).exists())
        return;
    const StageStore<Scalar> &soft = graph.at(Stage::ASoft);
    const bool isComputed = graph.at(Stage::A).source == StageSource::Computed;
    graph.refresh(Stage::A, head, strip, isComputed ? soft.changeOf(head, strip) : 0, counts,
                  [&] { return soft.blocks.at(head, strip); });
}

template<typename Scalar>
void StoredAttention<Scalar>::headOut(Index head, Index strip, EvaluationCounts &counts)
{
    StageGraph<Scalar> &graph = m_graph;
    if (!graph.at(Stage::HeadOut).exists())
        return;
    const StageStore<Scalar> &A = graph.at(Stage::A);
    const bool isComputed = graph.at(Stage::HeadOut).source == StageSource::Computed;
    const Epoch inputs = isComputed ? std::max(A.changeOf(head, strip), m_valuesAt) : 0;
    graph.refresh(Stage::HeadOut, head, strip, inputs, counts, [&] {
        const StageBlocks<Scalar> &V = graph.at(Stage::V).blocks;
        const TileArea area = areaOf(head, strip);
        BlockReference fresh = graph.take(Stage::HeadOut);
        const BlockReference &left = A.blocks.at(head, strip);
        const Index kvHead = head / graph.tiles().headsPerKvHead;
        const bool hasValues = V.blocksPerHead > 0;
        graph.kernels().multiply(left.template as<const Scalar>(), left->stride(),
                                 hasValues ? V.data(kvHead, 0) : nullptr,
                                 hasValues ? V.at(kvHead, 0)->stride() : 0, fresh.template as<Scalar>(),
                                 fresh->stride(), area.rows, area.cols, V.shape.cols);
        return fresh;
    });
}

template<typename Scalar>
void StoredAttention<Scalar>::fullyMasked(Index block, EvaluationCounts &counts)
{
    const StageStore<Scalar> &store = m_graph.at(Stage::FullyMasked);
    const StageStore<Scalar> &masked = m_graph.at(Stage::Masked);
    const Index firstHead = block * store.blocks.blockRows;
    Epoch inputs = 0;
    for (Index row = 0; row < store.blocks.rowsIn(block); ++row)
        inputs = std::max(inputs, masked.changeOfHead(firstHead + row));
    m_graph.refresh(Stage::FullyMasked, 0, block, inputs, counts, [&] {
        BlockReference fresh = m_graph.take(Stage::FullyMasked);
        for (Index head = 0; head < store.blocks.rowsIn(block); ++head) {
            Scalar *flags = fresh.template as<Scalar>() + head * fresh->stride();
            for (Index row = 0; row < store.blocks.shape.cols; ++row) {
                const Scalar *line = masked.blocks.row(firstHead + head, row);
                const bool isHidden = std::all_of(line, line + masked.blocks.shape.cols, [](Scalar score) {
                    return score == -std::numeric_limits<Scalar>::infinity();
                });
                flags[row] = isHidden ? Scalar(1) : Scalar(0);
            }
        }
        return fresh;
    });
}

template class StoredAttention<double>;
template class StoredAttention<float>;

} // namespace attn
