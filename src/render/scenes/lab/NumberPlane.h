#pragma once

#include "engine/lab/SmallMatrix.h"
#include "render/scenes/SceneDraft.h"
#include "render/scenes/lab/NamePlaces.h"

#include <array>
#include <span>

namespace attn {

/// Where the points of a plane lie in a scene: the origin in the middle, `reach` units to each side, y up.
struct PlaneGeometry
{
    QRectF rect; ///< square
    double reach = 4.0;

    double unit() const { return 0.5 * rect.width() / reach; }
    QPointF at(double x, double y) const;
    QPointF at(std::span<const double> point) const { return at(point[0], point[1]); }
    /// The point of the plane there, rounded to what a pixel tells apart.
    QPointF numbersAt(const QPointF &pos) const;
    bool holds(double x, double y) const;
    /// The point itself, or the nearest one on the border.
    std::array<double, 2> clamped(std::span<const double> point) const;
};

/// Side of the plane that a lab scene shows beside its statements. room: see defaultPlaneRoom
double planeSideFor(const QSizeF &room);

/// Rows of eight legible numbers below a plane take this much, even where the plane is smaller.
inline constexpr double leastNumbersWidth = 400.0;

/// The smallest of 1, 2, 3, 4, 6, 8, 10, 15, 20, … that leaves room around this number.
double roundReach(double largest);

/// "number 1": what an axis of a plane of plain numbers counts.
QString axisName(int number);

/// How the arrows of v_1, v_2, v_3 are drawn everywhere: taken from the colour maps.
std::array<ScenePaint, 3> vectorPaints(const MapFactory &maps);

/// Draws figures of a plane into a scene, cut at the plane's border.
class NumberPlane
{
public:
    NumberPlane(SceneDraft &draft, const PlaneGeometry &geometry);

    const PlaneGeometry &geometry() const { return m_geometry; }

    /// Ground, border, grid lines at whole numbers and the two axes; addNames() writes their names and
    /// numbers.
    void addGround(const QString &xTitle, const QString &yTitle);
    /// The ground alone, with its border.
    void addFrame();
    /// The lines of the whole-number grid after a map, [2, 2], as far as they lie inside.
    void addMappedGrid(const SmallMatrix &map, const ScenePaint &paint, double width = 1.0);
    void addArrow(std::span<const double> from, std::span<const double> to, const ScenePaint &paint,
                  double width = 2.0, bool dashed = false, const QString &name = {});
    void addSegment(std::span<const double> from, std::span<const double> to, const ScenePaint &paint,
                    double width = 1.0, bool dashed = false);
    /// All multiples of a direction.
    void addLineThroughOrigin(std::span<const double> direction, const ScenePaint &paint, double width);
    void addFilled(std::span<const std::vector<double>> corners, const ScenePaint &fill,
                   const ScenePaint &stroke, const QString &name = {});
    void addDot(std::span<const double> point, const ScenePaint &paint, double radius, const QString &name);
    /// Markup beside a point, away from the origin; addNames() writes it.
    void addLabel(std::span<const double> point, const QString &markup);
    /// Markup beside the tip of an arrow from the origin, where its continuation does not pass; addNames()
    /// writes it.
    void addTipLabel(std::span<const double> tip, const QString &markup);
    /// Plain text beside a point; addNames() writes it.
    void addPlainLabel(std::span<const double> point, const QString &text);
    /// No name is written here.
    void keepFree(const QRectF &rect) { m_places.keep(rect); }
    /// Writes all names, once everything is drawn: those of the axes, then those of points where nothing else
    /// is written and no grip stands, then the axes' numbers that are not covered by a name.
    void addNames();
    /// A point that is dragged over the plane; it stays on its border.
    /// numbers: what it stands for, where the plane shows only a shadow of it; empty = the point itself
    void addGrip(const QString &id, std::span<const double> point, const QString &name,
                 const ScenePaint &paint, std::span<const double> numbers = {});

private:
    /// A name that waits for its place.
    struct Name
    {
        QPointF point;
        QPointF wanted; ///< its middle
        QString text;
        SceneText::Style style = SceneText::Style::Title;
    };

    void addGroundedText(const QRectF &rect, const QString &text, SceneText::Style style,
                         Qt::Alignment alignment);
    void addAxisTitles();
    void addAxisNumbers();
    SceneShape &addShape(const QPainterPath &path);

    SceneDraft &m_draft;
    PlaneGeometry m_geometry;
    NamePlaces m_places;
    std::vector<Name> m_names;
    std::array<QString, 2> m_axisTitles;
    bool m_hasAxes = false;
};

} // namespace attn
