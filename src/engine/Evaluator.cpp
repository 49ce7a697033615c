#include "engine/Evaluator.h"

#include "engine/evaluation/SnapshotMaker.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <variant>

namespace attn {

namespace {

using Clock = std::chrono::steady_clock;

/// Snapshots that are not complete follow each other at this distance.
constexpr std::chrono::milliseconds publishEvery(30);

/// As LeafAttention keeps them.
constexpr double mostNumbersOfPartials = double(1 << 28);

double millisecondsSince(Clock::time_point start)
{
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

} // namespace

class Evaluator::State
{
public:
    State(int threads, const KernelTable *table)
        : m_threads(std::max(1, threads))
        , m_table(table ? *table : kernels())
    {
    }

    SnapshotPtr evaluate(ExperimentPtr experiment, Generation generation, const std::stop_token &stop,
                         const EvaluateOptions &options)
    {
        if (experiment->precision == Precision::Float32)
            return evaluateIn<float>(std::move(experiment), generation, stop, options);
        return evaluateIn<double>(std::move(experiment), generation, stop, options);
    }

    const EvaluationCounts &counts() const { return m_counts; }
    /// Null before the first evaluation.
    const BlockPool *pool() const
    {
        return std::visit([](const auto &computation) { return poolOf(computation); }, m_computation);
    }

private:
    template<typename Scalar>
    using Owned = std::unique_ptr<Computation<Scalar>>;

    static const BlockPool *poolOf(const std::monostate &) { return nullptr; }
    template<typename Scalar>
    static const BlockPool *poolOf(const Owned<Scalar> &computation)
    {
        return &computation->graph().pool();
    }

    template<typename Scalar>
    Computation<Scalar> &computation()
    {
        if (!std::holds_alternative<Owned<Scalar>>(m_computation)) {
            m_computation = std::make_unique<Computation<Scalar>>(m_threads, m_table.of<Scalar>());
            m_published.forgetComputed();
            m_focusShape = {};
        }
        return *std::get<Owned<Scalar>>(m_computation);
    }

    template<typename Scalar>
    SnapshotPtr evaluateIn(ExperimentPtr experiment, Generation generation, const std::stop_token &stop,
                           const EvaluateOptions &options);

