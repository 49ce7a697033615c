#include "engine/lab/ScalingSample.h"

#include "base/Assert.h"
#include "engine/MatrixFill.h"
#include "engine/lab/SoftmaxSteps.h"

#include <algorithm>
#include <cmath>

namespace attn {

namespace {

std::vector<double> drawnVectors(const ScalingOptions &options, Index count, std::uint64_t seed)
{
    MatrixFill fill;
    fill.kind = options.entries == ScalingOptions::Entries::Normal ? MatrixFill::Kind::Normal
                                                                   : MatrixFill::Kind::Uniform;
    fill.low = 0.0;
    fill.high = 1.0;
    fill.seed = seed;
    const Result<Tensor> drawn =
        filledMatrix(fill, {1, count, ScalingSample::mostWidth}, Tensor::Storage::Float64, {});
    ATTN_ASSERT(drawn.ok(), "a fill that is always possible");
    return drawn->toDoubles();
}

double squareSum(const double *numbers, Index first, Index end)
{
    double sum = 0.0;
    for (Index i = first; i < end; ++i)
        sum += numbers[i] * numbers[i];
    return sum;
}

} // namespace

ScalingSample::ScalingSample(const ScalingOptions &options)
    : m_options(options)
{
    for (Index width = leastWidth; width <= mostWidth; width *= 2)
        m_widths.push_back(width);
    // Two seeds apart, so that queries and keys are independent.
    const std::vector<double> queries = drawnVectors(options, options.queries, options.seed * 2);
    const std::vector<double> keys = drawnVectors(options, options.keys, options.seed * 2 + 1);
    Products sums;
    sums.dots.assign(static_cast<std::size_t>(options.queries * options.keys), 0.0);
    sums.querySquares.assign(static_cast<std::size_t>(options.queries), 0.0);
    sums.keySquares.assign(static_cast<std::size_t>(options.keys), 0.0);
    Index done = 0;
    for (const Index width : m_widths) {
        for (Index i = 0; i < options.queries; ++i) {
            const double *query = queries.data() + i * mostWidth;
            sums.querySquares[static_cast<std::size_t>(i)] += squareSum(query, done, width);
            for (Index j = 0; j < options.keys; ++j) {
                const double *key = keys.data() + j * mostWidth;
                double &dot = sums.dots[static_cast<std::size_t>(i * options.keys + j)];
                for (Index c = done; c < width; ++c)
                    dot += query[c] * key[c];
            }
        }
        for (Index j = 0; j < options.keys; ++j)
            sums.keySquares[static_cast<std::size_t>(j)] +=
                squareSum(keys.data() + j * mostWidth, done, width);
        done = width;
        m_products.push_back(sums);
    }
    for (std::size_t i = 0; i < m_widths.size(); ++i)
        for (const ScoreKind kind : {ScoreKind::Dot, ScoreKind::Scaled, ScoreKind::Cosine})
            m_products[i].figures[static_cast<int>(kind)] = computedFigures(m_widths[i], kind);
}

const ScalingSample::Products &ScalingSample::productsOf(Index width) const
{
    const auto found = std::find(m_widths.begin(), m_widths.end(), width);
    ATTN_ASSERT(found != m_widths.end(), "a width of the sample");
    return m_products[static_cast<std::size_t>(found - m_widths.begin())];
}

std::vector<double> ScalingSample::scores(Index width, ScoreKind kind) const
{
    const Products &products = productsOf(width);
    std::vector<double> scores = products.dots;
    const double root = std::sqrt(static_cast<double>(width));
    for (Index i = 0; i < m_options.queries; ++i) {
        for (Index j = 0; j < m_options.keys; ++j) {
            double &score = scores[static_cast<std::size_t>(i * m_options.keys + j)];
            if (kind == ScoreKind::Scaled)
                score /= root;
            else if (kind == ScoreKind::Cosine)
                score /= std::sqrt(products.querySquares[static_cast<std::size_t>(i)]) *
                         std::sqrt(products.keySquares[static_cast<std::size_t>(j)]);
        }
    }
    return scores;
}

std::vector<double> ScalingSample::weights(Index width, ScoreKind kind) const
{
    const std::vector<double> rows = scores(width, kind);
    std::vector<double> weights;
    weights.reserve(rows.size());
    const auto keys = static_cast<std::size_t>(m_options.keys);
    for (std::size_t i = 0; i < rows.size(); i += keys) {
        const SoftmaxSteps steps = softmaxSteps(std::span(rows).subspan(i, keys));
        weights.insert(weights.end(), steps.weights.begin(), steps.weights.end());
    }
    return weights;
}

const ScalingFigures &ScalingSample::figures(Index width, ScoreKind kind) const
{
    return productsOf(width).figures[static_cast<int>(kind)];
}

ScalingFigures ScalingSample::computedFigures(Index width, ScoreKind kind) const
{
    const std::vector<double> rows = scores(width, kind);
    const auto keys = static_cast<std::size_t>(m_options.keys);
    const auto count = static_cast<double>(rows.size());
    const auto queryCount = static_cast<double>(m_options.queries);
    ScalingFigures figures;
    for (const double score : rows)
        figures.mean += score / count;
    double squares = 0.0;
    double rowSquares = 0.0;
    for (std::size_t i = 0; i < rows.size(); i += keys) {
        const auto row = std::span(rows).subspan(i, keys);
        double rowMean = 0.0;
        for (const double score : row)
            rowMean += score / static_cast<double>(keys);
        for (const double score : row) {
            squares += (score - figures.mean) * (score - figures.mean);
            rowSquares += (score - rowMean) * (score - rowMean);
        }
        const SoftmaxSteps steps = softmaxSteps(row);
        figures.largestWeight += steps.weights[static_cast<std::size_t>(steps.largestAt)] / queryCount;
        figures.effectiveTokens += std::exp(entropyOf(steps.weights)) / queryCount;
    }
    figures.deviation = std::sqrt(squares / count);
    figures.rowSpread = std::sqrt(rowSquares / count);
    return figures;
}

Index Histogram::largestCount() const
{
    return counts.empty() ? 0 : *std::max_element(counts.begin(), counts.end());
}

double Histogram::binLow(std::size_t bin) const
{
    return low + (high - low) * static_cast<double>(bin) / static_cast<double>(counts.size());
}

Histogram histogramOf(std::span<const double> numbers, double low, double high, Index bins)
{
    Histogram histogram{low, high, std::vector<Index>(static_cast<std::size_t>(bins), 0), 0, 0, 0};
    for (const double number : numbers) {
        if (!std::isfinite(number)) {
            ++histogram.notFinite;
        } else if (number < low) {
            ++histogram.below;
        } else if (number > high) {
            ++histogram.above;
        } else {
            const double place = high > low ? (number - low) / (high - low) * static_cast<double>(bins) : 0.0;
            ++histogram.counts[static_cast<std::size_t>(std::min(static_cast<Index>(place), bins - 1))];
        }
    }
    return histogram;
}

} // namespace attn
