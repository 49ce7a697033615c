#pragma once

#include <compare>
#include <cstddef>

namespace attn {

/// A row, column, head or count. Signed, as Eigen::Index.
using Index = std::ptrdiff_t;

/// The number format in which an experiment is evaluated. Given numbers keep their own storage.
enum class Precision
{
    Float64,
    Float32,
};

/// One cell of a stage, counted from 0. `head` is 0 for stages without a head axis.
struct CellIndex
{
    Index head = 0;
    Index row = 0;
    Index col = 0;

    auto operator<=>(const CellIndex &) const = default;
};

struct CellValue
{
    CellIndex cell;
    double value = 0.0;
};

} // namespace attn
