#pragma once

#include "io/Npy.h"

#include <string_view>

namespace attn {

/// Reads the dictionary of a .npy header: dtype, order and shape; dataOffset is left 0.
///
/// Only the literals that NumPy writes are read (strings, True, False, whole numbers, tuples); nothing is
/// evaluated. `firstByte` is the text's place in the file, for messages.
Result<NpyHeader> parseNpyDescription(std::string_view text, std::size_t firstByte);

} // namespace attn
