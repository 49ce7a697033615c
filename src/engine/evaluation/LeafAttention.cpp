// Above 500 lines: leaves, their groups and the rows they make up become stale and fresh together.
#include "engine/evaluation/LeafAttention.h"

#include <cmath>
#include <cstring>
#include <limits>

namespace attn {

namespace {

/// Partial outputs of at most so many bytes are kept; of the head in focus in any case.
constexpr double mostBytesOfPartials = double(1 << 30);

/// Known of every block once it was looked at.
template<typename Scalar>
bool allFinite(const StageBlocks<Scalar> &blocks, Index head, Index block)
{
    if (!blocks.at(head, block))
        return false;
    const ValueStatistics statistics = blocks.statistics(head, block);
    return statistics.finiteCount == blocks.rowsIn(block) * blocks.shape.cols;
}

} // namespace

template<typename Scalar>
LeafAttention<Scalar>::LeafAttention(StageGraph<Scalar> &graph)
    : m_graph(graph)
{
}

template<typename Scalar>
void LeafAttention<Scalar>::adopt(Index focusHead)
{
    const Sizes &sizes = m_graph.sizes();
    const bool isUsed =
        sizes.nK > mostStoredKeys && (m_graph.at(Stage::Masked).exists() || m_graph.at(Stage::A).exists());
    const Shape shape = isUsed ? Shape{sizes.nHeads, sizes.nQ, sizes.nK} : Shape{0, 0, 0};
    const StageStore<Scalar> &V = m_graph.at(Stage::V);
    const Index valueCols = V.exists() ? V.blocks.shape.cols : 0;
    if (!(shape == m_shape) || valueCols != m_valueCols) {
        m_shape = shape;
        m_valueCols = valueCols;
        m_valueStride = strideFor(valueCols);
        m_stripRows = stripRowsOf(shape.rows);
        m_strips = (shape.rows + m_stripRows - 1) / m_stripRows;
        m_leafKeys = leafKeysOf(shape.cols);
        m_leafCount = shape.cols == 0 ? 0 : (shape.cols + m_leafKeys - 1) / m_leafKeys;
        m_groupLeaves = leavesOfGroup(m_leafCount);
        m_groupCount = (m_leafCount + m_groupLeaves - 1) / m_groupLeaves;
        const auto strips = static_cast<std::size_t>(shape.heads * m_strips);
        const std::size_t leafCount = strips * static_cast<std::size_t>(m_leafCount);
        m_statisticsAt.assign(leafCount, 0);
        m_partialAt.assign(leafCount, 0);
        const std::size_t groupCount = hasGroups() ? strips * static_cast<std::size_t>(m_groupCount) : 0;
        m_groupStatisticsAt.assign(groupCount, 0);
        m_groupPartialAt.assign(groupCount, 0);
        m_statistics.assign(strips, {});
        m_partials.assign(strips, {});
    }
    m_rows.reshape({shape.heads, shape.rows, 3}, m_stripRows, HeadsShown::Apart, true);
    m_rows.source = m_graph.at(Stage::Masked).exists() ? StageSource::Computed : StageSource::None;
    m_focusHead = focusHead;
    const double perHead =
        static_cast<double>(m_strips * slotsOfStrip() * m_stripRows * m_valueStride) * sizeof(Scalar);
    m_keptHeads = perHead > 0 ? static_cast<Index>(std::min(1e6, mostBytesOfPartials / perHead)) : 0;
    for (Index head = 0; head < shape.heads; ++head) {
        if (keepsPartials(head))
            continue;
        const Index first = head * m_strips;
        std::fill_n(m_partials.begin() + first, m_strips, BlockReference());
        std::fill_n(m_partialAt.begin() + first * m_leafCount, m_strips * m_leafCount, 0);
        if (hasGroups())
            std::fill_n(m_groupPartialAt.begin() + first * m_groupCount, m_strips * m_groupCount, 0);
    }
}

template<typename Scalar>
void LeafAttention<Scalar>::makeRoom(StripWorker<Scalar> &worker) const
{
    const auto grow = [](auto &memory, Index count) {
        if (memory.size() < static_cast<std::size_t>(count))
            memory.resize(static_cast<std::size_t>(count));
    };
    if (m_leafCount == 0)
        return;
    grow(worker.tile, m_stripRows * m_leafKeys);
    grow(worker.partialList, std::max(m_groupLeaves, m_groupCount));
    grow(worker.groupRows, m_stripRows);
    const StageStore<Scalar> &V = m_graph.at(Stage::V);
    const StageStore<Scalar> &K = m_graph.at(m_graph.keys());
    if (m_graph.at(Stage::Scores).source == StageSource::Computed)
        worker.packed.keys.makeRoom(m_graph.pool(), K.blocks.blocksPerHead, K.blocks.shape.cols,
                                    K.blocks.blockRows);
    if (V.exists())
        worker.packed.values.makeRoom(m_graph.pool(), V.blocks.blocksPerHead, V.blocks.blockRows,
                                      V.blocks.shape.cols);
    const bool keepsAll = m_shape.cols <= mostKeysWithPartials && m_keptHeads >= m_shape.heads;
    if (!keepsAll)
        grow(worker.partials, (m_groupLeaves + m_groupCount) * m_stripRows * m_valueStride);
}

template<typename Scalar>
void LeafAttention<Scalar>::prepare(Index head)
{
    const auto count = static_cast<std::size_t>(m_leafCount);
    m_keysAt.assign(count, 0);
    m_valuesAt.assign(count, 0);
    m_isFinite.assign(count, true);
    const Index kvHead = head / m_graph.tiles().headsPerKvHead;
    const StageStore<Scalar> &K = m_graph.at(m_graph.keys());
    const StageStore<Scalar> &V = m_graph.at(Stage::V);
    const bool usesKeys = m_graph.at(Stage::Scores).source == StageSource::Computed;
    const bool canSkip = m_graph.tiles().mask.causal || m_graph.tiles().mask.window;
    for (Index leaf = 0; leaf < m_leafCount; ++leaf) {
        const auto index = static_cast<std::size_t>(leaf);
        const Index first = leaf * m_leafKeys;
        const Index keys = std::min(m_leafKeys, m_shape.cols - first);
        m_keysAt[index] = m_graph.paddingAt(first, keys);
        for (Index key = first; key < first + keys; key += kernelDepthPanel) {
            const Index block = key / kernelDepthPanel;
            if (usesKeys)
                m_keysAt[index] = std::max(m_keysAt[index], K.changeOf(kvHead, block));
            if (kvHead < V.blocks.shape.heads) {
                m_valuesAt[index] = std::max(m_valuesAt[index], V.changeOf(kvHead, block));
                if (canSkip)
                    m_isFinite[index] = m_isFinite[index] && allFinite(V.blocks, kvHead, block);
            }
        }
    }
}

template<typename Scalar>
bool LeafAttention<Scalar>::areStatisticsFirst(Index head, Index firstStrip, Index endStrip) const
{
    if (!hasScores() || keepsPartials(head))
        return false;
    Index stale = 0;
    for (Index strip = firstStrip; strip < endStrip; ++strip) {
        const Epoch rowsAt = scoresAt(head, strip);
        for (Index number = 0; number < m_leafCount; ++number)
            stale += isLeafStale(leafOf(head, strip, number), rowsAt) ? 1 : 0;
    }
    return stale > 0 && 4 * stale <= (endStrip - firstStrip) * m_leafCount;
}

template<typename Scalar>
void LeafAttention<Scalar>::strip(Index head, Index strip, StripWorker<Scalar> &worker)
{
    const StageStore<Scalar> &output = m_graph.at(Stage::HeadOut);
    if (!hasScores() || output.source != StageSource::Computed || usesFinalWeights(head, strip)) {
        statistics(head, strip, worker);
    } else if (keepsPartials(head)) {
        leaves(head, strip, !m_graph.isOnlyMarking(), worker);
    } else {
        Epoch inputs = scoresAt(head, strip);
        for (std::size_t leaf = 0; leaf < m_keysAt.size(); ++leaf)
            inputs = std::max({inputs, m_keysAt[leaf], m_valuesAt[leaf]});
        // Otherwise they come with the output.
        if (!m_graph.isStale(Stage::HeadOut, head, strip, inputs) || m_graph.isOnlyMarking())
            statistics(head, strip, worker);
    }
    headOut(head, strip, worker);
}

template<typename Scalar>
void LeafAttention<Scalar>::statistics(Index head, Index strip, StripWorker<Scalar> &worker)
{
    if (hasScores())
        leaves(head, strip, false, worker);
}

template<typename Scalar>
bool LeafAttention<Scalar>::areLeavesFresh(Index head, Index strip) const
{
    const Epoch rowsAt = scoresAt(head, strip);
    for (Index number = 0; number < m_leafCount; ++number)
        if (isLeafStale(leafOf(head, strip, number), rowsAt))
            return false;
    return true;
}

/// Brings the leaves and the row statistics of a strip up to date.
template<typename Scalar>
void LeafAttention<Scalar>::leaves(Index head, Index strip, bool wantsPartials, StripWorker<Scalar> &worker)
{
    if (m_graph.isOnlyMarking() && !areLeavesFresh(head, strip))
        return;
    const Epoch rowsAt = scoresAt(head, strip);
    const std::size_t index = m_rows.blocks.indexOf(head, strip);
    makeStatistics(index);
    if (wantsPartials && !m_partials[index])
        m_partials[index] = m_graph.pool().take(
            static_cast<std::size_t>(slotsOfStrip() * m_stripRows * m_valueStride) * sizeof(Scalar),
            m_valueStride);
    for (Index number = 0; number < m_leafCount; ++number) {
        const Leaf leaf = leafOf(head, strip, number);
        const bool isStale = isLeafStale(leaf, rowsAt);
        const bool needsPartial = wantsPartials && isPartialStale(leaf, rowsAt);
        if (!isStale && !needsPartial)
            continue;
        weightsOf(leaf, slotStatistics(index, number), worker);
        m_statisticsAt[leaf.index] = isStale ? m_graph.epoch() : m_statisticsAt[leaf.index];
        worker.counts.leaves += isStale ? 1 : 0;
        if (!needsPartial)
            continue;
        partialOf(leaf, worker, keptPartial(index, number));
        m_partialAt[leaf.index] = m_graph.epoch();
        ++worker.counts.partials;
    }
    refreshRows(head, strip);
}

/// The weights of one leaf before they are normalised, and their statistics.
template<typename Scalar>
void LeafAttention<Scalar>::weightsOf(const Leaf &leaf, RowStatistics<Scalar> *statistics,
                                      StripWorker<Scalar> &worker) const
{
    const TileArea &area = leaf.area;
    Scalar *tile = worker.tile.data();
    if (m_graph.tiles().isHidden(area)) {
        constexpr Scalar infinite = std::numeric_limits<Scalar>::infinity();
        std::fill_n(statistics, area.rows, RowStatistics<Scalar>{-infinite, infinite, Scalar(0)});
        if (!m_isFinite[static_cast<std::size_t>(leaf.number)])
            std::fill_n(tile, area.rows * m_leafKeys, Scalar(0));
        return;
    }
    m_graph.tiles().masked(area, tile, m_leafKeys, &worker.packed.keys);
    m_graph.kernels().leafWeights(tile, m_leafKeys, area.rows, area.cols, statistics);
}

template<typename Scalar>
void LeafAttention<Scalar>::partialOf(const Leaf &leaf, StripWorker<Scalar> &worker, Scalar *partial) const
{
    const TileArea &area = leaf.area;
    if (m_isFinite[static_cast<std::size_t>(leaf.number)] && m_graph.tiles().isHidden(area)) {
        std::fill_n(partial, area.rows * m_valueStride, Scalar(0));
        return;
    }
    const Index blockRows = m_graph.at(Stage::V).blocks.blockRows;
    for (Index key = 0; key < area.cols; key += blockRows)
        addValues(area.head, (area.col + key) / blockRows, area.rows, worker.tile.data() + key, key > 0,
                  worker, partial, m_valueStride);
}

/// out = or += weights of one block of keys times their values. weights: [rows, keys of the block]
template<typename Scalar>
void LeafAttention<Scalar>::addValues(Index head, Index block, Index rows, const Scalar *weights,
                                      bool accumulates, StripWorker<Scalar> &worker, Scalar *out,
                                      Index stride) const
{
    const Kernels<Scalar> &kernels = m_graph.kernels();
    const StageBlocks<Scalar> &V = m_graph.at(Stage::V).blocks;
    const BlockReference &values = V.at(head / m_graph.tiles().headsPerKvHead, block);
    const Index keys = V.rowsIn(block);
    const Scalar *packed = worker.packed.values.of(block, values, [&](Scalar *panels) {
        kernels.packPanels(values.template as<const Scalar>(), values->stride(), keys, V.shape.cols, panels);
    });
    kernels.multiplyPacked(weights, m_leafKeys, packed, out, stride, rows, keys, V.shape.cols, accumulates,
                           Scalar(1));
}

template<typename Scalar>
void LeafAttention<Scalar>::makeStatistics(std::size_t strip)
{
    if (!m_statistics[strip])
        m_statistics[strip] = m_graph.pool().take(
            static_cast<std::size_t>(slotsOfStrip() * m_stripRows) * sizeof(RowStatistics<Scalar>), 3);
}

/// Statistics of a group of leaves from theirs.
template<typename Scalar>
void LeafAttention<Scalar>::refreshGroup(std::size_t strip, Index group, Index rows)
{
    const Index index = static_cast<Index>(strip);
    const auto first = m_statisticsAt.begin() + index * m_leafCount + group * m_groupLeaves;
    const Epoch newest = *std::max_element(first, first + leavesIn(group));
    Epoch &computedAt = m_groupStatisticsAt[static_cast<std::size_t>(index * m_groupCount + group)];
    if (computedAt >= newest)
        return;
    m_graph.kernels().combineStatistics(slotStatistics(strip, group * m_groupLeaves), m_stripRows,
                                        leavesIn(group), rows, slotStatistics(strip, m_leafCount + group));
    computedAt = m_graph.epoch();
}

/// Statistics of whole rows from those of their leaves.
template<typename Scalar>
void LeafAttention<Scalar>::refreshRows(Index head, Index strip)
{
    const std::size_t index = m_rows.blocks.indexOf(head, strip);
    const auto first = m_statisticsAt.begin() + static_cast<Index>(index) * m_leafCount;
    const Epoch newest = *std::max_element(first, first + m_leafCount);
    m_rows.exactAt[index] = m_graph.epoch();
    if (m_rows.computedAt[index] >= newest)
        return;
    const Index rows = m_rows.blocks.rowsIn(strip);
    if (hasGroups())
        for (Index group = 0; group < m_groupCount; ++group)
            refreshGroup(index, group, rows);
    const auto bytes = static_cast<std::size_t>(rows) * sizeof(RowStatistics<Scalar>);
    BlockReference fresh =
        m_graph.pool().take(static_cast<std::size_t>(m_stripRows) * sizeof(RowStatistics<Scalar>), 3);
    m_graph.kernels().combineStatistics(slotStatistics(index, firstCombinedSlot()), m_stripRows,
                                        combinedCount(), rows, fresh.template as<RowStatistics<Scalar>>());
    BlockReference &current = m_rows.blocks.blocks[index];
    if (!current || std::memcmp(current.template as<void>(), fresh.template as<void>(), bytes) != 0) {
        current = std::move(fresh);
        m_rows.changedAt[index] = m_graph.epoch();
    }
    m_rows.computedAt[index] = m_graph.epoch();
}

template<typename Scalar>
void LeafAttention<Scalar>::headOut(Index head, Index strip, StripWorker<Scalar> &worker)
{
    const StageStore<Scalar> &store = m_graph.at(Stage::HeadOut);
    if (!store.exists())
        return;
    Epoch inputs = 0;
    const bool isFinal = usesFinalWeights(head, strip);
    if (store.source == StageSource::Computed) {
        const bool usesScores = m_graph.at(Stage::A).source == StageSource::Computed;
        inputs = std::max(m_graph.at(Stage::A).inputOf(head, strip), usesScores ? scoresAt(head, strip) : 0);
        for (std::size_t leaf = 0; leaf < m_keysAt.size(); ++leaf)
            inputs = std::max({inputs, usesScores ? m_keysAt[leaf] : 0, m_valuesAt[leaf]});
    }
    m_graph.refresh(Stage::HeadOut, head, strip, inputs, worker.counts, [&] {
        return isFinal ? outputOfFinalWeights(head, strip, worker) : combinedOutput(head, strip, worker);
    });
}

template<typename Scalar>
BlockReference LeafAttention<Scalar>::combinedOutput(Index head, Index strip, StripWorker<Scalar> &worker)
{
    const std::size_t index = m_rows.blocks.indexOf(head, strip);
    const bool isKept = keepsPartials(head);
    if (!isKept)
        partialsOfLeaves(head, strip, worker);
    else if (hasGroups())
        for (Index group = 0; group < m_groupCount; ++group)
            refreshPartialOfGroup(index, group, worker);
    for (Index number = 0; number < combinedCount(); ++number)
        worker.partialList[static_cast<std::size_t>(number)] =
            isKept ? keptPartial(index, firstCombinedSlot() + number)
                   : worker.partials.data() +
                         ((hasGroups() ? m_groupLeaves : 0) + number) * m_stripRows * m_valueStride;
    BlockReference fresh = m_graph.take(Stage::HeadOut);
    m_graph.kernels().combinePartials(
        worker.partialList.data(), m_valueStride, slotStatistics(index, firstCombinedSlot()), m_stripRows,
        m_rows.blocks.blocks[index].template as<const RowStatistics<Scalar>>(), combinedCount(),
        fresh.template as<Scalar>(), fresh->stride(), m_rows.blocks.rowsIn(strip), m_valueCols);
    return fresh;
}

/// All partial outputs of a strip into the worker's own memory: behind those of one group's leaves those of
/// the groups.
template<typename Scalar>
void LeafAttention<Scalar>::partialsOfLeaves(Index head, Index strip, StripWorker<Scalar> &worker)
{
    const std::size_t index = m_rows.blocks.indexOf(head, strip);
    const Index partialSize = m_stripRows * m_valueStride;
    const Index rows = m_rows.blocks.rowsIn(strip);
    const Epoch rowsAt = scoresAt(head, strip);
    makeStatistics(index);
    for (Index group = 0; group < m_groupCount; ++group) {
        for (Index i = 0; i < leavesIn(group); ++i) {
            const Leaf leaf = leafOf(head, strip, group * m_groupLeaves + i);
            Scalar *partial = worker.partials.data() + i * partialSize;
            worker.partialList[static_cast<std::size_t>(i)] = partial;
            weightsOf(leaf, slotStatistics(index, leaf.number), worker);
            partialOf(leaf, worker, partial);
            if (isLeafStale(leaf, rowsAt)) {
                m_statisticsAt[leaf.index] = m_graph.epoch();
                ++worker.counts.leaves;
            }
            ++worker.counts.partials;
        }
        if (!hasGroups())
            continue;
        refreshGroup(index, group, rows);
        combineGroup(index, group, rows, worker,
                     worker.partials.data() + (m_groupLeaves + group) * partialSize);
    }
    refreshRows(head, strip);
}

/// The kept partial output of a group from those of its leaves, which are up to date.
template<typename Scalar>
void LeafAttention<Scalar>::refreshPartialOfGroup(std::size_t strip, Index group, StripWorker<Scalar> &worker)
{
    const Index index = static_cast<Index>(strip);
    const auto first = m_partialAt.begin() + index * m_leafCount + group * m_groupLeaves;
    const Epoch newest = *std::max_element(first, first + leavesIn(group));
    Epoch &computedAt = m_groupPartialAt[static_cast<std::size_t>(index * m_groupCount + group)];
    if (computedAt >= newest)
        return;
    for (Index i = 0; i < leavesIn(group); ++i)
        worker.partialList[static_cast<std::size_t>(i)] = keptPartial(strip, group * m_groupLeaves + i);
    combineGroup(strip, group, m_rows.blocks.rowsIn(index % m_strips), worker,
                 keptPartial(strip, m_leafCount + group));
    computedAt = m_graph.epoch();
}

/// Sums the partial outputs in the worker's list as parts of their group, not yet as parts of whole rows.
template<typename Scalar>
void LeafAttention<Scalar>::combineGroup(std::size_t strip, Index group, Index rows,
                                         StripWorker<Scalar> &worker, Scalar *out)
{
    const RowStatistics<Scalar> *statistics = slotStatistics(strip, m_leafCount + group);
    for (Index row = 0; row < rows; ++row)
        worker.groupRows[static_cast<std::size_t>(row)] = {statistics[row].greatest, statistics[row].smallest,
                                                           Scalar(1)};
    m_graph.kernels().combinePartials(
        worker.partialList.data(), m_valueStride, slotStatistics(strip, group * m_groupLeaves), m_stripRows,
        worker.groupRows.data(), leavesIn(group), out, m_valueStride, rows, m_valueCols);
}

/// A V with A as it stands in the document, or with cells of it set by hand.
template<typename Scalar>
BlockReference LeafAttention<Scalar>::outputOfFinalWeights(Index head, Index strip,
                                                           StripWorker<Scalar> &worker)
{
    const ScoreTiles<Scalar> &tiles = m_graph.tiles();
    const StageBlocks<Scalar> &V = m_graph.at(Stage::V).blocks;
    BlockReference fresh = m_graph.take(Stage::HeadOut);
    const TileArea whole = areaOf(head, strip);
    for (Index key = 0; key < m_shape.cols; key += V.blockRows) {
        const Index block = key / V.blockRows;
        const TileArea area{head, whole.row, whole.rows, key, V.rowsIn(block)};
        Scalar *tile = worker.tile.data();
        if (!tiles.fixedA.isNull()) {
            tiles.fixedA.copyBlock(head, area.row, key, area.rows, area.cols, tile, m_leafKeys);
        } else {
            tiles.masked(area, tile, m_leafKeys, &worker.packed.keys);
            m_graph.kernels().finalWeights(
                tile, m_leafKeys, area.rows, area.cols,
                m_rows.blocks.at(head, strip).template as<const RowStatistics<Scalar>>());
        }
        overlayPins(tiles.pinsOfA, area, tile, m_leafKeys);
        addValues(head, block, area.rows, tile, key > 0, worker, fresh.template as<Scalar>(),
                  fresh->stride());
    }
    return fresh;
}

template<typename Scalar>
void LeafAttention<Scalar>::fullyMasked(Index block, EvaluationCounts &counts)
{
    const StageStore<Scalar> &store = m_graph.at(Stage::FullyMasked);
    const Index firstHead = block * store.blocks.blockRows;
    Epoch inputs = 0;
    for (Index row = 0; row < store.blocks.rowsIn(block); ++row)
        inputs = std::max(inputs, m_rows.changeOfHead(firstHead + row));
    m_graph.refresh(Stage::FullyMasked, 0, block, inputs, counts, [&] {
        BlockReference fresh = m_graph.take(Stage::FullyMasked);
        for (Index head = 0; head < store.blocks.rowsIn(block); ++head) {
            Scalar *flags = fresh.template as<Scalar>() + head * fresh->stride();
            for (Index row = 0; row < m_shape.rows; ++row) {
                const auto *statistics = m_rows.blocks.at(firstHead + head, row / m_stripRows)
                                             .template as<const RowStatistics<Scalar>>();
                const bool isHidden =
                    statistics[row % m_stripRows].greatest == -std::numeric_limits<Scalar>::infinity();
                flags[row] = isHidden ? Scalar(1) : Scalar(0);
            }
        }
        return fresh;
    });
}

template<typename Scalar>
bool LeafAttention<Scalar>::keepsPartials(Index head) const
{
    if (m_shape.cols > mostKeysWithPartials)
        return false;
    const Index others = m_focusHead < m_keptHeads ? m_keptHeads : m_keptHeads - 1;
    return head == m_focusHead || head < others;
}

/// Whether A of a strip is not what the softmax makes of the scores.
template<typename Scalar>
bool LeafAttention<Scalar>::usesFinalWeights(Index head, Index strip) const
{
    const StageStore<Scalar> &A = m_graph.at(Stage::A);
    return A.source == StageSource::Fixed || pinsTouch(A.pins, areaOf(head, strip));
}

template<typename Scalar>
TileArea LeafAttention<Scalar>::areaOf(Index head, Index strip) const
{
    const Index first = strip * m_stripRows;
    return {head, first, std::min(m_stripRows, m_shape.rows - first), 0, m_shape.cols};
}

template<typename Scalar>
typename LeafAttention<Scalar>::Leaf LeafAttention<Scalar>::leafOf(Index head, Index strip,
                                                                   Index number) const
{
    Leaf leaf;
    leaf.number = number;
    leaf.index = m_rows.blocks.indexOf(head, strip) * static_cast<std::size_t>(m_leafCount) +
                 static_cast<std::size_t>(number);
    leaf.area = areaOf(head, strip);
    leaf.area.col = number * m_leafKeys;
    leaf.area.cols = std::min(m_leafKeys, m_shape.cols - leaf.area.col);
    return leaf;
}

template<typename Scalar>
Epoch LeafAttention<Scalar>::inputsOf(Stage stage, Index head, Index strip) const
{
    const StageStore<Scalar> &store = m_graph.at(stage);
    return store.exists() ? store.inputOf(head, strip) : store.inputAtAll;
}

/// When anything but keys and values last changed that the scores of a strip depend on.
template<typename Scalar>
Epoch LeafAttention<Scalar>::scoresAt(Index head, Index strip) const
{
    Epoch newest =
        std::max({m_graph.scaleAt(), m_graph.biasAt(head, strip), inputsOf(Stage::Scores, head, strip),
                  inputsOf(Stage::Scaled, head, strip), inputsOf(Stage::Masked, head, strip)});
    for (const Stage optional : {Stage::Qr, Stage::Kr, Stage::Bias})
        newest = std::max(newest, m_graph.at(optional).inputAtAll);
    if (m_graph.at(Stage::Scores).source == StageSource::Computed)
        newest = std::max(newest, m_graph.at(m_graph.queries()).changeOf(head, strip));
    return newest;
}

template<typename Scalar>
bool LeafAttention<Scalar>::isLeafStale(const Leaf &leaf, Epoch rowsAt) const
{
    const Epoch inputs = std::max(rowsAt, m_keysAt[static_cast<std::size_t>(leaf.number)]);
    return m_statisticsAt[leaf.index] == 0 || m_statisticsAt[leaf.index] < inputs;
}

template<typename Scalar>
bool LeafAttention<Scalar>::isPartialStale(const Leaf &leaf, Epoch rowsAt) const
{
    const auto number = static_cast<std::size_t>(leaf.number);
    const Epoch inputs = std::max({rowsAt, m_keysAt[number], m_valuesAt[number]});
    return m_partialAt[leaf.index] == 0 || m_partialAt[leaf.index] < inputs;
}

template<typename Scalar>
Index LeafAttention<Scalar>::leavesIn(Index group) const
{
    return std::min(m_groupLeaves, m_leafCount - group * m_groupLeaves);
}

template<typename Scalar>
RowStatistics<Scalar> *LeafAttention<Scalar>::slotStatistics(std::size_t strip, Index slot) const
{
    return m_statistics[strip].template as<RowStatistics<Scalar>>() + slot * m_stripRows;
}

template<typename Scalar>
Scalar *LeafAttention<Scalar>::keptPartial(std::size_t strip, Index slot) const
{
    return m_partials[strip].template as<Scalar>() + slot * m_stripRows * m_valueStride;
}

template class LeafAttention<double>;
template class LeafAttention<float>;

} // namespace attn
