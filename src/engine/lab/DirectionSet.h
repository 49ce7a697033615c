#pragma once

#include "base/Result.h"
#include "engine/Edit.h"
#include "engine/lab/TokenGeometry.h"

#include <string>

namespace attn {

/// The directions of one width that a document keeps, one per row of a scratch matrix.
std::string directionsLab(Index width);

/// Those kept; else a first proposal: "needs an object" in 6 dimensions, otherwise the difference of the
/// first two vectors. isKept: whether they are the document's.
struct DirectionSet
{
    TokenVectors directions;
    std::vector<std::string> names; ///< as the document has them, one each; empty = not named
    bool isKept = false;
};

DirectionSet directionSet(const Experiment &experiment, const TokenVectors &vectors);

/// Keeps the set with one more direction at its end. direction: as wide as the set
Edit directionAdded(const DirectionSet &set, std::span<const double> direction, const std::string &name = {});
/// Keeps the set with this name for one of its directions; its numbers stay.
Edit directionNamed(const DirectionSet &set, Index index, const std::string &name);
/// Keeps the set without this one; without any left, the proposal comes back.
Edit directionRemoved(const DirectionSet &set, Index index);

/// vectors.row(to) - vectors.row(from)
std::vector<double> differenceOf(const TokenVectors &vectors, Index to, Index from);

} // namespace attn
