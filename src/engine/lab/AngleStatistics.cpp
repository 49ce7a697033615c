#include "engine/lab/AngleStatistics.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace attn {

namespace {

double radiansOf(double degrees)
{
    return degrees * std::numbers::pi / 180.0;
}

/// The second derivative of ln Gamma: recurrence up to 30, then the asymptotic series.
double trigamma(double x)
{
    double sum = 0.0;
    for (; x < 30.0; x += 1.0)
        sum += 1.0 / (x * x);
    const double y = 1.0 / (x * x);
    return sum + 1.0 / x + y / 2.0 +
           (y / x) * (1.0 / 6.0 - y * (1.0 / 30.0 - y * (1.0 / 42.0 - y * (1.0 / 30.0 - y * 5.0 / 66.0))));
}

double awayFromZero(double value)
{
    constexpr double tiny = 1e-300;
    return std::abs(value) > tiny ? value : tiny;
}

/// Continued fraction of the incomplete beta function, by the modified method of Lentz.
double betaFraction(double a, double b, double x)
{
    double c = 1.0;
    double d = 1.0 / awayFromZero(1.0 - (a + b) * x / (a + 1.0));
    double fraction = d;
    for (int i = 1; i < 10000; ++i) {
        const double m = i;
        const double even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        const double odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        double step = 1.0;
        for (const double numerator : {even, odd}) {
            d = 1.0 / awayFromZero(1.0 + numerator * d);
            c = awayFromZero(1.0 + numerator / c);
            step = c * d;
            fraction *= step;
        }
        if (std::abs(step - 1.0) < 1e-16)
            break;
    }
    return fraction;
}

/// I_x(a, b).
double regularisedBeta(double a, double b, double x)
{
    if (x <= 0.0)
        return 0.0;
    if (x >= 1.0)
        return 1.0;
    const double front = std::exp(a * std::log(x) + b * std::log1p(-x) -
                                  (std::lgamma(a) + std::lgamma(b) - std::lgamma(a + b)));
    if (x < (a + 1.0) / (a + b + 2.0))
        return front * betaFraction(a, b, x) / a;
    return 1.0 - front * betaFraction(b, a, 1.0 - x) / b;
}

} // namespace

double angleDensity(Index n, double degrees)
{
    const double dimension = static_cast<double>(n);
    const double sine = std::sin(radiansOf(degrees));
    if (n > 2 && sine <= 0.0)
        return 0.0;
    const double factor = std::lgamma(dimension / 2.0) - std::lgamma((dimension - 1.0) / 2.0) -
                          0.5 * std::log(std::numbers::pi);
    return std::exp(factor + (n > 2 ? (dimension - 2.0) * std::log(sine) : 0.0));
}

double angleDensityPerDegree(Index n, double degrees)
{
    return angleDensity(n, degrees) * std::numbers::pi / 180.0;
}

double angleDeviation(Index n)
{
    return std::sqrt(0.5 * trigamma(static_cast<double>(n) / 2.0)) * 180.0 / std::numbers::pi;
}

double dotDeviation(Index n)
{
    return 1.0 / std::sqrt(static_cast<double>(n));
}

double meanAbsoluteDot(Index n)
{
    const double half = static_cast<double>(n) / 2.0;
    return std::exp(std::lgamma(half) - std::lgamma(half + 0.5)) / std::sqrt(std::numbers::pi);
}

double probabilityNearlyOrthogonal(Index n, double degrees)
{
    const double cosine = std::cos(radiansOf(degrees));
    return regularisedBeta(0.5, (static_cast<double>(n) - 1.0) / 2.0, cosine * cosine);
}

double probabilityBeyond(Index n, double degrees)
{
    return 0.5 + 0.5 * probabilityNearlyOrthogonal(n, degrees);
}

ExpectedPairs expectedPairs(Index n, double directions, double degrees)
{
    const double near = probabilityNearlyOrthogonal(n, degrees);
    ExpectedPairs expected;
    expected.pairs = directions * (directions - 1.0) / 2.0;
    expected.beyond = expected.pairs * probabilityBeyond(n, degrees);
    expected.nearlyOrthogonal = expected.pairs * near;
    expected.failing = expected.pairs * (1.0 - near);
    return expected;
}

} // namespace attn
