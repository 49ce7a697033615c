#include "render/cells/NumberGlyphs.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace attn {

namespace {

void blendMask(QImage &image, const QImage &mask, int left, int top, QRgb ink)
{
    const int x0 = std::max(0, -left);
    const int x1 = std::min(mask.width(), image.width() - left);
    const int y0 = std::max(0, -top);
    const int y1 = std::min(mask.height(), image.height() - top);
    const auto mixed = [](int ground, int over, int coverage) {
        return ground + ((over - ground) * coverage + (over > ground ? 127 : -127)) / 255;
    };
    for (int y = y0; y < y1; ++y) {
        const uchar *coverage = mask.constScanLine(y);
        QRgb *line = reinterpret_cast<QRgb *>(image.scanLine(top + y)) + left;
        for (int x = x0; x < x1; ++x) {
            if (coverage[x] == 0)
                continue;
            const QRgb ground = line[x];
            line[x] = qRgb(mixed(qRed(ground), qRed(ink), coverage[x]),
                           mixed(qGreen(ground), qGreen(ink), coverage[x]),
                           mixed(qBlue(ground), qBlue(ink), coverage[x]));
        }
    }
}

} // namespace

NumberGlyphs::NumberGlyphs(const QFont &font)
    : m_font(font)
{
    m_font.setStyleStrategy(QFont::StyleStrategy(QFont::PreferAntialias | QFont::NoSubpixelAntialias));
    const QFontMetricsF metrics(m_font);
    m_margin = 2;
    m_ascent = static_cast<int>(std::ceil(metrics.ascent())) + m_margin;
    m_height = m_ascent + static_cast<int>(std::ceil(metrics.descent())) + m_margin;
}

NumberGlyphs::Glyph &NumberGlyphs::glyph(QChar character)
{
    const auto [place, isNew] = m_glyphs.try_emplace(character.unicode());
    if (isNew)
        place->second.advance = QFontMetricsF(m_font).horizontalAdvance(character);
    return place->second;
}

const QImage &NumberGlyphs::mask(QChar character, Glyph &glyph, int phase)
{
    QImage &result = glyph.masks[static_cast<std::size_t>(phase)];
    if (!result.isNull())
        return result;
    QImage picture(static_cast<int>(std::ceil(glyph.advance)) + 2 * m_margin + 1, m_height,
                   QImage::Format_RGB32);
    picture.fill(Qt::black);
    QPainter painter(&picture);
    painter.setFont(m_font);
    painter.setPen(Qt::white);
    painter.drawText(QPointF(m_margin + static_cast<double>(phase) / phases, m_ascent), QString(character));
    painter.end();
    result = picture.convertToFormat(QImage::Format_Grayscale8);
    return result;
}

double NumberGlyphs::width(const QString &text)
{
    double sum = 0.0;
    for (const QChar character : text)
        sum += glyph(character).advance;
    return sum;
}

void NumberGlyphs::draw(QImage &image, double x, double baseline, const QString &text, QRgb ink)
{
    const int top = static_cast<int>(std::lround(baseline)) - m_ascent;
    for (const QChar character : text) {
        Glyph &current = glyph(character);
        const double quarter = std::floor(x * phases + 0.5);
        const double pixel = std::floor(quarter / phases);
        const int phase = static_cast<int>(quarter - pixel * phases);
        blendMask(image, mask(character, current, phase), static_cast<int>(pixel) - m_margin, top, ink);
        x += current.advance;
    }
}

} // namespace attn
