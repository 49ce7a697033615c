#include "engine/evaluation/SnapshotMaker.h"

#include "engine/SnapshotBuilder.h"

#include <bit>

namespace attn {

namespace {

/// Two matrices of at most so many cells are compared when a stage was computed anew in another layout.
constexpr Index mostComparedCells = Index(1) << 16;

/// The document's own numbers with its pins over them, in their own storage unless a pin needs doubles.
Tensor pinnedOver(const Tensor &given, const Pins &pins)
{
    if (pins.isEmpty())
        return given;
    const std::vector<CellValue> cells = pins.all();
    const bool fits = std::all_of(cells.begin(), cells.end(), [&](const CellValue &cell) {
        const double rounded = given.rounded(cell.value);
        return rounded == cell.value || cell.value != cell.value;
    });
    const Tensor base = fits ? given : Tensor::fromDoubles(given.shape(), given.toDoubles());
    return base.withCells(cells);
}

Tensor shownNumbers(Stage stage, const Experiment &experiment, bool fits)
{
    return fits ? pinnedOver(experiment.matrix(stage), experiment.pinsOf(stage)) : experiment.matrix(stage);
}

/// Whether a stage that is given in both shows the same numbers in both.
bool sameGivenNumbers(Stage stage, const Experiment &a, const Experiment &b, bool fits)
{
    if (a.matrix(stage).sameBlocks(b.matrix(stage)) && a.pinsOf(stage).sameBits(b.pinsOf(stage)))
        return true;
    const Tensor shownInA = shownNumbers(stage, a, fits);
    const Tensor shownInB = shownNumbers(stage, b, fits);
    return shownInA.storage() == shownInB.storage() && shownInA.sameBits(shownInB);
}

bool sameNumbers(const StageValues &a, const StageValues &b)
{
    if (!(a.shape() == b.shape()) || a.isSinglePrecision() != b.isSinglePrecision() ||
        a.shape().size() > mostComparedCells)
        return false;
    const auto width = static_cast<std::size_t>(a.cols());
    std::vector<double> left(width);
    std::vector<double> right(width);
    for (Index head = 0; head < a.heads(); ++head)
        for (Index row = 0; row < a.rows(); ++row) {
            a.readBlock(head, row, 0, 1, a.cols(), left.data(), a.cols());
            b.readBlock(head, row, 0, 1, a.cols(), right.data(), a.cols());
            if (!std::equal(left.begin(), left.end(), right.begin(), [](double x, double y) {
                    return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
                }))
                return false;
        }
    return true;
}

/// Which computed stages are views of the blocks of another.
Stage holderOf(Stage stage)
{
    switch (stage) {
    case Stage::Qh:
        return Stage::Q;
    case Stage::Kh:
        return Stage::K;
    case Stage::Vh:
        return Stage::V;
    default:
        return stage;
    }
}

/// The stage that a computed one often equals: nothing is masked, nothing pinned, there is one head.
std::optional<Stage> twinOf(Stage stage)
{
    switch (stage) {
    case Stage::Qh:
    case Stage::Kh:
    case Stage::Vh:
        return holderOf(stage);
    case Stage::Scaled:
        return Stage::Scores;
    case Stage::Masked:
        return Stage::Scaled;
    case Stage::A:
        return Stage::ASoft;
    case Stage::Concat:
        return Stage::HeadOut;
    case Stage::Output:
        return Stage::Concat;
    default:
        return std::nullopt;
    }
}

} // namespace

void PublishedStages::forgetComputed()
{
    for (Entry &entry : stages)
        if (entry.state.status != StageStatus::Given)
            entry = {};
}

template<typename Scalar>
SnapshotMaker<Scalar>::SnapshotMaker(const Computation<Scalar> &computation, PublishedStages &published,
                                     Generation generation)
    : m_computation(computation)
    , m_graph(computation.graph())
    , m_published(published)
    , m_generation(generation)
{
}

template<typename Scalar>
SnapshotPtr SnapshotMaker<Scalar>::make(double elapsedMs)
{
    SnapshotBuilder builder(m_graph.experimentPtr(), m_generation, m_graph.sizes());
    // Softmax before A, which shows the same values when nothing is pinned.
    builder.setStage(Stage::ASoft, computed(Stage::ASoft));
    for (const StageInfo &info : stageTable())
        if (info.stage != Stage::ASoft)
            builder.setStage(info.stage, computed(info.stage));
    builder.setProblem(m_graph.plan().problem);
    builder.setElapsedMs(elapsedMs);
    builder.setComplete(m_isComplete);
    return builder.take();
}

/// All but the values.
template<typename Scalar>
StageState SnapshotMaker<Scalar>::blank(Stage stage) const
{
    StageState state;
    state.status = m_graph.plan().at(stage).status;
    state.reason = m_graph.plan().at(stage).reason;
    state.changedAt = m_generation;
    countPins(stage, state);
    return state;
}

template<typename Scalar>
void SnapshotMaker<Scalar>::countPins(Stage stage, StageState &state) const
{
    const StagePlan &plan = m_graph.plan().at(stage);
    state.pinnedCount = 0;
    state.isPinnedWhole = false;
    if (!plan.usable || m_graph.experiment().pins.empty())
        return;
    const Pins &pins = m_graph.experiment().pinsOf(stage);
    state.pinnedCount = pins.count();
    state.isPinnedWhole = !pins.isEmpty() && pins.coversAll(plan.shape);
}

/// Whether a stage is in the state in which it was published last, but for its values.
template<typename Scalar>
bool SnapshotMaker<Scalar>::isAsPublished(Stage stage) const
{
    const StageState &state = m_published.at(stage).state;
    const StagePlan &plan = m_graph.plan().at(stage);
    return state.status == plan.status && state.reason == plan.reason;
}

template<typename Scalar>
StageState SnapshotMaker<Scalar>::given(Stage stage)
{
    Entry &entry = m_published.at(stage);
    const bool isUsable = m_graph.plan().at(stage).usable;
    const bool isKept = isAsPublished(stage) && entry.state.hasValues() && entry.wasUsable == isUsable &&
                        sameGivenNumbers(stage, m_graph.experiment(), *entry.givenIn, isUsable);
    if (!isKept) {
        StageState state = blank(stage);
        state.values = valuesOf(shownNumbers(stage, m_graph.experiment(), isUsable), entry.state.values);
        entry.state = std::move(state);
    }
    countPins(stage, entry.state);
    entry.madeAt = 0;
    entry.givenIn = m_graph.experimentPtr();
    entry.wasUsable = isUsable;
    return entry.state;
}

template<typename Scalar>
StageState SnapshotMaker<Scalar>::computed(Stage stage)
{
    if (m_graph.plan().at(stage).status == StageStatus::Given)
        return given(stage);
    if (m_graph.plan().at(stage).status != StageStatus::Computed) {
        if (!isAsPublished(stage))
            m_published.at(stage) = {blank(stage), 0, nullptr, false};
        return m_published.at(stage).state;
    }
    const Stage holder = holderOf(stage);
    if (holder != stage)
        return stored(stage, holder, HeadsShown::Apart);
    if (stage == Stage::Output && m_computation.projections().isOutputOnRead())
        return largeOutput();
    const StageStore<Scalar> &store = m_graph.at(stage);
    if (store.isStored)
        return stored(stage, stage, store.heads);
    return stage == Stage::HeadContribution ? contributions() : onDemand(stage);
}

/// The values of a stage that is up to date: those it had, or new ones.
template<typename Scalar>
template<typename Make>
StageState SnapshotMaker<Scalar>::exact(Stage stage, Epoch changedAt, const Make &make)
{
    Entry &entry = m_published.at(stage);
    const bool isComparable = isAsPublished(stage) && entry.state.hasValues() &&
                              entry.state.values->shape() == m_graph.plan().at(stage).shape;
    if (!isComparable || entry.madeAt < changedAt) {
        StageValuesPtr values = make();
        const bool isSame = isComparable && m_graph.at(holderOf(stage)).inputAtAll > entry.madeAt &&
                            sameNumbers(*entry.state.values, *values);
        if (!isSame) {
            entry.state = blank(stage);
            entry.state.values = std::move(values);
        }
    }
    countPins(stage, entry.state);
    entry.madeAt = m_graph.epoch();
    entry.givenIn = nullptr;
    entry.wasUsable = true;
    return entry.state;
}

template<typename Scalar>
StageState SnapshotMaker<Scalar>::unfinished(StageValuesPtr values)
{
    m_isComplete = false;
    StageState state;
    state.values = std::move(values);
    return state;
}

template<typename Scalar>
StageState SnapshotMaker<Scalar>::stored(Stage stage, Stage holder, HeadsShown heads)
{
    const StageStore<Scalar> &store = m_graph.at(holder);
    if (!store.isExact(m_graph.epoch())) {
        StageState state = blank(stage);
        state.values = unfinished(valuesOf(store.blocks, heads, marks(store))).values;
        return state;
    }
    return exact(stage, store.newestChange(), [&] {
        StageValuesPtr alike = valuesAlike(stage, store);
        return alike ? alike : valuesOf(store.blocks, heads);
    });
}

/// The values of the stage before, where both hold the very same blocks in the same arrangement.
template<typename Scalar>
StageValuesPtr SnapshotMaker<Scalar>::valuesAlike(Stage stage, const StageStore<Scalar> &store) const
{
    const std::optional<Stage> twin = twinOf(stage);
    if (!twin)
        return nullptr;
    const Entry &entry = m_published.at(*twin);
    const StageStore<Scalar> &other = m_graph.at(holderOf(*twin));
    const bool hasOneLayout = store.blocks.shape.heads <= 1 ||
                              (stage == Stage::A || stage == Stage::Masked || stage == Stage::Scaled);
    const bool isAlike = hasOneLayout && entry.madeAt == m_graph.epoch() && entry.state.hasValues() &&
                         other.blocks.liesAs(store.blocks) && other.blocks.blocks == store.blocks.blocks;
    return isAlike ? entry.state.values : nullptr;
}

template<typename Scalar>
StageState SnapshotMaker<Scalar>::onDemand(Stage stage)
{
    const bool isWeight = stage == Stage::A || stage == Stage::ASoft;
    const bool isMask = stage == Stage::Allowed || stage == Stage::Bias;
    const bool isExact = isMask || (isWeight ? isWeightExact() : areScoresExact());
    // Scores are exact before the statistics of their rows are, from which their range is known: what is made
    // in between is not kept.
    const auto &rows = m_computation.rowStatistics();
    const bool isRangeKnown = isMask || !rows.exists() || rows.isExact(m_graph.epoch());
    const Epoch changedAt = scoresChangedAt(stage);
    const Entry &entry = m_published.at(stage);
    const bool isKept = isAsPublished(stage) && entry.state.hasValues() && entry.madeAt >= changedAt;
    if (!isExact || !(isRangeKnown || isKept)) {
        StageState state = blank(stage);
        state.values = unfinished(valuesOnDemand(stage, attention())).values;
        return state;
    }
    return exact(stage, changedAt, [&] {
        if (stage == Stage::A && m_graph.at(Stage::ASoft).exists() && !m_graph.at(Stage::A).pins &&
            m_graph.at(Stage::A).source == StageSource::Computed)
            return m_published.at(Stage::ASoft).state.values;
        return valuesOnDemand(stage, attention());
    });
}

template<typename Scalar>
StageState SnapshotMaker<Scalar>::contributions()
{
    const StageStore<Scalar> &concat = m_graph.at(Stage::Concat);
    const StageStore<Scalar> &Wo = m_graph.at(Stage::Wo);
    const Shape &shape = m_graph.at(Stage::HeadContribution).blocks.shape;
    const auto make = [&](std::vector<std::uint8_t> marked) {
        return contributionsOnDemand(m_graph.kernels(), concat.blocks,
                                     Wo.exists() ? Wo.blocks : StageBlocks<Scalar>(), shape,
                                     std::move(marked));
    };
    if (!concat.isExact(m_graph.epoch())) {
        StageState state = blank(Stage::HeadContribution);
        state.values = unfinished(make(marks(concat))).values;
        return state;
    }
    const Epoch weightsAt = std::max(Wo.inputAtAll, Wo.exists() ? Wo.newestChange() : 0);
    return exact(Stage::HeadContribution, std::max(concat.newestChange(), weightsAt),
                 [&] { return make({}); });
}

/// An output whose strips are computed with the edit, or by whoever reads them.
template<typename Scalar>
StageState SnapshotMaker<Scalar>::largeOutput()
{
    const ProjectionStages<Scalar> &projections = m_computation.projections();
    const StageStore<Scalar> &store = m_graph.at(Stage::Output);
    const StageStore<Scalar> &concat = m_graph.at(Stage::Concat);
    const auto isThere = [&](const StageStore<Scalar> &source) {
        return !source.exists() || source.isExact(m_graph.epoch());
    };
    const bool hasWeights = isThere(m_graph.at(Stage::Wo)) && isThere(m_graph.at(Stage::Bo));
    std::vector<OutputStrip> states(static_cast<std::size_t>(store.blocks.blocksPerHead));
    Epoch changedAt = 0;
    bool isExact = true;
    for (Index strip = 0; strip < store.blocks.blocksPerHead; ++strip) {
        const std::size_t index = store.blocks.indexOf(0, strip);
        bool canBeRead = hasWeights && projections.isOutputLeft(strip);
        for (Index head = 0; head < concat.blocks.shape.heads; ++head)
            canBeRead = canBeRead && concat.exactAt[concat.blocks.indexOf(head, strip)] == m_graph.epoch();
        const bool isComputed = store.exactAt[index] == m_graph.epoch();
        states[index] = isComputed  ? OutputStrip::Exact
                        : canBeRead ? OutputStrip::OnRead
                                    : OutputStrip::Updating;
        isExact = isExact && states[index] != OutputStrip::Updating;
        const Epoch inputsAt = std::max(projections.outputInputsAt(strip), store.inputOf(0, strip));
        // A strip that was left before has the same numbers when it is computed from the same at last.
        changedAt = std::max(changedAt, isComputed ? std::min(inputsAt, store.changedAt[index]) : inputsAt);
    }
    const auto make = [&] {
        return outputOnRead(m_graph.pool(), projections.outputSources(), store.blocks, states,
                            projections.outputReads(), m_published.at(Stage::Output).state.values);
    };
    if (!isExact) {
        StageState state = blank(Stage::Output);
        state.values = unfinished(make()).values;
        return state;
    }
    return exact(Stage::Output, changedAt, make);
}

/// When anything last changed that a stage computed on demand depends on.
template<typename Scalar>
Epoch SnapshotMaker<Scalar>::scoresChangedAt(Stage stage) const
{
    Epoch newest = 0;
    const auto take = [&](Epoch epoch) {
        newest = std::max(newest, epoch);
    };
    if (stage == Stage::Scores || stage == Stage::Scaled || stage == Stage::Masked || stage == Stage::ASoft ||
        stage == Stage::A) {
        take(m_graph.at(m_graph.queries()).newestChange());
        take(m_graph.at(m_graph.keys()).newestChange());
        take(m_graph.at(Stage::Qr).inputAtAll);
        take(m_graph.at(Stage::Kr).inputAtAll);
        take(m_graph.at(Stage::Scores).newestInput());
    }
    if (stage != Stage::Scores && stage != Stage::Allowed && stage != Stage::Bias) {
        take(m_graph.scaleAt());
        take(m_graph.at(Stage::Scaled).newestInput());
    }
    if (stage != Stage::Scores && stage != Stage::Scaled)
        take(m_graph.newestMaskChange());
    if (stage == Stage::Masked || stage == Stage::ASoft || stage == Stage::A)
        take(m_graph.at(Stage::Masked).newestInput());
    if (stage == Stage::A)
        take(m_graph.at(Stage::A).newestInput());
    return newest;
}

template<typename Scalar>
bool SnapshotMaker<Scalar>::areScoresExact() const
{
    for (const Stage stage : {m_graph.queries(), m_graph.keys()})
        if (m_graph.at(Stage::Scores).source == StageSource::Computed &&
            !m_graph.at(stage).isExact(m_graph.epoch()))
            return false;
    return true;
}

template<typename Scalar>
bool SnapshotMaker<Scalar>::isWeightExact() const
{
    return areScoresExact() && m_computation.rowStatistics().isExact(m_graph.epoch());
}

template<typename Scalar>
std::shared_ptr<const AttentionSnapshot<Scalar>> SnapshotMaker<Scalar>::attention()
{
    if (m_attention)
        return m_attention;
    auto attention = std::make_shared<AttentionSnapshot<Scalar>>();
    const Sizes &sizes = m_graph.sizes();
    attention->shape = {sizes.nHeads, sizes.nQ, sizes.nK};
    attention->tiles = m_graph.tiles();
    if (m_graph.at(Stage::Scores).source == StageSource::Computed) {
        attention->Q = m_graph.at(m_graph.queries()).blocks;
        attention->K = m_graph.at(m_graph.keys()).blocks;
        attention->inexactQ = marks(m_graph.at(m_graph.queries()));
        attention->inexactK = marks(m_graph.at(m_graph.keys()));
    }
    attention->tiles.Q = &attention->Q;
    attention->tiles.K = &attention->K;
    if (m_computation.rowStatistics().exists()) {
        attention->rows = m_computation.rowStatistics().blocks;
        attention->inexactRows = marks(m_computation.rowStatistics());
    }
    m_attention = std::move(attention);
    return m_attention;
}

/// Per block, not zero = not up to date; empty when all are.
template<typename Scalar>
std::vector<std::uint8_t> SnapshotMaker<Scalar>::marks(const StageStore<Scalar> &store) const
{
    std::vector<std::uint8_t> marked;
    if (store.isExact(m_graph.epoch()))
        return marked;
    marked.reserve(store.exactAt.size());
    for (const Epoch at : store.exactAt)
        marked.push_back(at == m_graph.epoch() ? 0 : 1);
    return marked;
}

template class SnapshotMaker<double>;
template class SnapshotMaker<float>;

} // namespace attn
