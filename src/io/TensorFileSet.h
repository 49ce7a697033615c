#pragma once

#include "base/Result.h"
#include "io/TensorFile.h"

#include <memory>
#include <vector>

namespace attn {

/// Several files as one: single arrays keep their file's name, tensors of a container the container's name in
/// front where two of them would be equal. Labels are those of the first file that has some.
Result<std::unique_ptr<TensorFile>> joinTensorFiles(std::vector<std::unique_ptr<TensorFile>> files);

} // namespace attn
