#include "engine/lab/SmallMatrix.h"

#include "base/Assert.h"

#include <algorithm>
#include <cmath>

namespace attn {

SmallMatrix SmallMatrix::zeros(Index rows, Index cols)
{
    return {rows, cols, std::vector<double>(static_cast<std::size_t>(rows * cols), 0.0)};
}

SmallMatrix SmallMatrix::identity(Index size)
{
    SmallMatrix made = zeros(size, size);
    for (Index i = 0; i < size; ++i)
        made.at(i, i) = 1.0;
    return made;
}

SmallMatrix SmallMatrix::of(Index rows, Index cols, std::vector<double> values)
{
    ATTN_ASSERT(static_cast<Index>(values.size()) == rows * cols, "as many numbers as the matrix holds");
    return {rows, cols, std::move(values)};
}

SmallMatrix SmallMatrix::of(const Tensor &tensor)
{
    if (tensor.isNull())
        return {};
    SmallMatrix made = zeros(tensor.rows(), tensor.cols());
    tensor.copyRows(0, 0, made.rows, made.data.data());
    return made;
}

std::vector<double> SmallMatrix::column(Index col) const
{
    std::vector<double> values(static_cast<std::size_t>(rows));
    for (Index i = 0; i < rows; ++i)
        values[static_cast<std::size_t>(i)] = at(i, col);
    return values;
}

std::vector<double> SmallMatrix::row(Index row) const
{
    const auto first = data.begin() + row * cols;
    return {first, first + cols};
}

void SmallMatrix::setColumn(Index col, std::span<const double> values)
{
    for (Index i = 0; i < rows; ++i)
        at(i, col) = values[static_cast<std::size_t>(i)];
}

SmallMatrix SmallMatrix::transposed() const
{
    SmallMatrix turned = zeros(cols, rows);
    for (Index i = 0; i < rows; ++i)
        for (Index j = 0; j < cols; ++j)
            turned.at(j, i) = at(i, j);
    return turned;
}

bool SmallMatrix::isFinite() const
{
    return std::all_of(data.begin(), data.end(), [](double value) { return std::isfinite(value); });
}

Tensor SmallMatrix::tensor() const
{
    return Tensor::fromDoubles({1, rows, cols}, data);
}

SmallMatrix operator*(const SmallMatrix &a, const SmallMatrix &b)
{
    ATTN_ASSERT(a.cols == b.rows, "a product needs equal inner sides");
    SmallMatrix product = SmallMatrix::zeros(a.rows, b.cols);
    for (Index i = 0; i < a.rows; ++i)
        for (Index k = 0; k < b.cols; ++k)
            for (Index j = 0; j < a.cols; ++j)
                product.at(i, k) += a.at(i, j) * b.at(j, k);
    return product;
}

SmallMatrix operator+(const SmallMatrix &a, const SmallMatrix &b)
{
    return SmallMatrix::of(a.rows, a.cols, added(a.data, b.data));
}

SmallMatrix operator-(const SmallMatrix &a, const SmallMatrix &b)
{
    return SmallMatrix::of(a.rows, a.cols, added(a.data, b.data, -1.0));
}

SmallMatrix operator*(double factor, const SmallMatrix &a)
{
    return SmallMatrix::of(a.rows, a.cols, scaled(factor, a.data));
}

std::vector<double> operator*(const SmallMatrix &M, std::span<const double> v)
{
    std::vector<double> sum(static_cast<std::size_t>(M.rows), 0.0);
    for (Index j = 0; j < M.cols; ++j)
        for (Index i = 0; i < M.rows; ++i)
            sum[static_cast<std::size_t>(i)] += v[static_cast<std::size_t>(j)] * M.at(i, j);
    return sum;
}

double dotOf(std::span<const double> u, std::span<const double> v)
{
    ATTN_ASSERT(u.size() == v.size(), "vectors of one length");
    double sum = 0.0;
    for (std::size_t i = 0; i < u.size(); ++i)
        sum += u[i] * v[i];
    return sum;
}

double normOf(std::span<const double> v)
{
    const int exponent = exponentOf(v);
    const std::vector<double> small = timesPowerOfTwo(v, -exponent);
    return std::ldexp(std::sqrt(dotOf(small, small)), exponent);
}

int exponentOf(std::span<const double> v)
{
    double largest = 0.0;
    for (const double value : v)
        largest = std::max(largest, std::abs(value));
    return largest > 0.0 && std::isfinite(largest) ? std::ilogb(largest) : 0;
}

std::vector<double> timesPowerOfTwo(std::span<const double> v, int exponent)
{
    std::vector<double> product(v.begin(), v.end());
    for (double &value : product)
        value = std::ldexp(value, exponent);
    return product;
}

std::vector<double> added(std::span<const double> u, std::span<const double> v, double factor)
{
    ATTN_ASSERT(u.size() == v.size(), "vectors of one length");
    std::vector<double> sum(u.begin(), u.end());
    for (std::size_t i = 0; i < sum.size(); ++i)
        sum[i] += factor * v[i];
    return sum;
}

std::vector<double> scaled(double factor, std::span<const double> v)
{
    std::vector<double> product(v.begin(), v.end());
    for (double &value : product)
        value *= factor;
    return product;
}

} // namespace attn
