#include "support/MatrixCompare.h"

#include <algorithm>
#include <cmath>

namespace attn::test {

QString matrixDifference(const std::vector<double> &actual, const std::vector<double> &expected,
                         double tolerance)
{
    if (actual.size() != expected.size())
        return QStringLiteral("%1 cells, expected %2").arg(actual.size()).arg(expected.size());
    double magnitude = 1e-300;
    for (const double value : expected)
        if (std::isfinite(value))
            magnitude = std::max(magnitude, std::abs(value));
    double worst = 0.0;
    std::size_t worstIndex = 0;
    for (std::size_t i = 0; i < actual.size(); ++i) {
        const bool sameKind =
            std::isfinite(expected[i])
                ? std::isfinite(actual[i])
                : (std::isnan(expected[i]) ? std::isnan(actual[i]) : actual[i] == expected[i]);
        const double error =
            !sameKind ? HUGE_VAL : (std::isfinite(expected[i]) ? std::abs(actual[i] - expected[i]) : 0.0);
        if (error > worst) {
            worst = error;
            worstIndex = i;
        }
    }
    if (worst <= tolerance * magnitude)
        return {};
    return QStringLiteral("worst at flat index %1: %2, expected %3 (error %4, allowed %5)")
        .arg(worstIndex)
        .arg(actual[worstIndex], 0, 'g', 17)
        .arg(expected[worstIndex], 0, 'g', 17)
        .arg(worst)
        .arg(tolerance * magnitude);
}

QString matrixDifference(const StageValues &actual, const Tensor &expected, double tolerance)
{
    if (!(actual.shape() == expected.shape()))
        return QStringLiteral("shape %1, expected %2")
            .arg(QString::fromStdString(shapeText(actual.shape())),
                 QString::fromStdString(shapeText(expected.shape())));
    std::vector<double> values(static_cast<std::size_t>(actual.shape().size()));
    const Index perHead = actual.rows() * actual.cols();
    for (Index head = 0; head < actual.heads() && perHead > 0; ++head)
        actual.readBlock(head, 0, 0, actual.rows(), actual.cols(), values.data() + head * perHead,
                         actual.cols());
    return matrixDifference(values, expected.toDoubles(), tolerance);
}

} // namespace attn::test
