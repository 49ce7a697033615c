#pragma once

#include "engine/StageValues.h"

#include <vector>

namespace attn {

/// Smallest and greatest number among neighbouring cells of a line. NaN when one of them is NaN or all are
/// -inf.
struct ProfileBin
{
    float smallest;
    float greatest;
};

/// A row or a column of a stage, as many cells in each bin as the picture has no room to tell apart.
struct LineProfile
{
    std::vector<ProfileBin> bins; ///< at most as many as asked for; cells are spread over them in order
    Index first = 0;              ///< cells [first, first + count) of the line
    Index count = 0;
    bool isExact = true;

    /// The cells of a bin: [begin(bin), begin(bin + 1)).
    Index begin(std::size_t bin) const
    {
        return first + static_cast<Index>(bin) * count / static_cast<Index>(bins.size());
    }
};

/// Cells [firstCol, firstCol + count) of a row; every one of them is read.
LineProfile rowProfile(const StageValues &values, Index head, Index row, Index firstCol, Index count,
                       Index mostBins);
/// Cells [firstRow, firstRow + count) of a column.
LineProfile columnProfile(const StageValues &values, Index head, Index col, Index firstRow, Index count,
                          Index mostBins);

} // namespace attn
