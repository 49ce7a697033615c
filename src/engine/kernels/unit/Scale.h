#pragma once

#include "engine/kernels/KernelTable.h"
#include "engine/kernels/unit/Packets.h"

namespace attn {

namespace {

/// Division, not multiplication by the reciprocal: zero falls exactly in the middle of -m ... m. NaN fails
/// the first comparison.
template<typename Scalar>
bool scalePlaces(const Scalar *numbers, Index count, Scalar minimum, Scalar width, std::uint16_t *places)
{
    for (Index i = 0; i < count; ++i) {
        Scalar place = (numbers[i] - minimum) / width;
        place = place > Scalar(0) ? place : Scalar(0);
        place = place < Scalar(1) ? place : Scalar(1);
        places[i] = static_cast<std::uint16_t>(static_cast<std::int32_t>(place * Scalar(255) + Scalar(0.5)));
    }
    int special = 0; // counted, not asked: so the compiler works on several numbers at a time
    for (Index i = 0; i < count; ++i)
        special += numbers[i] - numbers[i] == Scalar(0) ? 0 : 1;
    return special == 0;
}

inline void pickWords(const std::uint32_t *from, const std::uint16_t *places, Index count, std::uint32_t *out)
{
    for (Index i = 0; i < count; ++i)
        out[i] = from[places[i]];
}

} // namespace

} // namespace attn
