#include "engine/derivation/DerivationBuilder.h"

#include "engine/StageNumbers.h"
#include "engine/derivation/Formulas.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attn {

namespace {

/// NaN and infinities first: they decide the sum.
double weightOf(double value)
{
    return std::isnan(value) ? std::numeric_limits<double>::infinity() : std::abs(value);
}

} // namespace

DerivationBuilder::DerivationBuilder(const Snapshot &snapshot, Stage stage, const CellIndex &cell,
                                     Index maxTerms)
    : m_snapshot(snapshot)
    , m_experiment(snapshot.experiment())
    , m_sizes(snapshot.sizes())
    , m_stage(stage)
    , m_cell(cell)
    , m_maxTerms(std::max<Index>(1, maxTerms))
{
    m_derivation.stage = stage;
    m_derivation.cell = cell;
}

Derivation DerivationBuilder::build()
{
    m_derivation.name = name(m_stage, m_cell);
    m_derivation.formula = formulaText(m_experiment, m_stage);
    m_derivation.formulaLatex = formulaLatex(m_experiment, m_stage);
    const StageState &state = m_snapshot.stage(m_stage);
    const Shape shape = state.hasValues() ? state.values->shape() : Shape{};
    const bool isInside = m_cell.head >= 0 && m_cell.head < shape.heads && m_cell.row >= 0 &&
                          m_cell.row < shape.rows && m_cell.col >= 0 && m_cell.col < shape.cols;
    if (!isInside) {
        m_derivation.value = std::numeric_limits<double>::quiet_NaN();
        addStep(DerivationStep::Kind::Given, state.reason.empty() ? "There is no such cell" : state.reason,
                m_derivation.value);
        return std::move(m_derivation);
    }
    m_derivation.value = at(m_stage, m_cell);
    const bool isPinned = m_experiment.pinsOf(m_stage).at(m_cell).has_value();
    if (state.status == StageStatus::Given)
        addStep(DerivationStep::Kind::Given, "A number of this document",
                m_experiment.matrix(m_stage).at(m_cell.head, m_cell.row, m_cell.col));
    else
        deriveComputed();
    if (isPinned) {
        const bool hasComputed = !m_derivation.steps.empty();
        const double computed = hasComputed ? m_derivation.steps.back().result : 0.0;
        derivePin(hasComputed ? &computed : nullptr);
    } else if (!m_derivation.steps.empty()) {
        // The program adds in its own order: the last digit may differ from the sum of the listed terms.
        m_derivation.steps.back().result = m_derivation.value;
    }
    return std::move(m_derivation);
}

void DerivationBuilder::deriveComputed()
{
    switch (m_stage) {
    case Stage::Q:
    case Stage::K:
    case Stage::V:
        return deriveProjection();
    case Stage::Qh:
    case Stage::Kh:
    case Stage::Vh:
        return deriveSplit();
    case Stage::Qr:
    case Stage::Kr:
        return deriveRotation();
    case Stage::Scores:
        return deriveScores();
    case Stage::Scaled:
        return deriveScaled();
    case Stage::Masked:
    case Stage::Allowed:
        return deriveMask();
    case Stage::Bias:
        return deriveBias();
    case Stage::FullyMasked:
        return deriveFullyMasked();
    case Stage::A:
    case Stage::ASoft:
        return deriveSoftmax();
    case Stage::HeadOut:
        return deriveHeadOut();
    case Stage::Concat:
        return deriveConcat();
    case Stage::Output:
        return deriveOutput();
    case Stage::HeadContribution:
        return deriveContribution();
    default:
        return;
    }
}

void DerivationBuilder::derivePin(const double *computed)
{
    DerivationStep &step =
        addStep(DerivationStep::Kind::Pinned,
                computed ? "Set by hand over the computed number" : "Set by hand", m_derivation.value);
    if (computed)
        addTerm(step, m_snapshot.stage(m_stage).status == StageStatus::Given ? "given" : "computed",
                *computed);
}

double DerivationBuilder::at(Stage stage, const CellIndex &cell) const
{
    return m_snapshot.stage(stage).values->value(cell.head, cell.row, cell.col);
}

std::vector<double> DerivationBuilder::rowOf(Stage stage, Index head, Index row, Index col, Index count) const
{
    return rowNumbers(*m_snapshot.stage(stage).values, head, row, col, count);
}

std::vector<double> DerivationBuilder::colOf(Stage stage, Index head, Index row, Index col, Index count) const
{
    return columnNumbers(*m_snapshot.stage(stage).values, head, col, row, count);
}

std::string DerivationBuilder::name(Stage stage, const CellIndex &cell) const
{
    return cellName(m_experiment, stage, cell);
}

DerivationStep &DerivationBuilder::addStep(DerivationStep::Kind kind, std::string title, double result)
{
    DerivationStep step;
    step.kind = kind;
    step.title = std::move(title);
    step.result = result;
    m_derivation.steps.push_back(std::move(step));
    return m_derivation.steps.back();
}

void DerivationBuilder::addTerm(DerivationStep &step, std::string left, double value) const
{
    step.terms.push_back({std::move(left), {}, value, 0.0, value});
}

void DerivationBuilder::fillTerms(DerivationStep &step, std::vector<Term> terms, const Namer &namer) const
{
    const auto limit = static_cast<std::size_t>(m_maxTerms);
    std::size_t listed = terms.size();
    if (terms.size() > limit) {
        listed = limit;
        // Of equal ones the first comes first; a long row is not put in order any further.
        std::partial_sort(terms.begin(), terms.begin() + m_maxTerms, terms.end(),
                          [](const Term &a, const Term &b) {
                              const double left = weightOf(a.value);
                              const double right = weightOf(b.value);
                              return left > right || (left == right && a.index < b.index);
                          });
    }
    for (std::size_t i = 0; i < terms.size(); ++i) {
        const Term &term = terms[i];
        if (i >= listed) {
            ++step.omittedCount;
            step.omittedSum += term.value;
            continue;
        }
        Names names = namer(term.index);
        step.terms.push_back(
            {std::move(names.left), std::move(names.right), term.left, term.right, term.value});
    }
}

void DerivationBuilder::addSum(std::string title, std::vector<Term> terms, const Namer &namer)
{
    double sum = 0.0;
    for (const Term &term : terms)
        sum += term.value;
    fillTerms(addStep(DerivationStep::Kind::Sum, std::move(title), sum), std::move(terms), namer);
}

std::vector<DerivationBuilder::Term> DerivationBuilder::products(const std::vector<double> &left,
                                                                 const std::vector<double> &right)
{
    std::vector<Term> terms;
    terms.reserve(left.size());
    for (std::size_t i = 0; i < left.size(); ++i)
        terms.push_back({static_cast<Index>(i), left[i], right[i], left[i] * right[i]});
    return terms;
}

Derivation derive(const Snapshot &snapshot, Stage stage, const CellIndex &cell, Index maxTerms)
{
    return DerivationBuilder(snapshot, stage, cell, maxTerms).build();
}

} // namespace attn
