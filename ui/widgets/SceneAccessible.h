#pragma once

#include <memory>

namespace attn {

struct Scene;
class SceneView;

/// Makes scene views readable by screen readers: a pane with one table per map that has cells and one button
/// per control, one slider per grip, one list item per shape that can be pointed at and one text per
/// statement. One that is not on show has none of them: whoever reads the whole window is not led through
/// every cell of every workspace. Done once; later calls do nothing.
void installSceneAccessibility();

/// Tells screen readers what has the focus now.
void announceCurrentCell(SceneView &view);
void announceFocusedControl(SceneView &view);
void announceFocusedGrip(SceneView &view);
void announceFocusedShape(SceneView &view);
/// It came on show, or went.
void announceShown(SceneView &view);
/// Another scene is shown: tables that went are dropped, the current cell's new value is told.
void announceScene(SceneView &view, const std::shared_ptr<const Scene> &before);

} // namespace attn
