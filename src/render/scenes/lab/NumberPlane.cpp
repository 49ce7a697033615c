#include "render/scenes/lab/NumberPlane.h"

#include "base/NumberText.h"
#include "render/MathText.h"
#include "render/scenes/lab/LabTexts.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QLineF>

#include <algorithm>
#include <cmath>
#include <optional>

namespace attn {

namespace {

constexpr double gripStepPixels = 100.0; ///< at most so many presses of a key from side to side

/// The part of a segment that lies inside a rectangle (Liang and Barsky 1984).
std::optional<QLineF> insidePart(const QLineF &line, const QRectF &rect)
{
    double from = 0.0;
    double to = 1.0;
    const auto cut = [&](double direction, double room) {
        if (direction == 0.0)
            return room >= 0.0;
        const double at = room / direction;
        if (direction < 0.0)
            from = std::max(from, at);
        else
            to = std::min(to, at);
        return from <= to;
    };
    if (!cut(-line.dx(), line.x1() - rect.left()) || !cut(line.dx(), rect.right() - line.x1()) ||
        !cut(-line.dy(), line.y1() - rect.top()) || !cut(line.dy(), rect.bottom() - line.y1()))
        return std::nullopt;
    return QLineF(line.pointAt(from), line.pointAt(to));
}

QPainterPath pathOf(const QLineF &line)
{
    QPainterPath path(line.p1());
    path.lineTo(line.p2());
    return path;
}

/// Whole numbers where they fit, else 1, 2 or 5 of a decade: five to twelve lines to each side.
double gridStep(double reach)
{
    if (reach >= 1.5 && reach <= 12.0)
        return 1.0;
    const double decade = std::pow(10.0, std::floor(std::log10(reach)));
    const double leading = reach / decade;
    return decade * (leading < 2.0 ? 0.2 : leading < 5.0 ? 0.5 : 1.0);
}

/// In full where that is short, with the places that the step has.
QString tickText(double value, double step)
{
    if (step < 1e-4 || std::abs(value) >= 1e6)
        return labNumber(value);
    const int decimals = std::max(0, int(-std::floor(std::log10(step) + 1e-9)));
    return QString::fromStdString(withTrueMinus(displayText(value, decimals)));
}

} // namespace

QPointF PlaneGeometry::at(double x, double y) const
{
    return {rect.center().x() + x * unit(), rect.center().y() - y * unit()};
}

QPointF PlaneGeometry::numbersAt(const QPointF &pos) const
{
    const double quantum = std::pow(10.0, std::floor(std::log10(reach)) - 2.0);
    const double places = 1.0 / quantum;
    const auto rounded = [&](double value) {
        // By division where the quantum is no exact number, so that 0.3 is the double 0.3.
        return places >= 1.0 ? std::round(value * std::round(places)) / std::round(places)
                             : std::round(value / quantum) * quantum;
    };
    return {rounded((pos.x() - rect.center().x()) / unit()), rounded((rect.center().y() - pos.y()) / unit())};
}

bool PlaneGeometry::holds(double x, double y) const
{
    return std::abs(x) <= reach && std::abs(y) <= reach;
}

std::array<double, 2> PlaneGeometry::clamped(std::span<const double> point) const
{
    return {std::clamp(point[0], -reach, reach), std::clamp(point[1], -reach, reach)};
}

double planeSideFor(const QSizeF &room)
{
    constexpr double least = 250.0;
    constexpr double most = 560.0;
    constexpr double aboveAndBelow = 210.0; // heading, coefficients, numbers
    const double wide = std::clamp(room.width() * 0.44, 400.0, most);
    return room.height() > 0.0 ? std::clamp(room.height() - aboveAndBelow, least, wide) : wide;
}

double roundReach(double largest)
{
    if (!(largest > 0.0) || !std::isfinite(largest))
        return 4.0;
    const double wanted = largest * 1.15;
    const double decade = std::pow(10.0, std::floor(std::log10(wanted)));
    for (const double step : {1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 10.0})
        if (step * decade >= wanted)
            return step * decade;
    return 10.0 * decade;
}

QString axisName(int number)
{
    return QCoreApplication::translate("Scene", "number %1").arg(number);
}

std::array<ScenePaint, 3> vectorPaints(const MapFactory &maps)
{
    const bool isDark = maps.display().dark;
    const auto diverging = maps.colorMap(ColorMap::Kind::Diverging);
    const auto sequential = maps.colorMap(ColorMap::Kind::Sequential);
    return {ScenePaint::data(QColor::fromRgb(diverging->rgb(isDark ? 0.12 : 0.04))),
            ScenePaint::data(QColor::fromRgb(diverging->rgb(isDark ? 0.88 : 0.94))),
            ScenePaint::data(QColor::fromRgb(sequential->rgb(isDark ? 0.7 : 0.5)))};
}

NumberPlane::NumberPlane(SceneDraft &draft, const PlaneGeometry &geometry)
    : m_draft(draft)
    , m_geometry(geometry)
    , m_places(geometry.rect.adjusted(2.0, 2.0, -2.0, -2.0))
{
}

SceneShape &NumberPlane::addShape(const QPainterPath &path)
{
    SceneShape shape;
    shape.path = path;
    m_draft.scene().shapes.push_back(shape);
    return m_draft.scene().shapes.back();
}

void NumberPlane::addFrame()
{
    QPainterPath ground;
    ground.addRect(m_geometry.rect);
    SceneShape &shape = addShape(ground);
    shape.fill = ScenePaint::of(ScenePaint::Role::Card);
    shape.stroke = ScenePaint::of(ScenePaint::Role::Hairline);
    m_draft.extendTo(m_geometry.rect.right(), m_geometry.rect.bottom());
}

void NumberPlane::addGround(const QString &xTitle, const QString &yTitle)
{
    addFrame();
    addMappedGrid(SmallMatrix::identity(2), ScenePaint::of(ScenePaint::Role::Hairline, 0.7));
    const double reach = m_geometry.reach;
    addSegment(std::array{-reach, 0.0}, std::array{reach, 0.0}, ScenePaint::of(ScenePaint::Role::MutedText));
    addSegment(std::array{0.0, -reach}, std::array{0.0, reach}, ScenePaint::of(ScenePaint::Role::MutedText));
    m_axisTitles = {xTitle, yTitle};
    m_hasAxes = true;
}

void NumberPlane::addMappedGrid(const SmallMatrix &map, const ScenePaint &paint, double width)
{
    const double step = gridStep(m_geometry.reach);
    // As many lines as a flattened grid needs to cross the picture, within reason.
    const int lines = 2 * int(std::ceil(m_geometry.reach / step)) + 4;
    const double end = lines * step;
    QPainterPath path;
    for (int i = -lines; i <= lines; ++i) {
        for (const bool upright : {true, false}) {
            const double at = i * step;
            const std::vector<double> from = map * (upright ? std::array{at, -end} : std::array{-end, at});
            const std::vector<double> to = map * (upright ? std::array{at, end} : std::array{end, at});
            const auto part = insidePart({m_geometry.at(from), m_geometry.at(to)}, m_geometry.rect);
            if (!part)
                continue;
            path.moveTo(part->p1());
            path.lineTo(part->p2());
        }
    }
    SceneShape &shape = addShape(path);
    shape.stroke = paint;
    shape.strokeWidth = width;
}

void NumberPlane::addArrow(std::span<const double> from, std::span<const double> to, const ScenePaint &paint,
                           double width, bool dashed, const QString &name)
{
    const QLineF whole(m_geometry.at(from), m_geometry.at(to));
    const auto part = insidePart(whole, m_geometry.rect);
    if (!part || whole.length() < 0.5)
        return;
    SceneShape &shape = addShape(pathOf(*part));
    shape.stroke = paint;
    shape.strokeWidth = width;
    shape.dashed = dashed;
    shape.arrow = m_geometry.rect.contains(whole.p2());
    shape.name = name;
    constexpr double spacing = 7.0;
    const int squares = std::max(1, int(part->length() / spacing));
    for (int i = 0; i <= squares; ++i)
        m_places.avoid({part->pointAt(double(i) / squares) - QPointF(2.0, 2.0), QSizeF(4.0, 4.0)});
}

void NumberPlane::addSegment(std::span<const double> from, std::span<const double> to,
                             const ScenePaint &paint, double width, bool dashed)
{
    const auto part = insidePart({m_geometry.at(from), m_geometry.at(to)}, m_geometry.rect);
    if (!part)
        return;
    SceneShape &shape = addShape(pathOf(*part));
    shape.stroke = paint;
    shape.strokeWidth = width;
    shape.dashed = dashed;
}

void NumberPlane::addLineThroughOrigin(std::span<const double> direction, const ScenePaint &paint,
                                       double width)
{
    const double length = normOf(direction);
    if (!(length > 0.0))
        return;
    const std::vector<double> end = scaled(2.0 * m_geometry.reach / length, direction);
    addSegment(scaled(-1.0, end), end, paint, width);
}

void NumberPlane::addFilled(std::span<const std::vector<double>> corners, const ScenePaint &fill,
                            const ScenePaint &stroke, const QString &name)
{
    QPolygonF polygon;
    for (const std::vector<double> &corner : corners)
        polygon.append(m_geometry.at(corner));
    QPainterPath path;
    path.addPolygon(polygon);
    path.closeSubpath();
    if (!m_geometry.rect.contains(polygon.boundingRect())) {
        QPainterPath border;
        border.addRect(m_geometry.rect);
        path = path.intersected(border);
    }
    SceneShape &shape = addShape(path);
    shape.fill = fill;
    shape.stroke = stroke;
    shape.name = name;
}

void NumberPlane::addDot(std::span<const double> point, const ScenePaint &paint, double radius,
                         const QString &name)
{
    if (!m_geometry.holds(point[0], point[1]))
        return;
    QPainterPath path;
    path.addEllipse(m_geometry.at(point), radius, radius);
    SceneShape &shape = addShape(path);
    shape.fill = paint;
    shape.name = name;
}

void NumberPlane::addLabel(std::span<const double> point, const QString &markup)
{
    if (!m_geometry.holds(point[0], point[1]))
        return;
    const double length = normOf(point);
    const QPointF away = length > 0.0 ? QPointF(point[0], -point[1]) / length : QPointF(0.7, -0.7);
    const QPointF at = m_geometry.at(point);
    m_names.push_back({at, at + QPointF(away.x() * 20.0, away.y() * 15.0), markup});
}

void NumberPlane::addTipLabel(std::span<const double> tip, const QString &markup)
{
    const double length = normOf(tip);
    if (!m_geometry.holds(tip[0], tip[1]) || length == 0.0)
        return;
    const QPointF along = QPointF(tip[0], -tip[1]) / length;
    const QPointF left(along.y(), -along.x()); // of the arrow, as it is drawn
    const QPointF at = m_geometry.at(tip);
    m_names.push_back({at, at + 4.0 * along + QPointF(left.x() * 22.0, left.y() * 16.0), markup});
}

void NumberPlane::addPlainLabel(std::span<const double> point, const QString &text)
{
    if (!m_geometry.holds(point[0], point[1]))
        return;
    const QPointF at = m_geometry.at(point);
    const double width = QFontMetricsF(m_draft.maps().theme().textFont).horizontalAdvance(text);
    m_names.push_back({at, at + QPointF(8.0 + 0.5 * width, 0.0), text, SceneText::Style::Label});
}

/// Arrows may lie under it.
void NumberPlane::addGroundedText(const QRectF &rect, const QString &text, SceneText::Style style,
                                  Qt::Alignment alignment)
{
    m_draft.addText(rect, text, style, alignment);
    m_draft.scene().texts.back().hasGround = true;
}

void NumberPlane::addNames()
{
    const Theme &theme = m_draft.maps().theme();
    if (m_hasAxes)
        addAxisTitles();
    for (const Name &name : m_names) {
        const bool isPlain = name.style == SceneText::Style::Label;
        const double width = isPlain ? QFontMetricsF(theme.textFont).horizontalAdvance(name.text)
                                     : mathTextWidth(name.text, theme.symbolFont);
        const auto place = m_places.place(name.point, name.wanted, {width + 4.0, isPlain ? 16.0 : 18.0});
        if (place)
            addGroundedText(*place, name.text, name.style, Qt::AlignCenter);
    }
    m_names.clear();
    if (m_hasAxes)
        addAxisNumbers();
}

/// Each at an end of its axis and on the side of it where no grip and, if that can be, no arrow stands.
void NumberPlane::addAxisTitles()
{
    QFont small = m_draft.maps().theme().textFont;
    small.setPixelSize(11); // as muted texts are set
    const QFontMetricsF metrics(small);
    const QRectF inside = m_geometry.rect.adjusted(4.0, 3.0, -4.0, -3.0);
    const QPointF origin = m_geometry.rect.center();
    for (const bool isX : {true, false}) {
        const QString &title = m_axisTitles[isX ? 0 : 1];
        if (title.isEmpty())
            continue;
        const QSizeF size(metrics.horizontalAdvance(title) + 2.0, 16.0);
        std::vector<QRectF> rects;
        for (const bool isFarEnd : {false, true}) {
            for (const bool isOtherSide : {false, true}) {
                QRectF rect(origin, size);
                if (isX) {
                    rect.moveLeft(isFarEnd ? inside.left() : inside.right() - size.width());
                    rect.moveTop(origin.y() + (isOtherSide ? 2.0 : -18.0));
                } else {
                    rect.moveTop(isFarEnd ? inside.bottom() - size.height() : inside.top());
                    rect.moveLeft(isOtherSide ? std::max(inside.left(), origin.x() - 6.0 - size.width())
                                              : std::min(inside.right() - size.width(), origin.x() + 6.0));
                }
                rects.push_back(rect);
            }
        }
        addGroundedText(m_places.placeAtOneOf(rects), title, SceneText::Style::Muted, Qt::AlignCenter);
    }
}

void NumberPlane::addAxisNumbers()
{
    QFont small = m_draft.maps().theme().textFont;
    small.setPixelSize(11); // as muted texts are set
    const QFontMetricsF metrics(small);
    const double reach = m_geometry.reach;
    const double step = gridStep(reach);
    const double labelled = reach / step > 5.0 ? 2.0 * step : step;
    const auto add = [&](const QRectF &rect, const QString &text, Qt::Alignment alignment) {
        if (!m_places.isFree(rect))
            return;
        m_places.keep(rect);
        addGroundedText(rect, text, SceneText::Style::Muted, alignment | Qt::AlignVCenter);
    };
    for (double at = labelled; at < 0.93 * reach; at += labelled) {
        for (const double value : {at, -at}) {
            const QString text = tickText(value, labelled);
            const double width = metrics.horizontalAdvance(text) + 2.0;
            const QPointF below = m_geometry.at(value, 0.0);
            const QPointF beside = m_geometry.at(0.0, value);
            add({below.x() - 0.5 * width, below.y() + 1.0, width, 14.0}, text, Qt::AlignHCenter);
            add({beside.x() - 5.0 - width, beside.y() - 7.0, width, 14.0}, text, Qt::AlignRight);
        }
    }
}

void NumberPlane::addGrip(const QString &id, std::span<const double> point, const QString &name,
                          const ScenePaint &paint, std::span<const double> numbers)
{
    SceneGrip grip;
    grip.id = id;
    grip.bounds = m_geometry.rect;
    const QPointF pos = m_geometry.at(point);
    grip.pos = {std::clamp(pos.x(), grip.bounds.left(), grip.bounds.right()),
                std::clamp(pos.y(), grip.bounds.top(), grip.bounds.bottom())};
    grip.name = name;
    grip.value = tupleText(numbers.empty() ? point : numbers);
    // A tenth of a unit, or of what a grid line stands for.
    grip.step = std::max(m_geometry.rect.width() / gripStepPixels / 4.0,
                         0.1 * gridStep(m_geometry.reach) * m_geometry.unit());
    grip.paint = paint;
    m_places.keep(
        {grip.pos - QPointF(grip.radius, grip.radius), QSizeF(2.0 * grip.radius, 2.0 * grip.radius)});
    m_draft.scene().grips.push_back(grip);
}

} // namespace attn
