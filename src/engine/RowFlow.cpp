#include "engine/RowFlow.h"

#include "engine/LinkCollector.h"
#include "engine/Matrix.h"
#include "engine/Mixing.h"
#include "engine/Projection.h"
#include "engine/StageNumbers.h"

#include <algorithm>
#include <cmath>

namespace attn {

namespace {

constexpr Index sourceStrip = 64;

bool isKnown(const StageState &state)
{
    return state.hasValues() && state.reason.empty();
}

Matrix<double> blockNumbers(const StageValues &values, Index head, Index row, Index col, Index rows,
                            Index cols)
{
    Matrix<double> block(rows, cols);
    values.readBlock(head, row, col, rows, cols, block.data(), cols);
    return block;
}

/// The stages of a product.
struct FlowProduct
{
    Stage left;
    Stage right;
    Stage result;
    std::optional<Stage> bias;
};

FlowProduct rowProductOf(const Snapshot &snapshot, RowFlowKind kind)
{
    const Stage keys = snapshot.experiment().isSelfAttention() ? Stage::X : Stage::Xkv;
    switch (kind) {
    case RowFlowKind::Query:
        return {Stage::X, Stage::Wq, Stage::Q, Stage::Bq};
    case RowFlowKind::Key:
        return {keys, Stage::Wk, Stage::K, Stage::Bk};
    case RowFlowKind::Value:
        return {keys, Stage::Wv, Stage::V, Stage::Bv};
    case RowFlowKind::HeadOut:
        return {Stage::A, Stage::Vh, Stage::HeadOut, {}};
    case RowFlowKind::HeadContribution:
        return {Stage::A, Stage::Vh, Stage::HeadContribution, {}};
    case RowFlowKind::Output:
        break;
    }
    return {Stage::A, Stage::Vh, Stage::Output, Stage::Bo};
}

bool isProjection(RowFlowKind kind)
{
    return kind == RowFlowKind::Query || kind == RowFlowKind::Key || kind == RowFlowKind::Value;
}

bool isMapped(RowFlowKind kind)
{
    return kind == RowFlowKind::HeadContribution || kind == RowFlowKind::Output;
}

/// Columns of Q, K or V that a query head reads: first and count.
std::pair<Index, Index> columnsOfHead(const Snapshot &snapshot, RowFlowKind kind, Index head)
{
    const Sizes &sizes = snapshot.sizes();
    if (kind == RowFlowKind::Query)
        return {head * sizes.dHeadK, sizes.dHeadK};
    const Index kvHead = kvHeadOf(head, sizes.nHeads, sizes.nKvHeads);
    const Index width = kind == RowFlowKind::Key ? sizes.dHeadK : sizes.dHeadV;
    return {kvHead * width, width};
}

/// Reads the terms of one row: one line of targets per source.
class TermReader
{
public:
    TermReader(const Snapshot &snapshot, const RowFlowQuestion &question)
        : m_snapshot(snapshot)
        , m_question(question)
        , m_product(rowProductOf(snapshot, question.kind))
    {
        const StageValues &left = *snapshot.stage(m_product.left).values;
        m_sources = left.cols();
        if (isProjection(question.kind)) {
            std::tie(m_firstColumn, m_targets) = columnsOfHead(snapshot, question.kind, question.head);
            m_factors = rowNumbers(left, 0, question.row, 0, m_sources);
            return;
        }
        m_targets = snapshot.stage(m_product.result).values->cols();
        m_heads = {question.head};
        if (question.kind == RowFlowKind::Output) {
            m_heads.resize(static_cast<std::size_t>(left.heads()));
            for (std::size_t head = 0; head < m_heads.size(); ++head)
                m_heads[head] = static_cast<Index>(head);
        }
        m_factors.assign(static_cast<std::size_t>(m_sources), 0.0);
        for (const Index head : m_heads) {
            m_weights.push_back(rowNumbers(left, head, question.row, 0, m_sources));
            m_isExact =
                m_isExact && left.blockStatus(head, question.row, 0, 1, m_sources) == BlockStatus::Exact;
            for (std::size_t m = 0; m < m_factors.size(); ++m)
                m_factors[m] += m_weights.back()[m] / static_cast<double>(m_heads.size());
            if (isMapped(question.kind))
                m_outputWeights.push_back(outputWeight(head));
        }
    }

    Index sources() const { return m_sources; }
    Index targets() const { return m_targets; }
    Index firstColumn() const { return m_firstColumn; }
    bool isExact() const { return m_isExact; }
    std::vector<double> takeFactors() { return std::move(m_factors); }

    /// Terms of sources [first, first + count): [count, targets].
    Matrix<double> terms(Index first, Index count) const
    {
        if (isProjection(m_question.kind)) {
            Matrix<double> block = blockNumbers(*m_snapshot.stage(m_product.right).values, 0, first,
                                                m_firstColumn, count, m_targets);
            for (Index m = 0; m < count; ++m)
                block.row(m) *= m_factors[static_cast<std::size_t>(first + m)];
            return block;
        }
        Matrix<double> sum = Matrix<double>::Zero(count, m_targets);
        for (std::size_t h = 0; h < m_heads.size(); ++h) {
            Matrix<double> values = valueRows(m_heads[h], first, count);
            if (isMapped(m_question.kind))
                values = Matrix<double>(values * m_outputWeights[h]);
            for (Index m = 0; m < count; ++m)
                sum.row(m) += m_weights[h][static_cast<std::size_t>(first + m)] * values.row(m);
        }
        return sum;
    }

private:
    Matrix<double> valueRows(Index head, Index first, Index count) const
    {
        const Sizes &sizes = m_snapshot.sizes();
        const StageValues &V = *m_snapshot.stage(Stage::Vh).values;
        return blockNumbers(V, kvHeadOf(head, sizes.nHeads, sizes.nKvHeads), first, 0, count, V.cols());
    }

