#include "engine/lab/PackingBounds.h"

#include <cmath>
#include <limits>
#include <numbers>

namespace attn {

namespace {

constexpr int mostSteps = 400;

/// Orthonormal polynomials of the probability measure proportional to (1-u)^alpha (1+u)^beta on [-1, 1], at
/// one point, one degree after the other.
class JacobiWalk
{
public:
    JacobiWalk(double alpha, double beta, double u)
        : m_alpha(alpha)
        , m_beta(beta)
        , m_u(u)
    {
    }

    double value() const { return m_now; }
    void advance()
    {
        const double next = nextRoot();
        const double value = ((m_u - middle()) * m_now - m_root * m_before) / next;
        m_before = m_now;
        m_now = value;
        m_root = next;
        m_degree += 1.0;
    }

private:
    double middle() const
    {
        if (m_degree == 0.0)
            return (m_beta - m_alpha) / (m_alpha + m_beta + 2.0);
        const double t = 2.0 * m_degree + m_alpha + m_beta;
        return (m_beta * m_beta - m_alpha * m_alpha) / (t * (t + 2.0));
    }
    double nextRoot() const
    {
        const double q = m_degree + 1.0;
        const double t = 2.0 * q + m_alpha + m_beta;
        if (q == 1.0)
            return std::sqrt(4.0 * (1.0 + m_alpha) * (1.0 + m_beta) / (t * t * (t + 1.0)));
        return std::sqrt(4.0 * q * (q + m_alpha) * (q + m_beta) * (q + m_alpha + m_beta) /
                         (t * t * (t + 1.0) * (t - 1.0)));
    }

    double m_alpha;
    double m_beta;
    double m_u;
    double m_degree = 0.0;
    double m_before = 0.0;
    double m_now = 1.0;
    double m_root = 0.0;
};

/// The first degree whose largest zero is not below s: there the values stop being positive.
int firstDegreeReaching(double alpha, double beta, double s)
{
    JacobiWalk walk(alpha, beta, s);
    for (int degree = 1; degree <= mostSteps; ++degree) {
        walk.advance();
        if (walk.value() <= 0.0)
            return degree;
    }
    return mostSteps + 1;
}

/// 1 / the weight of u = 1 in the quadrature with nodes at 1 and s that is exact to degree 2k - 1:
/// sum over i < k of q_i(1)^2 - q_i(1) q_i(s) q_k(1) / q_k(s).
double inverseWeight(double alpha, double beta, double s, int k)
{
    JacobiWalk atOne(alpha, beta, 1.0);
    JacobiWalk atS(alpha, beta, s);
    double squares = 0.0;
    double mixed = 0.0;
    for (int i = 0; i < k; ++i) {
        squares += atOne.value() * atOne.value();
        mixed += atOne.value() * atS.value();
        atOne.advance();
        atS.advance();
    }
    const double inverse = squares - mixed * atOne.value() / atS.value();
    return std::isnan(inverse) ? std::numeric_limits<double>::infinity() : inverse; // beyond a double
}

/// Levenshtein's bound in a space whose zonal measure is Jacobi's; degree: in u
PackingBound levenshteinBound(double alpha, double beta, double s)
{
    const int k = firstDegreeReaching(alpha + 1.0, beta + 1.0, s);
    if (k > mostSteps)
        return {std::numeric_limits<double>::infinity(), 2 * k};
    if (firstDegreeReaching(alpha + 1.0, beta, s) <= k)
        return {inverseWeight(alpha, beta, s, k), 2 * k - 1};
    // A third node at -1: the same for the measure times (1 + u), whose mass is 2 (beta + 1) / (sum + 2).
    const double mass = (beta + 1.0) / (alpha + beta + 2.0);
    return {inverseWeight(alpha, beta + 1.0, s, k) / mass, 2 * k};
}

/// Exactly 0 at 90 degrees.
double cosineOf(double degrees)
{
    return std::sin((90.0 - degrees) * std::numbers::pi / 180.0);
}

} // namespace

std::optional<double> welchBound(Index n, double degrees)
{
    const double dimension = static_cast<double>(n);
    const double cosine = cosineOf(degrees);
    const double square = cosine * cosine;
    if (dimension * square >= 1.0)
        return std::nullopt;
    return dimension * (1.0 - square) / (1.0 - dimension * square);
}

PackingBound oneSidedBound(Index n, double degrees)
{
    const double parameter = (static_cast<double>(n) - 3.0) / 2.0;
    return levenshteinBound(parameter, parameter, cosineOf(degrees));
}

PackingBound twoSidedBound(Index n, double degrees)
{
    const double cosine = cosineOf(degrees);
    PackingBound bound =
        levenshteinBound((static_cast<double>(n) - 3.0) / 2.0, -0.5, 2.0 * cosine * cosine - 1.0);
    bound.degree *= 2;
    return bound;
}

} // namespace attn
