#include "engine/evaluation/Computation.h"

namespace attn {

namespace {

/// So many strips a thread between two pauses: some tens of milliseconds at most.
constexpr Index stripsPerPause = 8;

bool isBeforeOutput(Stage stage)
{
    switch (stage) {
    case Stage::Scores:
    case Stage::Scaled:
    case Stage::Allowed:
    case Stage::Bias:
    case Stage::Masked:
    case Stage::ASoft:
    case Stage::A:
        return true;
    default:
        return false;
    }
}

} // namespace

template<typename Scalar>
Computation<Scalar>::Computation(StripPool &threads, const Kernels<Scalar> &kernels)
    : m_threads(threads)
    , m_graph(kernels)
    , m_projections(m_graph)
    , m_stored(m_graph)
    , m_leaves(m_graph)
    , m_workers(static_cast<std::size_t>(threads.threadCount()))
{
}

template<typename Scalar>
void Computation<Scalar>::adopt(ExperimentPtr experiment, const Focus &focus)
{
    m_graph.adopt(std::move(experiment));
    const Index heads = m_graph.sizes().nHeads;
    m_focus = focus;
    m_focus.head = std::clamp<Index>(focus.head, 0, std::max<Index>(0, heads - 1));
    m_projections.adopt(m_focus);
    m_leaves.adopt(m_focus.head);
    for (StripWorker<Scalar> &worker : m_workers) {
        m_projections.makeRoom(worker);
        m_leaves.makeRoom(worker);
    }
}

template<typename Scalar>
bool Computation<Scalar>::updateScores(const std::stop_token &stop)
{
    const Strips strips = focusStrips();
    return sources(stop) && keysAndValues(m_focus.head / m_graph.tiles().headsPerKvHead, stop) &&
           spread(
               strips.first, strips.end, stop, [] {},
               [&](Index strip, StripWorker<Scalar> &worker) {
                   m_projections.queryStrip(m_focus.head, strip, worker);
               });
}

template<typename Scalar>
bool Computation<Scalar>::updateFocus(const std::stop_token &stop)
{
    const auto nothing = [] {
    };
    const Depth depth = isBeforeOutput(m_focus.stage) ? Depth::Weights : Depth::Output;
    const Index heads = m_graph.sizes().nHeads;
    const bool needsAllHeads = m_focus.stage == Stage::Concat || m_focus.stage == Stage::Output;
    if (!sources(stop))
        return false;
    for (Index i = 0; i < (needsAllHeads ? heads : std::min<Index>(1, heads)); ++i)
        if (!attention((m_focus.head + i) % heads, focusStrips(), depth, stop, nothing))
            return false;
    return !needsAllHeads || outputs(focusStrips(), stop, nothing);
}

template<typename Scalar>
void Computation<Scalar>::markUnchanged()
{
    // Where matrices are stored everything is computed in a moment.
    if (!isLeafWise())
        return;
    m_graph.setOnlyMarking(true);
    m_leaves.followMarking();
    updateAll({}, [] {});
    m_graph.setOnlyMarking(false);
    m_leaves.followMarking();
}

template<typename Scalar>
bool Computation<Scalar>::updateAll(const std::stop_token &stop, const std::function<void()> &pause)
{
    if (!sources(stop))
        return false;
    const Index heads = m_graph.sizes().nHeads;
    for (Index i = 0; i < heads; ++i)
        if (!attention((m_focus.head + i) % heads, allStrips(), Depth::Output, stop, pause))
            return false;
    // What no head reads, when the heads contradict each other.
    const auto headsOf = [this](Stage stage) {
        return m_graph.at(stage).blocks.shape.heads;
    };
    for (Index head = std::max<Index>(0, heads); head < std::max(headsOf(Stage::Q), headsOf(Stage::Qr));
         ++head)
        if (!attention(head, allStrips(), Depth::Output, stop, pause))
            return false;
    for (Index kvHead = 0; kvHead < std::max({headsOf(Stage::K), headsOf(Stage::Kr), headsOf(Stage::V)});
         ++kvHead)
        if (!keysAndValues(kvHead, stop))
            return false;
    return flags(stop) && outputs(allStrips(), stop, pause);
}

template<typename Scalar>
EvaluationCounts Computation<Scalar>::takeCounts()
{
    EvaluationCounts all;
    for (StripWorker<Scalar> &worker : m_workers)
        all.add(std::exchange(worker.counts, {}));
    return all;
}

template<typename Scalar>
typename Computation<Scalar>::Strips Computation<Scalar>::allStrips() const
{
    const Index rows = m_graph.sizes().nQ;
    const Index stripRows = stripRowsOf(rows);
    return {0, (rows + stripRows - 1) / stripRows};
}

template<typename Scalar>
typename Computation<Scalar>::Strips Computation<Scalar>::focusStrips() const
{
    const Strips all = allStrips();
    const Index stripRows = stripRowsOf(m_graph.sizes().nQ);
    const Index first = std::clamp<Index>(m_focus.firstRow / stripRows, 0, all.end);
    const Index end = (m_focus.firstRow + m_focus.rowCount + stripRows - 1) / stripRows;
    return {first, std::clamp<Index>(end, first, all.end)};
}

/// work(item, worker) for the items of a range, with pauses.
template<typename Scalar>
template<typename Work>
bool Computation<Scalar>::spread(Index first, Index end, const std::stop_token &stop,
                                 const std::function<void()> &pause, const Work &work)
{
    const Index atOnce = stripsPerPause * m_threads.threadCount();
    for (Index begin = first; begin < end; begin += atOnce) {
        const Index count = std::min(atOnce, end - begin);
        const bool isDone = m_threads.run(count, stop, [&](Index item, int worker) {
            work(begin + item, m_workers[static_cast<std::size_t>(worker)]);
        });
        if (!isDone)
            return false;
        pause();
    }
    return !stop.stop_requested();
}

/// Weights, and the inputs that something is computed from.
template<typename Scalar>
bool Computation<Scalar>::sources(const std::stop_token &stop)
{
    m_projections.weights(m_workers.front().counts);
    const auto isComputed = [this](Stage stage) {
        return m_graph.at(stage).source == StageSource::Computed;
    };
    const bool usesKeys = isComputed(Stage::K) || isComputed(Stage::V);
    for (const Stage stage : {Stage::X, Stage::Xkv}) {
        const bool isNeeded =
            (stage == Stage::X && isComputed(Stage::Q)) || (stage == m_graph.keySource() && usesKeys);
        if (!isNeeded || !m_graph.at(stage).exists())
            continue;
        const bool isDone = spread(
            0, m_graph.at(stage).blocks.blocksPerHead, stop, [] {},
            [&](Index block, StripWorker<Scalar> &worker) {
                m_projections.input(stage, block, worker.counts);
            });
        if (!isDone)
            return false;
    }
    return true;
}

template<typename Scalar>
bool Computation<Scalar>::keysAndValues(Index kvHead, const std::stop_token &stop)
{
    const StageBlocks<Scalar> &K = m_graph.at(Stage::K).blocks;
    const StageBlocks<Scalar> &Kr = m_graph.at(Stage::Kr).blocks;
    const StageBlocks<Scalar> &V = m_graph.at(Stage::V).blocks;
    const bool hasKeys = kvHead < K.shape.heads || kvHead < Kr.shape.heads;
    const Index keyBlocks = hasKeys ? std::max(K.blocksPerHead, Kr.blocksPerHead) : 0;
    const Index valueBlocks = kvHead < V.shape.heads ? V.blocksPerHead : 0;
    return spread(
        0, keyBlocks + valueBlocks, stop, [] {},
        [&](Index item, StripWorker<Scalar> &worker) {
            if (item < keyBlocks)
                m_projections.keyBlock(kvHead, item, worker);
            else
                m_projections.valueBlock(kvHead, item - keyBlocks, worker);
        });
}

/// One head up to head_out, for some of its strips.
template<typename Scalar>
bool Computation<Scalar>::attention(Index head, const Strips &strips, Depth depth,
                                    const std::stop_token &stop, const std::function<void()> &pause)
{
    if (!keysAndValues(head / m_graph.tiles().headsPerKvHead, stop))
        return false;
    const bool isHead = head < m_graph.sizes().nHeads;
    if (isHead && isLeafWise())
        m_leaves.prepare(head);
    else if (isHead)
        m_stored.prepare(head);
    const auto weights = [&](Index strip, StripWorker<Scalar> &worker) {
        m_projections.queryStrip(head, strip, worker);
        m_leaves.statistics(head, strip, worker);
    };
    const auto output = [&](Index strip, StripWorker<Scalar> &worker) {
        m_projections.queryStrip(head, strip, worker);
        if (isHead && isLeafWise())
            m_leaves.strip(head, strip, worker);
        else if (isHead)
            m_stored.strip(head, strip, worker.counts);
    };
    if (isHead && isLeafWise()) {
        const bool isEnough = depth == Depth::Weights;
        if (isEnough || m_leaves.areStatisticsFirst(head, strips.first, strips.end)) {
            const bool isDone = spread(strips.first, strips.end, stop, pause, weights);
            if (!isDone || isEnough)
                return isDone;
        }
    }
    return spread(strips.first, strips.end, stop, pause, output);
}

template<typename Scalar>
bool Computation<Scalar>::outputs(const Strips &strips, const std::stop_token &stop,
                                  const std::function<void()> &pause)
{
    const Index heads = m_graph.at(Stage::Concat).blocks.shape.heads;
    return spread(strips.first, strips.end, stop, pause, [&](Index strip, StripWorker<Scalar> &worker) {
        for (Index head = 0; head < heads; ++head)
            m_projections.concatStrip(head, strip, worker.counts);
        m_projections.outputStrip(strip, worker);
        for (Index head = 0; head < m_graph.at(Stage::HeadContribution).blocks.shape.heads; ++head)
            m_projections.contributionStrip(head, strip, worker.counts);
    });
}

template<typename Scalar>
bool Computation<Scalar>::flags(const std::stop_token &stop)
{
    const StageStore<Scalar> &store = m_graph.at(Stage::FullyMasked);
    if (!store.exists())
        return true;
    return spread(
        0, store.blocks.blocksPerHead, stop, [] {},
        [&](Index block, StripWorker<Scalar> &worker) {
            if (isLeafWise())
                m_leaves.fullyMasked(block, worker.counts);
            else
                m_stored.fullyMasked(block, worker.counts);
        });
}

template class Computation<double>;
template class Computation<float>;

} // namespace attn
