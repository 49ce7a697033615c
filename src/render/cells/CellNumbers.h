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
    bool dropsZero = false; ///< ".43" and "−.13" in all cells of the map, where "−0.13" has no room
    double blockWidth =
        0.0; ///< of the widest fixed-point text; texts end at its right edge, centred in cells
    double capHeight = 0.0;

    bool operator==(const CellNumbers &) const = default;
};

/// Chosen so that the widest number of the head fits, with the zero before the point left out in all cells
/// where only that has room, a little smaller if all are below 1; where that would be too small to read, so
/// that "0.00" fits and wider numbers are shortened one by one. Nothing when even that would be too small.
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

/// Fixed-point numbers end at one line, so that their points stand in a column; other texts are centred. A
/// number wider than its cell is set a little smaller, or shortened to a text that is still true: "−.13",
/// "−12", "≈0".
PlacedNumber placeNumber(const CellNumbers &numbers, double value, const QRectF &cell, double unit);

} // namespace attn
