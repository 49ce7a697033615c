#pragma once

#include "render/Scene.h"
#include "render/cells/CellGrid.h"
#include "render/cells/HeatmapCache.h"
#include "render/painting/MapHighlight.h"

class QPainter;

namespace attn {

/// Draws the cells of one map with everything inside them: on screen and in PNG as one image on whole device
/// pixels, in SVG and PDF as rectangles and text.
class MapPainter
{
public:
    MapPainter(QPainter &painter, const SceneMap &map, const ScenePaintOptions &options,
               const QRectF &exposed, HeatmapCache &cache);

    void paint();

private:
    void paintPixels();
    void paintVector();
    void paintNothing();
    void paintOver(const CellGrid &grid, const CellBlock &visible, double unit);
    void paintUpdatingFrame(const QRectF &rect, double unit);
    void paintCorners(const CellGrid &grid, const CellBlock &visible, double unit);
    HeatmapLook lookFor(const QSize &size, const QRect &part, double unit) const;

    QPainter &m_painter;
    const SceneMap &m_map;
    const ScenePaintOptions &m_options;
    QRectF m_exposed; ///< scene units; empty = all
    HeatmapCache &m_cache;
    MapHighlight m_highlight;
};

/// Whether nothing is to be seen of what lies under the map.
bool coversItsPlace(const SceneMap &map, const ScenePaintOptions &options);

/// The corner of a printed number that its inputs do not give: unlike any colour of data, accent or pin.
QColor contradictionColor(const Theme &theme);

/// How many cells share a drawn one when the map is drawn on this painter; the legend names it.
PoolSize mapPool(const QPainter &painter, const SceneMap &map, const ScenePaintOptions &options);

} // namespace attn
