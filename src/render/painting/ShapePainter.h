#pragma once

#include "render/SceneShape.h"

class QPainter;

namespace attn {

/// A figure of a scene in the theme's colours, made fainter by `opacity`.
void paintSceneShape(QPainter &painter, const SceneShape &shape, const Theme &theme, double opacity = 1.0);

/// A grip: a disc with a light rim, so that it stands out on any ground.
void paintSceneGrip(QPainter &painter, const SceneGrip &grip, const Theme &theme);

inline constexpr double arrowHeadLength = 7.0;

/// A filled head whose point is at `tip`, pointing away from `from`.
void paintArrowHead(QPainter &painter, QPointF from, QPointF tip, const QColor &color);
/// The end of a line from `from` to `tip` that leaves the point of its arrow head sharp.
QPointF backOfArrowHead(QPointF from, QPointF tip);

} // namespace attn
