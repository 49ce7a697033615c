#include "render/scenes/lab/VectorsLabBuilder.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace attn {

namespace {

constexpr double turnPadSide = 64.0;

using VectorsPaint = ScenePaint::Role;

} // namespace

void VectorsLabBuilder::addGround(NumberPlane &plane)
{
    if (m_view.isSpace()) {
        addSpaceGround(plane);
        return;
    }
    const VectorSource &source = m_view.source;
    if (source.isScratch()) {
        plane.addGround(axisName(1), axisName(2));
        return;
    }
    if (source.ownPlane) {
        const QString text = QCoreApplication::translate("Scene", "direction %1");
        plane.addGround(text.arg(1), text.arg(2));
    } else {
        plane.addGround(axisName(int(source.axisX + 1)), axisName(int(source.axisY + 1)));
    }
}

/// The floor as a grid, and the three axes.
void VectorsLabBuilder::addSpaceGround(NumberPlane &plane)
{
    plane.addFrame();
    const double reach = m_made.plane.reach;
    const double step = reach > 8.0 ? std::ceil(reach / 6.0) : 1.0;
    const int lines = std::max(1, int(reach / step));
    for (int i = -lines; i <= lines; ++i) {
        const double at = i * step;
        const double end = lines * step;
        plane.addSegment(drawn(std::array{at, -end, 0.0}), drawn(std::array{at, end, 0.0}),
                         ScenePaint::of(VectorsPaint::Hairline, 0.8));
        plane.addSegment(drawn(std::array{-end, at, 0.0}), drawn(std::array{end, at, 0.0}),
                         ScenePaint::of(VectorsPaint::Hairline, 0.8));
    }
    for (std::size_t axis = 0; axis < 3; ++axis) {
        std::array<double, 3> end = {0.0, 0.0, 0.0};
        end[axis] = 0.9 * reach;
        const std::vector<double> tip = drawn(end);
        plane.addArrow(std::array{0.0, 0.0}, tip, ScenePaint::of(VectorsPaint::MutedText), 1.0);
        plane.addLabel(tip, QString::number(axis + 1));
    }
}

void VectorsLabBuilder::addSpan(NumberPlane &plane)
{
    // Of vectors with more numbers than the picture has directions, their shadow.
    const ScenePaint soft = ScenePaint::of(VectorsPaint::Accent, 0.06);
    const double far = 1.0 * m_made.plane.reach;
    if (m_view.isSpace()) {
        const SmallMatrix directions = m_view.drawn.transposed() * m_view.facts.directions;
        if (m_view.facts.rank == 1)
            plane.addLineThroughOrigin(directions.column(0), ScenePaint::of(VectorsPaint::Accent, 0.25), 8.0);
        if (m_view.facts.rank == 2) {
            const std::vector<double> one = scaled(far, directions.column(0));
            const std::vector<double> other = scaled(far, directions.column(1));
            const std::array corners = {added(one, other), added(one, other, -1.0),
                                        scaled(-1.0, added(one, other)), added(other, one, -1.0)};
            plane.addFilled(corners, ScenePaint::of(VectorsPaint::Accent, 0.14),
                            ScenePaint::of(VectorsPaint::Accent, 0.5),
                            QCoreApplication::translate("Scene", "the span: a plane"));
        }
        return;
    }
    const SpanFacts seen = spanFacts(m_view.points);
    if (seen.rank == 2) {
        const std::vector<std::vector<double>> corners = {{-far, -far}, {far, -far}, {far, far}, {-far, far}};
        plane.addFilled(corners, soft, {}, QCoreApplication::translate("Scene", "the span: the whole plane"));
    } else if (seen.rank == 1) {
        plane.addLineThroughOrigin(seen.directions.column(0), ScenePaint::of(VectorsPaint::Accent, 0.25),
                                   8.0);
    }
}

/// How the vectors come to the target: along the first, then along the second.
void VectorsLabBuilder::addTargetWay(NumberPlane &plane)
{
    const SmallMatrix &vectors = m_view.source.isScratch() ? m_view.vectors : m_view.points;
    std::vector<double> place(std::size_t(vectors.rows), 0.0);
    for (Index i = 0; i < vectors.cols; ++i) {
        const std::vector<double> next =
            added(place, vectors.column(i), m_view.reach.coefficients[std::size_t(i)]);
        plane.addSegment(targetPoint(place), targetPoint(next), ScenePaint::of(VectorsPaint::MutedText), 1.2,
                         true);
        place = next;
    }
    const std::vector<double> target = targetPoint(m_view.target);
    if (!m_view.reach.isReachable) {
        plane.addSegment(targetPoint(place), target, ScenePaint::of(VectorsPaint::Warning), 1.5, true);
        plane.addDot(targetPoint(place), ScenePaint::of(VectorsPaint::MutedText), 3.5,
                     QCoreApplication::translate("Scene", "the nearest point reached"));
    }
    plane.addDot(target, ScenePaint::of(VectorsPaint::Text), 4.0,
                 QCoreApplication::translate("Scene", "the target t"));
    plane.addLabel(plane.geometry().clamped(target), QStringLiteral("t"));
}

