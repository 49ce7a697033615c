#pragma once

#include "engine/lab/SmallMatrix.h"

#include <optional>
#include <vector>

namespace attn {

/// A matrix as a map v → M v of column vectors.
struct MapFacts
{
    Index rank = 0; ///< how many columns are independent, however long they are
    std::vector<double> singularValues;
    // Square matrices only:
    std::optional<double> determinant;
    int orientation = 0;                 ///< sign of the determinant; 0 where the columns are dependent
    std::vector<double> eigenvaluesReal; ///< by real part, then imaginary part
    std::vector<double> eigenvaluesImag;

    bool isInvertible(Index size) const { return rank == size; }
};

MapFacts mapFacts(const SmallMatrix &M);

/// AB: first B, then A.
struct CompositionFacts
{
    SmallMatrix AB;
    SmallMatrix BA;
    SmallMatrix difference;      ///< AB − BA
    double differenceNorm = 0.0; ///< Frobenius
    bool commute = false;        ///< no cell of the difference is above 1e-12
};

/// A, B: square, of one size
CompositionFacts compositionFacts(const SmallMatrix &A, const SmallMatrix &B);

/// A 2×2 as rotate, stretch, rotate: M = R(second) · diag(stretch) · R(first), with R(angle) a rotation
/// counter-clockwise. The stretches are the singular values, the second one negative where M turns the plane
/// over.
struct RotateStretchRotate
{
    double firstAngle = 0.0; ///< radians, in (−π, π]
    double stretch[2] = {1.0, 1.0};
    double secondAngle = 0.0;

    SmallMatrix first() const;
    SmallMatrix stretching() const;
    SmallMatrix second() const;
};

/// M: [2, 2], finite
RotateStretchRotate rotateStretchRotate(const SmallMatrix &M);

/// R(angle), counter-clockwise.
SmallMatrix rotationMatrix(double radians);

/// A map on the way from the identity (0) to M (1): its symmetric part grows while its rotation turns. At 1
/// it is M itself. M: [2, 2], finite
SmallMatrix partOfMap(const SmallMatrix &M, double t);
/// On the way through the factors: step 0 identity, 1 first rotation, 2 stretched, 3 M; between them part of
/// the next factor.
SmallMatrix partOfFactors(const SmallMatrix &M, double step);

/// What a 2×2 does, recognised within 1e-9 of 1 or, where that is more, of its largest number.
struct MapKind
{
    enum class Kind
    {
        Identity,
        Zero,
        Rotation,     ///< by `angle`
        UniformScale, ///< by `factor`
        RotateScale,  ///< by `angle` and `factor`
        Stretch,      ///< by `factor` along `axis` and `otherFactor` across it
        Shear,        ///< along `axis`, by `factor` for each unit across
        Reflection,   ///< across the line along `axis`
        Projection,   ///< onto the line along `axis`, at right angles or (oblique) not
        Collapse,     ///< rank 1: onto the line along `axis`, without being a projection
        General,
    };

    Kind kind = Kind::General;
    double angle = 0.0; ///< radians
    double factor = 1.0;
    double otherFactor = 1.0;
    double axis[2] = {1.0, 0.0}; ///< of length 1
    bool isOblique = false;
};

MapKind kindOfMap(const SmallMatrix &M);

/// The two conditions of a linear map, with numbers.
struct LinearityCheck
{
    std::vector<double> mapOfSum;    ///< T(u + v)
    std::vector<double> sumOfMaps;   ///< T(u) + T(v)
    std::vector<double> mapOfScaled; ///< T(c u)
    std::vector<double> scaledMap;   ///< c T(u)
    double largestDifference = 0.0;
    bool holds = false; ///< within rounding: 1e-12 of the largest number
};

LinearityCheck linearityCheck(const SmallMatrix &T, std::span<const double> u, std::span<const double> v,
                              double c);

} // namespace attn
