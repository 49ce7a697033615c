#pragma once

#include "engine/kernels/unit/Leaves.h"

namespace attn {

namespace {

/// Folds the packets of each block of kernelPoolBlock numbers into one number: out[b] = reduce(fold of block
/// b).
template<typename Scalar, typename Fold, typename Reduce>
void foldBlocks(const Scalar *row, Index count, Scalar neutral, Scalar *out, Fold fold, Reduce reduce)
{
    constexpr Index size = packetSize<Scalar>;
    Index c = 0;
    for (; c + kernelPoolBlock <= count; c += kernelPoolBlock) {
        Packet<Scalar> folded = load(row + c);
        for (Index i = size; i < kernelPoolBlock; i += size)
            folded = fold(folded, load(row + c + i));
        out[c / kernelPoolBlock] = reduce(folded);
    }
    if (c < count) {
        Packet<Scalar> folded = all(neutral);
        for (Index i = c; i < count; i += size)
            folded = fold(folded, loadPart(row + i, smallerOf(size, count - i), neutral));
        out[c / kernelPoolBlock] = reduce(folded);
    }
}

template<typename Scalar>
void leafBlocks(Scalar *tile, Index ld, Index rows, Index cols, RowStatistics<Scalar> *statistics,
                Scalar *blockGreatest, Scalar *blockSum, Index ldBlocks)
{
    const Index blockCount = (cols + kernelPoolBlock - 1) / kernelPoolBlock;
    for (Index r = 0; r < rows; ++r) {
        Scalar *row = tile + r * ld;
        Scalar *greatest = blockGreatest + r * ldBlocks;
        Scalar *sum = blockSum + r * ldBlocks;
        foldBlocks(
            static_cast<const Scalar *>(row), cols, -infinity<Scalar>, greatest,
            [](const Packet<Scalar> &a, const Packet<Scalar> &b) { return packet::pmax(a, b); },
            [](const Packet<Scalar> &a) { return packet::predux_max(a); });
        leafWeights(row, ld, 1, cols, statistics + r);
        foldBlocks(
            static_cast<const Scalar *>(row), cols, Scalar(0), sum,
            [](const Packet<Scalar> &a, const Packet<Scalar> &b) { return packet::padd(a, b); },
            [](const Packet<Scalar> &a) { return packet::predux(a); });
        if (!isNotANumber(statistics[r].greatest))
            continue;
        for (Index b = 0; b < blockCount; ++b)
            greatest[b] = isNotANumber(sum[b]) ? sum[b] : greatest[b];
    }
}

template<typename Scalar>
void poolWeights(const Scalar *blockGreatest, const Scalar *blockSum, Index ldBlocks,
                 const RowStatistics<Scalar> *leaf, const RowStatistics<Scalar> *whole, Index rows,
                 Index blockCount, float *greatest, float *sum)
{
    constexpr Index chunk = 64;
    alignas(64) Scalar weights[chunk];
    for (Index r = 0; r < rows; ++r) {
        if (whole[r].greatest == -infinity<Scalar>)
            continue;
        const bool isNan = isNotANumber(whole[r].sum);
        const Scalar share = leafFactor(leaf[r].greatest, whole[r].greatest) / whole[r].sum;
        const Packet<Scalar> shift = all(whole[r].greatest);
        const Packet<Scalar> total = all(whole[r].sum);
        for (Index begin = 0; begin < blockCount; begin += chunk) {
            const Index count = smallerOf(chunk, blockCount - begin);
            mapRow(blockGreatest + r * ldBlocks + begin, weights, count, Scalar(0),
                   [&](const Packet<Scalar> &scores) {
                       return packet::pdiv(decay<Scalar>(packet::psub(scores, shift)), total);
                   });
            for (Index b = 0; b < count; ++b) {
                const auto weight = static_cast<float>(weights[b]);
                float &best = greatest[begin + b];
                best = isNotANumber(weight) || weight > best ? weight : best;
                if (!isNan)
                    sum[begin + b] += static_cast<float>(share * blockSum[r * ldBlocks + begin + b]);
            }
        }
    }
}

template<typename Scalar>
struct PooledCells
{
    Scalar greatest = -infinity<Scalar>;
    Scalar sum = Scalar(0);
    Index finite = 0;

    void add(Scalar value)
    {
        greatest = greaterOrNan(greatest, value);
        if (isNotANumber(value))
            greatest = value;
        if (value - value == Scalar(0)) {
            sum += value;
            ++finite;
        }
    }
};

template<typename Scalar>
float painted(Scalar value)
{
    constexpr Scalar largest = static_cast<Scalar>(__FLT_MAX__);
    if (value > largest && value < infinity<Scalar>)
        return __FLT_MAX__;
    if (value < -largest && value > -infinity<Scalar>)
        return -__FLT_MAX__;
    return static_cast<float>(value);
}

template<typename Scalar>
PooledCells<Scalar> poolCells(const Scalar *tile, Index ld, Index rows, Index cols)
{
    PooledCells<Scalar> cells;
    for (Index r = 0; r < rows; ++r)
        for (Index c = 0; c < cols; ++c)
            cells.add(tile[r * ld + c]);
    return cells;
}

template<typename Scalar>
void pool(const Scalar *tile, Index ld, Index rows, Index cols, Index poolSize, float *greatest, float *mean,
          Index ldOut)
{
    for (Index r = 0; r < rows; r += poolSize) {
        for (Index c = 0; c < cols; c += poolSize) {
            const PooledCells<Scalar> cells = poolCells(tile + r * ld + c, ld, smallerOf(poolSize, rows - r),
                                                        smallerOf(poolSize, cols - c));
            const Index at = r / poolSize * ldOut + c / poolSize;
            if (greatest)
                greatest[at] = painted(cells.greatest);
            if (mean)
                mean[at] = cells.finite > 0 ? painted(cells.sum / static_cast<Scalar>(cells.finite))
                                            : __builtin_nanf("");
        }
    }
}

} // namespace

} // namespace attn
