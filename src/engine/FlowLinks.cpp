#include "engine/FlowLinks.h"

#include "engine/LinkCollector.h"
#include "engine/Projection.h"
#include "engine/Rollout.h"
#include "engine/StageNumbers.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace attn {

namespace {

constexpr Index flowStripRows = 64;

std::size_t at(Index index)
{
    return static_cast<std::size_t>(index);
}

bool hasNumbers(const StageState &state)
{
    return state.hasValues() && state.reason.empty();
}

std::string reasonOf(const StageState &state, const char *name)
{
    return state.reason.empty() ? std::string(name) + " is not available." : state.reason;
}

std::vector<Index> headsOf(const Snapshot &snapshot, const FlowQuestion &question)
{
    if (!question.heads.empty())
        return question.heads;
    std::vector<Index> heads;
    for (Index head = 0; head < snapshot.stage(Stage::A).values->heads(); ++head)
        heads.push_back(head);
    return heads;
}

/// Rows of one head of the values: [n_k, d_v], one strip after the other.
template<typename Use>
void forEachValueRow(const StageValues &V, Index head, const Use &use)
{
    const Index width = V.cols();
    std::vector<double> strip(at(std::min(flowStripRows, V.rows()) * width));
    for (Index first = 0; first < V.rows(); first += flowStripRows) {
        const Index count = std::min(flowStripRows, V.rows() - first);
        V.readBlock(head, first, 0, count, width, strip.data(), width);
        for (Index row = 0; row < count; ++row)
            use(first + row, std::span<const double>(strip.data() + row * width, at(width)));
    }
}

/// The direction as a head's values see it: W^O_h d, [d_v]; without W^O the head's own places of d.
std::vector<double> headDirection(const Snapshot &snapshot, Index head, std::span<const double> direction)
{
    const Index width = snapshot.stage(Stage::Vh).values->cols();
    const StageState &Wo = snapshot.stage(Stage::Wo);
    std::vector<double> result(at(width), 0.0);
    if (Wo.status == StageStatus::Absent) {
        for (Index c = 0; c < width; ++c)
            result[at(c)] = direction[at(head * width + c)];
        return result;
    }
    std::vector<double> row(direction.size());
    for (Index r = 0; r < width; ++r) {
        Wo.values->readBlock(0, head * width + r, 0, 1, Wo.values->cols(), row.data(), Wo.values->cols());
        for (std::size_t c = 0; c < direction.size(); ++c)
            // A direction does not look at the other columns, whatever they hold.
            if (direction[c] != 0.0)
                result[at(r)] += row[c] * direction[c];
    }
    return result;
}

std::vector<double> headFactors(const Snapshot &snapshot, const FlowQuestion &question, Index head,
                                double share)
{
    const auto nK = at(snapshot.stage(Stage::A).values->cols());
    if (question.measure == FlowMeasure::Weight || question.measure == FlowMeasure::Rollout)
        return std::vector<double>(nK, share);
    const Sizes &sizes = snapshot.sizes();
    const Index kvHead = kvHeadOf(head, sizes.nHeads, sizes.nKvHeads);
    std::vector<double> factors(nK, 0.0);
    std::vector<double> seen;
    if (question.measure == FlowMeasure::Contribution)
        seen = headDirection(snapshot, head, question.direction);
    forEachValueRow(*snapshot.stage(Stage::Vh).values, kvHead,
                    [&](Index token, std::span<const double> value) {
                        double sum = 0.0;
                        for (std::size_t c = 0; c < value.size(); ++c)
                            sum += value[c] * (seen.empty() ? value[c] : seen[c]);
                        factors[at(token)] = seen.empty() ? share * std::sqrt(sum) : sum;
                    });
    return factors;
}

/// Reads strengths of a snapshot's weights, block by block.
class StrengthReader
{
public:
    StrengthReader(const Snapshot &snapshot, const FlowQuestion &question)
        : m_A(*snapshot.stage(Stage::A).values)
        , m_heads(headsOf(snapshot, question))
        , m_factors(flowFactors(snapshot, question))
        , m_isRollout(question.measure == FlowMeasure::Rollout)
    {
    }

    Index rows() const { return m_A.rows(); }
    Index cols() const { return m_A.cols(); }

    /// Strengths of a block, row-major; valid until the next call.
    std::span<const double> read(Index row, Index col, Index rowCount, Index colCount)
    {
        return m_isRollout ? rollout(row, col, rowCount, colCount) : sum(row, col, rowCount, colCount);
    }
    bool isExact() const { return m_isExact; }

private:
    std::span<const double> sum(Index row, Index col, Index rowCount, Index colCount)
    {
        m_sum.assign(at(rowCount * colCount), 0.0);
        m_block.resize(m_sum.size());
        for (std::size_t h = 0; h < m_heads.size(); ++h) {
            m_A.readBlock(m_heads[h], row, col, rowCount, colCount, m_block.data(), colCount);
            m_isExact =
                m_isExact && m_A.blockStatus(m_heads[h], row, col, rowCount, colCount) == BlockStatus::Exact;
            for (std::size_t i = 0; i < m_sum.size(); ++i)
                m_sum[i] += m_block[i] * m_factors[h][at(col) + i % at(colCount)];
        }
        return m_sum;
    }

