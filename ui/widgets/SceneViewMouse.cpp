#include "widgets/SceneView.h"

#include <QContextMenuEvent>
#include <QMouseEvent>

namespace attn {

void SceneView::mousePressEvent(QMouseEvent *event)
{
    m_scrub.finish();
    event->accept();
    if (beginPan(*event) || !scene())
        return;
    const QPointF point = toScene(event->position());
    const bool left = event->button() == Qt::LeftButton;
    m_cameByKey = false;
    focusShape({});
    if (left && pressGrip(point))
        return;
    m_pressedControl = left ? controlAt(point) : -1;
    if (m_pressedControl >= 0)
        return;
    const auto hit = hitTest(*scene(), point);
    const SceneShape *shape = left && !hit ? shapeAt(*scene(), point) : nullptr;
    m_pressedShape = shape ? shape->id : QString();
    if (!hit || (!left && event->button() != Qt::RightButton) || beginPaint(*event, *hit))
        return;
    const MapKey key = scene()->maps[hit->map].key;
    if (!left) {
        const auto block = currentBlock();
        if (!block || block->map != key || !block->contains(hit->row, hit->col))
            selectCell(key, {hit->row, hit->col});
        return;
    }
    m_dragging = true;
    selectCell(key, {hit->row, hit->col}, event->modifiers() & Qt::ShiftModifier);
}

void SceneView::mouseMoveEvent(QMouseEvent *event)
{
    if (isPanning()) {
        SceneCanvas::mouseMoveEvent(event);
        return;
    }
    if (m_grip.isActive() && (event->buttons() & Qt::LeftButton)) {
        m_grip.moveTo(toScene(event->position()));
        return;
    }
    if (movePaint(*event))
        return;
    if (!m_dragging || !(event->buttons() & Qt::LeftButton)) {
        hover(event->position());
        return;
    }
    const SceneMap *map = currentMap();
    if (!map)
        return;
    const GridPosition cell = nearestCell(*map, toScene(event->position()));
    if (cell != m_place->corner)
        selectCell(MapKey(map->key), cell, true);
}

void SceneView::mouseReleaseEvent(QMouseEvent *event)
{
    m_grip.finish();
    endPaint();
    const int pressed = std::exchange(m_pressedControl, -1);
    const QString shapeId = std::exchange(m_pressedShape, QString());
    m_dragging = false;
    if (isPanning()) {
        SceneCanvas::mouseReleaseEvent(event);
        return;
    }
    if (pressed >= 0 && controlAt(toScene(event->position())) == pressed)
        pressControl(pressed);
    if (const SceneShape *shape = shapeId.isEmpty() ? nullptr : shapeAt(*scene(), toScene(event->position()));
        shape && shape->id == shapeId)
        emit shapeClicked(shapeId);
}

void SceneView::mouseDoubleClickEvent(QMouseEvent *event)
{
    const QPointF point = toScene(event->position());
    const auto hit = scene() && controlAt(point) < 0 ? hitTest(*scene(), point) : std::nullopt;
    const bool onCell = hit && !isPaintable(scene()->maps[hit->map]);
    mousePressEvent(event); // the second click of a fast pair on a control is a click, too
    m_dragging = false;
    if (onCell && event->button() == Qt::LeftButton && !isPanning())
        editCurrentCell();
}

void SceneView::wheelEvent(QWheelEvent *event)
{
    if ((event->modifiers() & Qt::ShiftModifier) && scrubByWheel(*event)) {
        event->accept();
        return;
    }
    SceneCanvas::wheelEvent(event);
    if (!event->modifiers())
        hover(event->position());
}

void SceneView::contextMenuEvent(QContextMenuEvent *event)
{
    event->accept();
    const bool byMouse = event->reason() == QContextMenuEvent::Mouse;
    if (const auto hit = byMouse && scene() ? hitTest(*scene(), toScene(event->pos())) : std::nullopt;
        hit && isPaintable(scene()->maps[hit->map]))
        return; // the right button paints
    QPoint at = event->globalPos();
    if (event->reason() == QContextMenuEvent::Keyboard)
        if (const SceneMap *map = currentMap())
            at = viewport()->mapToGlobal(
                fromScene(cellRect(*map, m_place->cell.row, m_place->cell.col)).center().toPoint());
    emit contextMenuWanted(at);
}

} // namespace attn
