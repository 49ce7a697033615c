#include "render/scenes/lab/PlanePicture.h"

#include "base/NumberText.h"
#include "render/scenes/StageTexts.h"

#include <QCoreApplication>
#include <QFontMetricsF>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace attn {

namespace {

constexpr double planePadding = 34.0;
constexpr double nameHeight = 16.0;
constexpr double arrowShare = 0.42; ///< of the plot's side, for a direction that lies in the plane
constexpr Index mostNamed = 400;    ///< with more points only the one in focus is named

SceneShape strokeOf(const QPointF &from, const QPointF &to, const ScenePaint &paint, double width)
{
    SceneShape shape;
    shape.path.moveTo(from);
    shape.path.lineTo(to);
    shape.stroke = paint;
    shape.strokeWidth = width;
    return shape;
}

} // namespace

PlanePicture::PlanePicture(SceneDraft &draft, const QRectF &plot, const PrincipalPlane &plane)
    : m_draft(draft)
    , m_plot(plot)
    , m_plane(plane)
{
    QRectF reach(0.0, 0.0, 0.0, 0.0); // holds the origin
    for (const PrincipalPlane::Point &point : plane.points) {
        reach.setLeft(std::min(reach.left(), point.x));
        reach.setRight(std::max(reach.right(), point.x));
        reach.setTop(std::min(reach.top(), point.y));
        reach.setBottom(std::max(reach.bottom(), point.y));
    }
    const double size = std::max(reach.width(), reach.height());
    m_scale = size > 0.0 ? (plot.width() - 2.0 * planePadding) / size : 1.0;
    m_centre = plot.center() - QPointF(reach.center().x(), -reach.center().y()) * m_scale;
}

QPointF PlanePicture::at(const PrincipalPlane::Point &point) const
{
    return m_centre + QPointF(point.x, -point.y) * m_scale;
}

void PlanePicture::addFrame() const
{
    SceneShape frame;
    frame.path.addRect(m_plot);
    frame.stroke = ScenePaint::of(ScenePaint::Role::Hairline);
    m_draft.scene().shapes.push_back(frame);
    const ScenePaint hairline = ScenePaint::of(ScenePaint::Role::Hairline);
    m_draft.scene().shapes.push_back(
        strokeOf({m_plot.left(), m_centre.y()}, {m_plot.right(), m_centre.y()}, hairline, 1.0));
    m_draft.scene().shapes.push_back(
        strokeOf({m_centre.x(), m_plot.top()}, {m_centre.x(), m_plot.bottom()}, hairline, 1.0));
}

bool PlanePicture::placeName(const QPointF &point, const QString &name, SceneText::Style style)
{
    const double width = QFontMetricsF(m_draft.maps().theme().textFont).horizontalAdvance(name) + 6.0;
    const QPointF corners[] = {{7.0, -0.5 * nameHeight},
                               {-7.0 - width, -0.5 * nameHeight},
                               {-0.5 * width, -7.0 - nameHeight},
                               {-0.5 * width, 7.0},
                               {5.0, -6.0 - nameHeight},
                               {5.0, 5.0},
                               {-5.0 - width, -6.0 - nameHeight},
                               {-5.0 - width, 5.0},
                               {-0.5 * width, 12.0},
                               {-0.5 * width, -12.0 - nameHeight}};
    for (const QPointF &corner : corners) {
        const QRectF room(point + corner, QSizeF(width, nameHeight));
        if (!m_plot.contains(room) || std::any_of(m_taken.begin(), m_taken.end(), [&](const QRectF &taken) {
                return taken.intersects(room);
            }))
            continue;
        m_taken.push_back(room);
        m_draft.addText(room, name, style, Qt::AlignHCenter | Qt::AlignVCenter);
        return true;
    }
    return false;
}

