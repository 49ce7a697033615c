#include "engine/heads/HeadSimilarity.h"

#include "engine/heads/AttentionRows.h"
#include "engine/lab/SoftmaxSteps.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attn {

namespace {

/// Weights looked at; more are sampled by rows.
constexpr double similarityWork = 2.0e7;
constexpr Index fewestSampledRows = 16;

Index rowsToRead(Index heads, Index rows, Index keys)
{
    const double perRow = 0.5 * static_cast<double>(heads * (heads + 1)) * static_cast<double>(keys);
    const double affordable = similarityWork / std::max(perRow, 1.0);
    if (affordable >= static_cast<double>(rows))
        return rows;
    return std::min(rows, std::max(fewestSampledRows, static_cast<Index>(affordable)));
}

/// One row of all heads.
struct HeadsRow
{
    std::vector<std::vector<double>> weights;
    std::vector<double> entropies;
    std::vector<bool> isLive;

    explicit HeadsRow(Index heads)
        : weights(static_cast<std::size_t>(heads))
        , entropies(weights.size())
        , isLive(weights.size())
    {
    }
};

double rowDistance(const HeadsRow &row, std::size_t one, std::size_t other, std::vector<double> &middle)
{
    const std::vector<double> &p = row.weights[one];
    const std::vector<double> &q = row.weights[other];
    if (p == q)
        return 0.0;
    middle.resize(p.size());
    for (std::size_t j = 0; j < p.size(); ++j)
        middle[j] = 0.5 * (p[j] + q[j]);
    const double nats = entropyOf(middle) - 0.5 * (row.entropies[one] + row.entropies[other]);
    return std::isnan(nats) ? nats : std::sqrt(std::max(bitsOf(nats), 0.0));
}

/// The distance of the furthest heads of two groups; NaN counts as infinitely far.
double groupDistance(const HeadSimilarity &similarity, const std::vector<Index> &one,
                     const std::vector<Index> &other)
{
    double furthest = 0.0;
    for (const Index a : one)
        for (const Index b : other) {
            const double distance = similarity.distance(a, b);
            furthest =
                std::isnan(distance) ? std::numeric_limits<double>::infinity() : std::max(furthest, distance);
            if (std::isinf(furthest))
                return furthest;
        }
    return furthest;
}

} // namespace

HeadSimilarity headSimilarity(const Snapshot &snapshot, std::stop_token stop)
{
    HeadSimilarity result;
    if (!snapshot.stage(Stage::A).hasValues() || !snapshot.stage(Stage::A).reason.empty())
        return result;
    const Shape shape = snapshot.stage(Stage::A).values->shape();
    result.heads = shape.heads;
    result.rows = shape.rows;
    result.rowsRead = rowsToRead(shape.heads, shape.rows, shape.cols);
    const auto heads = static_cast<std::size_t>(shape.heads);
    AttentionRows reader(snapshot, 1);
    std::vector<double> sums(heads * heads, 0.0);
    std::vector<Index> counts(heads * heads, 0);
    std::vector<double> middle;
    HeadsRow row(shape.heads);
    for (Index i = 0; i < result.rowsRead && !stop.stop_requested(); ++i) {
        const Index at = i * shape.rows / result.rowsRead;
        for (std::size_t head = 0; head < heads; ++head) {
            const AttentionRow &read = reader.read(static_cast<Index>(head), at);
            row.weights[head] = read.weights;
            row.entropies[head] = entropyOf(read.weights);
            row.isLive[head] = read.isLive;
        }
        for (std::size_t one = 0; one < heads; ++one)
            for (std::size_t other = one + 1; other < heads; ++other) {
                if (!row.isLive[one] || !row.isLive[other])
                    continue;
                sums[one * heads + other] += rowDistance(row, one, other, middle);
                ++counts[one * heads + other];
            }
    }
    result.distances.assign(heads * heads, 0.0);
    for (std::size_t one = 0; one < heads; ++one)
        for (std::size_t other = one + 1; other < heads; ++other) {
            const std::size_t at = one * heads + other;
            const double mean = counts[at] > 0 ? sums[at] / static_cast<double>(counts[at])
                                               : std::numeric_limits<double>::quiet_NaN();
            result.distances[at] = result.distances[other * heads + one] = mean;
        }
    return result;
}

std::vector<std::vector<Index>> headGroups(const HeadSimilarity &similarity, double most)
{
    std::vector<std::vector<Index>> groups;
    for (Index head = 0; head < similarity.heads; ++head)
        groups.push_back({head});
    while (groups.size() > 1) {
        double nearest = std::numeric_limits<double>::infinity();
        std::size_t first = 0;
        std::size_t second = 0;
        for (std::size_t one = 0; one < groups.size(); ++one)
            for (std::size_t other = one + 1; other < groups.size(); ++other) {
                const double distance = groupDistance(similarity, groups[one], groups[other]);
                if (distance < nearest) {
                    nearest = distance;
                    first = one;
                    second = other;
                }
            }
        if (!(nearest <= most))
            break;
        groups[first].insert(groups[first].end(), groups[second].begin(), groups[second].end());
        std::ranges::sort(groups[first]);
        groups.erase(groups.begin() + static_cast<std::ptrdiff_t>(second));
    }
    std::ranges::sort(groups, {}, [](const std::vector<Index> &group) { return group.front(); });
    return groups;
}

} // namespace attn