    /// The head's rows of W^O: [d_v, d_out].
    Matrix<double> outputWeight(Index head) const
    {
        const Index width = m_snapshot.stage(Stage::Vh).values->cols();
        const StageState &Wo = m_snapshot.stage(Stage::Wo);
        if (Wo.status == StageStatus::Absent)
            return headOutputWeight<double>(nullptr, m_snapshot.sizes().nHeads * width, head, width);
        return blockNumbers(*Wo.values, 0, head * width, 0, width, Wo.values->cols());
    }

    const Snapshot &m_snapshot;
    RowFlowQuestion m_question;
    FlowProduct m_product;
    Index m_sources = 0;
    Index m_targets = 0;
    Index m_firstColumn = 0;
    std::vector<Index> m_heads;
    std::vector<double> m_factors;
    std::vector<std::vector<double>> m_weights; ///< per head: its row of A
    std::vector<Matrix<double>> m_outputWeights;
    bool m_isExact = true;
};

Index resultHeadOf(const RowFlowQuestion &question)
{
    const bool hasHeads =
        question.kind == RowFlowKind::HeadOut || question.kind == RowFlowKind::HeadContribution;
    return hasHeads ? question.head : 0;
}

} // namespace

double RowFlow::residual() const
{
    double largest = 0.0;
    for (std::size_t c = 0; c < cells.size(); ++c) {
        if (pinned[c])
            continue;
        const double sum = terms.targetSums[c] + (bias.empty() ? 0.0 : bias[c]);
        const double rest = std::abs(cells[c] - sum);
        if (std::isnan(rest))
            return rest;
        largest = std::max(largest, rest);
    }
    return largest;
}

std::string rowFlowProblem(const Snapshot &snapshot, const RowFlowQuestion &question)
{
    const FlowProduct product = rowProductOf(snapshot, question.kind);
    std::vector<Stage> needed = {product.left, product.right, product.result};
    if (isMapped(question.kind) && snapshot.stage(Stage::Wo).status != StageStatus::Absent)
        needed.push_back(Stage::Wo);
    for (const Stage stage : needed) {
        const StageState &state = snapshot.stage(stage);
        if (isKnown(state))
            continue;
        if (!state.reason.empty())
            return state.reason;
        return std::string(stageName(product.result)) + " is not computed from " + stageName(stage) +
               " here: the document starts later.";
    }
    const Sizes &sizes = snapshot.sizes();
    if (sizes.nHeads % sizes.nKvHeads != 0 || question.head < 0 || question.head >= sizes.nHeads)
        return "There is no such head.";
    if (question.row < 0 || question.row >= snapshot.stage(product.result).values->rows())
        return "There is no such row.";
    return {};
}

RowFlow rowFlow(const Snapshot &snapshot, const RowFlowQuestion &question, const FlowFilter &filter,
                std::stop_token stop)
{
    const FlowProduct product = rowProductOf(snapshot, question.kind);
    TermReader reader(snapshot, question);
    Matrix<double> terms(reader.sources(), reader.targets());
    for (Index first = 0; first < reader.sources() && !stop.stop_requested(); first += sourceStrip) {
        const Index count = std::min(sourceStrip, reader.sources() - first);
        terms.middleRows(first, count) = reader.terms(first, count);
    }

    RowFlow flow;
    flow.left = product.left;
    flow.right = product.right;
    flow.result = product.result;
    flow.resultHead = resultHeadOf(question);
    flow.firstColumn = reader.firstColumn();
    LinkCollector collector(reader.sources(), reader.targets(), filter);
    std::vector<double> column(static_cast<std::size_t>(reader.sources()));
    for (Index target = 0; target < reader.targets(); ++target) {
        for (Index source = 0; source < reader.sources(); ++source)
            column[static_cast<std::size_t>(source)] = terms(source, target);
        collector.addTarget(target, column);
    }
    flow.terms = collector.take();
    flow.terms.isExact = reader.isExact();
    flow.factors = reader.takeFactors();
    const StageValues &result = *snapshot.stage(product.result).values;
    flow.cells = rowNumbers(result, flow.resultHead, question.row, flow.firstColumn, reader.targets());
    if (product.bias && isKnown(snapshot.stage(*product.bias)))
        flow.bias =
            rowNumbers(*snapshot.stage(*product.bias).values, 0, 0, flow.firstColumn, reader.targets());
    const Pins &pins = snapshot.experiment().pinsOf(product.result);
    for (Index target = 0; target < reader.targets(); ++target)
        flow.pinned.push_back(
            pins.at({flow.resultHead, question.row, flow.firstColumn + target}).has_value());
    return flow;
}

} // namespace attn
