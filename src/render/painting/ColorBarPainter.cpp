#include "render/painting/ColorBarPainter.h"

#include "base/NumberText.h"
#include "render/cells/CellHatching.h"
#include "render/cells/ClipMarks.h"
#include "render/painting/TextCache.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QImage>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <vector>

namespace attn {

namespace {

constexpr int barSteps = 64;
constexpr int legendFontSize = 10;
constexpr double textGap = 3.0;

struct LegendTick
{
    double place; ///< 0..1 along the bar
    QString text;
};

QString translated(const char *text)
{
    return QCoreApplication::translate("Scene", text);
}

class ColorBarPainter
{
public:
    ColorBarPainter(QPainter &painter, const SceneMap &map, const ScenePaintOptions &options)
        : m_painter(painter)
        , m_map(map)
        , m_options(options)
        , m_theme(options.theme)
        , m_bar(map.colorBar)
        , m_wide(map.colorBar.width() >= map.colorBar.height())
        , m_font(legendFont(options.theme))
    {
    }

    void paint(const PoolSize &pool)
    {
        if (m_map.range.isEmpty)
            paintEmptyBar();
        else
            paintBar();
        m_painter.setFont(m_font);
        m_painter.setPen(m_theme.mutedText);
        const std::vector<LegendTick> shown = ticks();
        for (const LegendTick &tick : shown)
            paintTick(tick);
        const QString note = legendNote(m_map, pool);
        if (!note.isEmpty())
            paintNote(note, !shown.empty());
    }

private:
    bool isConstant() const { return !(m_map.range.maximum > m_map.range.minimum); }
    double length() const { return m_wide ? m_bar.width() : m_bar.height(); }

    /// The piece of the bar between two places; low values are left, or at the bottom.
    QRectF piece(double from, double to) const
    {
        if (m_wide)
            return {m_bar.left() + from * m_bar.width(), m_bar.top(), (to - from) * m_bar.width(),
                    m_bar.height()};
        return {m_bar.left(), m_bar.bottom() - to * m_bar.height(), m_bar.width(),
                (to - from) * m_bar.height()};
    }

    void paintBar()
    {
        m_painter.save();
        m_painter.setRenderHint(QPainter::Antialiasing, false);
        if (isConstant())
            m_painter.fillRect(m_bar, QColor(m_map.colorMap->rgb(0.5)));
        else if (m_options.vectorCells)
            paintSteps();
        else
            m_painter.drawImage(m_bar, scaleImage());
        m_painter.restore();
        const ClippedSides clipped = clippedSides(m_map);
        m_painter.save();
        m_painter.setRenderHint(QPainter::Antialiasing);
        m_painter.setPen(Qt::NoPen);
        if (clipped.below)
            paintPoint(0.0, -1.0, m_map.colorMap->rgb(0.0));
        if (clipped.above)
            paintPoint(1.0, 1.0, m_map.colorMap->rgb(1.0));
        m_painter.restore();
    }

    void paintSteps()
    {
        for (int step = 0; step < barSteps; ++step) {
            const double from = static_cast<double>(step) / barSteps;
            const double place = static_cast<double>(step) / (barSteps - 1);
            // Each step reaches to the end and is covered by the next: no seams between them.
            m_painter.fillRect(piece(from, 1.0), QColor(m_map.colorMap->rgb(place)));
        }
    }

    /// The whole table, one pixel an entry.
    QImage scaleImage() const
    {
        const auto &table = m_map.colorMap->table();
        const int length = static_cast<int>(table.size());
        QImage image(m_wide ? QSize(length, 1) : QSize(1, length), QImage::Format_RGB32);
        for (int i = 0; i < length; ++i)
            image.setPixel(m_wide ? i : 0, m_wide ? 0 : length - 1 - i, table[static_cast<std::size_t>(i)]);
        return image;
    }

    /// The pointed end of a bar whose range leaves values out.
    void paintPoint(double place, double direction, QRgb color)
    {
        const double reach = direction * 0.7 * (m_wide ? m_bar.height() : m_bar.width());
        const QRectF end = piece(place, place);
        QPolygonF triangle;
        if (m_wide)
            triangle << end.topLeft() << end.bottomLeft() << QPointF(end.left() + reach, m_bar.center().y());
        else
            triangle << end.topLeft() << end.topRight() << QPointF(m_bar.center().x(), end.top() - reach);
        m_painter.setBrush(QColor(color));
        m_painter.drawPolygon(triangle);
    }

