#pragma once

#include <QFont>
#include <QImage>
#include <QString>

#include <array>
#include <map>

namespace attn {

/// Images of the few characters numbers are made of, in one font, blended into pictures without a painter:
/// thousands of numbers cost no more than copying their pixels.
class NumberGlyphs
{
public:
    explicit NumberGlyphs(const QFont &font);

    double width(const QString &text);
    /// Blends text into an RGB32 image; x and baseline in its pixels, parts outside are left out.
    void draw(QImage &image, double x, double baseline, const QString &text, QRgb ink);

private:
    static constexpr int phases = 4; ///< positions within a pixel
    struct Glyph
    {
        double advance = 0.0;
        std::array<QImage, phases> masks; ///< Grayscale8 coverage; null = not made yet
    };

    Glyph &glyph(QChar character);
    const QImage &mask(QChar character, Glyph &glyph, int phase);

    QFont m_font;
    int m_ascent;
    int m_height;
    int m_margin;
    std::map<char16_t, Glyph> m_glyphs;
};

} // namespace attn
