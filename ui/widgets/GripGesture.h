#pragma once

#include "render/SceneShape.h"
#include "widgets/ScrubGesture.h"

#include <QObject>
#include <QTimer>

namespace attn {

/// Turns the moves of a mouse, and arrow keys, into places of one grip, and into one gesture with an end.
class GripGesture : public QObject
{
    Q_OBJECT

public:
    explicit GripGesture(QObject *parent = nullptr);

    bool isActive() const { return m_active; }
    const QString &id() const { return m_grip.id; }

    /// Begins where the grip is; emits nothing before the first move. `hold` is where it was taken hold of.
    void start(const SceneGrip &grip, QPointF hold);
    /// The hold is now here; the grip stays inside its bounds.
    void moveTo(QPointF hold);
    void moveBy(QPointF step);
    /// Ends by itself after a pause of 600 ms: for keys, which have no release.
    void endAfterPause();
    /// Ends now; nothing when inactive.
    void finish();
    /// Ends where it began.
    void cancel();

signals:
    void moved(const QString &id, QPointF pos, attn::GesturePhase phase);

private:
    void setPos(QPointF pos);

    SceneGrip m_grip;
    QPointF m_pos;
    QPointF m_offset;
    QTimer m_pause;
    bool m_active = false;
    bool m_begun = false;
};

} // namespace attn
