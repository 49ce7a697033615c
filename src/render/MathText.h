#pragma once

#include <QFont>
#include <QRectF>
#include <QString>

class QPainter;

namespace attn {

class TextCache;

/// One line of mathematics: "W^{Q}", "d_{k}", "QK^{T}" with raised and lowered parts; letters in italics,
/// digits and words of more than one letter upright. Drawn as text, so that SVG and PDF keep it selectable.
void drawMathText(QPainter &painter, const QRectF &rect, Qt::Alignment alignment, const QString &markup,
                  const QFont &font, TextCache *texts = nullptr);
double mathTextWidth(const QString &markup, const QFont &font);
/// The same without markup, for screen readers: "W^Q".
QString plainMathText(const QString &markup);

} // namespace attn
