#pragma once

#include "engine/lab/DirectionSample.h"
#include "render/SceneBuilders.h"

#include <memory>

namespace attn {

struct OrthogonalityLabOptions
{
    DirectionOptions sample;
    std::shared_ptr<const DirectionSample> drawn; ///< of `sample`, to save its time; null = drawn here
    double vocabulary = 50000.0;                  ///< tokens of the example of a size
    double width = 960.0;
};

/// How near to a right angle random directions stand, how many of them fit, measured and proven, and what
/// reading one of several costs.
Scene orthogonalityLabScene(const SnapshotPtr &snapshot, const DisplayOptions &display,
                            const OrthogonalityLabOptions &options = {});

/// "412", "63,013", "3.8 × 10⁷": a count that may be far too large to be written out.
QString largeCountText(double count);

} // namespace attn
