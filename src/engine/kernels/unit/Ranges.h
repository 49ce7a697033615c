#pragma once

#include "engine/kernels/KernelTable.h"
#include "engine/kernels/unit/Packets.h"

namespace attn {

namespace {

/// What a row, or some lanes of it, has shown so far. NaN in `trouble`: a number was not finite.
template<typename Number>
struct RangeSoFar
{
    Number smallest;
    Number greatest;
    Number sum;
    Number trouble;
};

template<typename Scalar>
void takeIn(RangeSoFar<Packet<Scalar>> &range, const Packet<Scalar> &values)
{
    range.smallest = packet::pmin(range.smallest, values);
    range.greatest = packet::pmax(range.greatest, values);
    range.sum = packet::padd(range.sum, values);
    range.trouble = packet::padd(range.trouble, packet::psub(values, values));
}

template<typename Scalar>
RangeSoFar<Scalar> rangeOfRow(const Scalar *row, Index count)
{
    constexpr Index size = packetSize<Scalar>;
    RangeSoFar<Packet<Scalar>> range{all(infinity<Scalar>), all(-infinity<Scalar>), all(Scalar(0)),
                                     all(Scalar(0))};
    Index i = 0;
    for (; i + size <= count; i += size)
        takeIn<Scalar>(range, load(row + i));
    RangeSoFar<Scalar> whole{packet::predux_min(range.smallest), packet::predux_max(range.greatest),
                             packet::predux(range.sum), packet::predux(range.trouble)};
    for (; i < count; ++i) {
        whole.smallest = row[i] < whole.smallest ? row[i] : whole.smallest;
        whole.greatest = row[i] > whole.greatest ? row[i] : whole.greatest;
        whole.sum += row[i];
        whole.trouble += row[i] - row[i];
    }
    return whole;
}

template<typename Scalar>
bool finiteRange(const Scalar *tile, Index ld, Index rows, Index cols, FiniteRange *range)
{
    RangeSoFar<Scalar> whole{infinity<Scalar>, -infinity<Scalar>, Scalar(0), Scalar(0)};
    double sum = 0.0;
    for (Index r = 0; r < rows; ++r) {
        const RangeSoFar<Scalar> row = rangeOfRow(tile + r * ld, cols);
        whole.smallest = row.smallest < whole.smallest ? row.smallest : whole.smallest;
        whole.greatest = row.greatest > whole.greatest ? row.greatest : whole.greatest;
        whole.trouble += row.trouble;
        sum += static_cast<double>(row.sum);
    }
    *range = {static_cast<double>(whole.smallest), static_cast<double>(whole.greatest), sum};
    return whole.trouble == Scalar(0);
}

} // namespace

} // namespace attn
