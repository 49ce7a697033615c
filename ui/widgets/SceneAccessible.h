#pragma once

#include <memory>

namespace attn {

struct Scene;
class SceneView;

/// Makes scene views readable by screen readers: a pane with one table per map that has cells and one button
/// per control and one slider per grip. Done once; later calls do nothing.
void installSceneAccessibility();

/// Tells screen readers what has the focus now.
void announceCurrentCell(SceneView &view);
void announceFocusedControl(SceneView &view);
void announceFocusedGrip(SceneView &view);
/// Another scene is shown: tables that went are dropped, the current cell's new value is told.
void announceScene(SceneView &view, const std::shared_ptr<const Scene> &before);

} // namespace attn
