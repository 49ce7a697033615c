#pragma once

#include "engine/Snapshot.h"

#include <array>
#include <string>

namespace attn {

/// What will become of one stage, known from the shapes alone.
struct StagePlan
{
    StageStatus status = StageStatus::Absent;
    std::string reason;        ///< for NotAvailable, and for Given numbers that do not fit
    std::string cause;         ///< the first cause of `reason`, further up the pipeline
    Shape shape;               ///< of Given and Computed stages
    bool usable = false;       ///< others may be computed from it
    bool fromPinsOnly = false; ///< cannot be computed, but every cell is set by hand
};

/// Which stages can be computed, and why the others cannot. After it the numerics meet no shape that does not
/// fit.
struct EvaluationPlan
{
    std::array<StagePlan, static_cast<std::size_t>(stageCount)> stages;
    std::string problem; ///< the first contradiction; empty when all fits

    const StagePlan &at(Stage stage) const { return stages[static_cast<std::size_t>(stage)]; }
};

EvaluationPlan planEvaluation(const Experiment &experiment);

} // namespace attn
