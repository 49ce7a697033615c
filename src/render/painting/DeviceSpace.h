#pragma once

#include <QPainter>
#include <QTransform>

namespace attn {

/// Lets a painter draw in whole device pixels while it lives; then the painter is as before.
class DeviceSpace
{
public:
    explicit DeviceSpace(QPainter &painter)
        : m_painter(painter)
        , m_fromScene(painter.deviceTransform())
    {
        m_painter.save();
        // What lies between the world transform and the device: pixel ratio and the place of a widget.
        const QTransform base = m_painter.worldTransform().inverted() * m_fromScene;
        m_painter.setWorldTransform(base.inverted());
    }
    ~DeviceSpace() { m_painter.restore(); }
    DeviceSpace(const DeviceSpace &) = delete;
    DeviceSpace &operator=(const DeviceSpace &) = delete;

    /// Scene units to device pixels.
    QRectF map(const QRectF &rect) const { return m_fromScene.mapRect(rect); }
    double scale() const { return m_fromScene.m11(); }

private:
    QPainter &m_painter;
    QTransform m_fromScene;
};

/// The rectangle of device pixels nearest to a rectangle, at least one pixel large. Its size depends on the
/// size alone, so that it stays the same while the picture is moved.
inline QRect wholePixels(const QRectF &rect)
{
    return {qRound(rect.left()), qRound(rect.top()), std::max(1, qRound(rect.width())),
            std::max(1, qRound(rect.height()))};
}

} // namespace attn
