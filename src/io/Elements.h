#pragma once

#include "io/TensorFile.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace attn {

/// Bytes of one element of this type; 0 for Text.
int elementBytes(Dtype dtype);

/// The product of the sizes, 1 for none; nothing when one is negative or the product does not fit 63 bits.
std::optional<std::int64_t> elementCount(std::span<const std::int64_t> shape);

/// "[2, 3]", "[]".
std::string shapeListText(std::span<const std::int64_t> shape);

/// IEEE 754 binary16 and bfloat16 to float: exact, subnormals and NaN included.
float floatFromHalf(std::uint16_t bits);
float floatFromBfloat(std::uint16_t bits);

/// Fills tensor.data with numbers as they lie in a file.
///
/// bytes: count * elementBytes(tensor.dtype) bytes, which the caller has checked against the file.
void decodeElements(std::span<const char> bytes, bool isBigEndian, FileTensor &tensor);

/// Rearranges column-major data (first index fastest) to row-major.
void makeRowMajor(FileTensor &tensor);

/// Appends a code point as UTF-8; what is none (surrogates, beyond U+10FFFF) becomes U+FFFD.
void appendUtf8(std::uint32_t codePoint, std::string &text);

} // namespace attn
