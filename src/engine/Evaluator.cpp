#include "engine/Evaluator.h"

#include "engine/ForwardPass.h"
#include "engine/SnapshotBuilder.h"

#include <algorithm>
#include <chrono>
#include <variant>

namespace attn {

namespace {

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

} // namespace

class Evaluator::State
{
public:
    SnapshotPtr evaluate(ExperimentPtr experiment, Generation generation, std::stop_token stop)
    {
        if (experiment->precision == Precision::Float32)
            return evaluateIn<float>(std::move(experiment), generation, std::move(stop));
        return evaluateIn<double>(std::move(experiment), generation, std::move(stop));
    }

    const std::set<Stage> &recomputed() const { return m_recomputed; }

private:
    template<typename Scalar>
    SnapshotPtr evaluateIn(ExperimentPtr experiment, Generation generation, std::stop_token stop);

    template<typename Scalar>
    StageState stageState(Stage stage, const ForwardResult<Scalar> &result, bool numbersChanged,
                          Generation generation) const;

    std::variant<ForwardResult<double>, ForwardResult<float>> m_last;
    SnapshotPtr m_snapshot;
    std::set<Stage> m_recomputed;
};

template<typename Scalar>
SnapshotPtr Evaluator::State::evaluateIn(ExperimentPtr experiment, Generation generation,
                                         std::stop_token stop)
{
    const auto start = std::chrono::steady_clock::now();
    const ForwardResult<Scalar> nothing;
    const auto *last = std::get_if<ForwardResult<Scalar>>(&m_last);
    ForwardPass<Scalar> pass(experiment, last ? *last : nothing, std::move(stop));
    m_recomputed.clear();
    const bool finished = pass.run();
    m_recomputed = pass.recomputed();
    if (!finished)
        return nullptr;
    ForwardResult<Scalar> result = pass.takeResult();
    SnapshotBuilder builder(std::move(experiment), generation, result.sizes);
    std::array<StageState, static_cast<std::size_t>(stageCount)> states;
    for (const StageInfo &info : stageTable())
        states[static_cast<std::size_t>(info.stage)] =
            stageState(info.stage, result, !last || pass.changed(info.stage), generation);
    StageState &A = states[static_cast<std::size_t>(Stage::A)];
    const StageState &soft = states[static_cast<std::size_t>(Stage::ASoft)];
    if (A.hasValues() && soft.hasValues() && result.at(Stage::A).heads == result.at(Stage::ASoft).heads &&
        A.changedAt == generation)
        A.values = soft.values;
    for (const StageInfo &info : stageTable())
        builder.setStage(info.stage, std::move(states[static_cast<std::size_t>(info.stage)]));
    builder.setProblem(result.plan.problem);
    const std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - start;
    builder.setElapsedMs(elapsed.count());
    m_last = std::move(result);
    m_snapshot = builder.take();
    return m_snapshot;
}

template<typename Scalar>
StageState Evaluator::State::stageState(Stage stage, const ForwardResult<Scalar> &result, bool numbersChanged,
                                        Generation generation) const
{
    const StagePlan &plan = result.plan.at(stage);
    const Experiment &experiment = *result.experiment;
    const Pins &pins = experiment.pinsOf(stage);
    const StageState *before = m_snapshot ? &m_snapshot->stage(stage) : nullptr;
    const bool statusKept = before && before->status == plan.status && before->reason == plan.reason;
    StageState state;
    state.status = plan.status;
    state.reason = plan.reason;
    state.changedAt = generation;
    if (plan.usable) {
        state.pinnedCount = pins.count();
        state.isPinnedWhole = !pins.isEmpty() && pins.coversAll(plan.shape);
    }
    const bool valuesKept =
        plan.status == StageStatus::Given
            ? statusKept && sameGivenNumbers(stage, experiment, m_snapshot->experiment(), plan.usable)
            : statusKept && !numbersChanged;
    if (valuesKept) {
        state.values = before->values;
        state.changedAt = before->changedAt;
    } else if (plan.status == StageStatus::Given) {
        state.values = valuesOf(shownNumbers(stage, experiment, plan.usable));
    } else if (plan.status == StageStatus::Computed) {
        state.values = valuesOf(result.at(stage));
    }
    return state;
}

Evaluator::Evaluator()
    : m_state(std::make_unique<State>())
{
}

Evaluator::~Evaluator() = default;

SnapshotPtr Evaluator::evaluate(ExperimentPtr experiment, Generation generation, std::stop_token stop)
{
    return m_state->evaluate(std::move(experiment), generation, std::move(stop));
}

const std::set<Stage> &Evaluator::recomputed() const
{
    return m_state->recomputed();
}

double estimatedMs(const Experiment &experiment)
{
    const Sizes sizes = sizesOf(experiment);
    const auto number = [](Index count) {
        return static_cast<double>(std::max<Index>(0, count));
    };
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

} // namespace attn
