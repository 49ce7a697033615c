#pragma once

#include <cstddef>
#include <cstdint>

namespace attn {

/// Products cut their depth into panels of this many terms; the sums of the panels are added in order.
constexpr std::ptrdiff_t kernelDepthPanel = 256;
/// Columns are fastest in whole multiples of this. Results do not depend on it.
constexpr std::ptrdiff_t kernelColumnTile = 32;
/// Fewer rows do not pay for packing what they are multiplied by.
constexpr std::ptrdiff_t kernelRowsWorthPacking = 9;

/// Numbers that packPanels() writes for [depth, cols].
constexpr std::ptrdiff_t packedSize(std::ptrdiff_t depth, std::ptrdiff_t cols)
{
    return depth * ((cols + kernelColumnTile - 1) / kernelColumnTile * kernelColumnTile);
}

/// Smallest and greatest number of a row, and what its weights sum to before they are normalised.
///
/// greatest: NaN when any number is; -inf when there is none but -inf
/// smallest: of the numbers other than -inf and NaN; +inf when there is none
/// sum:      of exp(number - greatest); 0 when greatest is -inf; NaN when greatest is NaN or +inf
template<typename Scalar>
struct RowStatistics
{
    Scalar greatest;
    Scalar smallest;
    Scalar sum;
};

/// Of the numbers of a tile; +inf, -inf and 0 where there is none.
struct FiniteRange
{
    double smallest;
    double greatest;
    double sum;
};

/// The engine's inner loops for one number format and one instruction set.
///
/// All matrices are row-major with a row stride in numbers ("ld"); any alignment. No function allocates,
/// keeps state or calls back; all may run on any thread. No sizes are ruled out: a count may be 0.
///
/// Every number a kernel writes depends on the numbers of its own row (and column, in products) and on the
/// order of its terms alone: the same bits come out whatever rows and columns are computed beside it, at
/// whatever position and stride. Between instruction sets the bits differ.
///
/// -inf and NaN are ordinary numbers: NaN goes through, 0 * inf = NaN, exp(-inf) = 0.
template<typename Scalar>
struct Kernels
{
    using Index = std::ptrdiff_t;

    /// C = A B. A: [rows, depth]; B: [depth, cols]; C: [rows, cols], overlaps neither; 0 where depth is 0.
    /// Each element is the sum over depth panels in order, each panel one chain of multiply-adds in order.
    void (*multiply)(const Scalar *A, Index lda, const Scalar *B, Index ldb, Scalar *C, Index ldc, Index rows,
                     Index depth, Index cols);
    /// C = C + A B, shapes and order as multiply: going on over the next depth panels equals one call if all
    /// calls but the last have a depth that is a multiple of kernelDepthPanel.
    void (*multiplyAdd)(const Scalar *A, Index lda, const Scalar *B, Index ldb, Scalar *C, Index ldc,
                        Index rows, Index depth, Index cols);
    /// C = A B^T. A: [rows, depth]; B: [cols, depth]; C: [rows, cols], overlaps neither. Same bits as
    /// multiply with the transposed B.
    void (*multiplyTransposed)(const Scalar *A, Index lda, const Scalar *B, Index ldb, Scalar *C, Index ldc,
                               Index rows, Index depth, Index cols);

    /// B in the order in which products read it, so that many products need not find it again.
    ///
    /// B: [depth, cols], transposed: [cols, depth]; packed: packedSize(depth, cols) numbers
    void (*packPanels)(const Scalar *B, Index ldb, Index depth, Index cols, Scalar *packed);
    void (*packPanelsTransposed)(const Scalar *B, Index ldb, Index depth, Index cols, Scalar *packed);
    /// C = factor A B or, accumulating, factor (C + A B), from what one of the above has written. Same bits
    /// as multiply or multiplyAdd, and scale.
    void (*multiplyPacked)(const Scalar *A, Index lda, const Scalar *packed, Scalar *C, Index ldc, Index rows,
                           Index depth, Index cols, bool accumulates, Scalar factor);

    /// tile += addend. tile, addend: [rows, cols]; an addend stride of 0 adds one row to all (a bias).
    void (*add)(Scalar *tile, Index ld, const Scalar *addend, Index ldAddend, Index rows, Index cols);
    /// tile *= factor.
    void (*scale)(Scalar *tile, Index ld, Index rows, Index cols, Scalar factor);
    /// out = tile * factor; may be the same place.
    void (*scaleTo)(const Scalar *tile, Index ld, Scalar factor, Scalar *out, Index ldOut, Index rows,
                    Index cols);

    /// Turns pairs of columns by an angle: x cos - y sin, x sin + y cos.
    ///
    /// tile: [rows, >= 2 pairs], in place; cosines, sines: [rows, pairs] with stride ldAngles
    /// interleaved: pair t is columns 2t and 2t + 1; else columns t and t + pairs
    void (*rotate)(Scalar *tile, Index ld, const Scalar *cosines, const Scalar *sines, Index ldAngles,
                   Index rows, Index pairs, bool interleaved);

