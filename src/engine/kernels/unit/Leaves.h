#pragma once

#include "engine/kernels/unit/Softmax.h"

namespace attn {

namespace {

/// decay of one number, by the same arithmetic as that of many.
template<typename Scalar>
Scalar decayOf(Scalar value)
{
    return packet::pfirst(decay<Scalar>(all(value)));
}

/// exp(greatest - whole), 0 for a leaf of -inf only: what its sums count for in the whole row.
template<typename Scalar>
Scalar leafFactor(Scalar greatest, Scalar whole)
{
    return greatest == -infinity<Scalar> ? Scalar(0) : decayOf(greatest - whole);
}

template<typename Scalar>
Scalar greaterOrNan(Scalar a, Scalar b)
{
    return isNotANumber(a) || a > b ? a : b;
}

template<typename Scalar>
void combineStatistics(const RowStatistics<Scalar> *leaves, Index ldLeaves, Index leafCount, Index rows,
                       RowStatistics<Scalar> *whole)
{
    for (Index r = 0; r < rows; ++r) {
        RowStatistics<Scalar> result{-infinity<Scalar>, infinity<Scalar>, Scalar(0)};
        for (Index l = 0; l < leafCount; ++l) {
            const RowStatistics<Scalar> &leaf = leaves[l * ldLeaves + r];
            result.greatest = greaterOrNan(result.greatest, leaf.greatest);
            result.smallest = leaf.smallest < result.smallest ? leaf.smallest : result.smallest;
        }
        for (Index l = 0; l < leafCount; ++l) {
            const RowStatistics<Scalar> &leaf = leaves[l * ldLeaves + r];
            result.sum += leafFactor(leaf.greatest, result.greatest) * leaf.sum;
        }
        whole[r] = result;
    }
}

template<typename Scalar>
void combinePartials(const Scalar *const *partials, Index ldPartial, const RowStatistics<Scalar> *leaves,
                     Index ldLeaves, const RowStatistics<Scalar> *whole, Index leafCount, Scalar *out,
                     Index ldOut, Index rows, Index cols)
{
    for (Index r = 0; r < rows; ++r) {
        Scalar *row = out + r * ldOut;
        const bool isHidden = whole[r].greatest == -infinity<Scalar>;
        for (Index c = 0; c < cols; ++c)
            row[c] = Scalar(0);
        for (Index l = 0; l < leafCount; ++l) {
            const Scalar factor = leafFactor(leaves[l * ldLeaves + r].greatest, whole[r].greatest);
            const Packet<Scalar> share = all(isHidden ? Scalar(0) : factor / whole[r].sum);
            combineRow(row, partials[l] + r * ldPartial, cols,
                       [&](const Packet<Scalar> &sum, const Packet<Scalar> &partial) {
                           return packet::pmadd(share, partial, sum);
                       });
        }
    }
}

} // namespace

} // namespace attn
