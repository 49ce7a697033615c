#pragma once

#include "engine/kernels/KernelTable.h"
#include "engine/kernels/unit/Exponential.h"

namespace attn {

namespace {

template<typename Scalar>
struct Extremes
{
    Scalar greatest;
    Scalar smallest;
};

/// Of a NaN and a number, Eigen's comparisons return their first argument: NaN never enters `smallest`; what
/// `greatest` becomes does not matter, the sum of the exponentials shows the NaN.
template<typename Scalar>
Extremes<Scalar> extremesOf(const Scalar *row, Index count)
{
    constexpr Index size = packetSize<Scalar>;
    constexpr Index lanes = 4;
    Packet<Scalar> greatest[lanes];
    Packet<Scalar> smallest[lanes];
    for (Index j = 0; j < lanes; ++j) {
        greatest[j] = all(-infinity<Scalar>);
        smallest[j] = all(infinity<Scalar>);
    }
    Index i = 0;
    for (; i + lanes * size <= count; i += lanes * size) {
        for (Index j = 0; j < lanes; ++j) {
            const Packet<Scalar> values = load(row + i + j * size);
            greatest[j] = packet::pmax(greatest[j], values);
            smallest[j] = packet::pmin(smallest[j], values);
        }
    }
    for (; i < count; i += size) {
        const Index part = smallerOf(size, count - i);
        greatest[0] = packet::pmax(greatest[0], loadPart(row + i, part, -infinity<Scalar>));
        smallest[0] = packet::pmin(smallest[0], loadPart(row + i, part, infinity<Scalar>));
    }
    for (Index j = 1; j < lanes; ++j) {
        greatest[0] = packet::pmax(greatest[0], greatest[j]);
        smallest[0] = packet::pmin(smallest[0], smallest[j]);
    }
    return {packet::predux_max(greatest[0]), packet::predux_min(smallest[0])};
}

/// The smallest number that is neither NaN nor -inf; +inf when there is none.
template<typename Scalar>
Scalar smallestShown(const Scalar *row, Index count)
{
    constexpr Index size = packetSize<Scalar>;
    const Packet<Scalar> hidden = all(-infinity<Scalar>);
    const Packet<Scalar> none = all(infinity<Scalar>);
    Packet<Scalar> smallest = none;
    for (Index i = 0; i < count; i += size) {
        const Packet<Scalar> values =
            i + size <= count ? load(row + i) : loadPart(row + i, count - i, infinity<Scalar>);
        smallest = packet::pmin(smallest, packet::pselect(packet::pcmp_eq(values, hidden), none, values));
    }
    return packet::predux_min(smallest);
}

/// Statistics without the sum, and what to subtract before the exponential.
template<typename Scalar>
Scalar beginRow(const Scalar *row, Index count, RowStatistics<Scalar> &statistics)
{
    const Extremes<Scalar> extremes = extremesOf(row, count);
    statistics.greatest = extremes.greatest;
    statistics.smallest =
        extremes.smallest == -infinity<Scalar> ? smallestShown(row, count) : extremes.smallest;
    return extremes.greatest == -infinity<Scalar> ? Scalar(0) : extremes.greatest;
}

template<typename Scalar>
void endRow(Scalar sum, RowStatistics<Scalar> &statistics)
{
    statistics.sum = sum;
    if (isNotANumber(sum) && statistics.greatest < infinity<Scalar>)
        statistics.greatest = sum;
}

/// Calls each(position, count, exponentials) for all packets of a row and returns the sum of the
/// exponentials; its order is the same for all callers.
template<typename Scalar, typename Each>
Scalar exponentialSum(const Scalar *row, Index count, Scalar subtrahend, Each each)
{
    constexpr Index size = packetSize<Scalar>;
    const Packet<Scalar> shift = all(subtrahend);
    Packet<Scalar> sum = all(Scalar(0));
    Index i = 0;
    for (; i + size <= count; i += size) {
        const Packet<Scalar> e = decay<Scalar>(packet::psub(load(row + i), shift));
        sum = packet::padd(sum, e);
        each(i, size, e);
    }
    if (i < count) {
        const Packet<Scalar> values = loadPart(row + i, count - i, -infinity<Scalar>);
        const Packet<Scalar> e = decay<Scalar>(packet::psub(values, shift));
        // Behind the end is exp(-inf - shift): NaN only where the row has NaN or +inf anyway.
        sum = packet::padd(sum, e);
        each(i, count - i, e);
    }
    return packet::predux(sum);
}

template<typename Scalar>
void rowStatistics(const Scalar *tile, Index ld, Index rows, Index cols, RowStatistics<Scalar> *statistics)
{
    for (Index r = 0; r < rows; ++r) {
        const Scalar *row = tile + r * ld;
        const Scalar shift = beginRow(row, cols, statistics[r]);
        endRow(exponentialSum(row, cols, shift, [](Index, Index, const Packet<Scalar> &) {}), statistics[r]);
    }
}

template<typename Scalar>
void leafWeights(Scalar *tile, Index ld, Index rows, Index cols, RowStatistics<Scalar> *statistics)
{
    for (Index r = 0; r < rows; ++r) {
        Scalar *row = tile + r * ld;
        const Scalar shift = beginRow(static_cast<const Scalar *>(row), cols, statistics[r]);
        const auto keep = [row](Index at, Index count, const Packet<Scalar> &e) {
            if (count == packetSize<Scalar>)
                store(row + at, e);
            else
                storePart(row + at, count, e);
        };
        endRow(exponentialSum(static_cast<const Scalar *>(row), cols, shift, keep), statistics[r]);
    }
}

template<typename Scalar>
void finalWeights(Scalar *tile, Index ld, Index rows, Index cols, const RowStatistics<Scalar> *statistics)
{
    for (Index r = 0; r < rows; ++r) {
        Scalar *row = tile + r * ld;
        const bool isHidden = statistics[r].greatest == -infinity<Scalar>;
        const Packet<Scalar> shift = all(isHidden ? Scalar(0) : statistics[r].greatest);
        const Packet<Scalar> sum = all(isHidden ? Scalar(1) : statistics[r].sum);
        mapRow(static_cast<const Scalar *>(row), row, cols, Scalar(0), [&](const Packet<Scalar> &values) {
            return packet::pdiv(decay<Scalar>(packet::psub(values, shift)), sum);
        });
    }
}

template<typename Scalar>
void normalize(Scalar *tile, Index ld, Index rows, Index cols, const RowStatistics<Scalar> *statistics)
{
    for (Index r = 0; r < rows; ++r) {
        if (statistics[r].greatest == -infinity<Scalar>)
            continue;
        Scalar *row = tile + r * ld;
        const Packet<Scalar> sum = all(statistics[r].sum);
        mapRow(static_cast<const Scalar *>(row), row, cols, Scalar(0),
               [&](const Packet<Scalar> &values) { return packet::pdiv(values, sum); });
    }
}

} // namespace

} // namespace attn
