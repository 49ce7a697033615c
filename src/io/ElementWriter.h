#pragma once

#include "io/TensorFile.h"

#include <QByteArray>

#include <cstdint>

namespace attn {

/// float to IEEE 754 binary16 and bfloat16: nearest, ties to even; what is too large becomes infinite. The
/// inverse of floatFromHalf and floatFromBfloat.
std::uint16_t halfFromFloat(float value);
std::uint16_t bfloatFromFloat(float value);

/// Missing numbers as NaN: the tensor itself when none is missing.
FileTensor withMissingAsNaN(const FileTensor &tensor);

/// The elements as little-endian bytes of `dtype`, row-major. Not for text, and not for tensors with missing
/// numbers.
QByteArray encodeElements(const FileTensor &tensor, Dtype dtype);

} // namespace attn
