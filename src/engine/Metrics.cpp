#include "engine/Metrics.h"

#include "engine/heads/AttentionRows.h"
#include "engine/lab/SoftmaxSteps.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <limits>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

namespace attn {

namespace {

constexpr double undefinedMetric = std::numeric_limits<double>::quiet_NaN();

class MeanValue
{
public:
    void add(double value)
    {
        m_sum += value;
        ++m_count;
    }
    double result() const { return m_count > 0 ? m_sum / static_cast<double>(m_count) : undefinedMetric; }

private:
    double m_sum = 0.0;
    Index m_count = 0;
};

/// A pattern score over all live rows and over those with a choice.
struct PatternMean
{
    MeanValue all;
    MeanValue choice;

    void add(double value, bool hasChoice)
    {
        all.add(value);
        if (hasChoice)
            choice.add(value);
    }
};

double normalisedEntropy(double entropy, Index allowedCount)
{
    return allowedCount >= 2 ? entropy / std::log(static_cast<double>(allowedCount)) : undefinedMetric;
}

Index lowestArgmax(const std::vector<double> &weights)
{
    std::size_t best = 0;
    for (std::size_t j = 1; j < weights.size(); ++j) {
        if (std::isnan(weights[best]))
            break;
        if (weights[j] > weights[best] || std::isnan(weights[j]))
            best = j;
    }
    return static_cast<Index>(best);
}

void appendRowMetrics(RowMetrics &metrics, const AttentionRow &row)
{
    const double entropy = entropyOf(row.weights);
    metrics.entropy.push_back(entropy);
    metrics.entropyNormalised.push_back(normalisedEntropy(entropy, row.allowedCount));
    metrics.effectiveTokens.push_back(std::exp(entropy));
    metrics.argmax.push_back(lowestArgmax(row.weights));
    double distance = 0.0;
    double offset = 0.0;
    for (std::size_t j = 0; j < row.weights.size(); ++j) {
        const double step = static_cast<double>(j) - row.position;
        distance += row.weights[j] * std::abs(step);
        offset += row.weights[j] * step;
    }
    metrics.meanDistance.push_back(distance);
    metrics.meanSignedOffset.push_back(offset);
}

double largestDeviationFromUniform(const AttentionRow &row)
{
    const double uniform = 1.0 / static_cast<double>(row.allowedCount);
    double largest = 0.0;
    for (std::size_t j = 0; j < row.weights.size(); ++j) {
        if (row.allowed[j] == 0.0)
            continue;
        const double deviation = std::abs(row.weights[j] - uniform);
        if (std::isnan(deviation))
            return deviation;
        largest = std::max(largest, deviation);
    }
    return largest;
}

/// The pattern scores and received attention of one head, row by row.
class HeadSummary
{
public:
    explicit HeadSummary(Index nKeys)
        : m_received(static_cast<std::size_t>(nKeys), 0.0)
    {
    }

    void add(const AttentionRow &row, double normalised)
    {
        if (!row.isLive)
            return;
        const bool hasChoice = row.allowedCount >= 2;
        addKey(m_previous, row, row.position - 1.0, hasChoice);
        addKey(m_self, row, row.position, hasChoice);
        addKey(m_back3, row, row.position - 3.0, hasChoice);
        addKey(m_first, row, 0.0, hasChoice);
        if (hasChoice) {
            m_uniformity.add(normalised, true);
            m_deviation.add(largestDeviationFromUniform(row), true);
        }
        for (std::size_t j = 0; j < m_received.size(); ++j)
            m_received[j] += row.weights[j];
        ++m_liveRows;
    }

    HeadMetrics result() const
    {
        HeadMetrics metrics;
        metrics.all = {m_previous.all.result(), m_self.all.result(),       m_back3.all.result(),
                       m_first.all.result(),    m_uniformity.all.result(), m_deviation.all.result()};
        metrics.choice = {m_previous.choice.result(),   m_self.choice.result(),
                          m_back3.choice.result(),      m_first.choice.result(),
                          m_uniformity.choice.result(), m_deviation.choice.result()};
        metrics.attentionReceived = m_received;
        for (double &received : metrics.attentionReceived)
            received = m_liveRows > 0 ? received / static_cast<double>(m_liveRows) : undefinedMetric;
        metrics.contributionNorm = undefinedMetric;
        metrics.contributionShare = undefinedMetric;
        return metrics;
    }

private:
    static void addKey(PatternMean &mean, const AttentionRow &row, double key, bool hasChoice)
    {
        if (key >= 0.0 && key < static_cast<double>(row.weights.size()))
            mean.add(row.weights[static_cast<std::size_t>(key)], hasChoice);
    }

