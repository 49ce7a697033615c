#pragma once

#include "engine/kernels/unit/Exponential.h"

namespace attn {

namespace {

template<typename Scalar>
void add(Scalar *tile, Index ld, const Scalar *addend, Index ldAddend, Index rows, Index cols)
{
    for (Index r = 0; r < rows; ++r)
        combineRow(tile + r * ld, addend + r * ldAddend, cols,
                   [](const Packet<Scalar> &a, const Packet<Scalar> &b) { return packet::padd(a, b); });
}

template<typename Scalar>
void scaleTo(const Scalar *tile, Index ld, Scalar factor, Scalar *out, Index ldOut, Index rows, Index cols)
{
    const Packet<Scalar> factors = all(factor);
    for (Index r = 0; r < rows; ++r)
        mapRow(tile + r * ld, out + r * ldOut, cols, Scalar(0),
               [&](const Packet<Scalar> &values) { return packet::pmul(values, factors); });
}

template<typename Scalar>
void scale(Scalar *tile, Index ld, Index rows, Index cols, Scalar factor)
{
    scaleTo(static_cast<const Scalar *>(tile), ld, factor, tile, ld, rows, cols);
}

template<typename Scalar>
void rotate(Scalar *tile, Index ld, const Scalar *cosines, const Scalar *sines, Index ldAngles, Index rows,
            Index pairs, bool interleaved)
{
    const Index step = interleaved ? 2 : 1;
    const Index distance = interleaved ? 1 : pairs;
    for (Index r = 0; r < rows; ++r) {
        for (Index t = 0; t < pairs; ++t) {
            Scalar &first = tile[r * ld + step * t];
            Scalar &second = tile[r * ld + step * t + distance];
            const Scalar x = first;
            const Scalar y = second;
            const Scalar cosine = cosines[r * ldAngles + t];
            const Scalar sine = sines[r * ldAngles + t];
            first = x * cosine - y * sine;
            second = x * sine + y * cosine;
        }
    }
}

template<typename Scalar>
void hideOutside(Scalar *tile, Index ld, const Index *begin, const Index *end, Index rows, Index cols)
{
    for (Index r = 0; r < rows; ++r) {
        Scalar *row = tile + r * ld;
        const Index first = smallerOf(begin[r] < 0 ? 0 : begin[r], cols);
        for (Index c = 0; c < first; ++c)
            row[c] = -infinity<Scalar>;
        for (Index c = end[r] < first ? first : end[r]; c < cols; ++c)
            row[c] = -infinity<Scalar>;
    }
}

template<typename Scalar>
void exponentials(const Scalar *in, Scalar *out, Index count)
{
    mapRow(in, out, count, Scalar(0),
           [](const Packet<Scalar> &values) { return exponential<Scalar>(values); });
}

template<typename From, typename To>
void convert(const From *in, To *out, Index count)
{
    for (Index i = 0; i < count; ++i)
        out[i] = static_cast<To>(in[i]);
}

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
void toFloat(const Scalar *in, float *out, Index count)
{
    for (Index i = 0; i < count; ++i)
        out[i] = painted(in[i]);
}

} // namespace

} // namespace attn
