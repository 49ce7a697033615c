#pragma once

#include "engine/StageValues.h"

#include <optional>
#include <span>
#include <vector>

namespace attn {

/// Rows of one head of a stage as vectors at full precision: [count, width], row-major.
struct TokenVectors
{
    Index first = 0; ///< the stage's row that is row 0 here
    Index count = 0;
    Index width = 0;
    std::vector<double> numbers;

    std::span<const double> row(Index index) const
    {
        return {numbers.data() + index * width, static_cast<std::size_t>(width)};
    }
    bool isFinite() const;
};

/// Of two vectors of the same length, summed in order.
double dotProduct(std::span<const double> a, std::span<const double> b);

/// rowCount < 0: all from `first` on
TokenVectors tokenVectors(const StageValues &values, Index head, Index first = 0, Index rowCount = -1);

/// Dot products of all pairs of rows. [count, count]
StageValuesPtr dotTable(const TokenVectors &vectors);
/// Cosines of all pairs of rows; NaN for a row of length 0. [count, count]
StageValuesPtr cosineTable(const TokenVectors &vectors);
/// Dot products of every row with every direction. directions: of the same width; [rows, directions]
StageValuesPtr dotTable(const TokenVectors &vectors, const TokenVectors &directions);

} // namespace attn
