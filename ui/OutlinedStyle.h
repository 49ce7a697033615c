#pragma once

#include <QProxyStyle>

namespace attn {

/// Fusion, whose boxes to be ticked have a dark edge: on a dark ground they get a light one.
class OutlinedStyle : public QProxyStyle
{
public:
    OutlinedStyle();

    void drawPrimitive(PrimitiveElement element, const QStyleOption *option, QPainter *painter,
                       const QWidget *widget = nullptr) const override;
};

} // namespace attn
