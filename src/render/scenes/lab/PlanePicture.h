#pragma once

#include "engine/lab/PrincipalPlane.h"
#include "render/scenes/SceneDraft.h"

#include <functional>

namespace attn {

/// Vectors as points of a plane, with names that do not overlap, and directions as arrows from its origin.
class PlanePicture
{
public:
    /// plot: square; one scale for both axes
    PlanePicture(SceneDraft &draft, const QRectF &plot, const PrincipalPlane &plane);

    void addFrame() const;
    /// nameOf: the text at point i; idOf: "token:3". The point in focus is drawn larger and named first.
    void addPoints(const std::function<QString(Index)> &nameOf, Index focus);
    /// direction: any length; drawn as its unit vector's foot, so that a short arrow leaves the plane
    void addDirection(std::span<const double> direction, const QString &name, bool isFocus);
    /// After all directions, so that no name stands on an arrow.
    void addDirectionNames();
    /// Names that found no room.
    Index unnamed() const { return m_unnamed; }

private:
    QPointF at(const PrincipalPlane::Point &point) const;
    /// Whether a name of this size fits beside a point; places it.
    bool placeName(const QPointF &point, const QString &name, SceneText::Style style);

    SceneDraft &m_draft;
    QRectF m_plot;
    const PrincipalPlane &m_plane;
    double m_scale = 1.0; ///< scene units per number
    QPointF m_centre;     ///< of the plane's origin on the scene
    std::vector<QRectF> m_taken;
    std::vector<std::pair<QPointF, QString>> m_directionNames;
    Index m_unnamed = 0;
};

} // namespace attn
