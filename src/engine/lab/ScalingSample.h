#pragma once

#include "engine/Types.h"

#include <cstdint>
#include <span>
#include <vector>

namespace attn {

/// Why scores are divided by sqrt(d_k), as an experiment: random queries and keys of growing width.
struct ScalingOptions
{
    enum class Entries
    {
        Normal,   ///< independent, mean 0, variance 1: the assumption behind sqrt(d_k)
        Positive, ///< independent, even in [0, 1): like the all-positive numbers of small worked examples
    };

    Entries entries = Entries::Normal;
    Index queries = 32;
    Index keys = 64;
    std::uint64_t seed = 1;

    bool operator==(const ScalingOptions &) const = default;
};

/// What the softmax is given.
enum class ScoreKind
{
    Dot,    ///< q . k
    Scaled, ///< q . k / sqrt(d_k)
    Cosine, ///< q . k / (|q| |k|)
};

/// Figures of one width and one kind of score. All are figures of the sample, not of the distribution.
struct ScalingFigures
{
    double mean = 0.0;            ///< of the scores
    double deviation = 0.0;       ///< root of their mean squared distance from `mean`
    double rowSpread = 0.0;       ///< the same about each query's own mean: all that the softmax sees
    double largestWeight = 0.0;   ///< mean over the queries of the largest weight
    double effectiveTokens = 0.0; ///< mean over the queries of exp(entropy)
};

/// A sample: narrower vectors are the first coordinates of the widest ones, and every dot product is summed
/// in coordinate order, so the same seed gives the same numbers wherever exp and cos do.
class ScalingSample
{
public:
    static constexpr Index leastWidth = 4;
    static constexpr Index mostWidth = 4096;

    explicit ScalingSample(const ScalingOptions &options);

    const ScalingOptions &options() const { return m_options; }
    /// 4, 8, 16, ... 4096.
    const std::vector<Index> &widths() const { return m_widths; }

    /// [queries, keys], row-major. width: one of widths()
    std::vector<double> scores(Index width, ScoreKind kind) const;
    /// Softmax of each row of scores(). [queries, keys]
    std::vector<double> weights(Index width, ScoreKind kind) const;
    const ScalingFigures &figures(Index width, ScoreKind kind) const;

private:
    /// The sums up to one width.
    struct Products
    {
        std::vector<double> dots;         ///< [queries, keys]
        std::vector<double> querySquares; ///< |q|^2
        std::vector<double> keySquares;
        ScalingFigures figures[3];
    };

    const Products &productsOf(Index width) const;
    ScalingFigures computedFigures(Index width, ScoreKind kind) const;

    ScalingOptions m_options;
    std::vector<Index> m_widths;
    std::vector<Products> m_products; ///< as m_widths
};

/// Counts in equal bins over [low, high]; the last bin holds `high` itself.
struct Histogram
{
    double low = 0.0;
    double high = 1.0;
    std::vector<Index> counts;
    Index below = 0; ///< finite numbers outside
    Index above = 0;
    Index notFinite = 0;

    Index largestCount() const;
    double binLow(std::size_t bin) const;
};

Histogram histogramOf(std::span<const double> numbers, double low, double high, Index bins);

} // namespace attn
