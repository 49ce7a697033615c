#include "render/cells/CellNumbers.h"

#include "base/NumberText.h"

#include <QFontMetricsF>
#include <QStringList>

#include <algorithm>
#include <cmath>
#include <vector>

namespace attn {

namespace {

constexpr double smallestReadable = 7.5; // device-independent pixels
constexpr double smallestShrunk = 6.0;
constexpr double widthShare = 0.90; // of a cell that a number may fill
constexpr double heightShare = 0.82;
constexpr double shrunkShare = 0.96;
constexpr double unnoticedShrinking = 0.9; ///< a text may be this much smaller than its neighbours

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

QString withMinus(QString text)
{
    if (text.startsWith(u'-'))
        text.replace(0, 1, QChar(u'\u2212'));
    return text;
}

QString withoutZero(QString text)
{
    return text.replace(QStringLiteral("0."), QStringLiteral("."));
}

/// Ever shorter texts for a number without room, each of them true: "−0.13", "−.13", "−0.1"; "−12345.68",
/// "−12346", "−1e4". A tiny number becomes "≈0", never "0"; what nothing can say becomes "…".
QStringList shorterTexts(double value, int decimals)
{
    if (!std::isfinite(value))
        return {};
    const QString full = cellText(value, decimals);
    const bool isSmall = std::abs(value) < 1.0;
    QStringList texts;
    if (full.contains(u'e')) {
        texts.append(isSmall ? QStringLiteral("≈0") : QStringLiteral("…"));
        return texts;
    }
    if (isSmall && decimals > 0)
        texts.append(withoutZero(full));
    for (int places = decimals - 1; places >= (isSmall ? 1 : 0); --places)
        if (const QString text = cellText(value, places); !text.contains(u'e'))
            texts.append(text);
    if (const QString rough = QString::fromStdString(significantText(value, 1)); rough.contains(u'e'))
        texts.append(withMinus(shortExponent(rough)));
    texts.append(QStringLiteral("…"));
    return texts;
}

QString numberText(double value, int decimals, bool dropsZero)
{
    const QString text = cellText(value, decimals);
    return dropsZero && std::abs(value) < 1.0 ? withoutZero(text) : text;
}

/// The least and the greatest number, and 0.
std::vector<double> extremesOf(const StageValues &values, Index head)
{
    const ValueStatistics statistics = values.statistics(head);
    if (statistics.finiteCount == 0)
        return {0.0};
    return {0.0, statistics.minimum, statistics.maximum};
}

double widestText(const std::vector<double> &extremes, int decimals, bool dropsZero,
                  const QFontMetricsF &metrics)
{
    double widest = 0.0;
    for (const double value : extremes)
        widest = std::max(widest, metrics.horizontalAdvance(numberText(value, decimals, dropsZero)));
    return widest;
}

/// Whether each of them, shortened alone, is still a number in this much room.
bool areNumbersWhenShortened(const std::vector<double> &extremes, int decimals, double room,
                             const QFontMetricsF &metrics)
{
    return std::ranges::all_of(extremes, [&](double value) {
        QStringList texts = shorterTexts(value, decimals);
        texts.prepend(cellText(value, decimals));
        return std::ranges::any_of(texts, [&](const QString &text) {
            return metrics.horizontalAdvance(text) <= room && text.at(0) != u'…' && text.at(0) != u'≈';
        });
    });
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
    return withMinus(text);
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
    const double wanted = font.pixelSize() * std::clamp(zoom, 1.0, 2.0) * unit;
    const double smallest = std::floor(smallestReadable * unit);
    const auto sizeFor = [&](double width) {
        return std::floor(std::min({wanted, cellWidth * widthShare / width, cellHeight * heightShare}) +
                          1e-9);
    };
    const std::vector<double> extremes = extremesOf(values, head);
    double widest = widestText(extremes, decimals, false, metrics) / measuredSize;
    double size = sizeFor(widest);
    if (size < smallest) {
        const double narrow = widestText(extremes, decimals, true, metrics) / measuredSize;
        const double plain = metrics.horizontalAdvance(cellText(0.0, decimals)) / measuredSize;
        const double smallestOfAll = std::floor(smallestShrunk * unit);
        const double room = cellWidth * shrunkShare * measuredSize / std::max(sizeFor(plain), smallest);
        // Of numbers below 1 none is an exception: they look alike, if smaller, rather than each in its own
        // way.
        const bool areFractions =
            std::ranges::all_of(extremes, [](double value) { return std::abs(value) < 1.0; });
        if (sizeFor(narrow) >= smallest ||
            (sizeFor(narrow) >= smallestOfAll &&
             (areFractions || !areNumbersWhenShortened(extremes, decimals, room, metrics)))) {
            numbers.dropsZero = true;
            widest = narrow;
            size = sizeFor(narrow);
        } else {
            // One wide number must not hide all others: those with room decide, it is shortened where it
            // stands.
            widest = plain;
            size = sizeFor(plain);
            if (size < smallest)
                return std::nullopt;
        }
    }
    numbers.font.setPixelSize(static_cast<int>(size));
    numbers.decimals = decimals;
    numbers.blockWidth = widest * size;
    numbers.capHeight = metrics.capHeight() / measuredSize * size;
    return numbers;
}

PlacedNumber placeNumber(const CellNumbers &numbers, double value, const QRectF &cell, double unit)
{
    const QFontMetricsF metrics(numbers.font);
    const double room = cell.width() * shrunkShare;
    const int size = numbers.font.pixelSize();
    const double smallest = std::max(smallestShrunk * unit, size * unnoticedShrinking);
    PlacedNumber placed;
    double width = 0.0;
    const auto fits = [&](const QString &text, double smallestSize) {
        placed.text = text;
        width = metrics.horizontalAdvance(text);
        placed.pixelSize = width > room ? static_cast<int>(size * room / width) : size;
        width *= static_cast<double>(placed.pixelSize) / size;
        return placed.pixelSize >= smallestSize;
    };
    const QString full = numberText(value, numbers.decimals, numbers.dropsZero);
    if (!fits(full, smallest)) {
        const QStringList texts = shorterTexts(value, numbers.decimals);
        const bool isShortened =
            std::ranges::any_of(texts, [&](const QString &text) { return fits(text, smallest); });
        if (!isShortened && !fits(full, smallestShrunk * unit)) {
            placed.pixelSize = 0;
            return placed;
        }
    }
    // A number that lost its point stands alone.
    const bool isFixed = std::isfinite(value) && !placed.text.contains(u'e') &&
                         (placed.text == full || placed.text.contains(u'.'));
    const double capHeight = numbers.capHeight * placed.pixelSize / size;
    const QPointF centre = cell.center();
    placed.x = isFixed && width <= numbers.blockWidth ? centre.x() + numbers.blockWidth / 2 - width
                                                      : centre.x() - width / 2;
    placed.baseline = centre.y() + capHeight / 2;
    placed.plate = QRectF(placed.x, placed.baseline - capHeight, width, capHeight)
                       .adjusted(-2 * unit, -2 * unit, 2 * unit, 2 * unit);
    return placed;
}

} // namespace attn
