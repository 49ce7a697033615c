#include "render/painting/ShapePainter.h"

#include <QLineF>
#include <QPainter>
#include <QPolygonF>

#include <algorithm>

namespace attn {

QColor ScenePaint::resolved(const Theme &theme) const
{
    QColor result = color;
    switch (role) {
    case Role::None:
        return QColor(Qt::transparent);
    case Role::Text:
        result = theme.text;
        break;
    case Role::MutedText:
        result = theme.mutedText;
        break;
    case Role::Hairline:
        result = theme.hairline;
        break;
    case Role::Accent:
        result = theme.accent;
        break;
    case Role::Pin:
        result = theme.pin;
        break;
    case Role::Warning:
        result = theme.warning;
        break;
    case Role::Card:
        result = theme.card;
        break;
    case Role::Data:
        break;
    }
    result.setAlphaF(static_cast<float>(std::clamp(opacity, 0.0, 1.0)) * result.alphaF());
    return result;
}

QPointF backOfArrowHead(QPointF from, QPointF tip)
{
    QLineF line(from, tip);
    line.setLength(std::max(0.0, line.length() - arrowHeadLength * 0.8));
    return line.p2();
}

void paintArrowHead(QPainter &painter, QPointF from, QPointF tip, const QColor &color)
{
    const QLineF line(from, tip);
    if (line.length() <= 0.0)
        return;
    const QPointF along = (tip - from) / line.length();
    const QPointF across(-along.y(), along.x());
    const QPointF back = tip - along * arrowHeadLength;
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawPolygon(QPolygonF({tip, back + across * 3.0, back + along * 1.5, back - across * 3.0}));
}

void paintSceneShape(QPainter &painter, const SceneShape &shape, const Theme &theme, double opacity)
{
    if (shape.path.isEmpty())
        return;
    const auto colorOf = [&](const ScenePaint &paint) {
        QColor color = paint.resolved(theme);
        color.setAlphaF(color.alphaF() * static_cast<float>(opacity));
        return color;
    };
    if (shape.fill.isDrawn())
        painter.fillPath(shape.path, colorOf(shape.fill));
    if (!shape.stroke.isDrawn())
        return;
    const QColor color = colorOf(shape.stroke);
    const int last = shape.path.elementCount() - 1;
    const bool hasHead = shape.arrow && last > 0;
    QPainterPath line = shape.path;
    const QPointF tip = shape.path.currentPosition();
    const QPointF from = hasHead ? QPointF(shape.path.elementAt(last - 1)) : tip;
    if (hasHead) {
        const QPointF back = backOfArrowHead(from, tip);
        line.setElementPositionAt(last, back.x(), back.y());
    }
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(color, shape.strokeWidth, shape.dashed ? Qt::DashLine : Qt::SolidLine, Qt::FlatCap,
                        Qt::RoundJoin));
    painter.drawPath(line);
    if (hasHead)
        paintArrowHead(painter, from, tip, color);
}

void paintSceneGrip(QPainter &painter, const SceneGrip &grip, const Theme &theme)
{
    painter.setPen(QPen(theme.card, 2.0));
    painter.setBrush(grip.paint.resolved(theme));
    painter.drawEllipse(grip.pos, grip.radius, grip.radius);
}

} // namespace attn
