#include "engine/lab/TokenGeometry.h"

#include "base/Assert.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace attn {

double dotProduct(std::span<const double> a, std::span<const double> b)
{
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

bool TokenVectors::isFinite() const
{
    return std::all_of(numbers.begin(), numbers.end(), [](double number) { return std::isfinite(number); });
}

TokenVectors tokenVectors(const StageValues &values, Index head, Index first, Index rowCount)
{
    TokenVectors vectors;
    vectors.first = first;
    vectors.count = rowCount < 0 ? values.rows() - first : rowCount;
    vectors.width = values.cols();
    vectors.numbers.resize(static_cast<std::size_t>(vectors.count * vectors.width));
    values.readBlock(head, first, 0, vectors.count, vectors.width, vectors.numbers.data(), vectors.width);
    return vectors;
}

StageValuesPtr dotTable(const TokenVectors &vectors, const TokenVectors &directions)
{
    ATTN_ASSERT(vectors.width == directions.width, "vectors of one space");
    std::vector<double> table;
    table.reserve(static_cast<std::size_t>(vectors.count * directions.count));
    for (Index i = 0; i < vectors.count; ++i)
        for (Index j = 0; j < directions.count; ++j)
            table.push_back(dotProduct(vectors.row(i), directions.row(j)));
    return valuesOf(Tensor::fromDoubles({1, vectors.count, directions.count}, table));
}

StageValuesPtr dotTable(const TokenVectors &vectors)
{
    return dotTable(vectors, vectors);
}

StageValuesPtr cosineTable(const TokenVectors &vectors)
{
    std::vector<double> norms;
    for (Index i = 0; i < vectors.count; ++i)
        norms.push_back(std::sqrt(dotProduct(vectors.row(i), vectors.row(i))));
    std::vector<double> table;
    table.reserve(norms.size() * norms.size());
    for (Index i = 0; i < vectors.count; ++i) {
        for (Index j = 0; j < vectors.count; ++j) {
            const double scale = norms[static_cast<std::size_t>(i)] * norms[static_cast<std::size_t>(j)];
            const double cosine = dotProduct(vectors.row(i), vectors.row(j)) / scale;
            table.push_back(scale > 0.0 ? cosine : std::numeric_limits<double>::quiet_NaN());
        }
    }
    return valuesOf(Tensor::fromDoubles({1, vectors.count, vectors.count}, table));
}

} // namespace attn
