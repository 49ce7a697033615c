#pragma once

#include "engine/StageValues.h"

#include <QString>

#include <vector>

namespace attn::test {

/// Empty when every |actual - expected| <= tolerance * (largest |expected|, at least 1e-300) and non-finite
/// cells agree; else the worst cell in words. Shapes must agree.
QString matrixDifference(const StageValues &actual, const Tensor &expected, double tolerance);
QString matrixDifference(const std::vector<double> &actual, const std::vector<double> &expected,
                         double tolerance);

} // namespace attn::test

/// Fails with the worst cell. tolerance is relative to the largest magnitude of the expected matrix.
#define COMPARE_MATRIX(actual, expected, tolerance)                                                          \
    do {                                                                                                     \
        const QString difference = ::attn::test::matrixDifference((actual), (expected), (tolerance));        \
        QVERIFY2(difference.isEmpty(), qPrintable(difference));                                              \
    } while (false)
