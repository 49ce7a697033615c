#pragma once

#include "engine/StageBlocks.h"
#include "engine/kernels/KernelTable.h"

namespace attn {

/// C = or += A W for one head of a weight held in panels of its rows.
template<typename Scalar>
void multiplyByPanels(const Kernels<Scalar> &kernels, const Scalar *A, Index lda,
                      const StageBlocks<Scalar> &W, Index head, Scalar *C, Index ldc, Index rows,
                      bool addFirst)
{
    if (W.blocksPerHead == 0 && !addFirst)
        kernels.multiply(A, lda, nullptr, 0, C, ldc, rows, 0, W.shape.cols);
    for (Index panel = 0; panel < W.blocksPerHead; ++panel) {
        const BlockReference &block = W.at(head, panel);
        const auto multiply = panel > 0 || addFirst ? kernels.multiplyAdd : kernels.multiply;
        multiply(A + panel * W.blockRows, lda, block.template as<const Scalar>(), block->stride(), C, ldc,
                 rows, W.rowsIn(panel), W.shape.cols);
    }
}

} // namespace attn
