#pragma once

#include "engine/Experiment.h"

#include <map>
#include <vector>

namespace attn::test {

/// Numbers of one stage, head first, row-major.
struct ReferenceStage
{
    Shape shape;
    std::vector<long double> numbers;

    long double &at(Index head, Index row, Index col)
    {
        return numbers[static_cast<std::size_t>((head * shape.rows + row) * shape.cols + col)];
    }
    long double at(Index head, Index row, Index col) const
    {
        return numbers[static_cast<std::size_t>((head * shape.rows + row) * shape.cols + col)];
    }
};

/// The forward pass once more, from its definition: plain loops in long double, nothing shared with the
/// engine. For finite experiments whose shapes fit.
///
/// returns: Q, K, V, scores, scaled, masked, A, head_out, concat, output, as far as they exist
std::map<Stage, ReferenceStage> referenceAttention(const Experiment &experiment);

} // namespace attn::test
