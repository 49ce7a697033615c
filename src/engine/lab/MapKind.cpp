#include "engine/lab/LinearMap.h"

#include "base/Assert.h"

#include <algorithm>
#include <cmath>

namespace attn {

namespace {

constexpr double kindTolerance = 1e-9;

/// Recognises one matrix; every comparison is relative to its largest number.
class MapKindFinder
{
public:
    explicit MapKindFinder(const SmallMatrix &M)
        : a(M.at(0, 0))
        , b(M.at(0, 1))
        , c(M.at(1, 0))
        , d(M.at(1, 1))
        , m_size(std::max({std::abs(a), std::abs(b), std::abs(c), std::abs(d)}))
    {
    }

    MapKind found();

private:
    bool same(double one, double other) const
    {
        return std::abs(one - other) <= kindTolerance * std::max(1.0, m_size);
    }
    bool turns();
    bool mirrors();
    bool flattens();
    bool stretches();
    bool shears();
    /// The direction (x, y), of length 1, to the right or up.
    void setAxis(double x, double y);

    double a, b, c, d;
    double m_size;
    MapKind m_found;
};

void MapKindFinder::setAxis(double x, double y)
{
    const double length = std::hypot(x, y);
    const double sign = x < 0.0 || (x == 0.0 && y < 0.0) ? -1.0 : 1.0;
    m_found.axis[0] = sign * x / length;
    m_found.axis[1] = sign * y / length;
}

bool MapKindFinder::turns()
{
    if (!same(a, d) || !same(b, -c))
        return false;
    m_found.angle = std::atan2(c, a);
    m_found.factor = std::hypot(a, c);
    if (same(b, 0.0) && a > 0.0) {
        m_found.factor = a;
        m_found.kind = same(a, 1.0) ? MapKind::Kind::Identity : MapKind::Kind::UniformScale;
        return true;
    }
    m_found.kind = same(m_found.factor, 1.0) ? MapKind::Kind::Rotation : MapKind::Kind::RotateScale;
    return true;
}

/// M symmetric and M·M = 1, but not the identity.
bool MapKindFinder::mirrors()
{
    if (!same(b, c) || !same(a, -d) || !same(a * a + b * b, 1.0))
        return false;
    m_found.kind = MapKind::Kind::Reflection;
    const double half = 0.5 * std::atan2(b, a);
    setAxis(std::cos(half), std::sin(half));
    return true;
}

bool MapKindFinder::flattens()
{
    if (!(std::abs(a * d - b * c) <= kindTolerance * m_size * m_size))
        return false;
    // All images lie along the larger column.
    if (std::hypot(a, c) >= std::hypot(b, d))
        setAxis(a, c);
    else
        setAxis(b, d);
    m_found.kind = same(a + d, 1.0) ? MapKind::Kind::Projection : MapKind::Kind::Collapse;
    m_found.isOblique = !same(b, c);
    return true;
}

/// Symmetric: two eigenvectors at right angles.
bool MapKindFinder::stretches()
{
    if (!same(b, c))
        return false;
    m_found.kind = MapKind::Kind::Stretch;
    const double half = 0.5 * (a + d);
    const double root = std::hypot(0.5 * (a - d), b);
    const double larger = half >= 0.0 ? half + root : half - root;
    m_found.factor = larger;
    m_found.otherFactor = 2.0 * half - larger;
    // Of the two rows of M − larger·1, the one that says more.
    if (std::hypot(b, larger - a) >= std::hypot(larger - d, c))
        setAxis(b, larger - a);
    else
        setAxis(larger - d, c);
    return true;
}

/// det 1 and trace 2 without being the identity: M − 1 takes every vector to a multiple of one direction,
/// which M leaves as it is.
bool MapKindFinder::shears()
{
    if (!same(a + d, 2.0) || !same(a * d - b * c, 1.0))
        return false;
    m_found.kind = MapKind::Kind::Shear;
    if (std::hypot(a - 1.0, c) >= std::hypot(b, d - 1.0))
        setAxis(a - 1.0, c);
    else
        setAxis(b, d - 1.0);
    const double acrossX = -m_found.axis[1];
    const double acrossY = m_found.axis[0];
    m_found.factor = m_found.axis[0] * ((a - 1.0) * acrossX + b * acrossY) +
                     m_found.axis[1] * (c * acrossX + (d - 1.0) * acrossY);
    return true;
}

MapKind MapKindFinder::found()
{
    if (m_size == 0.0)
        m_found.kind = MapKind::Kind::Zero;
    else if (!turns() && !mirrors() && !flattens() && !stretches())
        shears();
    return m_found;
}

} // namespace

MapKind kindOfMap(const SmallMatrix &M)
{
    ATTN_ASSERT(M.rows == 2 && M.cols == 2, "a map of the plane");
    return MapKindFinder(M).found();
}

} // namespace attn