    StripPool m_threads;
    const KernelTable &m_table;
    std::variant<std::monostate, Owned<double>, Owned<float>> m_computation;
    PublishedStages m_published;
    Shape m_focusShape; ///< of the scores whose focus was exact last
    EvaluationCounts m_counts;
};

template<typename Scalar>
SnapshotPtr Evaluator::State::evaluateIn(ExperimentPtr experiment, Generation generation,
                                         const std::stop_token &stop, const EvaluateOptions &options)
{
    const Clock::time_point start = Clock::now();
    Clock::time_point lastPublished = start;
    Computation<Scalar> &running = computation<Scalar>();
    const auto snapshot = [&] {
        return SnapshotMaker<Scalar>(running, m_published, generation).make(millisecondsSince(start));
    };
    const auto publishNow = [&] {
        options.publish(snapshot());
        lastPublished = Clock::now();
    };
    const auto pause = [&] {
        if (options.publish && Clock::now() - lastPublished >= publishEvery && !stop.stop_requested())
            publishNow();
    };
    m_counts = {};
    if (stop.stop_requested())
        return nullptr;
    running.adopt(std::move(experiment), options.focus);
    bool isDone = true;
    const Shape scores = running.graph().plan().at(Stage::Scores).shape;
    if (options.publish) {
        // Of a large map the scores are there at once; the first picture need not wait for its weights. After
        // an edit these come so soon that a picture before them would only delay them.
        const bool isEdit = scores == m_focusShape;
        const bool hasScores = running.graph().at(Stage::Scores).source == StageSource::Computed;
        if (running.isLeafWise() && hasScores && !isEdit) {
            isDone = running.updateScores(stop);
            if (isDone && !stop.stop_requested())
                publishNow();
        }
        isDone = isDone && running.updateFocus(stop);
        if (isDone && !stop.stop_requested()) {
            m_focusShape = scores;
            running.markUnchanged();
            publishNow();
            if (options.beforeRest)
                options.beforeRest(isEdit);
        }
    }
    isDone = isDone && running.updateAll(stop, pause);
    m_counts = running.takeCounts();
    if (isDone)
        m_focusShape = scores;
    return isDone ? snapshot() : nullptr;
}

void EvaluationCounts::add(const EvaluationCounts &other)
{
    for (std::size_t stage = 0; stage < blocks.size(); ++stage)
        blocks[stage] += other.blocks[stage];
    leaves += other.leaves;
    partials += other.partials;
}

Evaluator::Evaluator(int threads, const KernelTable *kernels)
    : m_state(std::make_unique<State>(threads, kernels))
{
}

Evaluator::~Evaluator() = default;

SnapshotPtr Evaluator::evaluate(ExperimentPtr experiment, Generation generation, std::stop_token stop,
                                const EvaluateOptions &options)
{
    return m_state->evaluate(std::move(experiment), generation, stop, options);
}

std::set<Stage> Evaluator::recomputed() const
{
    std::set<Stage> stages;
    for (const StageInfo &info : stageTable())
        if (m_state->counts().of(info.stage) > 0)
            stages.insert(info.stage);
    return stages;
}

const EvaluationCounts &Evaluator::counts() const
{
    return m_state->counts();
}

std::size_t Evaluator::blockAllocations() const
{
    const BlockPool *pool = m_state->pool();
    return pool ? pool->systemAllocations() : 0;
}

std::size_t Evaluator::blockBytes() const
{
    const BlockPool *pool = m_state->pool();
    return pool ? pool->heldBytes() : 0;
}

namespace {

/// A size as a factor of an estimate; what is not known counts as 0.
double number(Index count)
{
    return static_cast<double>(std::max<Index>(0, count));
}

} // namespace

double estimatedMs(const Experiment &experiment)
{
    const Sizes sizes = sizesOf(experiment);
    const double nQ = number(sizes.nQ);
    const double nK = number(sizes.nK);
    const double h = number(sizes.nHeads);
    const double hKv = number(sizes.nKvHeads);
    const double dK = number(sizes.dHeadK);
    const double dV = number(sizes.dHeadV);
    const double cells = h * nQ * nK;
    double products = nQ * number(sizes.dModel) * h * dK + nK * number(sizes.dModelKv) * hKv * (dK + dV);
    products += cells * (dK + dV);
    if (experiment.isGiven(Stage::Wo))
        products += 2.0 * nQ * h * dV * number(sizes.dOut);
    const bool isDouble = experiment.precision == Precision::Float64;
    const double productNs = isDouble ? 0.5 : 0.25; // a multiplication and an addition
    const double cellNs = 25.0;                     // scale, mask, exponential, memory
    const double fixedMs = 0.01;
    return fixedMs + 1e-6 * (products * productNs + cells * cellNs);
}

double estimatedBytes(const Experiment &experiment)
{
    const Sizes sizes = sizesOf(experiment);
    const double nQ = number(sizes.nQ);
    const double nK = number(sizes.nK);
    const double h = number(sizes.nHeads);
    const double hKv = number(sizes.nKvHeads);
    const double dK = number(strideFor(sizes.dHeadK));
    const double dV = number(strideFor(sizes.dHeadV));
    const double rotations = experiment.rotary ? 2.0 : 1.0;
    double numbers = rotations * dK * (nQ * h + nK * hKv) + dV * nK * hKv + dV * nQ * h;
    for (const Stage stage : {Stage::X, Stage::Xkv, Stage::Wq, Stage::Wk, Stage::Wv, Stage::Wo})
        numbers += number(experiment.matrix(stage).shape().size());
    if (experiment.isGiven(Stage::Wo) || experiment.isGiven(Stage::Bo))
        numbers += nQ * number(sizes.dOut);
    if (sizes.nQ <= mostStoredKeys)
        numbers += h * nQ * number(sizes.dOut);
    if (sizes.nK <= mostStoredKeys) {
        constexpr double stagesOfScores = 7.0;
        numbers += stagesOfScores * h * nQ * number(strideFor(sizes.nK));
    } else {
        const double leaves = std::ceil(nK / number(leafKeysOf(sizes.nK)));
        numbers += h * nQ * leaves * 3.0;
        if (sizes.nK <= mostKeysWithPartials)
            numbers += std::max(nQ * leaves * dV, std::min(h * nQ * leaves * dV, mostNumbersOfPartials));
    }
    const double bytesOfNumber = experiment.precision == Precision::Float64 ? sizeof(double) : sizeof(float);
    return numbers * bytesOfNumber;
}

} // namespace attn
