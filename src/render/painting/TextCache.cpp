#include "render/painting/TextCache.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QTextLayout>

#include <cmath>

namespace attn {

namespace {

/// More than any picture has at once; when there are more, all are shaped anew.
constexpr qsizetype mostTexts = 4096;

/// Qt places texts in steps of 1/64.
double placed(double length)
{
    return std::trunc(length * 64.0) / 64.0;
}

void drawRuns(QPainter &painter, const QPointF &baseline, const QList<QGlyphRun> &runs)
{
    for (const QGlyphRun &run : runs)
        painter.drawGlyphRun(baseline, run);
}

} // namespace

const TextCache::Shaped &TextCache::shaped(const QFont &font, const QString &text)
{
    const Key key{font, text};
    if (const auto found = m_texts.constFind(key); found != m_texts.constEnd())
        return *found;
    if (m_texts.size() >= mostTexts)
        m_texts.clear();
    ++m_misses;
    QTextOption option(Qt::AlignLeft | Qt::AlignAbsolute);
    option.setWrapMode(QTextOption::NoWrap);
    option.setTextDirection(Qt::LeftToRight);
    QTextLayout layout(text, font);
    layout.setTextOption(option);
    layout.beginLayout();
    QTextLine line = layout.createLine();
    Shaped result;
    result.width = QFontMetricsF(font).horizontalAdvance(text);
    if (line.isValid()) {
        constexpr double noEdge = 1e6;
        line.setLineWidth(noEdge);
        line.setPosition(QPointF());
        layout.endLayout();
        result.ascent = line.ascent();
        result.height = line.ascent() + line.descent();
        result.runs = layout.glyphRuns();
        for (QGlyphRun &run : result.runs) {
            QList<QPointF> positions = run.positions();
            for (QPointF &position : positions)
                position.ry() -= result.ascent;
            run.setPositions(positions);
        }
    }
    return *m_texts.insert(key, std::move(result));
}

double TextCache::width(const QFont &font, const QString &text)
{
    return shaped(font, text).width;
}

void TextCache::draw(QPainter &painter, const QPointF &baseline, const QString &text)
{
    drawRuns(painter, {placed(baseline.x()), baseline.y()}, shaped(painter.font(), text).runs);
}

void TextCache::draw(QPainter &painter, const QRectF &rect, Qt::Alignment alignment, const QString &text)
{
    const Shaped &line = shaped(painter.font(), text);
    QPointF corner = rect.topLeft();
    if (alignment & Qt::AlignRight)
        corner.rx() += rect.width() - line.width;
    else if (alignment & Qt::AlignHCenter)
        corner.rx() += (rect.width() - line.width) / 2;
    if (alignment & Qt::AlignBottom)
        corner.ry() += rect.height() - line.height;
    else if (alignment & Qt::AlignVCenter)
        corner.ry() += (rect.height() - line.height) / 2;
    drawRuns(painter, {placed(corner.x()), placed(corner.y()) + line.ascent}, line.runs);
}

double textWidth(TextCache *cache, const QFont &font, const QString &text)
{
    return cache ? cache->width(font, text) : QFontMetricsF(font).horizontalAdvance(text);
}

void drawText(TextCache *cache, QPainter &painter, const QPointF &baseline, const QString &text)
{
    if (cache)
        cache->draw(painter, baseline, text);
    else
        painter.drawText(baseline, text);
}

void drawText(TextCache *cache, QPainter &painter, const QRectF &rect, Qt::Alignment alignment,
              const QString &text)
{
    if (cache)
        cache->draw(painter, rect, alignment, text);
    else
        painter.drawText(rect, static_cast<int>(alignment) | Qt::TextSingleLine | Qt::TextDontClip, text);
}

} // namespace attn
