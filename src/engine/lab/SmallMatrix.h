#pragma once

#include "engine/Tensor.h"

#include <span>
#include <vector>

namespace attn {

/// A few numbers as a value: the vectors and maps of the labs. Row-major, float64.
struct SmallMatrix
{
    Index rows = 0;
    Index cols = 0;
    std::vector<double> data; ///< rows · cols numbers

    static SmallMatrix zeros(Index rows, Index cols);
    static SmallMatrix identity(Index size);
    /// values.size() == rows · cols
    static SmallMatrix of(Index rows, Index cols, std::vector<double> values);
    /// The first head of a tensor; empty for null.
    static SmallMatrix of(const Tensor &tensor);

    double &at(Index row, Index col) { return data[static_cast<std::size_t>(row * cols + col)]; }
    double at(Index row, Index col) const { return data[static_cast<std::size_t>(row * cols + col)]; }
    std::vector<double> column(Index col) const;
    std::vector<double> row(Index row) const;
    void setColumn(Index col, std::span<const double> values);
    SmallMatrix transposed() const;
    /// Every number is finite.
    bool isFinite() const;
    Tensor tensor() const;

    bool operator==(const SmallMatrix &) const = default;
};

/// Entry (i, k) = sum over j of a(i, j) b(j, k), added from the first j on. a.cols == b.rows
SmallMatrix operator*(const SmallMatrix &a, const SmallMatrix &b);
SmallMatrix operator+(const SmallMatrix &a, const SmallMatrix &b);
SmallMatrix operator-(const SmallMatrix &a, const SmallMatrix &b);
SmallMatrix operator*(double factor, const SmallMatrix &a);
/// The columns of M weighted with the entries of v and added. M.cols == v.size()
std::vector<double> operator*(const SmallMatrix &M, std::span<const double> v);

double dotOf(std::span<const double> u, std::span<const double> v);
/// Lengths whose squares no double holds come out as well.
double normOf(std::span<const double> v);
/// The power of two of the largest magnitude; 0 for zeros and where a number is not finite.
int exponentOf(std::span<const double> v);
/// v · 2^exponent: no digit changes, so numbers of any size are brought near 1 and back without rounding.
std::vector<double> timesPowerOfTwo(std::span<const double> v, int exponent);
/// u + factor · v
std::vector<double> added(std::span<const double> u, std::span<const double> v, double factor = 1.0);
std::vector<double> scaled(double factor, std::span<const double> v);

} // namespace attn
