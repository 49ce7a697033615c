#pragma once

#include "document/ViewState.h"
#include "render/SceneBuilders.h"

namespace attn {

/// How numbers are shown, as the view state and the theme say; the same for workspaces and exports.
DisplayOptions displayOptionsOf(const ViewState &state, bool dark, bool updating);

/// What the footprints workspace shows; `row` is the query row whose shares are printed. Parts of the state
/// that do not fit the snapshot's tokens and heads are left out.
FootprintsOptions footprintsOptionsOf(const ViewState &state, const Snapshot &snapshot);

} // namespace attn
