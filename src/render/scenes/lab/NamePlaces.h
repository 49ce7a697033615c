#pragma once

#include <QPointF>
#include <QRectF>
#include <QSizeF>

#include <optional>
#include <vector>

namespace attn {

/// Places for the names of a picture so that none lies on another, nor on what must stay free.
class NamePlaces
{
public:
    /// room: all names stay inside
    explicit NamePlaces(const QRectF &room)
        : m_room(room)
    {
    }

    /// Nothing is placed here any more.
    void keep(const QRectF &taken) { m_taken.push_back(taken); }
    bool isFree(const QRectF &rect) const;
    /// A free place for the name of a point: around the place wanted for its middle if that can be, else the
    /// nearest one on rings around the point. It is kept. Null: there is none near the point.
    std::optional<QRectF> place(const QPointF &point, const QPointF &wanted, const QSizeF &size);

private:
    QRectF m_room;
    std::vector<QRectF> m_taken;
};

} // namespace attn
