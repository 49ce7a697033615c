#include "engine/lab/SoftmaxSteps.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

namespace attn {

namespace {

constexpr double hiddenRowScore = -std::numeric_limits<double>::infinity();

/// Lowest index of the largest number, the first NaN before all; -1 where all are -inf.
Index indexOfLargest(std::span<const double> numbers)
{
    Index best = -1;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        if (std::isnan(numbers[i]))
            return static_cast<Index>(i);
        if (numbers[i] > (best < 0 ? hiddenRowScore : numbers[static_cast<std::size_t>(best)]))
            best = static_cast<Index>(i);
    }
    return best;
}

} // namespace

SoftmaxSteps softmaxSteps(std::span<const double> row, const SoftmaxOptions &options)
{
    SoftmaxSteps steps;
    steps.scores.assign(row.begin(), row.end());
    for (double &score : steps.scores)
        score = score == hiddenRowScore ? score : options.sharpness * score;
    steps.largestAt = indexOfLargest(steps.scores);
    steps.isFullyMasked = steps.largestAt < 0;
    steps.seenCount = static_cast<Index>(row.size()) - std::count(row.begin(), row.end(), hiddenRowScore);
    steps.shifted = steps.scores;
    steps.exponentials.assign(row.size(), 0.0);
    steps.weights.assign(row.size(), 0.0);
    if (steps.isFullyMasked)
        return steps;
    if (options.subtractLargest)
        steps.shift = steps.scores[static_cast<std::size_t>(steps.largestAt)];
    for (std::size_t j = 0; j < row.size(); ++j) {
        steps.shifted[j] = steps.scores[j] - steps.shift;
        steps.exponentials[j] = std::exp(steps.shifted[j]);
        steps.sum += steps.exponentials[j];
    }
    for (std::size_t j = 0; j < row.size(); ++j)
        steps.weights[j] = steps.exponentials[j] / steps.sum;
    return steps;
}

double entropyOf(std::span<const double> weights)
{
    double entropy = 0.0;
    for (const double weight : weights) {
        if (std::isnan(weight))
            return weight;
        if (weight > 0.0)
            entropy -= weight * std::log(weight);
    }
    return entropy;
}

double bitsOf(double nats)
{
    return nats / std::numbers::ln2;
}

std::vector<double> redistributedWeights(std::span<const double> weights, Index col, double value)
{
    const auto chosen = static_cast<std::size_t>(col);
    double rest = 0.0;
    for (std::size_t j = 0; j < weights.size(); ++j)
        rest += j == chosen ? 0.0 : weights[j];
    std::vector<double> row(weights.size());
    for (std::size_t j = 0; j < weights.size(); ++j)
        row[j] = rest > 0.0 ? weights[j] * (1.0 - value) / rest
                            : (1.0 - value) / static_cast<double>(weights.size() - 1);
    row[chosen] = value;
    return row;
}

std::vector<SharpnessPoint> sharpnessCurve(std::span<const double> row, std::span<const double> sharpnesses)
{
    std::vector<SharpnessPoint> curve;
    curve.reserve(sharpnesses.size());
    for (const double sharpness : sharpnesses) {
        const SoftmaxSteps steps = softmaxSteps(row, {.sharpness = sharpness});
        const double largest =
            steps.isFullyMasked ? 0.0 : steps.weights[static_cast<std::size_t>(steps.largestAt)];
        curve.push_back({sharpness, entropyOf(steps.weights), largest});
    }
    return curve;
}

} // namespace attn
