#pragma once

#include "engine/masks/MaskCells.h"
#include "engine/masks/MaskEffect.h"
#include "render/SceneBuilders.h"

#include <QString>

#include <memory>

namespace attn {

/// Larger maps of a stage are pooled and fill in while they are looked at; maps that only this picture has
/// are left out above so many cells, and the picture says so.
inline constexpr Index mostDerivedMaskCells = 1 << 20;
/// Rows of the table of effects; with more, those are listed whose weights move most.
inline constexpr Index mostListedMaskRows = 32;

struct MasksOptions
{
    Index head = 0;
    bool trueIsDrop = false;                  ///< ones and zeros are shown as 1 = hidden
    SnapshotPtr before;                       ///< the same experiment with another mask; null = none yet
    QString beforeName;                       ///< "no mask"
    QString beforeProblem;                    ///< why `before` is null; empty = it is being computed
    std::shared_ptr<const MaskCounts> counts; ///< of this head; null = being counted
    std::shared_ptr<const MaskEffect> effect; ///< of this head; null = being computed
    Index row = -1;                           ///< query whose row is told in a sentence; -1 = none
    double width = 1200.0;
};

/// The mask of one head: what each query may see and which part of the mask hides what, the matrices of the
/// mask, and what it does to A and to the output. Maps: "allowed" as the stage itself, "parts", "before:A",
/// "difference:A", "before:output", "difference:output" derived. Controls: "offset:0" and "offset:end" set
/// the position of the first query.
Scene masksScene(const SnapshotPtr &snapshot, const DisplayOptions &display, const MasksOptions &options);

/// "causal", "window", "padding", "boolean mask", "additive", "ALiBi".
QString maskPartName(MaskPart part);
/// "hidden by causal, window", "allowed".
QString hiddenByText(MaskPartSet parts);
/// What a mask of ones and zeros says in each convention, as whole sentences.
QString keepConventionText();
QString dropConventionText();

} // namespace attn
