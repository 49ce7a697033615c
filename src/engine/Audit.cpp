#include "engine/Audit.h"

#include "engine/Evaluator.h"
#include "engine/StageNumbers.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace attn {

namespace {

/// Evaluates variants of one experiment; what they share is computed once.
class AuditEvaluations
{
public:
    explicit AuditEvaluations(ExperimentPtr experiment)
        : m_experiment(std::move(experiment))
    {
    }

    const Experiment &experiment() const { return *m_experiment; }

    StageValuesPtr shown(Stage stage) { return evaluate(m_experiment)->stage(stage).values; }

    /// The stage as its own inputs give it.
    StageValuesPtr fromInputs(Stage stage)
    {
        return without(stage, [stage](Stage pinned) { return pinned == stage; });
    }

    /// The stage as the printed Q, K and V give it: nothing after them is pinned.
    StageValuesPtr fromProjections(Stage stage)
    {
        return without(stage, [](Stage pinned) {
            return pinned != Stage::Q && pinned != Stage::K && pinned != Stage::V;
        });
    }

private:
    template<typename IsLeftOut>
    StageValuesPtr without(Stage stage, const IsLeftOut &isLeftOut)
    {
        auto variant = std::make_shared<Experiment>(*m_experiment);
        std::erase_if(variant->pins, [&](const auto &entry) { return isLeftOut(entry.first); });
        const SnapshotPtr snapshot = evaluate(std::move(variant));
        const StageState &state = snapshot->stage(stage);
        return state.status == StageStatus::Computed ? state.values : nullptr;
    }

    SnapshotPtr evaluate(ExperimentPtr experiment)
    {
        m_generation = m_generation.next();
        return m_evaluator.evaluate(std::move(experiment), m_generation);
    }

    ExperimentPtr m_experiment;
    Evaluator m_evaluator;
    Generation m_generation;
};

AuditedNumber audited(double printed, double computed, int decimals)
{
    return {printed, computed, decimals, isRoundingOf(printed, computed, decimals)};
}

/// Whether the printed row puts two columns in the other order than the computed one. Ties contradict
/// nothing.
bool isReordered(const std::vector<double> &printed, const std::vector<double> &computed)
{
    for (std::size_t i = 0; i < computed.size(); ++i)
        for (std::size_t j = 0; j < computed.size(); ++j)
            if (computed[i] > computed[j] && printed[i] < printed[j])
                return true;
    return false;
}

/// Columns from the largest number to the smallest; equal ones as they stand.
std::vector<Index> columnsByRank(const std::vector<double> &numbers)
{
    std::vector<Index> columns(numbers.size());
    std::iota(columns.begin(), columns.end(), Index(0));
    std::ranges::stable_sort(columns, std::ranges::greater(),
                             [&numbers](Index column) { return numbers[static_cast<std::size_t>(column)]; });
    return columns;
}

/// Ranks are compared where the columns are tokens.
bool ranksItsColumns(Stage stage)
{
    return stageInfo(stage).cols == Axis::Key;
}

void auditRow(AuditedStage &audit, const Pins &pins, const StageValues &computed, Index head, Index row)
{
    const std::vector<double> inputsGive = rowNumbers(computed, head, row);
    std::vector<double> printed = inputsGive;
    for (Index col = 0; col < computed.cols(); ++col) {
        const CellIndex cell{head, row, col};
        const std::optional<double> pin = pins.at(cell);
        if (!pin)
            continue;
        ++audit.checked;
        const auto index = static_cast<std::size_t>(col);
        printed[index] = *pin;
        const AuditedNumber number = audited(*pin, inputsGive[index], audit.decimals);
        if (!number.agrees)
            audit.differing.push_back({cell, number});
        const double difference = std::abs(number.printed - number.computed);
        if (difference > audit.largestDifference) {
            audit.largestDifference = difference;
            audit.largestAt = cell;
        }
    }
    if (ranksItsColumns(audit.stage) && isReordered(printed, inputsGive))
        audit.reorderedRows.push_back({head, row, columnsByRank(printed), columnsByRank(inputsGive)});
}

AuditedStage auditStage(AuditEvaluations &evaluations, Stage stage, int decimals)
{
    AuditedStage audit;
    audit.stage = stage;
    audit.decimals = decimals;
    const Pins &pins = evaluations.experiment().pinsOf(stage);
    const StageValuesPtr computed = pins.isEmpty() ? nullptr : evaluations.fromInputs(stage);
    if (!computed)
        return audit;
    for (Index head = 0; head < computed->heads(); ++head)
        for (Index row = 0; row < computed->rows(); ++row)
            auditRow(audit, pins, *computed, head, row);
    return audit;
}

/// The numbers that a fact states, as the document gives them.
class FactNumbers
{
public:
    FactNumbers(AuditEvaluations &evaluations, const PrintedFact &fact)
        : m_evaluations(evaluations)
        , m_fact(fact)
        , m_source(*fact.source)
    {
    }

