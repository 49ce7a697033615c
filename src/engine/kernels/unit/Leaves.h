#pragma once

#include "engine/kernels/unit/Softmax.h"

namespace attn {

namespace {

/// Rows whose factors are computed at a time.
constexpr Index rowsOfFactors = 64;

/// Rows of partial outputs that are asked for before they are summed.
constexpr Index rowsAhead = 32;

/// Of each row: exp(greatest - whole), 0 for a leaf of -inf only: what its sums count for in the whole row.
template<typename Scalar>
void leafFactors(const RowStatistics<Scalar> *leaf, const RowStatistics<Scalar> *whole, Index rows,
                 Scalar *factors)
{
    for (Index r = 0; r < rows; ++r)
        factors[r] = leaf[r].greatest - whole[r].greatest;
    mapRow(factors, factors, rows, Scalar(0),
           [](const Packet<Scalar> &distance) { return decay<Scalar>(distance); });
    for (Index r = 0; r < rows; ++r)
        if (leaf[r].greatest == -infinity<Scalar>)
            factors[r] = Scalar(0);
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
    for (Index r = 0; r < rows; ++r)
        whole[r] = {-infinity<Scalar>, infinity<Scalar>, Scalar(0)};
    for (Index l = 0; l < leafCount; ++l) {
        const RowStatistics<Scalar> *leaf = leaves + l * ldLeaves;
        for (Index r = 0; r < rows; ++r) {
            whole[r].greatest = greaterOrNan(whole[r].greatest, leaf[r].greatest);
            whole[r].smallest = leaf[r].smallest < whole[r].smallest ? leaf[r].smallest : whole[r].smallest;
        }
    }
    Scalar factors[rowsOfFactors];
    for (Index first = 0; first < rows; first += rowsOfFactors) {
        const Index count = smallerOf(rowsOfFactors, rows - first);
        for (Index l = 0; l < leafCount; ++l) {
            const RowStatistics<Scalar> *leaf = leaves + l * ldLeaves + first;
            leafFactors(leaf, whole + first, count, factors);
            for (Index r = 0; r < count; ++r)
                whole[first + r].sum += factors[r] * leaf[r].sum;
        }
    }
}

/// Asks for a line of a row of each leaf in good time: partial outputs lie anywhere in memory, and what the
/// processor foresees by itself ends with each page.
template<typename Scalar>
void prefetchRow(const Scalar *row, Index cols)
{
    constexpr Index line = 64 / sizeof(Scalar);
    for (Index c = 0; c < cols; c += line)
        __builtin_prefetch(row + c);
}

template<typename Scalar>
void combinePartials(const Scalar *const *partials, Index ldPartial, const RowStatistics<Scalar> *leaves,
                     Index ldLeaves, const RowStatistics<Scalar> *whole, Index leafCount, Scalar *out,
                     Index ldOut, Index rows, Index cols)
{
    const Packet<Scalar> zero = all(Scalar(0));
    Scalar factors[rowsOfFactors];
    for (Index first = 0; first < rows; first += rowsOfFactors) {
        const Index count = smallerOf(rowsOfFactors, rows - first);
        for (Index l = 0; l < leafCount; ++l) {
            leafFactors(leaves + l * ldLeaves + first, whole + first, count, factors);
            for (Index r = 0; r < count; ++r) {
                const Index ahead = r + rowsAhead;
                if (ahead < count)
                    prefetchRow(partials[l] + (first + ahead) * ldPartial, cols);
                else if (l + 1 < leafCount && ahead - count < count)
                    prefetchRow(partials[l + 1] + (first + ahead - count) * ldPartial, cols);
                const RowStatistics<Scalar> &row = whole[first + r];
                const bool isHidden = row.greatest == -infinity<Scalar>;
                const Packet<Scalar> share = all(isHidden ? Scalar(0) : factors[r] / row.sum);
                const Scalar *partialRow = partials[l] + (first + r) * ldPartial;
                Scalar *outRow = out + (first + r) * ldOut;
                const auto add = [&](const Packet<Scalar> &sum, const Packet<Scalar> &partial) {
                    return packet::pmadd(share, partial, sum);
                };
                if (l == 0)
                    mapRow(partialRow, outRow, cols, Scalar(0),
                           [&](const Packet<Scalar> &partial) { return add(zero, partial); });
                else
                    combineRow(outRow, partialRow, cols, add);
            }
        }
    }
    if (leafCount == 0)
        for (Index r = 0; r < rows; ++r)
            for (Index c = 0; c < cols; ++c)
                out[r * ldOut + c] = Scalar(0);
}

} // namespace

} // namespace attn
