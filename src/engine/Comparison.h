#pragma once

#include "engine/Snapshot.h"

#include <map>
#include <stop_token>
#include <vector>

namespace attn {

/// The matrices of one side of a comparison; no null values.
using StageSet = std::map<Stage, StageValuesPtr>;

/// Every stage of a snapshot that has values, but Qh, Kh and Vh, which are Q, K and V once more.
StageSet stagesOf(const Snapshot &snapshot);
StageSet stagesOf(const std::map<Stage, Tensor> &matrices);

struct CellDifference
{
    CellIndex cell;
    double a = 0.0;
    double b = 0.0;

    /// a - b; 0 for two equal infinities or two NaN, NaN where only one is finite or the infinities differ.
    double difference() const;
};

/// How one stage of A differs from the same stage of B.
struct StageComparison
{
    enum class Outcome
    {
        Compared,
        OnlyInA,
        OnlyInB,
        ShapesDiffer,
    };

    Stage stage = Stage::X;
    Outcome outcome = Outcome::Compared;
    Shape shapeA;
    Shape shapeB;
    Index cells = 0;       ///< compared
    Index different = 0;   ///< of them not equal
    Index mismatched = 0;  ///< NaN or infinite on one side only, or infinities that differ: counted in
                           ///< `different`, in none of the figures below
    double largest = 0.0;  ///< largest |a - b|
    double mean = 0.0;     ///< mean of |a - b| over the cells that are not mismatched
    double largestB = 0.0; ///< largest finite |b|: what a relative tolerance refers to; 0, as it does not
                           ///< matter, where both sides are the same values
    std::vector<CellDifference> worst; ///< mismatched ones first, then by |a - b|, then in reading order
    bool isExact = true;               ///< false: some numbers were not computed yet

    /// largest / largestB; NaN where B has nothing but zeros and A differs.
    double relative() const;
    /// Compared, no cell mismatched, and no cell farther from B than tolerance * largestB.
    bool passes(double tolerance) const;
};

/// The cells are read block by block, so matrices of any size will do.
///
/// a, b: may be null, then the outcome says so
/// stop: the result is then incomplete and is thrown away by the caller
StageComparison compareStage(Stage stage, const StageValuesPtr &a, const StageValuesPtr &b,
                             std::size_t worstCells = 5, std::stop_token stop = {});

/// The stages that either side has, in pipeline order.
std::vector<Stage> stagesOfEither(const StageSet &a, const StageSet &b);

/// A - B cell by cell as CellDifference::difference(), computed when read; pooled by the largest magnitude
/// (Pooling::Max) with its sign. Both of the same shape.
StageValuesPtr differenceOf(const StageValuesPtr &a, const StageValuesPtr &b);

} // namespace attn
