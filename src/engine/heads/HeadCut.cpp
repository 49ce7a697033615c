#include "engine/heads/HeadCut.h"

#include "engine/Projection.h"

namespace attn {

HeadCut headCut(const Sizes &sizes, Index head)
{
    HeadCut cut;
    cut.head = head;
    cut.kvHead = kvHeadOf(head, sizes.nHeads, sizes.nKvHeads);
    cut.query = {head * sizes.dHeadK, sizes.dHeadK};
    cut.key = {cut.kvHead * sizes.dHeadK, sizes.dHeadK};
    cut.value = {cut.kvHead * sizes.dHeadV, sizes.dHeadV};
    cut.output = {head * sizes.dHeadV, sizes.dHeadV};
    for (Index other = 0; other < sizes.nHeads; ++other)
        if (kvHeadOf(other, sizes.nHeads, sizes.nKvHeads) == cut.kvHead)
            cut.sharing.push_back(other);
    return cut;
}

} // namespace attn
