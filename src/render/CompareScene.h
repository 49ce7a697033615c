#pragma once

#include "engine/Comparison.h"
#include "render/SceneBuilders.h"

#include <QString>

#include <optional>
#include <vector>

namespace attn {

struct CompareOptions
{
    QString nameA;
    QString nameB;
    StageSet b;
    SnapshotPtr snapshotB;                ///< whose masks hide cells of B; null: B is numbers alone
    std::vector<StageComparison> results; ///< of A with B, as far as computed, in pipeline order
    bool isComplete = true;               ///< false: more results are on their way
    double tolerance = 1e-5;              ///< relative to the largest number of B in each stage
    std::optional<Stage> stage;           ///< shown with its numbers; none = see stageToShow()
    std::optional<Stage> selected;        ///< the selection's: shown where nothing asks for attention
    Index head = 0;
    double width = 1200.0;
};

/// A and B: a table of all stages with their differences and whether they pass, then one stage as A, B and
/// A - B with its worst cells. Controls: "stage:Q" shows a stage, "worst:0" points at its worst cell. Maps: A
/// as the stage itself, B and A - B derived as "b" and "difference".
Scene compareScene(const SnapshotPtr &a, const DisplayOptions &display, const CompareOptions &options);

/// The stage that is shown when none is asked for: the first in the pipeline that fails, else the selected
/// one, else that with the largest relative difference, else the last that both have.
std::optional<Stage> stageToShow(const CompareOptions &options);

} // namespace attn
