#include "engine/heads/HeadPatterns.h"

#include "engine/FlowLinks.h"
#include "engine/heads/AttentionRows.h"
#include "engine/heads/Delimiters.h"
#include "engine/lab/SoftmaxSteps.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace attn {

namespace {

constexpr double undefinedScore = std::numeric_limits<double>::quiet_NaN();

class ScoreMean
{
public:
    void add(double value)
    {
        m_sum += value;
        ++m_count;
    }
    double result() const { return m_count > 0 ? m_sum / static_cast<double>(m_count) : undefinedScore; }

private:
    double m_sum = 0.0;
    Index m_count = 0;
};

/// |v_j| for each head of queries; empty where V is not there.
std::vector<std::vector<double>> valueLengths(const Snapshot &snapshot, Index heads)
{
    FlowQuestion question;
    question.measure = FlowMeasure::WeightTimesLength;
    std::vector<std::vector<double>> lengths;
    if (!flowProblem(snapshot, question).empty())
        return lengths;
    for (Index head = 0; head < heads; ++head) {
        question.heads = {head};
        lengths.push_back(flowFactors(snapshot, question).front());
    }
    return lengths;
}

/// The scores of one head, row by row.
class PatternSummary
{
public:
    PatternSummary(Index keys, const PatternQuestion &question, const std::vector<Index> &delimiters)
        : m_question(question)
        , m_delimiters(delimiters)
        , m_received(static_cast<std::size_t>(keys), 0.0)
    {
    }

    void add(const AttentionRow &row)
    {
        if (!row.isLive)
            return;
        addKey(HeadPattern::First, row, 0.0);
        addKey(HeadPattern::Previous, row, row.position - 1.0);
        addKey(HeadPattern::Self, row, row.position);
        addKey(HeadPattern::Offset, row, row.position - static_cast<double>(m_question.offset));
        addDelimiters(row);
        if (row.allowedCount >= 2)
            mean(HeadPattern::Uniform)
                .add(entropyOf(row.weights) / std::log(static_cast<double>(row.allowedCount)));
        for (std::size_t j = 0; j < m_received.size(); ++j)
            m_received[j] += row.weights[j];
    }

    /// lengths: |v_j| for each key; null: there are no values
    HeadPatternScores result(const std::vector<double> *lengths) const
    {
        HeadPatternScores result;
        for (std::size_t i = 0; i < headPatternCount; ++i)
            result.scores[i] = m_means[i].result();
        result.scores[static_cast<std::size_t>(HeadPattern::Sink)] = undefinedScore;
        if (lengths)
            addSink(result, *lengths);
        return result;
    }

private:
    ScoreMean &mean(HeadPattern pattern) { return m_means[static_cast<std::size_t>(pattern)]; }

    void addKey(HeadPattern pattern, const AttentionRow &row, double key)
    {
        if (key >= 0.0 && key < static_cast<double>(row.weights.size()))
            mean(pattern).add(row.weights[static_cast<std::size_t>(key)]);
    }

    void addDelimiters(const AttentionRow &row)
    {
        double weight = 0.0;
        bool seesOne = false;
        for (const Index key : m_delimiters) {
            weight += row.weights[static_cast<std::size_t>(key)];
            seesOne = seesOne || row.allowed[static_cast<std::size_t>(key)] != 0.0;
        }
        if (seesOne)
            mean(HeadPattern::Delimiter).add(weight);
    }

    void addSink(HeadPatternScores &result, const std::vector<double> &lengths) const
    {
        const double weight = std::accumulate(m_received.begin(), m_received.end(), 0.0);
        const double effect = std::inner_product(m_received.begin(), m_received.end(), lengths.begin(), 0.0);
        if (!(weight > 0.0) || !(effect > 0.0) || !std::isfinite(weight) || !std::isfinite(effect))
            return;
        double &score = result.scores[static_cast<std::size_t>(HeadPattern::Sink)];
        for (std::size_t j = 0; j < m_received.size(); ++j) {
            const double share = m_received[j] / weight;
            const double handed = m_received[j] * lengths[j] / effect;
            if (std::isnan(score) || share - handed > score) {
                score = share - handed;
                result.sinkKey = static_cast<Index>(j);
                result.sinkWeight = share;
                result.sinkEffect = handed;
            }
        }
    }

    const PatternQuestion &m_question;
    const std::vector<Index> &m_delimiters;
    std::array<ScoreMean, headPatternCount> m_means;
    std::vector<double> m_received;
};

} // namespace

std::array<HeadPattern, headPatternCount> allHeadPatterns()
{
    return {HeadPattern::First,     HeadPattern::Previous, HeadPattern::Self, HeadPattern::Offset,
            HeadPattern::Delimiter, HeadPattern::Uniform,  HeadPattern::Sink};
}

bool positionsCorrespond(const Experiment &experiment)
{
    return experiment.isSelfAttention() || experiment.causal || experiment.window || experiment.qOffset != 0;
}

std::vector<HeadPattern> headPatternsOf(const Experiment &experiment)
{
    if (!positionsCorrespond(experiment))
        return {HeadPattern::First, HeadPattern::Delimiter, HeadPattern::Uniform, HeadPattern::Sink};
    const auto all = allHeadPatterns();
    return {all.begin(), all.end()};
}

HeadPattern HeadPatternScores::strongest(std::span<const HeadPattern> among) const
{
    HeadPattern best = among.front();
    for (const HeadPattern pattern : among)
        if (std::isnan(of(best)) || of(pattern) > of(best))
            best = pattern;
    return best;
}

HeadPatterns headPatterns(const Snapshot &snapshot, const PatternQuestion &question, std::stop_token stop)
{
    HeadPatterns result;
    AttentionRows reader(snapshot);
    if (!reader.hasWeights() || !snapshot.stage(Stage::A).reason.empty())
        return result;
    for (const Index key : delimiterTokens(snapshot.experiment().keyTokens(), question.delimiterLabels))
        if (key < reader.keys())
            result.delimiters.push_back(key);
    const auto lengths = valueLengths(snapshot, reader.heads());
    for (Index head = 0; head < reader.heads() && !stop.stop_requested(); ++head) {
        PatternSummary summary(reader.keys(), question, result.delimiters);
        for (Index row = 0; row < reader.rows(); ++row)
            summary.add(reader.read(head, row));
        result.heads.push_back(
            summary.result(lengths.empty() ? nullptr : &lengths[static_cast<std::size_t>(head)]));
    }
    return result;
}

std::vector<Index> headsByScore(const HeadPatterns &patterns, HeadPattern pattern)
{
    std::vector<Index> order(patterns.heads.size());
    std::iota(order.begin(), order.end(), Index(0));
    const auto score = [&](Index head) {
        const double value = patterns.heads[static_cast<std::size_t>(head)].of(pattern);
        return std::isnan(value) ? -std::numeric_limits<double>::infinity() : value;
    };
    std::ranges::stable_sort(order, [&](Index one, Index other) { return score(one) > score(other); });
    return order;
}

} // namespace attn