void PlanePicture::addPoints(const std::function<QString(Index)> &nameOf, Index focus)
{
    const auto count = static_cast<Index>(m_plane.points.size());
    const double radius = count > 400 ? 2.0 : count > 60 ? 3.0 : 4.5;
    for (Index i = 0; i < count; ++i) {
        const QPointF place = at(m_plane.points[static_cast<std::size_t>(i)]);
        const double size = i == focus ? radius + 2.0 : radius;
        SceneShape dot;
        dot.path.addEllipse(place, size, size);
        dot.fill = i == focus ? ScenePaint::of(ScenePaint::Role::Accent)
                              : ScenePaint::of(ScenePaint::Role::Text, count > 400 ? 0.45 : 0.8);
        dot.id = QStringLiteral("token:%1").arg(i);
        dot.name = QCoreApplication::translate("Scene", "%1: %2, %3")
                       .arg(nameOf(i),
                            QString::fromStdString(
                                withTrueMinus(displayText(m_plane.points[static_cast<std::size_t>(i)].x, 3))),
                            QString::fromStdString(withTrueMinus(
                                displayText(m_plane.points[static_cast<std::size_t>(i)].y, 3))));
        m_draft.scene().shapes.push_back(dot);
        if (count <= mostNamed)
            m_taken.push_back({place - QPointF(size, size), QSizeF(2.0 * size, 2.0 * size)});
    }
    std::vector<Index> order(static_cast<std::size_t>(count));
    std::iota(order.begin(), order.end(), Index(0));
    if (focus >= 0 && focus < count)
        std::rotate(order.begin(), order.begin() + focus, order.begin() + focus + 1);
    for (std::size_t place = 0; place < order.size(); ++place) {
        const Index i = order[place];
        const bool isTried = count <= mostNamed || i == focus;
        if (!isTried ||
            !placeName(at(m_plane.points[static_cast<std::size_t>(i)]), nameOf(i), SceneText::Style::Label))
            ++m_unnamed;
    }
}

void PlanePicture::addDirection(std::span<const double> direction, const QString &name, bool isFocus)
{
    double squares = 0.0;
    for (const double number : direction)
        squares += number * number;
    if (!(squares > 0.0) || !std::isfinite(squares))
        return;
    const PrincipalPlane::Point foot = m_plane.footOf(direction);
    const double norm = std::sqrt(squares);
    const double length = arrowShare * m_plot.width();
    QPointF tip = m_centre + QPointF(foot.x, -foot.y) / norm * length;
    // The origin may stand near an edge: the arrow ends inside the plot.
    double share = 1.0;
    const QPointF step = tip - m_centre;
    const QRectF inner = m_plot.adjusted(6.0, 6.0, -6.0, -6.0);
    const auto limit = [&share](double start, double move, double low, double high) {
        if (move > 0.0)
            share = std::min(share, (high - start) / move);
        else if (move < 0.0)
            share = std::min(share, (low - start) / move);
    };
    limit(m_centre.x(), step.x(), inner.left(), inner.right());
    limit(m_centre.y(), step.y(), inner.top(), inner.bottom());
    tip = m_centre + step * std::max(share, 0.0);
    SceneShape arrow =
        strokeOf(m_centre, tip, ScenePaint::of(isFocus ? ScenePaint::Role::Pin : ScenePaint::Role::MutedText),
                 isFocus ? 2.5 : 1.5);
    arrow.arrow = true;
    arrow.name = QCoreApplication::translate("Scene", "%1: %2 of its length lies in this plane")
                     .arg(name, percentText(std::hypot(foot.x, foot.y) / norm));
    m_draft.scene().shapes.push_back(arrow);
    for (double along = 0.15; along < 0.9; along += 0.08)
        m_taken.push_back({m_centre + (tip - m_centre) * along - QPointF(3.0, 3.0), QSizeF(6.0, 6.0)});
    m_directionNames.emplace_back(tip, name);
}

void PlanePicture::addDirectionNames()
{
    for (const auto &[tip, name] : m_directionNames)
        placeName(tip, name, SceneText::Style::Badge);
}

} // namespace attn
