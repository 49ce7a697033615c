#include "widgets/GripGesture.h"

#include <algorithm>
#include <chrono>

namespace attn {

GripGesture::GripGesture(QObject *parent)
    : QObject(parent)
{
    using namespace std::chrono_literals;
    m_pause.setSingleShot(true);
    m_pause.setInterval(600ms);
    connect(&m_pause, &QTimer::timeout, this, &GripGesture::finish);
}

void GripGesture::start(const SceneGrip &grip, QPointF hold)
{
    finish();
    m_grip = grip;
    m_pos = grip.pos;
    m_offset = grip.pos - hold;
    m_active = true;
    m_begun = false;
}

void GripGesture::moveTo(QPointF hold)
{
    setPos(hold + m_offset);
}

void GripGesture::moveBy(QPointF step)
{
    setPos(m_pos + step);
}

void GripGesture::setPos(QPointF pos)
{
    if (!m_grip.bounds.isNull())
        pos = {std::clamp(pos.x(), m_grip.bounds.left(), m_grip.bounds.right()),
               std::clamp(pos.y(), m_grip.bounds.top(), m_grip.bounds.bottom())};
    if (!m_active || pos == m_pos)
        return;
    m_pos = pos;
    const GesturePhase phase = m_begun ? GesturePhase::Update : GesturePhase::Begin;
    m_begun = true;
    emit moved(m_grip.id, m_pos, phase);
}

void GripGesture::endAfterPause()
{
    if (m_active)
        m_pause.start();
}

void GripGesture::finish()
{
    m_pause.stop();
    if (!std::exchange(m_active, false))
        return;
    if (m_begun)
        emit moved(m_grip.id, m_pos, GesturePhase::End);
}

void GripGesture::cancel()
{
    if (m_active && m_begun) {
        m_pos = m_grip.pos;
        emit moved(m_grip.id, m_pos, GesturePhase::Update);
    }
    finish();
}

} // namespace attn
