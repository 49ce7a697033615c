#pragma once

#include "engine/lab/DirectionSet.h"
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

/// The rows from which a direction is proposed, and with whose differences one without a name is compared.
TokenVectors rowsOfDirections(const StageValues &values, Index head);

/// What a direction is called: by its name in the document, else by what it is.
QString directionName(const Experiment &experiment, Stage stage, const DirectionSet &set,
                      const TokenVectors &rows, Index index);

/// "prog − love"
QString differenceName(const Experiment &experiment, Stage stage, Index to, Index from);

/// The rows of a stage as vectors: dot products and cosines, the plane of their largest spread, and how far
/// they reach along directions.
///
/// Controls: "direction:select:I", "direction:keep", "direction:needs", "direction:difference",
/// "direction:remove". Shapes: "token:I". The directions' map is the scratch matrix directionsLab(width).
Scene tokensLabScene(const SnapshotPtr &snapshot, const DisplayOptions &display,
                     const TokensLabOptions &options = {});

} // namespace attn
