#pragma once

#include <QPointF>
#include <QRectF>
#include <QSizeF>

#include <optional>
#include <span>
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
    /// Nothing is placed here where there is another place: lines may be crossed, but read better alone.
    void avoid(const QRectF &rect) { m_avoided.push_back(rect); }
    bool isFree(const QRectF &rect) const;
    /// A free place for the name of a point: around the place wanted for its middle if that can be, else the
    /// nearest one on rings around the point; one that is to be avoided only where no other is free. It is
    /// kept. Null: there is none near the point.
    std::optional<QRectF> place(const QPointF &point, const QPointF &wanted, const QSizeF &size);
    /// The first of these that is free and clear, else the first free one, else the first; it is kept.
    QRectF placeAtOneOf(std::span<const QRectF> rects);

private:
    bool isClear(const QRectF &rect) const;

    QRectF m_room;
    std::vector<QRectF> m_taken;
    std::vector<QRectF> m_avoided;
};

} // namespace attn
