#pragma once

#include "engine/Edit.h"

#include <array>

namespace attn {

/// Matrices W^O that show what it does with the heads side by side in concat.
enum class OutputPreset
{
    Identity, ///< changes nothing: the heads stay apart
    Swap,     ///< the heads in reverse order, each left whole
    Mixing,   ///< every head's place gets the mean of all heads
};

inline constexpr std::array allOutputPresets = {OutputPreset::Identity, OutputPreset::Swap,
                                                OutputPreset::Mixing};
inline constexpr Index widestOutputPreset = 2048;

/// width: of concat, a multiple of heads; returns [width, width]
Tensor outputPreset(OutputPreset preset, Index heads, Index width);

/// Sets W^O to it. Refused where the width of the heads is not known or too large, and where b^O has another
/// width.
Result<Edit> outputPresetEdit(const Experiment &experiment, OutputPreset preset);

} // namespace attn
