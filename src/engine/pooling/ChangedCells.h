#pragma once

#include "engine/StageValues.h"

#include <vector>

namespace attn {

/// Where a head of a stage may hold other numbers than it did: in whole rows and whole columns.
struct ChangedCells
{
    struct Lines
    {
        Index first = 0;
        Index count = 0;
    };

    bool everywhere = true;
    std::vector<Lines> rows; ///< unless everywhere
    std::vector<Lines> cols;
};

/// Adds lines to others: next to the last ones they become one range with them.
void addLines(std::vector<ChangedCells::Lines> &lines, const ChangedCells::Lines &more);

/// Values that know it of older ones, by the blocks that both are made of.
class TracesChanges
{
public:
    virtual ~TracesChanges() = default;
    /// Cells that were not computed yet count as they will be once they are, unless anything they are
    /// computed from has another block.
    virtual ChangedCells changedSince(const StageValues &before, Index head) const = 0;
};

/// Everywhere where the values cannot tell.
ChangedCells changedCells(const StageValues &before, const StageValues &now, Index head);

} // namespace attn
