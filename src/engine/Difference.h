#pragma once

#include "engine/Edit.h"

#include <vector>

namespace attn {

/// One thing in which a document differs from another (as opened, or a reference).
struct Difference
{
    enum class Kind
    {
        Cell,    ///< a number of a given matrix
        Matrix,  ///< a matrix that only one has, or whose shape changed
        Pin,     ///< a pinned cell
        Setting, ///< heads, scale, mask parameters, rotary, precision, offset
        Tokens,
        Lab, ///< a number of a scratch matrix, or a whole one
    };

    Kind kind = Kind::Cell;
    Stage stage = Stage::X;
    CellIndex cell;
    std::string lab;    ///< name of the scratch matrix
    std::string before; ///< shortest text
    std::string after;
    std::string what; ///< "X[love, f3]", "scale", "heads"
    Edit revert;      ///< puts this one thing back
};

/// What `after` has different from `before`, pipeline order. At most `limit` entries; `total` counts all.
struct Differences
{
    std::vector<Difference> entries;
    Index total = 0;
};

Differences differencesBetween(const Experiment &before, const Experiment &after, Index limit = 10000);

/// Puts every cell, pin and matrix of one stage back to what `before` has.
Edit revertStage(const Experiment &before, const Experiment &after, Stage stage);

} // namespace attn
