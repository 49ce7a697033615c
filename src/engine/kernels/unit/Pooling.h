#pragma once

#include "engine/kernels/unit/Leaves.h"

namespace attn {

namespace {

/// The greatest number of up to kernelPoolBlock; what NaN does is left to the caller.
template<typename Scalar>
Scalar blockMaximum(const Scalar *values, Index count)
{
    constexpr Index size = packetSize<Scalar>;
    Packet<Scalar> greatest = all(-infinity<Scalar>);
    if (count == kernelPoolBlock) {
        for (Index i = 0; i < kernelPoolBlock; i += size)
            greatest = packet::pmax(greatest, load(values + i));
    } else {
        for (Index i = 0; i < count; i += size)
            greatest =
                packet::pmax(greatest, loadPart(values + i, smallerOf(size, count - i), -infinity<Scalar>));
    }
    return packet::predux_max(greatest);
}

template<typename Scalar>
Scalar blockTotal(const Scalar *values, Index count)
{
    constexpr Index size = packetSize<Scalar>;
    Packet<Scalar> sum = all(Scalar(0));
    if (count == kernelPoolBlock) {
        for (Index i = 0; i < kernelPoolBlock; i += size)
            sum = packet::padd(sum, load(values + i));
    } else {
        for (Index i = 0; i < count; i += size)
            sum = packet::padd(sum, loadPart(values + i, smallerOf(size, count - i), Scalar(0)));
    }
    return packet::predux(sum);
}

template<typename Scalar>
void leafBlocks(Scalar *tile, Index ld, Index rows, Index cols, RowStatistics<Scalar> *statistics,
                Scalar *blockGreatest, Scalar *blockSum, Index ldBlocks)
{
    for (Index r = 0; r < rows; ++r) {
        Scalar *row = tile + r * ld;
        Scalar *greatest = blockGreatest + r * ldBlocks;
        Scalar *sum = blockSum + r * ldBlocks;
        for (Index c = 0; c < cols; c += kernelPoolBlock)
            greatest[c / kernelPoolBlock] =
                blockMaximum(static_cast<const Scalar *>(row + c), smallerOf(kernelPoolBlock, cols - c));
        leafWeights(row, ld, 1, cols, statistics + r);
        for (Index c = 0; c < cols; c += kernelPoolBlock) {
            Scalar &total = sum[c / kernelPoolBlock];
            total = blockTotal(static_cast<const Scalar *>(row + c), smallerOf(kernelPoolBlock, cols - c));
            if (isNotANumber(total) && statistics[r].greatest != infinity<Scalar>)
                greatest[c / kernelPoolBlock] = total;
        }
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
                       return packet::pdiv(exponential<Scalar>(packet::psub(scores, shift)), total);
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
