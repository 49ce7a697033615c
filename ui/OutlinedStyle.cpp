#include "OutlinedStyle.h"

#include <QPainter>
#include <QStyleOption>

namespace attn {

namespace {

bool isTickBox(QStyle::PrimitiveElement element)
{
    return element == QStyle::PE_IndicatorCheckBox || element == QStyle::PE_IndicatorItemViewItemCheck;
}

} // namespace

OutlinedStyle::OutlinedStyle()
    : QProxyStyle(QStringLiteral("Fusion"))
{
}

void OutlinedStyle::drawPrimitive(PrimitiveElement element, const QStyleOption *option, QPainter *painter,
                                  const QWidget *widget) const
{
    QProxyStyle::drawPrimitive(element, option, painter, widget);
    const bool isRadio = element == PE_IndicatorRadioButton;
    const bool isDark = option->palette.color(QPalette::Window).lightnessF() < 0.5F;
    if (!isDark || !(isRadio || isTickBox(element)))
        return;
    QColor edge = option->palette.color(QPalette::WindowText);
    edge.setAlphaF(0.5F);
    painter->save();
    painter->setPen(edge);
    painter->setBrush(Qt::NoBrush);
    painter->setRenderHint(QPainter::Antialiasing, isRadio);
    if (isRadio)
        painter->drawEllipse(QRectF(option->rect).adjusted(0.5, 0.5, -0.5, -0.5));
    else
        painter->drawRect(option->rect.adjusted(0, 0, -1, -1));
    painter->restore();
}

} // namespace attn
