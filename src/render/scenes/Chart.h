#pragma once

#include "render/Scene.h"

#include <QPointF>
#include <QString>

#include <vector>

namespace attn {

/// One axis of a chart: what its ends mean, and where it is labelled.
struct ChartAxis
{
    struct Tick
    {
        double value = 0.0;
        QString text;
    };

    double low = 0.0;
    double high = 1.0;
    bool logarithmic = false; ///< then low > 0
    std::vector<Tick> ticks;
    QString title;

    /// Place on the axis, 0 at `low`, 1 at `high`, clamped.
    double place(double value) const;
};

/// Round numbers from 0 (or `low`) to at least `high`, about `count` of them.
ChartAxis roundAxis(double low, double high, int count, const QString &title = {});

/// A line through points, in the numbers of the axes.
struct ChartSeries
{
    std::vector<QPointF> points;
    ScenePaint paint = ScenePaint::of(ScenePaint::Role::Accent);
    bool dashed = false;
    QString name; ///< written at its end; tool tip
};

/// A chart as shapes and texts of a scene: stays a vector figure in SVG and PDF. Numbers that are not finite
/// break a line.
class Chart
{
public:
    /// plot: the area of the data alone; 44 units left of it, 36 below and 90 right of it are for the labels.
    Chart(Scene &scene, const QRectF &plot, ChartAxis x, ChartAxis y);

    void addFrame(const QString &title) const;
    void addSeries(const ChartSeries &series) const;
    /// A bar from the bottom to `height` over [from, to].
    void addBar(double from, double to, double height, const ScenePaint &paint, const QString &name) const;
    /// An upright line with its name at the top.
    void addMarker(double x, const QString &name) const;
    void addDot(const QPointF &point, const ScenePaint &paint, const QString &name) const;

    QPointF at(double x, double y) const;

private:
    Scene &m_scene;
    QRectF m_plot;
    ChartAxis m_x;
    ChartAxis m_y;
    /// Of the series, so that names at one place stand apart, in the order of their lines.
    struct PlacedName
    {
        double top;
        double lineEnd;
    };
    mutable std::vector<PlacedName> m_names;
};

} // namespace attn
