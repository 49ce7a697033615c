#include "engine/ProductViews.h"

#include "engine/MatrixRank.h"
#include "engine/StageNumbers.h"
#include "engine/ValueStatistics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace attn {

namespace {

StageValuesPtr valuesOfMatrix(const Matrix<double> &matrix)
{
    return valuesOf(Tensor::fromDoubles({1, matrix.rows(), matrix.cols()},
                                        {matrix.data(), static_cast<std::size_t>(matrix.size())}));
}

double magnitude(double value)
{
    return std::isnan(value) ? std::numeric_limits<double>::infinity() : std::abs(value);
}

/// column · row, computed cell by cell.
class LayerValues final : public StageValues
{
public:
    LayerValues(std::vector<double> column, std::vector<double> row)
        : m_column(std::move(column))
        , m_row(std::move(row))
        , m_shape{1, static_cast<Index>(m_column.size()), static_cast<Index>(m_row.size())}
        , m_counts(m_shape)
    {
    }

    Shape shape() const override { return m_shape; }
    bool isSinglePrecision() const override { return false; }
    double value(Index, Index row, Index col) const override
    {
        return m_column[static_cast<std::size_t>(row)] * m_row[static_cast<std::size_t>(col)];
    }
    ValueStatistics statistics(Index) const override { return m_counts.of(*this, 0); }

private:
    std::vector<double> m_column;
    std::vector<double> m_row;
    Shape m_shape;
    StatisticsCache m_counts;
};

} // namespace

CellTerms cellTerms(const Product &product, Index i, Index k, Index limit, Index kept)
{
    const std::vector<double> left = rowNumbers(*product.left.values, 0, i);
    const std::vector<double> right = columnNumbers(*product.right.values, 0, k);
    CellTerms result;
    std::vector<ProductTerm> all;
    all.reserve(left.size());
    for (std::size_t j = 0; j < left.size(); ++j) {
        all.push_back({static_cast<Index>(j), left[j], right[j], left[j] * right[j]});
        result.sum += all.back().value;
    }
    auto count = static_cast<std::ptrdiff_t>(
        std::min<std::size_t>(all.size(), static_cast<std::size_t>(std::max<Index>(limit, 0))));
    std::partial_sort(all.begin(), all.begin() + count, all.end(),
                      [](const ProductTerm &a, const ProductTerm &b) {
                          const double first = magnitude(a.value);
                          const double second = magnitude(b.value);
                          return first != second ? first > second : a.j < b.j;
                      });
    const auto keptTerm = std::ranges::find(all.begin() + count, all.end(), kept, &ProductTerm::j);
    if (keptTerm != all.end())
        std::iter_swap(all.begin() + count++, keptTerm);
    result.terms.assign(all.begin(), all.begin() + count);
    std::ranges::sort(result.terms, {}, &ProductTerm::j);
    std::sort(all.begin() + count, all.end(),
              [](const ProductTerm &a, const ProductTerm &b) { return a.j < b.j; });
    for (auto rest = all.begin() + count; rest != all.end(); ++rest)
        result.restSum += rest->value;
    result.restCount = static_cast<Index>(all.size()) - count;
    return result;
}

std::vector<double> layerNorms(const Product &product)
{
    const auto n = static_cast<std::size_t>(product.inner());
    std::vector<double> columns(n, 0.0);
    for (Index i = 0; i < product.rows(); ++i) {
        const std::vector<double> row = rowNumbers(*product.left.values, 0, i);
        for (std::size_t j = 0; j < n; ++j)
            columns[j] += row[j] * row[j];
    }
    std::vector<double> norms(n);
    for (std::size_t j = 0; j < n; ++j) {
        const std::vector<double> row = rowNumbers(*product.right.values, 0, static_cast<Index>(j));
        const double squares = std::inner_product(row.begin(), row.end(), row.begin(), 0.0);
        norms[j] = std::sqrt(columns[j] * squares);
    }
    return norms;
}

std::vector<Index> layerOrder(const Product &product, LayerOrder order)
{
    std::vector<Index> layers(static_cast<std::size_t>(product.inner()));
    std::iota(layers.begin(), layers.end(), Index(0));
    if (order == LayerOrder::ByIndex)
        return layers;
    const std::vector<double> norms = layerNorms(product);
    std::ranges::stable_sort(layers, [&norms](Index a, Index b) {
        return magnitude(norms[static_cast<std::size_t>(a)]) > magnitude(norms[static_cast<std::size_t>(b)]);
    });
    return layers;
}

StageValuesPtr layerValues(const Product &product, Index j)
{
    return std::make_shared<LayerValues>(columnNumbers(*product.left.values, 0, j),
                                         rowNumbers(*product.right.values, 0, j));
}

RunningSum runningSum(const Product &product, const std::vector<Index> &order, Index count)
{
    const Matrix<double> left = numbersOf(*product.left.values);
    const Matrix<double> right = numbersOf(*product.right.values);
    Matrix<double> sum = Matrix<double>::Zero(product.rows(), product.cols());
    Matrix<double> whole = sum;
    for (std::size_t step = 0; step < order.size(); ++step) {
        if (static_cast<Index>(step) == count)
            sum = whole;
        whole.noalias() += left.col(order[step]) * right.row(order[step]);
    }
    if (count >= static_cast<Index>(order.size()))
        sum = whole;
    RunningSum result;
    const Matrix<double> rest = whole - sum;
    result.sum = valuesOfMatrix(sum);
    result.rest = valuesOfMatrix(rest);
    result.rank = numericalRank(*result.sum);
    result.restNorm = rest.norm();
    result.wholeNorm = whole.norm();
    return result;
}

} // namespace attn
