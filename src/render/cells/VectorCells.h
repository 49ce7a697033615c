#pragma once

class QPainter;

namespace attn {

struct SceneMap;
struct ScenePaintOptions;

/// Rows and columns up to which cells are drawn as rectangles; above, as one image.
inline constexpr int mostVectorCells = 64;

/// Draws cells, marks and numbers of a whole map for SVG and PDF, without clipping and in scene units.
void paintVectorCells(QPainter &painter, const SceneMap &map, const ScenePaintOptions &options);

} // namespace attn
