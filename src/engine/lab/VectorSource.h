#pragma once

#include "engine/Edit.h"
#include "engine/Snapshot.h"
#include "engine/lab/SmallMatrix.h"

namespace attn {

/// Where the vectors of a lab come from, and in which plane they are drawn.
struct VectorSource
{
    enum class Kind
    {
        Scratch, ///< the standard scratch matrix of the page
        Columns, ///< two columns of a stage
        Rows,    ///< two rows of a stage
    };

    Kind kind = Kind::Scratch;
    Index dimension = 2; ///< of scratch vectors: 2 or 3
    Index count = 2;     ///< of scratch vectors: 1 to 3
    Stage stage = Stage::Wq;
    Index head = 0;
    Index first = 0; ///< the two columns (rows)
    Index second = 1;
    Index axisX = 0; ///< the two coordinates that are drawn
    Index axisY = 1;
    bool ownPlane = false; ///< drawn in the plane that both lie in, by Gram and Schmidt, instead

    bool isScratch() const { return kind == Kind::Scratch; }
    bool operator==(const VectorSource &) const = default;
};

/// Vectors longer than this are not drawn, and longer than mostEditedNumbers not dragged in their own plane.
inline constexpr Index mostVectorNumbers = 1 << 16;
inline constexpr Index mostEditedNumbers = 1024;

/// The same with head, indices and coordinates inside the stage; two different ones where there are two.
VectorSource insideStage(VectorSource source, const Snapshot &snapshot);

/// The vectors as columns: the upper left [dimension, count] of the scratch matrix `lab`, or [n, 2] of the
/// stage.
/// Fails where the stage has no values, fewer than two numbers in a vector, more than mostVectorNumbers, or
/// numbers that are not finite.
Result<SmallMatrix> chosenVectors(const Snapshot &snapshot, const VectorSource &source,
                                  const std::string &lab);

/// The cell that holds number `coordinate` of vector `which`.
CellIndex vectorCell(const VectorSource &source, Index which, Index coordinate);

/// The edit that gives vector `which` these numbers: cells of the scratch matrix, or of the stage as if they
/// were typed (a computed stage pins them). Only the numbers that a move in this plane changes are set.
Result<Edit> vectorEdit(const Experiment &experiment, const VectorSource &source, const std::string &lab,
                        const SmallMatrix &plane, Index which, std::span<const double> wanted);

/// Orthonormal directions of the picture: drawn = directionsᵀ · vector. [n, 2]
SmallMatrix drawnPlane(const VectorSource &source, const SmallMatrix &vectors);

/// The view of space from outside: two directions of the screen, to the right and up. [3, 2]
/// azimuth, elevation: radians; 0, 0 looks along −x with y to the right
SmallMatrix viewOfSpace(double azimuth, double elevation);

/// A vector whose drawn point is moved: what is not seen of it stays.
std::vector<double> movedVector(const SmallMatrix &plane, std::span<const double> vector, double x, double y);

} // namespace attn
