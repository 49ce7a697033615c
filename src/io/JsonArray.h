#pragma once

#include "io/Json.h"
#include "io/TensorFile.h"

#include <string>
#include <vector>

namespace attn {

/// Nested JSON arrays of equal lengths as a tensor named `name`.
///
/// Numbers become F64 (I64 or U64 where a whole number needs more than 53 bits), true and false Bool, strings
/// Text. Of several axes of strings that are all numbers, the numbers are taken and a note says so; null is
/// missing. Errors are placed as in "[0][2]: ...", counted from 0.
Result<FileTensor> tensorFromArrays(const Json &arrays, const std::string &name,
                                    std::vector<std::string> &notes);

/// {"shape": [2, 3], "data": [...], "dtype": "F32"}: data flat or nested, row-major; dtype as dtypeName
/// spells it, or "bool", "int", "float32", "float64"; without it F64. Whole numbers may be strings,
/// infinities and NaN are.
Result<FileTensor> tensorFromShapeAndData(const Json &object, const std::string &name);

/// Whether a value is what tensorFromShapeAndData reads.
bool isShapeAndData(const Json &value);

} // namespace attn
