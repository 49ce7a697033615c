#include "engine/pooling/ChangedCells.h"

namespace attn {

void addLines(std::vector<ChangedCells::Lines> &lines, const ChangedCells::Lines &more)
{
    if (!lines.empty() && lines.back().first + lines.back().count == more.first)
        lines.back().count += more.count;
    else
        lines.push_back(more);
}

ChangedCells changedCells(const StageValues &before, const StageValues &now, Index head)
{
    const auto *traced = dynamic_cast<const TracesChanges *>(&now);
    if (&before == &now)
        return {false, {}, {}};
    return traced && before.shape() == now.shape() ? traced->changedSince(before, head) : ChangedCells();
}

} // namespace attn
