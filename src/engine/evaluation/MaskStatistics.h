#pragma once

#include "engine/Masking.h"
#include "engine/StageValues.h"

#include <optional>

namespace attn {

/// Counts of the stages `allowed` and `bias` of one head, from the spans of its rows. Nothing where a mask
/// matrix says cell by cell what is allowed or added, or where a slope is not finite: then cells must be
/// read.

std::optional<ValueStatistics> allowedStatistics(const MaskParts &mask, Index rows, Index cols);
/// With the cells rounded to float32 as the stage holds them.
std::optional<ValueStatistics> biasStatistics(const MaskParts &mask, Index head, Index rows, Index cols,
                                              bool isSinglePrecision);

} // namespace attn
