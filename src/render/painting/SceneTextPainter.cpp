#include "render/painting/SceneTextPainter.h"

#include "render/MathText.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace attn {

namespace {

QFont styledFont(SceneText::Style style, const Theme &theme)
{
    QFont font = theme.textFont;
    switch (style) {
    case SceneText::Style::Title:
        return theme.symbolFont;
    case SceneText::Style::Formula:
        font = theme.symbolFont;
        font.setPixelSize(12);
        return font;
    case SceneText::Style::Heading:
        font.setPixelSize(14);
        font.setBold(true);
        return font;
    case SceneText::Style::Badge:
        font.setPixelSize(10);
        return font;
    case SceneText::Style::Muted:
    case SceneText::Style::Warning:
        font.setPixelSize(11);
        return font;
    case SceneText::Style::Label:
        return font;
    }
    return font;
}

QColor styledColor(SceneText::Style style, const Theme &theme)
{
    switch (style) {
    case SceneText::Style::Muted:
    case SceneText::Style::Badge:
    case SceneText::Style::Formula:
        return theme.mutedText;
    case SceneText::Style::Warning:
        return theme.warning;
    default:
        return theme.text;
    }
}

/// A rectangle of this size in the middle of the text's height, where its alignment puts it.
QRectF alignedRect(const SceneText &text, double width, double height)
{
    QRectF rect(0, 0, std::min(text.rect.width(), width), height);
    rect.moveCenter(text.rect.center());
    if (text.alignment & Qt::AlignRight)
        rect.moveRight(text.rect.right());
    else if (!(text.alignment & Qt::AlignHCenter))
        rect.moveLeft(text.rect.left());
    return rect;
}

QRectF badgePill(const SceneText &text, const QFontMetricsF &metrics)
{
    return alignedRect(text, metrics.horizontalAdvance(text.text) + 12.0, 16.0);
}

void paintBadge(QPainter &painter, const SceneText &text, const Theme &theme)
{
    const QFontMetricsF metrics(painter.font());
    const QRectF pill = badgePill(text, metrics);
    painter.setPen(QPen(theme.hairline, 1.0));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(pill.adjusted(0.5, 0.5, -0.5, -0.5), 7.5, 7.5);
    painter.setPen(theme.mutedText);
    painter.drawText(QPointF(pill.center().x() - metrics.horizontalAdvance(text.text) / 2,
                             pill.center().y() + metrics.capHeight() / 2),
                     text.text);
}

void paintPlain(QPainter &painter, const SceneText &text, bool full)
{
    QFontMetricsF metrics(painter.font());
    const double width = metrics.horizontalAdvance(text.text);
    const int alignment = static_cast<int>(text.alignment);
    if (width <= text.rect.width() + 0.5) {
        painter.drawText(text.rect, alignment | Qt::TextSingleLine | Qt::TextDontClip, text.text);
    } else if (text.rect.height() >= 2 * metrics.lineSpacing()) {
        painter.drawText(text.rect, alignment | Qt::TextWordWrap | Qt::TextDontClip, text.text);
    } else if (full) {
        QFont font = painter.font();
        font.setPixelSize(
            std::max(1, static_cast<int>(std::floor(font.pixelSize() * text.rect.width() / width))));
        painter.setFont(font);
        painter.drawText(text.rect, alignment | Qt::TextSingleLine | Qt::TextDontClip, text.text);
    } else {
        painter.drawText(text.rect, alignment | Qt::TextSingleLine | Qt::TextDontClip,
                         metrics.elidedText(text.text, Qt::ElideRight, text.rect.width()));
    }
}

} // namespace

void paintSceneText(QPainter &painter, const SceneText &text, const ScenePaintOptions &options)
{
    if (text.text.isEmpty())
        return;
    const QFont font = styledFont(text.style, options.theme);
    painter.setFont(font);
    painter.setPen(styledColor(text.style, options.theme));
    if (text.style == SceneText::Style::Title || text.style == SceneText::Style::Formula)
        drawMathText(painter, text.rect, text.alignment, text.text, font);
    else if (text.style == SceneText::Style::Badge)
        paintBadge(painter, text, options.theme);
    else
        paintPlain(painter, text, options.fullLabels);
}

QRectF sceneTextRect(const SceneText &text, const ScenePaintOptions &options)
{
    const QFont font = styledFont(text.style, options.theme);
    const QFontMetricsF metrics(font);
    if (text.style == SceneText::Style::Badge)
        return badgePill(text, metrics);
    const bool isMath = text.style == SceneText::Style::Title || text.style == SceneText::Style::Formula;
    return alignedRect(text, isMath ? mathTextWidth(text.text, font) : metrics.horizontalAdvance(text.text),
                       text.rect.height());
}

void paintSceneControl(QPainter &painter, const SceneControl &control, const Theme &theme)
{
    const bool on = control.checkable && control.checked;
    QColor fill = theme.card;
    if (on)
        fill = theme.isDark ? theme.hairline : theme.ground.darker(106);
    painter.setPen(QPen(on ? theme.text : theme.hairline, 1.0));
    painter.setBrush(fill);
    painter.drawRoundedRect(control.rect.adjusted(0.5, 0.5, -0.5, -0.5), 3.0, 3.0);
    QFont font = theme.textFont;
    font.setPixelSize(11);
    painter.setFont(font);
    QColor ink = on ? theme.text : theme.mutedText;
    if (!control.enabled)
        ink.setAlpha(110);
    painter.setPen(ink);
    const QFontMetricsF metrics(font);
    painter.drawText(control.rect, Qt::AlignCenter | Qt::TextSingleLine,
                     metrics.elidedText(control.text, Qt::ElideRight, control.rect.width() - 4.0));
}

} // namespace attn
