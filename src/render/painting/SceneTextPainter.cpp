#include "render/painting/SceneTextPainter.h"

#include "render/MathText.h"
#include "render/painting/TextCache.h"

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

QRectF badgePill(const SceneText &text, double textWidth)
{
    return alignedRect(text, textWidth + 12.0, 16.0);
}

void paintBadge(QPainter &painter, const SceneText &text, const Theme &theme, TextCache *texts)
{
    const QFontMetricsF metrics(painter.font());
    const double width = textWidth(texts, painter.font(), text.text);
    const QRectF pill = badgePill(text, width);
    painter.setPen(QPen(theme.hairline, 1.0));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(pill.adjusted(0.5, 0.5, -0.5, -0.5), 7.5, 7.5);
    painter.setPen(theme.mutedText);
    drawText(texts, painter,
             QPointF(pill.center().x() - width / 2, pill.center().y() + metrics.capHeight() / 2), text.text);
}

void paintPlain(QPainter &painter, const SceneText &text, const ScenePaintOptions &options)
{
    const QFontMetricsF metrics(painter.font());
    const double width = textWidth(options.texts, painter.font(), text.text);
    if (width <= text.rect.width() + 0.5) {
        drawText(options.texts, painter, text.rect, text.alignment, text.text);
    } else if (text.rect.height() >= 2 * metrics.lineSpacing()) {
        painter.drawText(text.rect, static_cast<int>(text.alignment) | Qt::TextWordWrap | Qt::TextDontClip,
                         text.text);
    } else if (options.fullLabels) {
        QFont font = painter.font();
        font.setPixelSize(
            std::max(1, static_cast<int>(std::floor(font.pixelSize() * text.rect.width() / width))));
        painter.setFont(font);
        drawText(options.texts, painter, text.rect, text.alignment, text.text);
    } else {
        drawText(options.texts, painter, text.rect, text.alignment,
                 metrics.elidedText(text.text, Qt::ElideRight, text.rect.width()));
    }
}

/// As high as the letters, not as the rectangle: of a line below little is covered.
void paintGround(QPainter &painter, const SceneText &text, const ScenePaintOptions &options)
{
    constexpr float opacity = 0.85F;
    const double height = QFontMetricsF(styledFont(text.style, options.theme)).capHeight() + 5.0;
    QRectF ground = sceneTextRect(text, options).adjusted(-1.5, 0.0, 1.5, 0.0);
    const double middle = ground.center().y();
    ground.setTop(middle - 0.5 * height);
    ground.setHeight(height);
    QColor color = options.theme.card;
    color.setAlphaF(opacity);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawRoundedRect(ground, 2.5, 2.5);
}

} // namespace

void paintSceneText(QPainter &painter, const SceneText &text, const ScenePaintOptions &options)
{
    if (text.text.isEmpty())
        return;
    const QFont font = styledFont(text.style, options.theme);
    if (text.hasGround)
        paintGround(painter, text, options);
    painter.setFont(font);
    painter.setPen(styledColor(text.style, options.theme));
    if (text.style == SceneText::Style::Title || text.style == SceneText::Style::Formula)
        drawMathText(painter, text.rect, text.alignment, text.text, font, options.texts);
    else if (text.style == SceneText::Style::Badge)
        paintBadge(painter, text, options.theme, options.texts);
    else
        paintPlain(painter, text, options);
}

QRectF sceneTextRect(const SceneText &text, const ScenePaintOptions &options)
{
    const QFont font = styledFont(text.style, options.theme);
    const QFontMetricsF metrics(font);
    if (text.style == SceneText::Style::Badge)
        return badgePill(text, metrics.horizontalAdvance(text.text));
    const bool isMath = text.style == SceneText::Style::Title || text.style == SceneText::Style::Formula;
    return alignedRect(text, isMath ? mathTextWidth(text.text, font) : metrics.horizontalAdvance(text.text),
                       text.rect.height());
}

void paintSceneControl(QPainter &painter, const SceneControl &control, const ScenePaintOptions &options)
{
    const Theme &theme = options.theme;
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
    const double room = control.rect.width() - 4.0;
    const bool fits = textWidth(options.texts, font, control.text) <= room;
    drawText(options.texts, painter, control.rect, Qt::AlignCenter,
             fits ? control.text : QFontMetricsF(font).elidedText(control.text, Qt::ElideRight, room));
}

} // namespace attn