    /// Whole rows are needed, for their sum.
    std::span<const double> rollout(Index row, Index col, Index rowCount, Index colCount)
    {
        m_rollout.resize(at(rowCount * colCount));
        for (Index first = 0; first < rowCount; first += flowStripRows) {
            const Index count = std::min(flowStripRows, rowCount - first);
            sum(row + first, 0, count, cols());
            for (Index r = 0; r < count; ++r) {
                const std::span<double> line = std::span(m_sum).subspan(at(r * cols()), at(cols()));
                mixRolloutRow(line, row + first + r);
                std::copy_n(line.begin() + col, colCount, m_rollout.begin() + (first + r) * colCount);
            }
        }
        return m_rollout;
    }

    const StageValues &m_A;
    std::vector<Index> m_heads;
    std::vector<std::vector<double>> m_factors;
    std::vector<double> m_sum;
    std::vector<double> m_block;
    std::vector<double> m_rollout;
    bool m_isRollout = false;
    bool m_isExact = true;
};

} // namespace

std::string flowProblem(const Snapshot &snapshot, const FlowQuestion &question)
{
    const StageState &A = snapshot.stage(Stage::A);
    if (!hasNumbers(A))
        return reasonOf(A, "A");
    const auto isInside = [&](Index head) {
        return head >= 0 && head < A.values->heads();
    };
    if (!std::all_of(question.heads.begin(), question.heads.end(), isInside))
        return "There is no such head.";
    if (question.measure == FlowMeasure::Weight)
        return {};
    if (question.measure == FlowMeasure::Rollout)
        return snapshot.experiment().isSelfAttention() && A.values->rows() == A.values->cols()
                   ? ""
                   : "Rollout follows the tokens of one sequence from layer to layer; here the queries and "
                     "the keys are different tokens.";
    const StageState &V = snapshot.stage(Stage::Vh);
    if (!hasNumbers(V))
        return reasonOf(V, "V");
    const Sizes &sizes = snapshot.sizes();
    if (V.values->rows() != A.values->cols() || sizes.nHeads % sizes.nKvHeads != 0)
        return "V does not fit A.";
    if (question.measure == FlowMeasure::WeightTimesLength)
        return {};
    const StageState &Wo = snapshot.stage(Stage::Wo);
    const Index concatWidth = sizes.nHeads * V.values->cols();
    if (Wo.status != StageStatus::Absent) {
        if (!hasNumbers(Wo))
            return reasonOf(Wo, "Wo");
        if (Wo.values->rows() != concatWidth)
            return "W^O does not fit the heads.";
    }
    const Index width = Wo.status == StageStatus::Absent ? concatWidth : Wo.values->cols();
    if (static_cast<Index>(question.direction.size()) != width)
        return "The direction needs " + std::to_string(width) +
               " numbers, one for each output column; it has " + std::to_string(question.direction.size()) +
               ".";
    return {};
}

std::vector<std::vector<double>> flowFactors(const Snapshot &snapshot, const FlowQuestion &question)
{
    const std::vector<Index> heads = headsOf(snapshot, question);
    const double share = 1.0 / static_cast<double>(std::max<std::size_t>(heads.size(), 1));
    std::vector<std::vector<double>> factors;
    for (const Index head : heads)
        factors.push_back(headFactors(snapshot, question, head, share));
    return factors;
}

FlowLinks flowLinks(const Snapshot &snapshot, const FlowQuestion &question, const FlowFilter &filter,
                    std::stop_token stop)
{
    StrengthReader reader(snapshot, question);
    const Index rows = reader.rows();
    const Index cols = reader.cols();
    LinkCollector collector(cols, rows, filter);
    if (question.onlyTarget) {
        collector.addTarget(*question.onlyTarget, reader.read(*question.onlyTarget, 0, 1, cols));
    } else if (question.onlySource) {
        collector.addSource(*question.onlySource, reader.read(0, *question.onlySource, rows, 1));
    } else {
        for (Index first = 0; first < rows && !stop.stop_requested(); first += flowStripRows) {
            const Index count = std::min(flowStripRows, rows - first);
            const std::span<const double> strip = reader.read(first, 0, count, cols);
            for (Index row = 0; row < count; ++row)
                collector.addTarget(first + row, strip.subspan(at(row * cols), at(cols)));
        }
    }
    FlowLinks result = collector.take();
    result.isExact = reader.isExact();
    return result;
}

std::vector<double> outputColumnDirection(const Snapshot &snapshot, Index column)
{
    std::vector<double> direction(at(std::max<Index>(snapshot.sizes().dOut, 0)), 0.0);
    if (column >= 0 && column < snapshot.sizes().dOut)
        direction[at(column)] = 1.0;
    return direction;
}

std::vector<double> outputRowDirection(const Snapshot &snapshot, Index row)
{
    const StageState &output = snapshot.stage(Stage::Output);
    if (!hasNumbers(output) || row < 0 || row >= output.values->rows())
        return {};
    std::vector<double> direction = rowNumbers(*output.values, 0, row);
    double squares = 0.0;
    for (const double value : direction)
        squares += value * value;
    if (!(squares > 0.0) || !std::isfinite(squares))
        return {};
    for (double &value : direction)
        value /= std::sqrt(squares);
    return direction;
}

} // namespace attn
