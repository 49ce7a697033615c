#pragma once

#include "engine/Tensor.h"

#include <memory>

namespace attn {

enum class Pooling
{
    Max, ///< greatest value of the pooled cells
    Mean,
};

enum class BlockStatus
{
    Exact,    ///< final for the snapshot's generation
    Updating, ///< shown from an older generation, or not computed yet
};

/// Counts of one head (or all heads) of a stage. minimum/maximum are over finite cells; NaN when there is
/// none.
struct ValueStatistics
{
    double minimum;
    double maximum;
    double sum; ///< of the finite cells
    Index finiteCount = 0;
    Index nanCount = 0;
    Index minusInfCount = 0;
    Index plusInfCount = 0;
};

/// The one way in which views, exports and tests read numbers: a stage of a snapshot, or a layer of it.
///
/// Immutable; may be read from any thread. Nobody sees the scalar in which it was computed. A stage may be
/// stored, or computed on demand from others.
class StageValues
{
public:
    virtual ~StageValues() = default;

    Index heads() const { return shape().heads; }
    Index rows() const { return shape().rows; }
    Index cols() const { return shape().cols; }
    virtual Shape shape() const = 0;

    /// Whether the numbers are float32: then texts are the shortest float32 texts.
    virtual bool isSinglePrecision() const = 0;

    virtual double value(Index head, Index row, Index col) const = 0;

    /// A block of cells, for painting. out: rowCount rows of `stride` floats. Values beyond float's range
    /// become ±inf only when the double is infinite; finite ones are clamped to ±FLT_MAX.
    virtual void readBlock(Index head, Index row, Index col, Index rowCount, Index colCount, float *out,
                           Index stride) const;
    /// The same at full precision, for exports and numbers.
    virtual void readBlock(Index head, Index row, Index col, Index rowCount, Index colCount, double *out,
                           Index stride) const;

    /// Pools cells [row + i*pool, row + (i+1)*pool) x [col + j*pool, ...) into out(i, j), edges clipped to
    /// the matrix. Max: the greatest value; NaN when any cell is NaN (trouble is never hidden); -inf only
    /// when all are. Mean: over the finite cells; NaN when there is none.
    virtual void readPooled(Index head, Index row, Index col, Index pool, Index rowCount, Index colCount,
                            Pooling pooling, float *out, Index stride) const;

    virtual BlockStatus blockStatus(Index head, Index row, Index col, Index rowCount, Index colCount) const;

    /// Cached; head < 0 means all heads.
    virtual ValueStatistics statistics(Index head) const = 0;
};

using StageValuesPtr = std::shared_ptr<const StageValues>;

/// Values of a document's matrix, or of any other stored tensor. before: what was made of an older version of
/// it; its statistics of rows that are the same are kept.
StageValuesPtr valuesOf(const Tensor &tensor, const StageValuesPtr &before = nullptr);

} // namespace attn
