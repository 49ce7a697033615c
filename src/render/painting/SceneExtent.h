#pragma once

#include "render/Scene.h"

namespace attn {

/// From where to where a picture reaches, in scene units.
struct SceneExtent
{
    double left = 0.0;
    double right = 0.0;
};

/// What is drawn in a figure: texts by their ink, not by the room they were given; no controls. A scene that
/// draws nothing reaches over its whole width.
SceneExtent horizontalExtent(const Scene &scene, const ScenePaintOptions &options);

} // namespace attn
