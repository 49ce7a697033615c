#pragma once

#include "render/scenes/lab/LabScenes.h"
#include "render/scenes/lab/OrthogonalityLabScene.h"
#include "render/scenes/lab/PlaneScenes.h"
#include "render/scenes/lab/PositionsLabScene.h"
#include "render/scenes/lab/TokensLabScene.h"

#include <QJsonObject>

namespace attn {

/// What each page of the lab keeps with the document, read as the options of its scene: the window and the
/// command line draw the same. Values that make no sense are brought to the nearest that does. `own` is the
/// page's object, empty at first; the room of the scene is left to the caller.

/// The part of what is selected that pages follow.
struct LabSelection
{
    Stage stage = Stage::X;
    CellIndex cell;
    Index head = 0;
};

/// Positions of the playback that make one step; see PlaybackBar.
inline constexpr int labPositionsPerStep = 40;

inline constexpr double mostSharpness = 8.0;
inline constexpr int leastDirectionDimension = 2;
inline constexpr int mostDirectionDimension = 4096;
inline constexpr double leastDirectionAngle = 45.0;
inline constexpr double mostDirectionAngle = 90.0;
inline constexpr int mostDirectionTries = 2000;
inline constexpr int mostLabSeed = 9999;

/// A stage of query rows that is selected says which query, one of key columns which key.
SoftmaxLabOptions softmaxLabOptions(const QJsonObject &own, const LabSelection &selection,
                                    const Experiment &experiment);
ScalingLabOptions scalingLabOptions(const QJsonObject &own);
TokensLabOptions tokensLabOptions(const QJsonObject &own, const Snapshot &snapshot);
PositionsLabOptions positionsLabOptions(const QJsonObject &own, const LabSelection &selection);
OrthogonalityLabOptions orthogonalityLabOptions(const QJsonObject &own);
VectorsLabOptions vectorsLabOptions(const QJsonObject &own);
MapsLabOptions mapsLabOptions(const QJsonObject &own);
WeightLabOptions weightLabOptions(const QJsonObject &own, const LabSelection &selection);

/// The position of the playback that a page of so many steps keeps; its end where it keeps none.
int labPosition(const QJsonObject &own, int steps);

QJsonObject sourceToJson(const VectorSource &source);
VectorSource sourceFromJson(const QJsonObject &object);

} // namespace attn
