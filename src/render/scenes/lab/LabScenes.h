#pragma once

#include "engine/lab/ScalingSample.h"
#include "engine/lab/SoftmaxInverse.h"
#include "render/SceneBuilders.h"

#include <memory>

namespace attn {

struct SoftmaxLabOptions
{
    Index head = 0;
    Index row = 0;
    Index key = -1; ///< whose weight is written out; -1 = the largest
    double sharpness = 1.0;
    bool subtractLargest = true;
    int step = stepCount; ///< how far the row has come
    Stage inverseTarget = Stage::Scores;
    double width = 960.0;

    static constexpr int stepCount = 5; ///< largest, subtract, exponentiate, add up, divide
};

/// One row of scores on its way to weights, with numbers; how it sharpens; how each weight answers to each
/// score; and which scores would give the present A.
///
/// Controls: "show:inverse:scores" (brings them into sight), "inverse:scores", "inverse:scaled" (which scores
/// are asked for), "inverse:apply". Maps of stages are editable like the stages.
Scene softmaxLabScene(const SnapshotPtr &snapshot, const DisplayOptions &display,
                      const SoftmaxLabOptions &options = {});

struct ScalingLabOptions
{
    Index dHead = 512; ///< d_k; one of ScalingSample::widths()
    ScalingOptions sample;
    std::shared_ptr<const ScalingSample> drawn; ///< of `sample`, to save its time; null = drawn here
    double width = 1200.0;
};

/// Why scores are divided by sqrt(d_k): what random queries and keys of that width give, without, with, and
/// as cosines.
Scene scalingLabScene(const SnapshotPtr &snapshot, const DisplayOptions &display,
                      const ScalingLabOptions &options = {});

} // namespace attn
