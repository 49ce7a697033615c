#include "render/cells/CellNumbers.h"

#include "base/NumberText.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>

namespace attn {

namespace {

constexpr double smallestReadable = 7.5; // device-independent pixels
constexpr double smallestShrunk = 6.0;
constexpr double widthShare = 0.90; // of a cell that a number may fill
constexpr double heightShare = 0.82;
constexpr double shrunkShare = 0.96;

/// "1e-05" to "1e−5", "2e+08" to "2e8".
QString shortExponent(const QString &text)
{
    const qsizetype e = text.indexOf(u'e');
    QString exponent = text.mid(e + 1);
    const bool negative = exponent.startsWith(u'-');
    while (!exponent.isEmpty() &&
           (exponent.front() == u'-' || exponent.front() == u'+' || exponent.front() == u'0'))
        exponent.remove(0, 1);
    return text.left(e + 1) % (negative ? u"\u2212" : u"") % exponent;
}

double widestText(const StageValues &values, Index head, int decimals, const QFontMetricsF &metrics)
{
    const ValueStatistics statistics = values.statistics(head);
    double widest = metrics.horizontalAdvance(cellText(0.0, decimals));
    if (statistics.finiteCount > 0) {
        for (const double extreme : {statistics.minimum, statistics.maximum})
            widest = std::max(widest, metrics.horizontalAdvance(cellText(extreme, decimals)));
    }
    return widest;
}

} // namespace

QString cellText(double value, int decimals)
{
    if (std::isnan(value))
        return QStringLiteral("NaN");
    if (std::isinf(value))
        return value < 0 ? QStringLiteral("\u2212\u221e") : QStringLiteral("\u221e");
    QString text = QString::fromStdString(displayText(value, decimals));
    if (text.contains(u'e'))
        text = shortExponent(QString::fromStdString(displayText(value, 0)));
    if (text.startsWith(u'-'))
        text.replace(0, 1, QChar(u'\u2212'));
    return text;
}

std::optional<CellNumbers> cellNumbers(const StageValues &values, Index head, int decimals, double cellWidth,
                                       double cellHeight, const QFont &font, double zoom, double unit)
{
    // Too low or too narrow for any number: say so without asking for statistics.
    if (cellHeight * heightShare < smallestReadable * unit || cellWidth < 2.0 * smallestReadable * unit)
        return std::nullopt;
    constexpr int measuredSize = 100;
    CellNumbers numbers;
    numbers.font = font;
    numbers.font.setPixelSize(measuredSize);
    const QFontMetricsF metrics(numbers.font);
    const double widest = widestText(values, head, decimals, metrics) / measuredSize;
    const double wanted = font.pixelSize() * std::clamp(zoom, 1.0, 2.0) * unit;
    const double size =
        std::floor(std::min({wanted, cellWidth * widthShare / widest, cellHeight * heightShare}) + 1e-9);
    if (size < std::floor(smallestReadable * unit))
        return std::nullopt;
    numbers.font.setPixelSize(static_cast<int>(size));
    numbers.decimals = decimals;
    numbers.blockWidth = widest * size;
    numbers.capHeight = metrics.capHeight() / measuredSize * size;
    return numbers;
}

PlacedNumber placeNumber(const CellNumbers &numbers, double value, const QRectF &cell, double unit)
{
    PlacedNumber placed;
    placed.text = cellText(value, numbers.decimals);
    placed.pixelSize = numbers.font.pixelSize();
    const bool isFixed = std::isfinite(value) && !placed.text.contains(u'e');
    double width = QFontMetricsF(numbers.font).horizontalAdvance(placed.text);
    double capHeight = numbers.capHeight;
    const double room = cell.width() * shrunkShare;
    if (width > room) {
        placed.pixelSize = static_cast<int>(placed.pixelSize * room / width);
        if (placed.pixelSize < smallestShrunk * unit) {
            placed.pixelSize = 0;
            return placed;
        }
        const double scale = static_cast<double>(placed.pixelSize) / numbers.font.pixelSize();
        width *= scale;
        capHeight *= scale;
    }
    const QPointF centre = cell.center();
    placed.x = isFixed && width <= numbers.blockWidth ? centre.x() + numbers.blockWidth / 2 - width
                                                      : centre.x() - width / 2;
    placed.baseline = centre.y() + capHeight / 2;
    placed.plate = QRectF(placed.x, placed.baseline - capHeight, width, capHeight)
                       .adjusted(-2 * unit, -2 * unit, 2 * unit, 2 * unit);
    return placed;
}

} // namespace attn
