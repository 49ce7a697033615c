#pragma once

#include "render/SceneBuilders.h"

namespace attn {

/// Which layers of a sum of footprints are drawn, and which of them are added up.
struct FootprintChoice
{
    std::vector<Index> shown; ///< in drawing order
    std::vector<Index> rest;  ///< above 64 tokens: those beyond the 24 largest, drawn as one layer
    std::vector<Index> added; ///< the accumulated, unmuted ones, in drawing order, the rest last
    bool isComplete = true;   ///< every token is added
};

inline constexpr Index mostShownInFull = 64;
inline constexpr Index shownOfMany = 24;

/// A, V of the snapshot must have values.
FootprintChoice footprintChoice(const Snapshot &snapshot, const FootprintsOptions &options,
                                const std::stop_token &stop = {});

} // namespace attn