    /// tile[r, c] = -inf where c < begin[r] or c >= end[r]: causal masks and windows, as spans of this tile's
    /// columns. Spans may reach outside of the tile or be empty.
    void (*hideOutside)(Scalar *tile, Index ld, const Index *begin, const Index *end, Index rows, Index cols);

    /// The range of a tile. False when a number is not finite: then `range` says nothing.
    bool (*finiteRange)(const Scalar *tile, Index ld, Index rows, Index cols, FiniteRange *range);

    /// Statistics of each row, without changing it (sum as leafWeights would make it).
    void (*rowStatistics)(const Scalar *tile, Index ld, Index rows, Index cols,
                          RowStatistics<Scalar> *statistics);
    /// One leaf of the softmax: tile becomes exp(tile - the row's greatest); 0 in rows of -inf only.
    ///
    /// tile: masked scores [rows, cols]; statistics: [rows], of the scores
    /// Trailing columns of -inf change no bit of the others.
    void (*leafWeights)(Scalar *tile, Index ld, Index rows, Index cols, RowStatistics<Scalar> *statistics);
    /// Weights from scores, in place: exp(tile - greatest) / sum; 0 in rows whose greatest is -inf.
    ///
    /// tile: masked scores [rows, cols]; statistics: [rows], of the whole row (combineStatistics)
    void (*finalWeights)(Scalar *tile, Index ld, Index rows, Index cols,
                         const RowStatistics<Scalar> *statistics);
    /// Turns one whole leaf into weights: tile /= sum; 0 where the sum is 0. Same bits as finalWeights over
    /// the scores that leafWeights has seen.
    void (*normalize)(Scalar *tile, Index ld, Index rows, Index cols,
                      const RowStatistics<Scalar> *statistics);

    /// Statistics of whole rows from those of their leaves, in order.
    ///
    /// leaves: leaf l of row r at leaves[l * ldLeaves + r]; whole: [rows]
    void (*combineStatistics)(const RowStatistics<Scalar> *leaves, Index ldLeaves, Index leafCount,
                              Index rows, RowStatistics<Scalar> *whole);
    /// Output of whole rows from the partial outputs of their leaves, in order:
    /// out = sum over leaves of exp(leaf greatest - greatest) / sum * partial.
    ///
    /// partials: [leafCount] pointers to [rows, cols], each with stride ldPartial; leaves, whole: as in
    /// combineStatistics; out: [rows, cols], not among the partials
    /// A row whose greatest is -inf takes weight 0 from all leaves, so that NaN in a partial stays NaN.
    void (*combinePartials)(const Scalar *const *partials, Index ldPartial,
                            const RowStatistics<Scalar> *leaves, Index ldLeaves,
                            const RowStatistics<Scalar> *whole, Index leafCount, Scalar *out, Index ldOut,
                            Index rows, Index cols);

    /// The greatest number (NaN when any is) and the sum of each column.
    void (*foldRows)(const Scalar *tile, Index ld, Index rows, Index cols, Scalar *greatest, Scalar *sum);

    /// Places on a scale of 256 steps that begins at `minimum` and is `width` (> 0) long: numbers outside
    /// have the place of the nearer end, NaN the first. False when a number is not finite.
    bool (*scalePlaces)(const Scalar *numbers, Index count, Scalar minimum, Scalar width,
                        std::uint16_t *places);

    /// out = exp(in): relative error below 1e-15 (double) or 2e-7 (float), gradual underflow, NaN kept.
    void (*exponentials)(const Scalar *in, Scalar *out, Index count);

    void (*fromDouble)(const double *in, Scalar *out, Index count);
    void (*fromFloat)(const float *in, Scalar *out, Index count);
    void (*toDouble)(const Scalar *in, double *out, Index count);
    /// For painting: finite numbers beyond the range of float become its greatest finite numbers.
    void (*toFloat)(const Scalar *in, float *out, Index count);
};

/// The kernels of one instruction set.
struct KernelTable
{
    const char *isa; ///< "sse2", "avx2", "avx512"; "generic" elsewhere
    Kernels<double> f64;
    Kernels<float> f32;
    /// out[i] = from[places[i]]
    void (*pickWords)(const std::uint32_t *from, const std::uint16_t *places, std::ptrdiff_t count,
                      std::uint32_t *out);

    template<typename Scalar>
    const Kernels<Scalar> &of() const
    {
        if constexpr (sizeof(Scalar) == sizeof(double))
            return f64;
        else
            return f32;
    }
};

/// The table in use: the best that the processor can run, or the one that the environment variable
/// ATTNSCOPE_ISA names (sse2, avx2, avx512). Decided at the first call; any thread.
const KernelTable &kernels();

/// Name of the instruction set in use.
const char *isaName();

/// Why the table in use is not the one that ATTNSCOPE_ISA asks for; empty when it is.
const char *kernelNote();

/// All tables this processor can run, the slowest first. Null-terminated.
const KernelTable *const *kernelTables();

} // namespace attn
