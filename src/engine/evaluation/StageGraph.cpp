#include "engine/evaluation/StageGraph.h"

#include "engine/MappedNumbers.h"

#include <bit>
#include <cstring>
#include <type_traits>

namespace attn {

namespace {

/// Keys that share one time of change of the padding.
constexpr Index paddingPiece = 256;

bool sameNumberBits(double a, double b)
{
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

const Pins *pinsOrNone(const Experiment &experiment, Stage stage)
{
    const Pins &pins = experiment.pinsOf(stage);
    return pins.isEmpty() ? nullptr : &pins;
}

template<typename Scalar>
bool sameBlockBits(const BlockReference &a, const BlockReference &b, Index rows, Index cols)
{
    if (a == b)
        return true;
    const auto *left = a.template as<const Scalar>();
    const auto *right = b.template as<const Scalar>();
    if (left == right)
        return true;
    for (Index row = 0; row < rows; ++row)
        if (std::memcmp(left + row * a->stride(), right + row * b->stride(),
                        static_cast<std::size_t>(cols) * sizeof(Scalar)) != 0)
            return false;
    return true;
}

bool sameRowBits(const Tensor &a, const Tensor &b, const TileArea &area)
{
    std::vector<double> left(static_cast<std::size_t>(area.cols));
    std::vector<double> right(left.size());
    for (Index row = area.row; row < area.row + area.rows; ++row) {
        a.copyBlock(area.head, row, area.col, 1, area.cols, left.data(), area.cols);
        b.copyBlock(area.head, row, area.col, 1, area.cols, right.data(), area.cols);
        if (!std::equal(left.begin(), left.end(), right.begin(), sameNumberBits))
            return false;
    }
    return true;
}

/// Whether what planEvaluation() looks at is the same: shapes, heads, rotary, which cells are set by hand.
bool samePlan(const Experiment &a, const Experiment &b)
{
    const auto sameShapes = [](const auto &left, const auto &right) {
        return left.first == right.first && left.second.shape() == right.second.shape();
    };
    return a.tokens.size() == b.tokens.size() && a.tokensKv.has_value() == b.tokensKv.has_value() &&
           a.keyTokens().size() == b.keyTokens().size() && a.nHeads == b.nHeads && a.nKvHeads == b.nKvHeads &&
           a.statedDHeadK == b.statedDHeadK && a.statedDHeadV == b.statedDHeadV && a.rotary == b.rotary &&
           a.pins.empty() && b.pins.empty() &&
           std::equal(a.given.begin(), a.given.end(), b.given.begin(), b.given.end(), sameShapes);
}

} // namespace

template<typename Scalar>
StageGraph<Scalar>::StageGraph(const Kernels<Scalar> &kernels)
    : m_kernels(kernels)
{
}

template<typename Scalar>
void StageGraph<Scalar>::adopt(ExperimentPtr experiment)
{
    ++m_epoch;
    const Sizes sizesBefore = m_sizes;
    m_sizes = sizesOf(*experiment);
    if (m_experiment && samePlan(*m_experiment, *experiment)) {
        adoptNumbers(*experiment);
    } else {
        m_plan = planEvaluation(*experiment);
        for (const StageInfo &info : stageTable())
            adoptStage(info.stage, *experiment);
    }
    adoptSettings(*experiment, sizesBefore);
    m_experiment = std::move(experiment);
    connectTiles();
}

template<typename Scalar>
void StageGraph<Scalar>::adoptStage(Stage stage, const Experiment &next)
{
    StageStore<Scalar> &store = at(stage);
    const StagePlan &plan = m_plan.at(stage);
    StageSource source = StageSource::None;
    Tensor fixed;
    if (plan.usable) {
        const Pins &pins = next.pinsOf(stage);
        source = StageSource::Computed;
        if (!pins.whole().isNull() && pins.coversAll(plan.shape))
            fixed = pins.whole();
        else if (plan.status == StageStatus::Given)
            fixed = next.matrix(stage);
        if (!fixed.isNull())
            source = StageSource::Fixed;
    }
    const StageLayout layout = plan.usable ? layoutOf(stage, m_plan, m_sizes) : StageLayout{{0, 0, 0}};
    if (store.reshape(layout.shape, layout.blockRows, layout.heads, layout.isStored) ||
        source != store.source) {
        store.inputAtAll = m_epoch;
    } else if (source != StageSource::None) {
        if (source == StageSource::Fixed)
            markTensor(store, fixed);
        markPins(store, pinsOrNone(next, stage));
    }
    store.source = source;
    store.setFixed(std::move(fixed));
    store.pins = plan.usable ? pinsOrNone(next, stage) : nullptr;
}

/// The same without pins where all shapes are as before, as in most edits.
template<typename Scalar>
void StageGraph<Scalar>::adoptNumbers(const Experiment &next)
{
    for (const auto &[stage, tensor] : next.given) {
        StageStore<Scalar> &store = at(stage);
        if (store.source != StageSource::Fixed || tensor.isNull())
            continue;
        markTensor(store, tensor);
        store.setFixed(tensor);
    }
}

template<typename Scalar>
void StageGraph<Scalar>::markTensor(StageStore<Scalar> &store, const Tensor &next)
{
    if (store.fixed.sameBlocks(next))
        return;
    for (Index head = 0; head < store.blocks.shape.heads; ++head)
        for (Index block = 0; block < store.blocks.blocksPerHead; ++block) {
            const TileArea area = store.areaOf(head, block);
            if (store.fixed.sameBlocks(next, area.head, area.row, area.rows))
                continue;
            // A stored block is compared when it has been read again.
            if (store.isStored || !sameRowBits(store.fixed, next, area))
                store.inputAt[store.blocks.indexOf(head, block)] = m_epoch;
        }
}

template<typename Scalar>
void StageGraph<Scalar>::markPins(StageStore<Scalar> &store, const Pins *next)
{
    static const Pins none;
    const Pins &before = store.pins ? *store.pins : none;
    const Pins &after = next ? *next : none;
    if (&before == &after)
        return;
    if (!before.whole().sameBlocks(after.whole()) || before.holes() != after.holes()) {
        store.inputAtAll = m_epoch;
        return;
    }
    const auto mark = [&](const CellIndex &cell) {
        if (!store.inputAt.empty())
            store.inputAt[store.blockOf(cell)] = m_epoch;
    };
    auto left = before.cells().begin();
    auto right = after.cells().begin();
    while (left != before.cells().end() || right != after.cells().end()) {
        if (right == after.cells().end() || (left != before.cells().end() && left->first < right->first)) {
            mark((left++)->first);
        } else if (left == before.cells().end() || right->first < left->first) {
            mark((right++)->first);
        } else {
            if (!sameNumberBits(left->second, right->second))
                mark(left->first);
            ++left;
            ++right;
        }
    }
}

template<typename Scalar>
void StageGraph<Scalar>::adoptSettings(const Experiment &next, const Sizes &sizesBefore)
{
    if (!m_experiment) {
        m_scaleAt = m_queryAnglesAt = m_keyAnglesAt = m_maskAt = m_biasAt = m_epoch;
        m_paddingAt.assign(static_cast<std::size_t>(m_sizes.nK / paddingPiece + 1), m_epoch);
        return;
    }
    const Experiment &before = *m_experiment;
    const bool offsetChanged = before.qOffset != next.qOffset;
    if (!sameNumberBits(sizesBefore.scale, m_sizes.scale))
        m_scaleAt = m_epoch;
    if (before.rotary != next.rotary)
        m_queryAnglesAt = m_keyAnglesAt = m_epoch;
    if (offsetChanged)
        m_queryAnglesAt = m_epoch;
    if (before.causal != next.causal || before.window != next.window ||
        (offsetChanged && (next.causal || next.window)))
        m_maskAt = m_epoch;
    if (offsetChanged && next.isGiven(Stage::MaskAlibi))
        m_biasAt = m_epoch;
    adoptPadding(before.matrix(Stage::MaskPadding), next.matrix(Stage::MaskPadding));
}

template<typename Scalar>
void StageGraph<Scalar>::adoptPadding(const Tensor &before, const Tensor &after)
{
    const auto pieces = static_cast<std::size_t>(m_sizes.nK / paddingPiece + 1);
    if (m_paddingAt.size() != pieces || !(before.shape() == after.shape())) {
        m_paddingAt.assign(pieces, m_epoch);
        return;
    }
    if (before.sameBlocks(after))
        return;
    for (Index col = 0; col < after.cols() && col / paddingPiece < static_cast<Index>(pieces); ++col)
        if (!sameNumberBits(before.at(0, col), after.at(0, col)))
            m_paddingAt[static_cast<std::size_t>(col / paddingPiece)] = m_epoch;
}

template<typename Scalar>
void StageGraph<Scalar>::connectTiles()
{
    m_tiles.experiment = m_experiment;
    m_tiles.kernels = &m_kernels;
    m_tiles.mask = maskPartsOf(*m_experiment);
    m_tiles.hidesNothing = m_tiles.mask.hidesNothing();
    m_tiles.hasBias = m_plan.at(Stage::Bias).usable;
    m_tiles.scale = static_cast<Scalar>(m_sizes.scale);
    m_tiles.nKeys = m_sizes.nK;
    m_tiles.headsPerKvHead =
        m_sizes.nKvHeads >= 1 ? std::max<Index>(1, m_sizes.nHeads / m_sizes.nKvHeads) : 1;
    m_tiles.Q = &at(queries()).blocks;
    m_tiles.K = &at(keys()).blocks;
    m_tiles.fixedScores = at(Stage::Scores).fixed;
    m_tiles.fixedScaled = at(Stage::Scaled).fixed;
    m_tiles.fixedMasked = at(Stage::Masked).fixed;
    m_tiles.fixedA = at(Stage::A).fixed;
    m_tiles.pinsOfScores = at(Stage::Scores).pins;
    m_tiles.pinsOfScaled = at(Stage::Scaled).pins;
    m_tiles.pinsOfMasked = at(Stage::Masked).pins;
    m_tiles.pinsOfA = at(Stage::A).pins;
}

template<typename Scalar>
Stage StageGraph<Scalar>::queries() const
{
    return m_plan.at(Stage::Qr).status == StageStatus::Absent ? Stage::Q : Stage::Qr;
}

template<typename Scalar>
Stage StageGraph<Scalar>::keys() const
{
    return m_plan.at(Stage::Kr).status == StageStatus::Absent ? Stage::K : Stage::Kr;
}

template<typename Scalar>
Epoch StageGraph<Scalar>::maskAt(Index head, Index strip) const
{
    Epoch newest = m_maskAt;
    for (const Stage stage : {Stage::MaskBool, Stage::MaskAdd}) {
        const StageStore<Scalar> &store = at(stage);
        newest =
            std::max(newest, store.exists() ? store.inputOf(store.blocks.shape.heads == 1 ? 0 : head, strip)
                                            : store.inputAtAll);
    }
    return newest;
}

template<typename Scalar>
Epoch StageGraph<Scalar>::biasAt(Index head, Index strip) const
{
    const StageStore<Scalar> &alibi = at(Stage::MaskAlibi);
    const Epoch slopesAt = alibi.exists() ? alibi.inputOf(0, 0) : alibi.inputAtAll;
    return std::max({m_biasAt, slopesAt, maskAt(head, strip)});
}

template<typename Scalar>
Epoch StageGraph<Scalar>::paddingAt(Index first, Index count) const
{
    Epoch newest = 0;
    for (Index piece = first / paddingPiece; piece <= (first + count - 1) / paddingPiece; ++piece)
        newest = std::max(newest, m_paddingAt[static_cast<std::size_t>(piece)]);
    return newest;
}

template<typename Scalar>
Epoch StageGraph<Scalar>::newestMaskChange() const
{
    Epoch newest = std::max({m_maskAt, m_biasAt, at(Stage::Bias).inputAtAll});
    for (const Stage stage : {Stage::MaskBool, Stage::MaskAdd, Stage::MaskAlibi})
        newest = std::max(newest, at(stage).newestInput());
    for (const Epoch padding : m_paddingAt)
        newest = std::max(newest, padding);
    return newest;
}

template<typename Scalar>
void StageGraph<Scalar>::setOnlyMarking(bool on)
{
    m_isOnlyMarking = on;
    for (StageStore<Scalar> &store : m_stages)
        store.onlyExactAt = on ? m_epoch : 0;
}

template<typename Scalar>
bool StageGraph<Scalar>::isStale(Stage stage, Index head, Index block, Epoch inputs) const
{
    const StageStore<Scalar> &store = at(stage);
    const Epoch computed = store.computedAt[store.blocks.indexOf(head, block)];
    return computed == 0 || computed < std::max(inputs, store.inputOf(head, block));
}

/// The place in a mapped file where the numbers of a block lie as kernels read them; null where they do not.
template<typename Scalar>
BlockReference StageGraph<Scalar>::mappedBlock(const StageStore<Scalar> &store, const TileArea &area)
{
    constexpr Tensor::Storage storage =
        std::is_same_v<Scalar, double> ? Tensor::Storage::Float64 : Tensor::Storage::Float32;
    const MappedNumbers *numbers = store.fixed.mapping();
    if (!numbers || store.fixed.storage() != storage || area.rows < 1 ||
        area.col % numbers->pieceCols + area.cols > numbers->pieceCols ||
        !store.fixed.sameBlocks(store.inFile, area.head, area.row, area.rows))
        return {};
    const Index at = area.head * numbers->headStride + area.row * numbers->rowStride +
                     area.col / numbers->pieceCols * numbers->pieceStride + area.col % numbers->pieceCols;
    const std::byte *first = numbers->first + at * Index(sizeof(Scalar));
    if (std::bit_cast<std::uintptr_t>(first) % alignof(Scalar) != 0)
        return {};
    return m_pool.view(first, numbers->rowStride, numbers->mapping);
}

template<typename Scalar>
BlockReference StageGraph<Scalar>::fixedBlock(Stage stage, Index head, Index block)
{
    const StageStore<Scalar> &store = at(stage);
    const TileArea area = store.areaOf(head, block);
    if (BlockReference mapped = mappedBlock(store, area))
        return mapped;
    BlockReference fresh = take(stage);
    store.fixed.copyBlock(area.head, area.row, area.col, area.rows, area.cols, fresh.template as<Scalar>(),
                          fresh->stride());
    return fresh;
}

/// Puts pins over a block and lets it replace the old one, unless it is the same.
template<typename Scalar>
void StageGraph<Scalar>::setBlock(Stage stage, Index head, Index block, BlockReference fresh)
{
    StageStore<Scalar> &store = at(stage);
    const std::size_t index = store.blocks.indexOf(head, block);
    const TileArea area = store.areaOf(head, block);
    if (pinsTouch(store.pins, area)) {
        if (!fresh.isUnique()) {
            const BlockReference common = std::move(fresh);
            fresh = take(stage);
            for (Index row = 0; row < area.rows; ++row)
                std::copy_n(common.template as<const Scalar>() + row * common->stride(), area.cols,
                            fresh.template as<Scalar>() + row * fresh->stride());
        }
        overlayPins(store.pins, area, fresh.template as<Scalar>(), fresh->stride());
    }
    BlockReference &current = store.blocks.blocks[index];
    if (!current || !sameBlockBits<Scalar>(current, fresh, area.rows, area.cols)) {
        current = std::move(fresh);
        store.changedAt[index] = m_epoch;
    }
    store.computedAt[index] = m_epoch;
}

template class StageGraph<double>;
template class StageGraph<float>;

} // namespace attn
