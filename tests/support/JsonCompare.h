#pragma once

#include "io/Json.h"

#include <QString>

namespace attn::test {

/// Empty when both are the same: members in any order, numbers by their double's bits (NaN equals NaN). Else
/// the first difference with its path.
QString jsonDifference(const Json &actual, const Json &expected, const QString &path = {});

/// The parsed content of a file below tests/data; ends the test run when it cannot be read.
Json readTestJson(const QString &relativePath);

} // namespace attn::test
