#pragma once

#include "base/Result.h"
#include "io/TensorFile.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace attn {

/// What the header of a .npy array says.
struct NpyHeader
{
    Dtype dtype = Dtype::F32;
    std::vector<std::int64_t> shape;
    std::int64_t itemBytes = 4;
    std::int64_t count = 1; ///< elements
    std::int64_t dataOffset = 0;
    bool isBigEndian = false;
    bool isFortranOrder = false;
    bool isByteText = false; ///< dtype S: bytes instead of code points

    std::int64_t dataBytes() const { return count * itemBytes; }
};

/// Longest header that is read; the header of a plain array has about 100 bytes.
inline constexpr std::int64_t npyHeaderLimit = std::int64_t(1) << 20;

/// Reads the header from the first bytes of an array (all of it, or at least npyHeaderLimit + 12 bytes).
///
/// Errors have no file name in front: "byte 12: ...". Object and structured arrays, complex numbers and other
/// types we do not read are Unsupported; whatever contradicts itself is Damaged.
Result<NpyHeader> parseNpyHeader(std::span<const char> start);

/// Reads a whole .npy array. Checks the declared size against the bytes before it allocates.
Result<FileTensor> parseNpy(std::span<const char> bytes, const std::string &tensorName);

/// A file that is one array, named after the file.
Result<std::unique_ptr<TensorFile>> openNpyFile(std::shared_ptr<const ByteSource> source);

} // namespace attn