    AuditedFact audit(std::size_t index)
    {
        AuditedFact result;
        result.index = index;
        std::vector<double> computed;
        if (m_source.quantity == FactSource::Quantity::RootOfWidth)
            computed = {std::sqrt(static_cast<double>(sizesOf(m_evaluations.experiment()).dHeadK))};
        else
            computed = fromStage(result.problem);
        if (result.problem.empty() && computed.size() != m_fact.values.size())
            result.problem = "the fact has " + std::to_string(m_fact.values.size()) +
                             " values, the document gives " + std::to_string(computed.size());
        if (result.problem.empty())
            for (std::size_t i = 0; i < computed.size(); ++i)
                result.numbers.push_back(audited(m_fact.values[i], computed[i], m_fact.decimals));
        return result;
    }

private:
    std::vector<double> fromStage(std::string &problem)
    {
        const std::string name(stageInfo(m_source.stage).name);
        const StageValuesPtr values = stageValues();
        if (!values) {
            problem = name + " is not available";
            return {};
        }
        const CellIndex &cell = m_source.cell;
        if (cell.head < values->heads() && m_source.quantity == FactSource::Quantity::Range)
            return rangeOf(*values, cell.head);
        if (cell.head < values->heads() && m_source.quantity == FactSource::Quantity::Transposed)
            return columnByColumn(*values, cell.head);
        const Index step = static_cast<Index>(m_fact.values.size()) - 1;
        const bool wholeRow = m_source.quantity == FactSource::Quantity::ExponentialSum;
        const Index lastRow = cell.row + (m_source.alongColumn ? step : 0);
        const Index lastCol = wholeRow ? 0 : cell.col + (m_source.alongColumn ? 0 : step);
        if (cell.head >= values->heads() || lastRow >= values->rows() || lastCol >= values->cols()) {
            problem = name + " is " + shapeText(values->shape()) + ", too small for this fact";
            return {};
        }
        if (wholeRow)
            return {exponentialSum(rowNumbers(*values, cell.head, cell.row))};
        std::vector<double> numbers;
        for (Index i = 0; i <= step; ++i)
            numbers.push_back(values->value(cell.head, cell.row + (m_source.alongColumn ? i : 0),
                                            cell.col + (m_source.alongColumn ? 0 : i)));
        if (m_source.quantity == FactSource::Quantity::Exponentials)
            for (double &number : numbers)
                number = std::exp(number);
        return numbers;
    }

    StageValuesPtr stageValues()
    {
        switch (m_source.basis) {
        case FactSource::Basis::Inputs:
            return m_evaluations.fromInputs(m_source.stage);
        case FactSource::Basis::Projections:
            return m_evaluations.fromProjections(m_source.stage);
        case FactSource::Basis::Shown:
            break;
        }
        return m_evaluations.shown(m_source.stage);
    }

    static std::vector<double> rangeOf(const StageValues &values, Index head)
    {
        const ValueStatistics statistics = values.statistics(head);
        return {statistics.minimum, statistics.maximum};
    }

    static std::vector<double> columnByColumn(const StageValues &values, Index head)
    {
        std::vector<double> numbers;
        for (Index col = 0; col < values.cols(); ++col)
            for (Index row = 0; row < values.rows(); ++row)
                numbers.push_back(values.value(head, row, col));
        return numbers;
    }

    static double exponentialSum(const std::vector<double> &row)
    {
        return std::accumulate(row.begin(), row.end(), 0.0,
                               [](double sum, double value) { return sum + std::exp(value); });
    }

    AuditEvaluations &m_evaluations;
    const PrintedFact &m_fact;
    const FactSource &m_source;
};

} // namespace

bool AuditedFact::agrees() const
{
    return problem.empty() && std::all_of(numbers.begin(), numbers.end(),
                                          [](const AuditedNumber &number) { return number.agrees; });
}

bool AuditedStage::differsAt(const CellIndex &cell) const
{
    const auto found = std::lower_bound(
        differing.begin(), differing.end(), cell,
        [](const AuditedCell &audited, const CellIndex &wanted) { return audited.cell < wanted; });
    return found != differing.end() && found->cell == cell;
}

Index Audit::differingCount() const
{
    const auto factCount = std::count_if(facts.begin(), facts.end(), [](const AuditedFact &fact) {
        return fact.problem.empty() && !fact.agrees();
    });
    return std::accumulate(stages.begin(), stages.end(), static_cast<Index>(factCount),
                           [](Index sum, const AuditedStage &stage) {
                               return sum + static_cast<Index>(stage.differing.size());
                           });
}

const AuditedStage *Audit::stage(Stage stage) const
{
    const auto found = std::find_if(stages.begin(), stages.end(),
                                    [stage](const AuditedStage &audited) { return audited.stage == stage; });
    return found == stages.end() ? nullptr : &*found;
}

Audit auditOf(const ExperimentPtr &experiment)
{
    AuditEvaluations evaluations(experiment);
    Audit audit;
    for (const StageInfo &info : stageTable()) {
        const auto decimals = experiment->decimals.find(info.stage);
        if (decimals == experiment->decimals.end())
            continue;
        AuditedStage stage = auditStage(evaluations, info.stage, decimals->second);
        if (stage.checked > 0)
            audit.stages.push_back(std::move(stage));
    }
    for (std::size_t i = 0; i < experiment->printedFacts.size(); ++i)
        if (experiment->printedFacts[i].source)
            audit.facts.push_back(FactNumbers(evaluations, experiment->printedFacts[i]).audit(i));
    return audit;
}

bool isRoundingOf(double printed, double computed, int decimals)
{
    if (!std::isfinite(printed) || !std::isfinite(computed))
        return printed == computed || (std::isnan(printed) && std::isnan(computed));
    const double unit = std::pow(10.0, -decimals);
    // Decimal ties are not exact in binary: a billionth of a unit decides them in favour of the source.
    return std::abs(printed - computed) <= unit * (0.5 + 1e-9);
}

} // namespace attn
