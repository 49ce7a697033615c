#pragma once

#include "engine/StageValues.h"

#include <QFont>
#include <QRectF>
#include <QString>

#include <optional>

namespace attn {

/// A number as it stands in a cell: fixed places with a real minus sign, "3e−5" where that would hide it,
/// "NaN", "∞", "−∞".
QString cellText(double value, int decimals);

/// How numbers are set in the cells of one map.
struct CellNumbers
{
    QFont font; ///< pixel size in the painter's units
    int decimals = 2;
    double blockWidth =
        0.0; ///< of the widest fixed-point text; texts end at its right edge, centred in cells
    double capHeight = 0.0;

    bool operator==(const CellNumbers &) const = default;
};

/// Chosen so that the widest number of the head fits; nothing when that would be too small to read.
///
/// zoom: scene to device-independent pixels; unit: painter units per device-independent pixel.
std::optional<CellNumbers> cellNumbers(const StageValues &values, Index head, int decimals, double cellWidth,
                                       double cellHeight, const QFont &font, double zoom, double unit);

/// One number in its cell.
struct PlacedNumber
{
    QString text;
    int pixelSize = 0; ///< 0: no room, not drawn
    double x = 0.0;
    double baseline = 0.0;
    QRectF plate; ///< the text with a little air, to be cleared on hatched cells
};

/// Fixed-point numbers end at one line, so that their points stand in a column; other texts are centred, and
/// set smaller where they are wider than the cell.
PlacedNumber placeNumber(const CellNumbers &numbers, double value, const QRectF &cell, double unit);

} // namespace attn
