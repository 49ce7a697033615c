#pragma once

#include "engine/kernels/KernelTable.h"
#include "engine/kernels/unit/Packets.h"

namespace attn {

namespace {

/// One register block of a product: `rows` rows, two packets wide. Its accumulators, two packets of B and one
/// broadcast number of A have to fit the registers.
template<typename Scalar>
constexpr int blockRows = EIGEN_ARCH_DEFAULT_NUMBER_OF_REGISTERS >= 32 ? 8 : 6;

template<typename Scalar>
constexpr Index blockCols = 2 * packetSize<Scalar>;

/// What becomes of a product: C = factor A B, or factor (C + A B).
template<typename Scalar>
struct ProductEnd
{
    bool accumulates = false;
    Scalar factor = 1;
};

/// C (+)= A B for one register block. A: [rows, depth]; B: [depth, blockCols].
template<int rows, typename Scalar>
void multiplyBlock(const Scalar *A, Index lda, const Scalar *B, Index ldb, Index depth, Scalar *C, Index ldc,
                   const ProductEnd<Scalar> &end)
{
    constexpr Index size = packetSize<Scalar>;
    // Unrolled before anything else, the sums stay in registers from their zeros to where they are stored.
    Packet<Scalar> left[rows];
    Packet<Scalar> right[rows];
#pragma GCC unroll 16
    for (int i = 0; i < rows; ++i) {
        left[i] = all(Scalar(0));
        right[i] = all(Scalar(0));
    }
#pragma GCC unroll 4
    for (Index k = 0; k < depth; ++k) {
        const Packet<Scalar> bLeft = load(B + k * ldb);
        const Packet<Scalar> bRight = load(B + k * ldb + size);
#pragma GCC unroll 16
        for (int i = 0; i < rows; ++i) {
            const Packet<Scalar> a = all(A[i * lda + k]);
            left[i] = packet::pmadd(a, bLeft, left[i]);
            right[i] = packet::pmadd(a, bRight, right[i]);
        }
    }
    const Packet<Scalar> factor = all(end.factor);
#pragma GCC unroll 16
    for (int i = 0; i < rows; ++i) {
        Scalar *row = C + i * ldc;
        const Packet<Scalar> leftSum = end.accumulates ? packet::padd(load(row), left[i]) : left[i];
        const Packet<Scalar> rightSum = end.accumulates ? packet::padd(load(row + size), right[i]) : right[i];
        store(row, packet::pmul(leftSum, factor));
        store(row + size, packet::pmul(rightSum, factor));
    }
}

template<typename Scalar>
using MultiplyBlock = void (*)(const Scalar *, Index, const Scalar *, Index, Index, Scalar *, Index,
                               const ProductEnd<Scalar> &);

/// A block of fewer rows makes the same sums in the same order.
template<typename Scalar>
MultiplyBlock<Scalar> blockFunction(Index rows)
{
    static constexpr MultiplyBlock<Scalar> functions[] = {multiplyBlock<1, Scalar>, multiplyBlock<2, Scalar>,
                                                          multiplyBlock<3, Scalar>, multiplyBlock<4, Scalar>,
                                                          multiplyBlock<5, Scalar>, multiplyBlock<6, Scalar>,
                                                          multiplyBlock<7, Scalar>, multiplyBlock<8, Scalar>};
    return functions[rows - 1];
}

/// C (+)= A B for one panel of B, [depth, blockCols] whatever cols is: only `cols` columns of C are written.
template<typename Scalar>
void multiplyPanel(const Scalar *A, Index lda, const Scalar *B, Index ldb, Scalar *C, Index ldc, Index rows,
                   Index depth, Index cols, const ProductEnd<Scalar> &end)
{
    constexpr Index width = blockCols<Scalar>;
    alignas(64) Scalar edge[blockRows<Scalar> * width];
    for (Index row = 0; row < rows; row += blockRows<Scalar>) {
        const Index count = smallerOf(blockRows<Scalar>, rows - row);
        const MultiplyBlock<Scalar> multiplyRows = blockFunction<Scalar>(count);
        Scalar *target = C + row * ldc;
        if (cols == width) {
            multiplyRows(A + row * lda, lda, B, ldb, depth, target, ldc, end);
            continue;
        }
        multiplyRows(A + row * lda, lda, B, ldb, depth, edge, width, {});
        for (Index i = 0; i < count; ++i)
            for (Index j = 0; j < cols; ++j)
                target[i * ldc + j] =
                    end.factor *
                    (end.accumulates ? target[i * ldc + j] + edge[i * width + j] : edge[i * width + j]);
    }
}

/// Copies [depth, cols] of B into a panel that is blockCols wide, zeros behind.
template<typename Scalar>
void packRows(const Scalar *B, Index ldb, Index depth, Index cols, Scalar *panel)
{
    constexpr Index width = blockCols<Scalar>;
    constexpr Index size = packetSize<Scalar>;
    for (Index k = 0; k < depth; ++k) {
        const Scalar *from = B + k * ldb;
        Scalar *to = panel + k * width;
        if (cols == width) {
            store(to, load(from));
            store(to + size, load(from + size));
            continue;
        }
        for (Index j = 0; j < width; ++j)
            to[j] = j < cols ? from[j] : Scalar(0);
    }
}

/// Copies [cols, depth] of B, transposed, into a panel that is blockCols wide, zeros behind.
template<typename Scalar>
void packTransposed(const Scalar *B, Index ldb, Index depth, Index cols, Scalar *panel)
{
    constexpr Index width = blockCols<Scalar>;
    constexpr Index size = packetSize<Scalar>;
    for (Index group = 0; group < width; group += size) {
        Index k = 0;
        if constexpr (size > 1) {
            for (; group + size <= cols && k + size <= depth; k += size) {
                packet::PacketBlock<Packet<Scalar>, static_cast<int>(size)> block;
                for (Index j = 0; j < size; ++j)
                    block.packet[j] = load(B + (group + j) * ldb + k);
                packet::ptranspose(block);
                for (Index j = 0; j < size; ++j)
                    store(panel + (k + j) * width + group, block.packet[j]);
            }
        }
        for (; k < depth; ++k)
            for (Index j = group; j < group + size; ++j)
                panel[k * width + j] = j < cols ? B[j * ldb + k] : Scalar(0);
    }
}

/// Calls each(col, count) for the panels of `cols` columns.
template<typename Scalar, typename Each>
void forPanels(Index cols, Each each)
{
    for (Index col = 0; col < cols; col += blockCols<Scalar>)
        each(col, smallerOf(blockCols<Scalar>, cols - col));
}

template<typename Scalar>
void packPanels(const Scalar *B, Index ldb, Index depth, Index cols, Scalar *packed)
{
    forPanels<Scalar>(
        cols, [&](Index col, Index count) { packRows(B + col, ldb, depth, count, packed + col * depth); });
}

template<typename Scalar>
void packPanelsTransposed(const Scalar *B, Index ldb, Index depth, Index cols, Scalar *packed)
{
    forPanels<Scalar>(cols, [&](Index col, Index count) {
        packTransposed(B + col * ldb, ldb, depth, count, packed + col * depth);
    });
}

template<typename Scalar>
void multiplyPacked(const Scalar *A, Index lda, const Scalar *packed, Scalar *C, Index ldc, Index rows,
                    Index depth, Index cols, bool accumulates, Scalar factor)
{
    constexpr Index width = blockCols<Scalar>;
    static_assert(kernelColumnTile % width == 0, "packedSize() has room for every panel");
    forPanels<Scalar>(cols, [&](Index col, Index count) {
        for (Index k = 0; k == 0 || k < depth; k += kernelDepthPanel) {
            const bool isLast = k + kernelDepthPanel >= depth;
            multiplyPanel(A + k, lda, packed + col * depth + k * width, width, C + col, ldc, rows,
                          smallerOf(kernelDepthPanel, depth - k), count,
                          {accumulates || k > 0, isLast ? factor : Scalar(1)});
        }
    });
}

template<typename Scalar>
void multiplyInto(const Scalar *A, Index lda, const Scalar *B, Index ldb, Scalar *C, Index ldc, Index rows,
                  Index depth, Index cols, bool accumulates)
{
    constexpr Index width = blockCols<Scalar>;
    alignas(64) Scalar panel[kernelDepthPanel * width];
    for (Index col = 0; col < cols; col += width) {
        const Index colCount = smallerOf(width, cols - col);
        const bool packs = rows >= kernelRowsWorthPacking || colCount < width;
        for (Index k = 0; k == 0 || k < depth; k += kernelDepthPanel) {
            const Index terms = smallerOf(kernelDepthPanel, depth - k);
            const Scalar *from = B + k * ldb + col;
            if (packs)
                packRows(from, ldb, terms, colCount, panel);
            multiplyPanel(A + k, lda, packs ? panel : from, packs ? width : ldb, C + col, ldc, rows, terms,
                          colCount, {accumulates || k > 0});
        }
    }
}

template<typename Scalar>
void multiply(const Scalar *A, Index lda, const Scalar *B, Index ldb, Scalar *C, Index ldc, Index rows,
              Index depth, Index cols)
{
    multiplyInto(A, lda, B, ldb, C, ldc, rows, depth, cols, false);
}

template<typename Scalar>
void multiplyAdd(const Scalar *A, Index lda, const Scalar *B, Index ldb, Scalar *C, Index ldc, Index rows,
                 Index depth, Index cols)
{
    multiplyInto(A, lda, B, ldb, C, ldc, rows, depth, cols, true);
}

template<typename Scalar>
void multiplyTransposed(const Scalar *A, Index lda, const Scalar *B, Index ldb, Scalar *C, Index ldc,
                        Index rows, Index depth, Index cols)
{
    constexpr Index width = blockCols<Scalar>;
    alignas(64) Scalar panel[kernelDepthPanel * width];
    for (Index col = 0; col < cols; col += width) {
        const Index colCount = smallerOf(width, cols - col);
        for (Index k = 0; k == 0 || k < depth; k += kernelDepthPanel) {
            const Index terms = smallerOf(kernelDepthPanel, depth - k);
            packTransposed(B + col * ldb + k, ldb, terms, colCount, panel);
            multiplyPanel(A + k, lda, static_cast<const Scalar *>(panel), width, C + col, ldc, rows, terms,
                          colCount, {k > 0});
        }
    }
}

} // namespace

} // namespace attn
