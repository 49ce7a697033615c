#pragma once

#include "engine/decode/DecodeSession.h"
#include "render/SceneBuilders.h"

#include <memory>

namespace attn {

struct DecodeOptions
{
    Index head = 0;
    DecodeSchedule schedule;
    Index position = 0; ///< steps done
    std::shared_ptr<const DecodePicture>
        picture;      ///< of these choices, to save its time; null = computed here
    TokenEdit edited; ///< the edit that is asked about
    EditReach reach;  ///< what it makes wrong
    double width = 1200.0;
};

/// Decoding token by token: the rows of K and V that are kept, the new row and what it needs, the same step
/// without a cache and without the causal mask, and what each has cost so far.
Scene decodeScene(const SnapshotPtr &snapshot, const DisplayOptions &display,
                  const DecodeOptions &options = {});

} // namespace attn
