#pragma once

#include "engine/Stage.h"
#include "io/Import.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace attn {

/// What is known about the sizes of a file when the axes of one of its tensors are guessed.
struct AxisContext
{
    std::optional<Index> nHeads;
    std::optional<Index> nKvHeads;
    std::optional<Index> batch;          ///< entries, from X or the metadata
    std::optional<Index> width;          ///< columns of the projection that gives this stage
    std::optional<AxisRole> leadingAxis; ///< what the metadata calls the first axis
};

struct AxisGuess
{
    std::vector<AxisRole> axes;
    bool isUncertain = false; ///< an axis that could be batch or head, or batch or layer
};

/// The meaning of every axis of a tensor taken for `stage`, from its shape.
///
/// Axes in front of those of one layer and example are layer, then batch; with heads they come before them.
/// Too many or too few axes are Unknown.
AxisGuess guessAxes(Stage stage, const std::vector<std::int64_t> &shape, const AxisContext &context);

} // namespace attn
