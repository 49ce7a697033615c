#pragma once

#include "base/Result.h"
#include "io/TensorFile.h"

#include <memory>

namespace attn {

class ByteSource;

/// A zip archive of .npy arrays (numpy.savez). Members that are no arrays are skipped with a note; arrays
/// that cannot be read are listed with the reason, and it is an error when none can.
Result<std::unique_ptr<TensorFile>> openNpzFile(std::shared_ptr<const ByteSource> source);

} // namespace attn
