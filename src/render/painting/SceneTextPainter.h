#pragma once

#include "render/Scene.h"

class QPainter;

namespace attn {

/// One text of a scene in its style. Long plain texts are broken into lines where the rectangle is high
/// enough, else shortened (on screen) or set smaller (with fullLabels).
void paintSceneText(QPainter &painter, const SceneText &text, const ScenePaintOptions &options);

/// Where the ink of a text lies, from left to right; its rectangle where it is broken, shortened or set
/// smaller.
QRectF sceneTextRect(const SceneText &text, const ScenePaintOptions &options);

/// A button of a scene.
void paintSceneControl(QPainter &painter, const SceneControl &control, const ScenePaintOptions &options);

} // namespace attn
