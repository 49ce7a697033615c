#include "widgets/SceneView.h"

#include <QKeyEvent>
#include <QMouseEvent>

#include <algorithm>

namespace attn {

namespace {

/// Cells smaller than this on screen are painted in rectangles only.
constexpr double smallestPaintedCell = 4.0;

} // namespace

void SceneView::setPaintTest(PaintTest test)
{
    m_isPaintable = std::move(test);
}

bool SceneView::isPaintable(const SceneMap &map) const
{
    return m_isPaintable && m_isPaintable(map.key);
}

bool SceneView::paintsRectangles(const SceneMap &map) const
{
    const double cell = std::min(map.rect.width() / double(std::max<Index>(mapCols(map), 1)),
                                 map.rect.height() / double(std::max<Index>(mapRows(map), 1)));
    return m_paintsRectangles || cell * zoom() < smallestPaintedCell;
}

bool SceneView::beginPaint(const QMouseEvent &event, const SceneHit &hit)
{
    const SceneMap &map = scene()->maps[hit.map];
    const bool isButton = event.button() == Qt::LeftButton || event.button() == Qt::RightButton;
    if (!isButton || !isPaintable(map))
        return false;
    const bool isOther = event.button() == Qt::RightButton || (event.modifiers() & Qt::ControlModifier);
    const PaintInk ink = isOther ? PaintInk::Other : PaintInk::Brush;
    const bool isRectangle = paintsRectangles(map) || (event.modifiers() & Qt::ShiftModifier);
    const MapKey key = map.key;
    m_paintedFrom = map.rect.topLeft();
    selectCell(key, {hit.row, hit.col});
    if (isRectangle)
        m_rectangleInk = ink;
    else
        m_paint.start(key, {hit.row, hit.col}, ink);
    return true;
}

bool SceneView::movePaint(const QMouseEvent &event)
{
    const bool isHeld = event.buttons() & (Qt::LeftButton | Qt::RightButton);
    if (!isHeld || (!m_paint.isActive() && !m_rectangleInk))
        return false;
    const SceneMap *map = m_paint.isActive() ? findMap(m_paint.map()) : currentMap();
    if (!map)
        return true;
    // What is painted may move the map, a warning above it for one; the hand stays on its row all the same.
    const QPointF moved = map->rect.topLeft() - m_paintedFrom;
    const GridPosition cell = nearestCell(*map, toScene(event.position()) + moved);
    const MapKey key = map->key;
    if (m_paint.isActive()) {
        m_paint.moveTo(cell);
        if (cell != m_place->cell)
            selectCell(key, cell);
    } else if (cell != m_place->corner) {
        selectCell(key, cell, true);
    }
    return true;
}

void SceneView::endPaint()
{
    m_paint.finish();
    const std::optional<PaintInk> ink = std::exchange(m_rectangleInk, std::nullopt);
    if (const auto block = currentBlock(); ink && block)
        emit blockPainted(*block, *ink);
}

/// Space, K and D write into the selected block; Escape gives up a rectangle that is being dragged.
bool SceneView::paintByKey(const QKeyEvent &event)
{
    if (event.key() == Qt::Key_Escape && m_rectangleInk) {
        m_rectangleInk.reset();
        return true;
    }
    const SceneMap *map = currentMap();
    if (!map || !isPaintable(*map) || (event.modifiers() & ~Qt::KeypadModifier))
        return false;
    switch (event.key()) {
    case Qt::Key_Space:
        emit blockPainted(*currentBlock(), PaintInk::Toggle);
        return true;
    case Qt::Key_K:
        emit blockPainted(*currentBlock(), PaintInk::Keep);
        return true;
    case Qt::Key_D:
        emit blockPainted(*currentBlock(), PaintInk::Drop);
        return true;
    default:
        return false;
    }
}

} // namespace attn