    void paintEmptyBar()
    {
        const HatchColors colors(m_theme);
        m_painter.fillRect(m_bar, QColor(colors.missingGround));
        m_painter.setPen(QPen(QColor(colors.missingStroke), 1.0, Qt::SolidLine, Qt::FlatCap));
        for (const QLineF &line : hatchLines(m_bar, HatchStyle::of(CellMark::Missing, 1.0)))
            m_painter.drawLine(line);
    }

    std::vector<LegendTick> ticks() const
    {
        const ValueRange &range = m_map.range;
        if (range.isEmpty)
            return {};
        if (isConstant())
            return {{0.5, legendText(range.minimum, range)}};
        std::vector<LegendTick> result{{0.0, legendText(range.minimum, range)},
                                       {1.0, legendText(range.maximum, range)}};
        const LegendTick middle{0.5, legendText(range.minimum / 2 + range.maximum / 2, range)};
        const QFontMetricsF metrics(m_font);
        double needed = 2 * textGap;
        for (const LegendTick &tick : {result[0], result[1], middle})
            needed += m_wide ? textWidth(m_options.texts, m_font, tick.text) + textGap : metrics.height();
        if (needed <= length())
            result.push_back(middle);
        return result;
    }

    void paintTick(const LegendTick &tick)
    {
        const QFontMetricsF metrics(m_font);
        const double width = textWidth(m_options.texts, m_font, tick.text);
        if (m_wide) {
            const double left = std::clamp(m_bar.left() + tick.place * m_bar.width() - width * tick.place,
                                           m_bar.left(), std::max(m_bar.left(), m_bar.right() - width));
            drawText(m_options.texts, m_painter,
                     QPointF(left, m_bar.bottom() + textGap + metrics.capHeight()), tick.text);
            return;
        }
        const double y = m_bar.bottom() - tick.place * m_bar.height() + tick.place * metrics.capHeight();
        drawText(m_options.texts, m_painter, QPointF(m_bar.right() + textGap, y), tick.text);
    }

    void paintNote(const QString &note, bool belowTicks)
    {
        const QFontMetricsF metrics(m_font);
        const double line = metrics.capHeight() + textGap;
        const double baseline =
            m_bar.bottom() + line * (belowTicks && m_wide ? 2.0 : 1.0) + (m_wide ? 0.0 : textGap);
        drawText(m_options.texts, m_painter, QPointF(m_bar.left(), baseline), note);
    }

    QPainter &m_painter;
    const SceneMap &m_map;
    const ScenePaintOptions &m_options;
    const Theme &m_theme;
    QRectF m_bar;
    bool m_wide;
    QFont m_font;
};

} // namespace

QFont legendFont(const Theme &theme)
{
    QFont font = theme.numberFont;
    font.setPixelSize(legendFontSize);
    return font;
}

QString legendText(double value, const ValueRange &range)
{
    const double reach = std::max(std::abs(range.minimum), std::abs(range.maximum));
    const double width = range.maximum > range.minimum ? range.maximum - range.minimum : reach;
    // Three significant places of the range's reach, more where the ends are close together.
    const double scale = std::min(reach, width * 100.0);
    const int places = scale > 0.0 ? 2 - static_cast<int>(std::floor(std::log10(scale))) : 0;
    QString text;
    if (reach > 0.0 && reach < 1e-4) {
        text = QString::fromStdString(displayText(value, 2));
    } else {
        text = QString::fromStdString(displayText(value, std::clamp(places, 0, 9)));
        if (text.contains(u'.') && !text.contains(u'e')) {
            while (text.endsWith(u'0'))
                text.chop(1);
            if (text.endsWith(u'.'))
                text.chop(1);
        }
    }
    if (text.startsWith(u'-'))
        text.replace(0, 1, QChar(u'\u2212'));
    return text;
}

QString legendNote(const SceneMap &map, const PoolSize &pool)
{
    QStringList parts;
    if (map.range.isEmpty)
        parts << translated("no data");
    if (!map.rangeNote.isEmpty())
        parts << map.rangeNote;
    if (!pool.isNone()) {
        const QString size = QString::number(pool.rows) % u'\u00d7' % QString::number(pool.cols);
        const char *text = map.pooling == Pooling::Max ? "max of %1" : "mean of %1";
        parts << translated(text).arg(size);
    }
    return parts.join(QStringLiteral(" \u00b7 "));
}

void paintColorBar(QPainter &painter, const SceneMap &map, const ScenePaintOptions &options,
                   const PoolSize &pool)
{
    if (map.colorBar.isEmpty() || !map.colorMap)
        return;
    painter.save();
    ColorBarPainter(painter, map, options).paint(pool);
    painter.restore();
}

} // namespace attn
