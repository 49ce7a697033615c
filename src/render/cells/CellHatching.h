#pragma once

#include "render/ColorMap.h"
#include "render/Theme.h"

#include <QLineF>
#include <QRectF>
#include <QRgb>

#include <cmath>
#include <vector>

namespace attn {

/// How a cell is drawn that is no plain finite number. Each kind has its own pattern, so that none depends on
/// colour alone.
enum class CellMark
{
    None,
    Missing,       ///< NaN: own ground, strokes falling to the right
    MinusInfinity, ///< card ground, strokes rising to the right
    PlusInfinity,  ///< the high end of the scale under falling strokes
    Masked,        ///< the cell's own colour under sparse rising strokes
};

inline CellMark cellMark(float value, bool allowed)
{
    if (std::isfinite(value))
        return allowed ? CellMark::None : CellMark::Masked;
    if (std::isnan(value))
        return CellMark::Missing;
    return value < 0.0f ? CellMark::MinusInfinity : CellMark::PlusInfinity;
}

/// Whether a cell of this kind takes no colour from the scale.
inline bool hasOwnColors(CellMark mark)
{
    return mark == CellMark::Missing || mark == CellMark::MinusInfinity;
}

/// Spacing and width of the strokes, in the painter's units.
struct HatchStyle
{
    int period = 6;
    int stroke = 1;
    bool rising = true;

    /// unit: painter units per device-independent pixel.
    static HatchStyle of(CellMark mark, double unit);
    /// Where pixel (x, y), counted from the corner of the map, lies in the period, which begins with a
    /// stroke.
    int phase(int x, int y) const
    {
        const int along = (rising ? x + y : x - y) % period;
        return along < 0 ? along + period : along;
    }
};

/// Colours of the marks in a theme.
struct HatchColors
{
    QRgb missingGround = 0;
    QRgb missingStroke = 0;
    QRgb infinityGround = 0;
    QRgb infinityStroke = 0;
    QRgb card = 0;     ///< under cells that are not exact yet
    QRgb notExact = 0; ///< dots on them

    explicit HatchColors(const Theme &theme);
    bool operator==(const HatchColors &) const = default;
    /// Ground under the strokes; `color` is that of the cell on the scale.
    QRgb ground(CellMark mark, QRgb color) const;
    QRgb stroke(CellMark mark, QRgb color) const;
    /// A number that is not exact yet: its colour half gone.
    QRgb veiled(QRgb color) const
    {
        return 0xff000000u | (((color & 0xfefefeu) >> 1) + ((card & 0xfefefeu) >> 1));
    }
};

/// The strokes inside a rectangle, cut at its edges so that no clipping is needed.
std::vector<QLineF> hatchLines(const QRectF &rect, const HatchStyle &style);

/// Colour between two others; share 0 gives `from`.
QRgb mixedColor(QRgb from, QRgb to, double share);

} // namespace attn
