#include "render/Scene.h"
#include "render/cells/CellGrid.h"
#include "render/painting/ColorBarPainter.h"
#include "render/painting/DeviceSpace.h"
#include "render/painting/LabelPainter.h"
#include "render/painting/MapPainter.h"
#include "render/painting/RestingShapes.h"
#include "render/painting/SceneTextPainter.h"
#include "render/painting/ShapePainter.h"

#include <QLineF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace attn {

namespace {

constexpr double largestTextZoom = 32.0;

/// Moves the edges of a rectangle to the middle of device pixels, so that its hairline is sharp on screen.
QRectF sharpRect(const QPainter &painter, const QRectF &rect)
{
    const QTransform toDevice = painter.deviceTransform();
    const QRectF device = toDevice.mapRect(rect);
    const QRectF sharp(QPointF(std::floor(device.left()) + 0.5, std::floor(device.top()) + 0.5),
                       QPointF(std::floor(device.right()) - 0.5, std::floor(device.bottom()) - 0.5));
    return toDevice.inverted().mapRect(sharp);
}

class ScenePainter
{
public:
    ScenePainter(QPainter &painter, const ScenePaintOptions &options, const QRectF &exposed,
                 HeatmapCache &cache)
        : m_painter(painter)
        , m_options(options)
        , m_exposed(exposed)
        , m_cache(cache)
    {
        m_painter.setRenderHint(QPainter::Antialiasing);
        m_painter.setRenderHint(QPainter::TextAntialiasing);
        m_painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
    }

    void paint(const Scene &scene)
    {
        m_painter.save();
        clipTo(hiddenByMaps(scene, m_options, m_painter.worldTransform()));
        paintBelowMaps(scene);
        m_painter.restore();
        for (const SceneMap &map : scene.maps)
            paintMap(map);
        paintShapes(scene, true);
        // So far in, a letter would be larger than the window.
        if (m_options.zoom > largestTextZoom)
            return;
        for (const SceneText &text : scene.texts) {
            if (isForHere(text.isHint) && isExposed(text.rect.adjusted(-4, -4, 4, 4)))
                paintSceneText(m_painter, text, m_options);
        }
        if (!m_options.drawControls)
            return;
        for (const SceneControl &control : scene.controls) {
            if (isExposed(control.rect))
                paintSceneControl(m_painter, control, m_options);
        }
        for (const SceneGrip &grip : scene.grips)
            paintSceneGrip(m_painter, grip, m_options.theme);
    }

private:
    void clipTo(const QRegion &hidden)
    {
        if (hidden.isEmpty())
            return;
        const QTransform fromScene = m_painter.worldTransform();
        m_painter.setWorldTransform({});
        m_painter.setClipRegion(QRegion(m_painter.window()) - hidden, Qt::IntersectClip);
        m_painter.setWorldTransform(fromScene);
    }

    void paintBelowMaps(const Scene &scene)
    {
        for (const SceneBox &box : scene.boxes) {
            if (isForHere(box.isHint) && isExposed(box.rect))
                paintBox(box);
        }
        for (const SceneLine &line : scene.lines) {
            if (isExposed(line.points.boundingRect().adjusted(-8, -8, 8, 8)))
                paintLine(line);
        }
        paintShapes(scene, false);
    }

    void paintShapes(const Scene &scene, bool aboveMaps)
    {
        const bool isKept = m_options.resting && scene.resting > 0;
        if (isKept && !aboveMaps)
            m_options.resting->paint(m_painter, scene, m_options, m_exposed);
        for (std::size_t i = isKept ? scene.resting : 0; i < scene.shapes.size(); ++i) {
            const SceneShape &shape = scene.shapes[i];
            const double margin = shape.strokeWidth + 8.0;
            if (shape.aboveMaps == aboveMaps && isForHere(shape.isHint) &&
                isExposed(shape.path.controlPointRect().adjusted(-margin, -margin, margin, margin)))
                paintSceneShape(m_painter, shape, m_options.theme,
                                i < scene.resting ? scene.restingOpacity : 1.0);
        }
    }

    /// A figure has nothing to press or to drag.
    bool isForHere(bool isHint) const { return !isHint || m_options.drawControls; }