void VectorsLabBuilder::addPath(NumberPlane &plane)
{
    const std::vector<std::vector<double>> path = m_view.path();
    const double count = double(m_view.vectors.cols);
    const double step = m_options.step < 0.0 ? count : std::min(m_options.step, count);
    std::vector<double> reached = path.front();
    for (Index i = 0; i < m_view.vectors.cols; ++i) {
        const double share = std::clamp(step - double(i), 0.0, 1.0);
        if (share == 0.0)
            break;
        reached = share == 1.0 ? path[std::size_t(i) + 1]
                               : added(path[std::size_t(i)], m_view.vectors.column(i),
                                       share * m_view.coefficients[std::size_t(i)]);
        ScenePaint paint = m_paints[std::size_t(i)];
        paint.opacity = 0.55;
        plane.addArrow(drawn(path[std::size_t(i)]), drawn(reached), paint, 4.0, false,
                       QString(bracketedFactor(m_view.coefficients[std::size_t(i)]) + QStringLiteral("·") +
                               subscripted(QStringLiteral("v"), i + 1)));
    }
    const std::vector<double> sum = drawn(reached);
    plane.addArrow(std::array{0.0, 0.0}, sum, ScenePaint::of(VectorsPaint::Text), 1.6, false,
                   QCoreApplication::translate("Scene", "the sum so far: %1").arg(tupleText(reached)));
    plane.addDot(sum, ScenePaint::of(VectorsPaint::Text), 3.0, {});
}

void VectorsLabBuilder::addVectors(NumberPlane &plane)
{
    for (Index i = 0; i < m_view.points.cols; ++i) {
        const std::vector<double> tip = m_view.points.column(i);
        const QString name = subscripted(QStringLiteral("v"), i + 1);
        plane.addArrow(std::array{0.0, 0.0}, tip, m_paints[std::size_t(i)], 2.4, false,
                       QString(name + QStringLiteral(" = ") + tupleText(m_view.vectors.column(i))));
        plane.addTipLabel(tip, QStringLiteral("v_{%1}").arg(i + 1)); // x·v goes on from the tip
        plane.addGrip(QStringLiteral("v:%1").arg(i), tip,
                      QCoreApplication::translate("Scene", "vector %1").arg(name), m_paints[std::size_t(i)],
                      m_view.vectors.column(i));
    }
    plane.addGrip(QStringLiteral("t"), targetPoint(m_view.target),
                  QCoreApplication::translate("Scene", "target t"), ScenePaint::of(VectorsPaint::Text),
                  m_view.target);
}

void VectorsLabBuilder::addTurnPad(NumberPlane &plane)
{
    const QRectF &rect = m_made.plane.rect;
    m_made.turnPad = {rect.right() - turnPadSide - 8.0, rect.bottom() - turnPadSide - 8.0, turnPadSide,
                      turnPadSide};
    const QRectF &pad = m_made.turnPad;
    plane.keepFree(pad.adjusted(0.0, -16.0, 0.0, 0.0));
    QPainterPath path;
    path.addRect(pad);
    SceneShape shape;
    shape.path = path;
    shape.fill = ScenePaint::of(VectorsPaint::Card, 0.8);
    shape.stroke = ScenePaint::of(VectorsPaint::Hairline);
    shape.name = QCoreApplication::translate("Scene", "Drag the point to turn the view");
    shape.isHint = true;
    m_draft.scene().shapes.push_back(shape);
    const std::size_t texts = m_draft.scene().texts.size();
    m_draft.addText({pad.left(), pad.top() - 16.0, pad.width(), 14.0},
                    QCoreApplication::translate("Scene", "turn"), SceneText::Style::Muted, Qt::AlignCenter);
    m_draft.makeHints(texts);
    SceneGrip grip;
    grip.id = QStringLiteral("turn");
    grip.bounds = pad;
    grip.pos = {pad.center().x() + m_options.azimuth / std::numbers::pi * 0.5 * pad.width(),
                pad.center().y() - m_options.elevation / std::numbers::pi * pad.height()};
    grip.name = QCoreApplication::translate("Scene", "direction of view");
    const double degrees = 180.0 / std::numbers::pi;
    grip.value = QCoreApplication::translate("Scene", "%1° around, %2° up")
                     .arg(labNumber(std::round(m_options.azimuth * degrees)),
                          labNumber(std::round(m_options.elevation * degrees)));
    grip.step = pad.width() / 72.0;
    grip.paint = ScenePaint::of(VectorsPaint::MutedText);
    m_draft.scene().grips.push_back(grip);
}

} // namespace attn
