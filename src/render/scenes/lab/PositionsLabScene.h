#pragma once

#include "engine/lab/PositionalEncoding.h"
#include "render/SceneBuilders.h"

namespace attn {

struct PositionsLabOptions
{
    PositionChoice choice; ///< the encoding that the controls would write
    Index first = 0;       ///< the two words that are exchanged; also the query and the key that are turned
    Index second = 1;
    Index head = 0; ///< query head of the rotary and ALiBi pictures
    Index pair = 0; ///< pair of columns that is drawn turning
    double width = 960.0;
};

/// X as E + P, what exchanging two words does with and without P, and rotary and ALiBi as pictures.
///
/// Controls: "position:keepX", "position:keepE", "position:forget", "swap:apply", "head:I", "pair:I",
/// "rotary:use", "rotary:remove", "alibi:use", "alibi:remove". E and P are scratch matrices once kept. Takes
/// as long as six evaluations of the document.
Scene positionsLabScene(const SnapshotPtr &snapshot, const DisplayOptions &display,
                        const PositionsLabOptions &options = {});

} // namespace attn
