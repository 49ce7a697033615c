#pragma once

#include "engine/Stage.h"
#include "engine/StageValues.h"
#include "io/TensorFile.h"

namespace attn {

/// A stage as a tensor of a file: its name and golden axes; float64 or float32 as computed, bool for flags.
FileTensor fileTensorOf(Stage stage, const StageValues &values);

} // namespace attn
