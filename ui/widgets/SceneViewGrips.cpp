#include "widgets/SceneView.h"

#include "widgets/SceneAccessible.h"

#include <QKeyEvent>

namespace attn {

const SceneGrip *SceneView::focusedGrip() const
{
    const int index = gripIndex(m_focusedGrip);
    return index < 0 ? nullptr : &scene()->grips[std::size_t(index)];
}

int SceneView::gripIndex(const QString &id) const
{
    if (scene() && !id.isEmpty())
        for (std::size_t i = 0; i < scene()->grips.size(); ++i)
            if (scene()->grips[i].id == id)
                return int(i);
    return -1;
}

void SceneView::focusGrip(int index)
{
    closeEditor();
    m_scrub.finish();
    m_focusedControl = -1;
    focusShape({});
    const SceneGrip &grip = scene()->grips[std::size_t(index)];
    m_focusedGrip = grip.id;
    const double r = grip.radius;
    ensureVisible(QRectF(grip.pos.x() - r, grip.pos.y() - r, 2 * r, 2 * r));
    viewport()->update();
    announceFocusedGrip(*this);
}

bool SceneView::pressGrip(QPointF scenePoint)
{
    const int index = gripAt(*scene(), scenePoint);
    if (index < 0)
        return false;
    focusGrip(index);
    m_grip.start(scene()->grips[std::size_t(index)], scenePoint);
    return true;
}

bool SceneView::gripKey(const QKeyEvent &event)
{
    const SceneGrip *grip = focusedGrip();
    const double step = grip->step * (event.modifiers() & Qt::ShiftModifier ? 0.1 : 1.0);
    const auto moveBy = [&](double x, double y) {
        if (!m_grip.isActive() || m_grip.id() != grip->id)
            m_grip.start(*grip, grip->pos);
        m_grip.moveBy(QPointF(x, y) * step);
        m_grip.endAfterPause();
        return true;
    };
    const int count = int(scene()->grips.size());
    const int at = gripIndex(m_focusedGrip);
    switch (event.key()) {
    case Qt::Key_Left:
        return moveBy(-1.0, 0.0);
    case Qt::Key_Right:
        return moveBy(1.0, 0.0);
    case Qt::Key_Up:
        return moveBy(0.0, -1.0);
    case Qt::Key_Down:
        return moveBy(0.0, 1.0);
    case Qt::Key_Tab:
        m_grip.finish();
        focusGrip((at + 1) % count);
        return true;
    case Qt::Key_Backtab:
        m_grip.finish();
        focusGrip((at + count - 1) % count);
        return true;
    case Qt::Key_Escape:
        if (m_grip.isActive()) {
            m_grip.cancel();
            return true;
        }
        m_focusedGrip.clear();
        viewport()->update();
        announceCurrentCell(*this);
        return true;
    default:
        return false;
    }
}

void SceneView::hoverShape(QPointF scenePoint)
{
    const SceneShape *shape = scene() ? shapeAt(*scene(), scenePoint) : nullptr;
    const QString id = shape ? shape->id : QString();
    if (id == m_hoveredShape)
        return;
    m_hoveredShape = id;
    emit shapeHovered(id);
}

} // namespace attn
