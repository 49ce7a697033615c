#include "render/painting/SceneExtent.h"

#include "render/painting/ColorBarPainter.h"
#include "render/painting/SceneTextPainter.h"

#include <QFontMetricsF>

#include <algorithm>
#include <limits>

namespace attn {

namespace {

class Span
{
public:
    void add(double left, double right)
    {
        m_extent.left = std::min(m_extent.left, left);
        m_extent.right = std::max(m_extent.right, right);
    }
    void add(const QRectF &rect) { add(rect.left(), rect.right()); }
    bool isEmpty() const { return !(m_extent.right > m_extent.left); }
    const SceneExtent &extent() const { return m_extent; }

private:
    SceneExtent m_extent{std::numeric_limits<double>::max(), std::numeric_limits<double>::lowest()};
};

/// What numbers and note of a colour bar need right of the bar.
double legendRoom(const SceneMap &map, const Theme &theme)
{
    if (map.colorBar.width() < map.colorBar.height())
        return 48.0;
    const double note = QFontMetricsF(legendFont(theme)).horizontalAdvance(legendNote(map, PoolSize{}));
    return std::max(0.0, note - map.colorBar.width());
}

} // namespace

SceneExtent horizontalExtent(const Scene &scene, const ScenePaintOptions &options)
{
    Span span;
    for (const SceneBox &box : scene.boxes)
        span.add(box.rect);
    for (const SceneLine &line : scene.lines)
        span.add(line.points.boundingRect());
    for (const SceneShape &shape : scene.shapes)
        if (!shape.path.isEmpty())
            span.add(shape.path.boundingRect());
    for (const SceneText &text : scene.texts)
        if (!text.text.isEmpty())
            span.add(sceneTextRect(text, options));
    for (const SceneMap &map : scene.maps) {
        span.add(map.rect.left() - (options.showLabels ? map.rowLabelWidth : 0.0), map.rect.right());
        if (options.showColorBars && !map.colorBar.isNull())
            span.add(map.colorBar.left(), map.colorBar.right() + legendRoom(map, options.theme));
    }
    return span.isEmpty() ? SceneExtent{0.0, scene.size.width()} : span.extent();
}

} // namespace attn
