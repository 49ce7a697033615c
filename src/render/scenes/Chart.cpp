#include "render/scenes/Chart.h"

#include "base/NumberText.h"

#include <algorithm>
#include <cmath>

namespace attn {

namespace {

constexpr double leftRoom = 44.0;
constexpr double tickLength = 4.0;
constexpr double labelHeight = 16.0;
constexpr double nameWidth = 84.0;

SceneShape lineShape(const QPainterPath &path, const ScenePaint &paint, double width)
{
    SceneShape shape;
    shape.path = path;
    shape.stroke = paint;
    shape.strokeWidth = width;
    return shape;
}

/// "2 M", "50 k", "0.25", with a real minus sign.
QString tickText(double value)
{
    const double size = std::abs(value);
    const auto number = [](double shown) {
        return QString::fromStdString(significantText(shown, 4)).replace(u'-', QChar(0x2212));
    };
    if (size >= 1e9)
        return number(value / 1e9) + QStringLiteral(" G");
    if (size >= 1e6)
        return number(value / 1e6) + QStringLiteral(" M");
    return size >= 1e4 ? number(value / 1e3) + QStringLiteral(" k") : number(value);
}

QPainterPath straight(const QPointF &from, const QPointF &to)
{
    QPainterPath path(from);
    path.lineTo(to);
    return path;
}

} // namespace

double ChartAxis::place(double value) const
{
    const double from = logarithmic ? std::log(low) : low;
    const double to = logarithmic ? std::log(high) : high;
    const double at = logarithmic ? std::log(std::max(value, low)) : value;
    return to > from ? std::clamp((at - from) / (to - from), 0.0, 1.0) : 0.5;
}

ChartAxis roundAxis(double low, double high, int count, const QString &title)
{
    ChartAxis axis;
    axis.title = title;
    const double span = high > low ? high - low : 1.0;
    const double rough = span / std::max(count, 1);
    const double power = std::pow(10.0, std::floor(std::log10(rough)));
    const double unit = rough / power;
    const double step = power * (unit <= 1.0 ? 1.0 : unit <= 2.0 ? 2.0 : unit <= 5.0 ? 5.0 : 10.0);
    axis.low = std::floor(low / step) * step;
    axis.high = std::max(std::ceil(high / step) * step, axis.low + step);
    const int steps = static_cast<int>(std::lround((axis.high - axis.low) / step));
    for (int i = 0; i <= steps; ++i) {
        const double value = axis.low + i * step;
        axis.ticks.push_back({value, tickText(std::abs(value) < step * 1e-9 ? 0.0 : value)});
    }
    return axis;
}

Chart::Chart(Scene &scene, const QRectF &plot, ChartAxis x, ChartAxis y)
    : m_scene(scene)
    , m_plot(plot)
    , m_x(std::move(x))
    , m_y(std::move(y))
{
}

QPointF Chart::at(double x, double y) const
{
    return {m_plot.left() + m_x.place(x) * m_plot.width(), m_plot.bottom() - m_y.place(y) * m_plot.height()};
}

void Chart::addFrame(const QString &title) const
{
    const ScenePaint hairline = ScenePaint::of(ScenePaint::Role::Hairline);
    m_scene.shapes.push_back(lineShape(straight(m_plot.bottomLeft(), m_plot.bottomRight()), hairline, 1.0));
    m_scene.shapes.push_back(lineShape(straight(m_plot.bottomLeft(), m_plot.topLeft()), hairline, 1.0));
    if (!title.isEmpty())
        m_scene.texts.push_back(
            {{m_plot.left() - leftRoom, m_plot.top() - 28.0, leftRoom + m_plot.width() + nameWidth, 20.0},
             title,
             SceneText::Style::Label});
    for (const ChartAxis::Tick &tick : m_x.ticks) {
        const QPointF foot = at(tick.value, m_y.low);
        m_scene.shapes.push_back(lineShape(straight(foot, foot + QPointF(0.0, tickLength)), hairline, 1.0));
        m_scene.texts.push_back({{foot.x() - 30.0, foot.y() + tickLength, 60.0, labelHeight},
                                 tick.text,
                                 SceneText::Style::Muted,
                                 Qt::AlignHCenter | Qt::AlignVCenter});
    }
    for (const ChartAxis::Tick &tick : m_y.ticks) {
        const QPointF foot = at(m_x.low, tick.value);
        m_scene.shapes.push_back(lineShape(straight(foot, QPointF(m_plot.right(), foot.y())),
                                           ScenePaint::of(ScenePaint::Role::Hairline, 0.5), 1.0));
        m_scene.texts.push_back(
            {{foot.x() - leftRoom, foot.y() - 0.5 * labelHeight, leftRoom - 6.0, labelHeight},
             tick.text,
             SceneText::Style::Muted,
             Qt::AlignRight | Qt::AlignVCenter});
    }
    if (!m_x.title.isEmpty())
        m_scene.texts.push_back(
            {{m_plot.left(), m_plot.bottom() + tickLength + labelHeight, m_plot.width(), labelHeight},
             m_x.title,
             SceneText::Style::Muted,
             Qt::AlignHCenter | Qt::AlignVCenter});
}

void Chart::addSeries(const ChartSeries &series) const
{
    QPainterPath path;
    bool isDrawing = false;
    QPointF last;
    for (const QPointF &point : series.points) {
        if (!std::isfinite(point.x()) || !std::isfinite(point.y())) {
            isDrawing = false;
            continue;
        }
        last = at(point.x(), point.y());
        if (isDrawing)
            path.lineTo(last);
        else
            path.moveTo(last);
        isDrawing = true;
    }
    if (path.isEmpty())
        return;
    SceneShape line = lineShape(path, series.paint, 2.0);
    line.dashed = series.dashed;
    line.name = series.name;
    m_scene.shapes.push_back(line);
    if (series.name.isEmpty())
        return;
    double top = last.y() - 0.5 * labelHeight;
    const auto inTheWay = [&] {
        return std::ranges::find_if(
            m_names, [top](const PlacedName &other) { return std::abs(other.top - top) < labelHeight; });
    };
    if (const auto other = inTheWay(); other != m_names.end()) {
        const double step = last.y() < other->lineEnd ? -2.0 : 2.0;
        while (inTheWay() != m_names.end())
            top += step;
    }
    m_names.push_back({top, last.y()});
    m_scene.texts.push_back(
        {{last.x() + 6.0, top, nameWidth, labelHeight}, series.name, SceneText::Style::Label});
}

void Chart::addBar(double from, double to, double height, const ScenePaint &paint, const QString &name) const
{
    const QPointF corner = at(from, height);
    const QPointF foot = at(to, m_y.low);
    const QRectF bar = QRectF(corner, foot).normalized().adjusted(0.5, 0.0, -0.5, 0.0);
    if (bar.height() <= 0.0)
        return;
    SceneShape shape;
    shape.path.addRect(bar);
    shape.fill = paint;
    shape.name = name;
    m_scene.shapes.push_back(shape);
}

void Chart::addMarker(double x, const QString &name) const
{
    const QPointF top = at(x, m_y.high);
    SceneShape line =
        lineShape(straight(top, at(x, m_y.low)), ScenePaint::of(ScenePaint::Role::MutedText), 1.0);
    line.dashed = true;
    m_scene.shapes.push_back(line);
    const double left = std::min(top.x() + 4.0, m_plot.right() - nameWidth);
    m_scene.texts.push_back({{left, top.y() - 2.0, nameWidth, labelHeight}, name, SceneText::Style::Muted});
}

void Chart::addDot(const QPointF &point, const ScenePaint &paint, const QString &name) const
{
    SceneShape shape;
    shape.path.addEllipse(at(point.x(), point.y()), 4.0, 4.0);
    shape.fill = paint;
    shape.name = name;
    m_scene.shapes.push_back(shape);
}

} // namespace attn
