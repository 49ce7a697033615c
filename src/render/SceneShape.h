#pragma once

#include "render/Theme.h"

#include <QColor>
#include <QPainterPath>
#include <QPointF>
#include <QRectF>
#include <QString>

namespace attn {

/// A colour of a scene: one of the theme, so that the scene can be drawn in any, or a colour of data, taken
/// from a colour map by whoever builds the scene.
struct ScenePaint
{
    enum class Role
    {
        None, ///< not drawn
        Text,
        MutedText,
        Hairline,
        Accent,
        Pin,
        Warning,
        Card,
        Data, ///< `color`
    };

    Role role = Role::None;
    QColor color;
    double opacity = 1.0;

    static ScenePaint of(Role role, double opacity = 1.0) { return {role, {}, opacity}; }
    static ScenePaint data(const QColor &color, double opacity = 1.0) { return {Role::Data, color, opacity}; }

    bool isDrawn() const { return role != Role::None && opacity > 0.0; }
    QColor resolved(const Theme &theme) const;
};

/// A filled or stroked figure: a ribbon, a bar of a chart, a line of a plane's grid, an arrow. Stays a vector
/// figure in SVG and PDF.
struct SceneShape
{
    QPainterPath path;
    ScenePaint fill;
    ScenePaint stroke;
    double strokeWidth = 1.0;
    bool dashed = false;
    bool arrow = false;     ///< a head at the end of the path, filled in the stroke's colour
    bool aboveMaps = false; ///< drawn after the maps instead of before them
    QString id;             ///< not empty: reports hovering and clicks, "ribbon:3:7"
    QString name;           ///< tool tip
    bool isHint = false;    ///< ground of what is dragged: drawn with the controls only, never in a figure
};

/// A point that is dragged, or moved by the arrow keys when it has the keyboard; drawn on screen only.
struct SceneGrip
{
    QString id; ///< "v1"
    QPointF pos;
    QString name;      ///< accessible name: "vector v1"
    QString value;     ///< accessible value and the end of the tool tip: "(3, 6)"
    QRectF bounds;     ///< where `pos` may go; null = anywhere
    double step = 8.0; ///< scene units of one press of an arrow key; with Shift a tenth
    double radius = 6.0;
    ScenePaint paint = ScenePaint::of(ScenePaint::Role::Accent);
};

} // namespace attn
