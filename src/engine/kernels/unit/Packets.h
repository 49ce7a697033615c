#pragma once

#include <Eigen/Core>

#include <cstddef>
#include <cstdint>

/// Included by kernel units only, each of which has renamed Eigen's namespace. What is defined here lives in
/// anonymous namespaces and calls no std function, so that the linker cannot merge it with code for another
/// instruction set.
namespace attn {

namespace {

namespace packet = Eigen::internal;

using Index = std::ptrdiff_t;

/// As many numbers as one register holds.
template<typename Scalar>
using Packet = typename packet::packet_traits<Scalar>::type;

template<typename Scalar>
constexpr Index packetSize = packet::unpacket_traits<Packet<Scalar>>::size;

template<typename Scalar>
constexpr Scalar infinity = static_cast<Scalar>(__builtin_inf());

inline Index smallerOf(Index a, Index b)
{
    return a < b ? a : b;
}

template<typename Scalar>
bool isNotANumber(Scalar value)
{
    return value != value;
}

template<typename Scalar>
Packet<Scalar> load(const Scalar *from)
{
    return packet::ploadu<Packet<Scalar>>(from);
}

template<typename Scalar>
void store(Scalar *to, const Packet<Scalar> &values)
{
    packet::pstoreu(to, values);
}

template<typename Scalar>
Packet<Scalar> all(Scalar value)
{
    return packet::pset1<Packet<Scalar>>(value);
}

/// The first `count` numbers, the others being `fill`.
template<typename Scalar>
Packet<Scalar> loadPart(const Scalar *from, Index count, Scalar fill)
{
    alignas(64) Scalar values[packetSize<Scalar>];
    for (Index i = 0; i < packetSize<Scalar>; ++i)
        values[i] = i < count ? from[i] : fill;
    return packet::pload<Packet<Scalar>>(values);
}

template<typename Scalar>
void storePart(Scalar *to, Index count, const Packet<Scalar> &packetValues)
{
    alignas(64) Scalar values[packetSize<Scalar>];
    packet::pstore(values, packetValues);
    for (Index i = 0; i < count; ++i)
        to[i] = values[i];
}

/// out[i] = function(in[i]) for a row, whole packets at a time; the numbers behind the last are `fill`.
template<typename Scalar, typename Function>
void mapRow(const Scalar *in, Scalar *out, Index count, Scalar fill, Function function)
{
    constexpr Index size = packetSize<Scalar>;
    Index i = 0;
    for (; i + size <= count; i += size)
        store(out + i, function(load(in + i)));
    if (i < count)
        storePart(out + i, count - i, function(loadPart(in + i, count - i, fill)));
}

/// inOut[i] = function(inOut[i], other[i]) for a row.
template<typename Scalar, typename Function>
void combineRow(Scalar *inOut, const Scalar *other, Index count, Function function)
{
    constexpr Index size = packetSize<Scalar>;
    Index i = 0;
    for (; i + size <= count; i += size)
        store(inOut + i, function(load(inOut + i), load(other + i)));
    if (i < count)
        storePart(
            inOut + i, count - i,
            function(loadPart(inOut + i, count - i, Scalar(0)), loadPart(other + i, count - i, Scalar(0))));
}

} // namespace

} // namespace attn