    bool isExposed(const QRectF &rect) const
    {
        return m_exposed.isEmpty() || (rect.left() <= m_exposed.right() && rect.right() >= m_exposed.left() &&
                                       rect.top() <= m_exposed.bottom() && rect.bottom() >= m_exposed.top());
    }

    void paintBox(const SceneBox &box)
    {
        const Theme &theme = m_options.theme;
        const bool vector = m_options.vectorCells;
        const QRectF rect = vector ? box.rect : sharpRect(m_painter, box.rect);
        const bool filled = box.filled && !theme.transparentGround;
        m_painter.setBrush(filled ? QBrush(theme.card) : QBrush(Qt::NoBrush));
        QPen pen(theme.hairline, 1.0, box.dashed ? Qt::DashLine : Qt::SolidLine);
        m_painter.setPen(pen);
        m_painter.drawRoundedRect(rect, 4.0, 4.0);
    }

    void paintLine(const SceneLine &line)
    {
        if (line.points.size() < 2)
            return;
        const Theme &theme = m_options.theme;
        const QColor color = line.emphasised ? theme.text : theme.mutedText;
        m_painter.setBrush(Qt::NoBrush);
        m_painter.setPen(QPen(color,
                              line.width > 0.0  ? line.width
                              : line.emphasised ? 1.5
                                                : 1.0,
                              Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin));
        const QPointF tip = line.points.last();
        const QPointF from = line.points.at(line.points.size() - 2);
        QPolygonF points = line.points;
        if (line.arrow)
            points.last() = backOfArrowHead(from, tip);
        m_painter.drawPolyline(points);
        if (line.ticks > 0)
            paintTicks(line);
        if (line.arrow)
            paintArrowHead(m_painter, from, tip, color);
    }

    void paintTicks(const SceneLine &line)
    {
        const QLineF whole(line.points.first(), line.points.last());
        if (whole.length() <= 0.0)
            return;
        const QPointF along = (whole.p2() - whole.p1()) / whole.length();
        const QPointF across(-along.y(), along.x());
        m_painter.setPen(QPen(m_options.theme.text, 1.25, Qt::SolidLine, Qt::FlatCap));
        constexpr double spacing = 3.5;
        constexpr double reach = 4.0;
        for (int i = 0; i < line.ticks; ++i) {
            const QPointF at = whole.center() + along * (spacing * (i - (line.ticks - 1) / 2.0));
            m_painter.drawLine(QLineF(at - across * reach - along, at + across * reach + along));
        }
    }

    void paintMap(const SceneMap &map)
    {
        const double labelMargin = 8.0;
        const QRectF withLabels = map.rect.adjusted(
            -map.rowLabelWidth - labelMargin, -map.colLabelHeight - labelMargin, labelMargin, labelMargin);
        if (isExposed(withLabels)) {
            if (isExposed(map.rect.adjusted(-4, -4, 4, 4)))
                MapPainter(m_painter, map, m_options, m_exposed, m_cache).paint();
            if (m_options.showLabels)
                paintLabels(m_painter, map, m_options, highlightOf(map, m_options.highlight), m_exposed);
        }
        if (m_options.showColorBars && m_options.zoom <= largestTextZoom &&
            isExposed(map.colorBar.adjusted(-8, -8, 120, 32)))
            paintColorBar(m_painter, map, m_options, mapPool(m_painter, map, m_options));
    }

    QPainter &m_painter;
    const ScenePaintOptions &m_options;
    QRectF m_exposed;
    HeatmapCache &m_cache;
};

} // namespace

QRegion hiddenByMaps(const Scene &scene, const ScenePaintOptions &options, const QTransform &fromScene)
{
    constexpr double least = 128.0 * 128.0; // less is quicker filled than cut out
    QRegion hidden;
    for (const SceneMap &map : scene.maps) {
        const QRectF rect = fromScene.mapRect(map.rect);
        if (coversItsPlace(map, options) && rect.width() * rect.height() >= least)
            hidden += rect.toAlignedRect().adjusted(2, 2, -2, -2); // its edge is on whole pixels
    }
    return hidden;
}

void paintScene(QPainter &painter, const Scene &scene, const ScenePaintOptions &options,
                const QRectF &exposed)
{
    HeatmapCache ownCache;
    painter.save();
    ScenePainter(painter, options, exposed, options.cache ? *options.cache : ownCache).paint(scene);
    painter.restore();
}

} // namespace attn
