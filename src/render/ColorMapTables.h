#pragma once

#include <array>
#include <cstdint>

namespace attn {

/// 256 colours 0xRRGGBB from the low to the high end of a scale.
using ColorTable = std::array<std::uint32_t, 256>;

extern const ColorTable viridisTable;
extern const ColorTable magmaTable;
extern const ColorTable cividisTable;

} // namespace attn
