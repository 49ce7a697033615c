#pragma once

#include "base/Result.h"
#include "io/TensorFile.h"

#include <memory>

namespace attn {

/// Reads the header only; each tensor is read when it is loaded. Tensors of types we do not know are listed
/// with the reason.
Result<std::unique_ptr<TensorFile>> openSafetensorsFile(std::shared_ptr<const ByteSource> source);

} // namespace attn