    PatternMean m_previous;
    PatternMean m_self;
    PatternMean m_back3;
    PatternMean m_first;
    PatternMean m_uniformity;
    PatternMean m_deviation;
    std::vector<double> m_received;
    Index m_liveRows = 0;
};

double frobeniusNorm(const StageValues &values, Index head)
{
    std::vector<double> line(static_cast<std::size_t>(values.cols()));
    double squares = 0.0;
    for (Index row = 0; row < values.rows(); ++row) {
        values.readBlock(head, row, 0, 1, values.cols(), line.data(), values.cols());
        for (const double value : line)
            squares += value * value;
    }
    return std::sqrt(squares);
}

void addContributions(Metrics &metrics, const Snapshot &snapshot)
{
    const StageState &contribution = snapshot.stage(Stage::HeadContribution);
    if (!contribution.hasValues() || contribution.values->heads() != metrics.rows.heads)
        return;
    double total = 0.0;
    for (Index head = 0; head < metrics.rows.heads; ++head) {
        HeadMetrics &entry = metrics.heads[static_cast<std::size_t>(head)];
        entry.contributionNorm = frobeniusNorm(*contribution.values, head);
        total += entry.contributionNorm;
    }
    if (total > 0.0)
        for (HeadMetrics &entry : metrics.heads)
            entry.contributionShare = entry.contributionNorm / total;
}

} // namespace

namespace {

/// What the rows of one head give; heads are counted apart from each other, on any thread.
struct HeadPart
{
    RowMetrics rows;
    HeadMetrics summary;
};

HeadPart partOf(AttentionRows &reader, Index head, const std::stop_token &stop)
{
    HeadPart part;
    HeadSummary summary(reader.keys());
    for (Index row = 0; row < reader.rows() && !stop.stop_requested(); ++row) {
        const AttentionRow &attention = reader.read(head, row);
        appendRowMetrics(part.rows, attention);
        summary.add(attention, part.rows.entropyNormalised.back());
    }
    part.summary = summary.result();
    return part;
}

void appendRows(RowMetrics &all, const RowMetrics &part)
{
    const auto append = [](auto &to, const auto &from) {
        to.insert(to.end(), from.begin(), from.end());
    };
    append(all.entropy, part.entropy);
    append(all.entropyNormalised, part.entropyNormalised);
    append(all.effectiveTokens, part.effectiveTokens);
    append(all.argmax, part.argmax);
    append(all.meanDistance, part.meanDistance);
    append(all.meanSignedOffset, part.meanSignedOffset);
}

} // namespace

Metrics metricsOf(const Snapshot &snapshot, const std::stop_token &stop)
{
    Metrics metrics;
    AttentionRows reader(snapshot);
    if (!reader.hasWeights() || !snapshot.stage(Stage::A).reason.empty())
        return metrics;
    metrics.rows.heads = reader.heads();
    metrics.rows.rows = reader.rows();
    std::vector<HeadPart> parts(static_cast<std::size_t>(reader.heads()));
    constexpr Index fewestForThreads = Index(1) << 22;
    const bool isLarge = reader.heads() * reader.rows() * reader.keys() >= fewestForThreads;
    const auto most = static_cast<Index>(std::max(1U, std::thread::hardware_concurrency()));
    std::atomic<Index> next = 0;
    std::exception_ptr failure;
    std::once_flag failed;
    const auto work = [&](AttentionRows &rows) {
        for (Index head = next++; head < rows.heads() && !stop.stop_requested(); head = next++)
            parts[static_cast<std::size_t>(head)] = partOf(rows, head, stop);
    };
    {
        std::vector<std::jthread> others;
        for (Index i = 1; isLarge && i < std::min(most, reader.heads()); ++i)
            others.emplace_back([&] {
                try {
                    AttentionRows own(snapshot);
                    work(own);
                } catch (...) { // no memory: told where it can be caught
                    std::call_once(failed, [&] { failure = std::current_exception(); });
                }
            });
        work(reader);
    }
    if (failure)
        std::rethrow_exception(failure);
    if (stop.stop_requested())
        return {};
    for (HeadPart &part : parts) {
        appendRows(metrics.rows, part.rows);
        metrics.heads.push_back(std::move(part.summary));
    }
    addContributions(metrics, snapshot);
    return metrics;
}

} // namespace attn
