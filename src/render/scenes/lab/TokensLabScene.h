#pragma once

#include "engine/lab/PrincipalPlane.h"
#include "render/SceneBuilders.h"

#include <memory>

namespace attn {

struct TokensLabOptions
{
    Stage stage = Stage::Q;
    Index head = 0; ///< of the stage's own head axis
    bool isCentred = true;
    Index token = 0;     ///< row in focus: tables of long stages are cut around it
    Index direction = 0; ///< of those the document keeps, or the proposed one
    double width = 960.0;
};

/// The stages whose rows are vectors of tokens and that this snapshot has.
std::vector<Stage> vectorStages(const Snapshot &snapshot);

/// The first row that the tables of a stage with so many rows show when this one is in focus.
Index tokensTableFirst(Index rows, Index token);

/// The rows of a stage as vectors: dot products and cosines, the plane of their largest spread, and how far
/// they reach along directions.
///
/// Controls: "direction:select:I", "direction:keep", "direction:needs", "direction:difference",
/// "direction:remove". Shapes: "token:I". The directions' map is the scratch matrix directionsLab(width).
Scene tokensLabScene(const SnapshotPtr &snapshot, const DisplayOptions &display,
                     const TokensLabOptions &options = {});

} // namespace attn
