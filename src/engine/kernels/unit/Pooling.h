#pragma once

#include "engine/kernels/KernelTable.h"
#include "engine/kernels/unit/Packets.h"

namespace attn {

namespace {

/// Comparisons pass a NaN over, sums do not: what they show is looked for.
template<typename Scalar>
void showNotANumber(const Scalar *tile, Index ld, Index rows, Index cols, const Scalar *sum, Scalar *greatest)
{
    int troubled = 0; // counted, not asked: so the compiler works on several columns at a time
    for (Index c = 0; c < cols; ++c)
        troubled += isNotANumber(sum[c]) ? 1 : 0;
    for (Index r = 0; troubled > 0 && r < rows; ++r)
        for (Index c = 0; c < cols; ++c)
            if (isNotANumber(tile[r * ld + c]))
                greatest[c] = tile[r * ld + c];
}

template<typename Scalar>
void foldRows(const Scalar *tile, Index ld, Index rows, Index cols, Scalar *greatest, Scalar *sum)
{
    constexpr Index size = packetSize<Scalar>;
    Index c = 0;
    for (; c + size <= cols; c += size) {
        Packet<Scalar> most = all(-infinity<Scalar>);
        Packet<Scalar> total = all(Scalar(0));
        for (Index r = 0; r < rows; ++r) {
            const Packet<Scalar> values = load(tile + r * ld + c);
            most = packet::pmax(most, values);
            total = packet::padd(total, values);
        }
        store(greatest + c, most);
        store(sum + c, total);
    }
    for (; c < cols; ++c) {
        greatest[c] = -infinity<Scalar>;
        sum[c] = Scalar(0);
        for (Index r = 0; r < rows; ++r) {
            greatest[c] = tile[r * ld + c] > greatest[c] ? tile[r * ld + c] : greatest[c];
            sum[c] += tile[r * ld + c];
        }
    }
    showNotANumber(tile, ld, rows, cols, sum, greatest);
}

} // namespace

} // namespace attn
