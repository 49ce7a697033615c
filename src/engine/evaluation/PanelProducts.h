#pragma once

#include "engine/StageBlocks.h"
#include "engine/evaluation/PanelCache.h"
#include "engine/kernels/KernelTable.h"

namespace attn {

/// C = or += A W for one head of a weight held in panels of its rows. cache: with room for the panels behind
/// `firstCached`, or null.
template<typename Scalar>
void multiplyByPanels(const Kernels<Scalar> &kernels, const Scalar *A, Index lda,
                      const StageBlocks<Scalar> &W, Index head, Scalar *C, Index ldc, Index rows,
                      bool addFirst, PanelCache<Scalar> *cache = nullptr, Index firstCached = 0)
{
    const Index cols = W.shape.cols;
    if (W.blocksPerHead == 0 && !addFirst)
        kernels.multiply(A, lda, nullptr, 0, C, ldc, rows, 0, cols);
    for (Index panel = 0; panel < W.blocksPerHead; ++panel) {
        const BlockReference &block = W.at(head, panel);
        const auto *numbers = block.template as<const Scalar>();
        const Scalar *from = A + panel * W.blockRows;
        const Index depth = W.rowsIn(panel);
        const bool accumulates = panel > 0 || addFirst;
        if (cache && rows >= kernelRowsWorthPacking) {
            const Scalar *packed = cache->of(firstCached + panel, block, [&](Scalar *out) {
                kernels.packPanels(numbers, block->stride(), depth, cols, out);
            });
            kernels.multiplyPacked(from, lda, packed, C, ldc, rows, depth, cols, accumulates, Scalar(1));
        } else {
            const auto multiply = accumulates ? kernels.multiplyAdd : kernels.multiply;
            multiply(from, lda, numbers, block->stride(), C, ldc, rows, depth, cols);
        }
    }
}

} // namespace attn
