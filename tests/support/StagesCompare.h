#pragma once

#include "io/Json.h"

#include <QString>

namespace attn::test {

/// Empty when `actual` has every array of `expected` (golden form: {"shape", "data"}) in the same shape and
/// within the tolerance, relative to the largest magnitude of each array; booleans, infinities and NaN
/// exactly. Else the first array that differs, with its worst number.
QString arraysDifference(const Json &actual, const Json &expected, double tolerance);

/// The two arrays alone.
QString arrayDifference(const Json &actual, const Json &expected, double tolerance);

} // namespace attn::test
