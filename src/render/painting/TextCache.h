#pragma once

#include <QFont>
#include <QGlyphRun>
#include <QHash>
#include <QList>
#include <QPointF>
#include <QRectF>
#include <QString>

class QPainter;

namespace attn {

/// Texts as they were shaped, kept between paints: of a picture with many short texts, shaping them takes
/// longer than all the rest. Draws the same pixels as QPainter::drawText. One thread; for pictures of pixels
/// only, since files keep their texts as texts.
class TextCache
{
public:
    /// As QFontMetricsF tells it.
    double width(const QFont &font, const QString &text);
    /// In the painter's font and pen.
    void draw(QPainter &painter, const QPointF &baseline, const QString &text);
    /// One line in a rectangle, not cut at its edges.
    void draw(QPainter &painter, const QRectF &rect, Qt::Alignment alignment, const QString &text);
    /// How many texts had to be shaped.
    int misses() const { return m_misses; }

private:
    struct Key
    {
        QFont font;
        QString text;

        bool operator==(const Key &) const = default;
    };
    friend size_t qHash(const Key &key, size_t seed) { return qHashMulti(seed, key.font, key.text); }
    struct Shaped
    {
        QList<QGlyphRun> runs; ///< from the beginning of the baseline
        double width = 0.0;
        double ascent = 0.0;
        double height = 0.0;
    };

    const Shaped &shaped(const QFont &font, const QString &text);

    QHash<Key, Shaped> m_texts;
    int m_misses = 0;
};

/// With a cache or, where there is none, without.
double textWidth(TextCache *cache, const QFont &font, const QString &text);
void drawText(TextCache *cache, QPainter &painter, const QPointF &baseline, const QString &text);
void drawText(TextCache *cache, QPainter &painter, const QRectF &rect, Qt::Alignment alignment,
              const QString &text);

} // namespace attn
