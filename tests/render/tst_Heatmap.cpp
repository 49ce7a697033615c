#include "HeatmapCases.h"
#include "SceneFixture.h"
#include "engine/Edit.h"
#include "engine/Evaluator.h"
#include "engine/pooling/PooledMaps.h"
#include "render/SceneCases.h"
#include "render/cells/CellNumbers.h"
#include "render/cells/HeatmapCache.h"
#include "render/painting/MapPainter.h"

#include <QTest>

#include <chrono>
#include <cmath>
#include <limits>
#include <random>

using namespace attn;
using namespace attn::test;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

ScenePaintOptions bareOptions()
{
    ScenePaintOptions options;
    options.showLabels = false;
    options.showValues = false;
    options.showColorBars = false;
    return options;
}

QRgb pixelAt(const QImage &image, QPointF scenePoint, double scale = 1.0)
{
    return image.pixel((scenePoint * scale).toPoint());
}

/// A value that differs at every place of every head.
double placeValue(Index head, Index row, Index col)
{
    return static_cast<double>(head * 1000 + row * 37 + col) / 5000.0;
}

std::vector<std::vector<double>> stripes()
{
    return std::vector<std::vector<double>>(4, [] {
        std::vector<double> row;
        for (int col = 0; col < 64; ++col)
            row.push_back(col % 2);
        return row;
    }());
}

} // namespace

class TestHeatmap : public QObject
{
    Q_OBJECT

private slots:
    void everyCellHasItsColor_data();
    void everyCellHasItsColor();
    void orientationCase();
    void cellsLieOnWholePixels();
    void stripesStaySeparate_data();
    void stripesStaySeparate();
    void singleSpikeIsSeenAtAThird();
    void constantIsEven();
    void specialCellsAreNoColorsOfTheScale_data();
    void specialCellsAreNoColorsOfTheScale();
    void maskedCellsKeepTheirColor();
    void clippedCellsAreMarked();
    void tinyAndHugeRangesKeepTheirColors_data();
    void tinyAndHugeRangesKeepTheirColors();
    void numbersAreInkOnTheCell();
    void cellTexts_data();
    void cellTexts();
    void numbersShrinkThenLeave();
    void oneWideNumberIsShortenedAlone_data();
    void oneWideNumberIsShortenedAlone();
    void negativeNumbersStayNumbers();
    void pinnedCellsHaveACorner();
    void contradictedCellsHaveTheOtherCorner();
    void contradictionLooksLikeNoNumber();
    void updatingIsVeiled();
    void numbersOnFadedCellsAreReadable_data();
    void numbersOnFadedCellsAreReadable();
    void largeMapsAreReadOnceAndPooled_data();
    void largeMapsAreReadOnceAndPooled();
    void largeMapsWithANameAreReadInTheBackground();
    void onlyTheVisiblePartIsRead();
    void wideMapsPoolOneWay();
    void imagesAreKept();
    void scrolledImagesAreContinued_data();
    void scrolledImagesAreContinued();
    void unchangedRowsKeepTheirImage();
    void pictureOfPoolsIsDrawnOver();
    void cacheIsBounded();
    void emptyMatricesArePaintedAsSuch();
};

void TestHeatmap::everyCellHasItsColor_data()
{
    QTest::addColumn<int>("rows");
    QTest::addColumn<int>("cols");
    QTest::addColumn<QRectF>("rect");
    QTest::addColumn<double>("scale");
    QTest::addColumn<double>("pixelRatio");
    QTest::newRow("4 x 6, upright cells") << 4 << 6 << QRectF(20, 30, 96, 160) << 1.0 << 1.0;
    QTest::newRow("6 x 4") << 6 << 4 << QRectF(20, 30, 170, 90) << 1.0 << 1.0;
    QTest::newRow("3 x 5 at odd edges") << 3 << 5 << QRectF(10.4, 7.7, 83.3, 41.9) << 1.3 << 1.0;
    QTest::newRow("7 x 2 on a dense screen") << 7 << 2 << QRectF(8, 8, 60, 140) << 1.0 << 2.0;
    QTest::newRow("2 x 9 at one and a half") << 2 << 9 << QRectF(8, 8, 120, 40) << 0.9 << 1.5;
    QTest::newRow("50 x 31 small cells") << 50 << 31 << QRectF(8, 8, 93, 150) << 1.0 << 1.0;
}

void TestHeatmap::everyCellHasItsColor()
{
    QFETCH(int, rows);
    QFETCH(int, cols);
    QFETCH(QRectF, rect);
    QFETCH(double, scale);
    QFETCH(double, pixelRatio);
    const auto values = std::make_shared<CountingValues>(Shape{3, rows, cols}, placeValue);
    for (Index head = 0; head < 3; ++head) {
        SceneMap map = mapOf(values, rect, {0.0, 0.6, false});
        map.head = head;
        ScenePaintOptions options = bareOptions();
        options.zoom = scale;
        const QImage image = painted(sceneOf(map), options, pixelRatio);
        for (Index row = 0; row < rows; ++row) {
            for (Index col = 0; col < cols; ++col) {
                const QPointF centre = cellRect(map, row, col).center() - QPointF(0.01, 0.01);
                const QRgb seen = pixelAt(image, centre * scale * pixelRatio - QPointF(0.5, 0.5));
                const QRgb wanted = map.colorMap->rgb(map.range.place(placeValue(head, row, col)));
                QVERIFY2(colorDistance(seen, wanted) <= oneEntry,
                         qPrintable(QStringLiteral("head %1 cell %2,%3").arg(head).arg(row).arg(col)));
            }
        }
    }
}

void TestHeatmap::orientationCase()
{
    // 3 queries x 5 keys, 1 at query 0 / key 4: the top right corner is the strongest.
    const SceneMap map = mapOf(caseTable(QStringLiteral("orientation.csv")), QRectF(10, 10, 100, 60));
    const QImage image = painted(sceneOf(map), bareOptions());
    QCOMPARE(image.pixel(100, 20), map.colorMap->rgb(1.0));
    QCOMPARE(image.pixel(20, 60), map.colorMap->rgb(0.0));
    QVERIFY(colorDistance(image.pixel(40, 60), map.colorMap->rgb(0.5)) <= oneEntry);
    const auto hit = hitTest(sceneOf(map), QPointF(95, 15));
    QVERIFY(hit.has_value());
    QCOMPARE(hit->row, Index(0));
    QCOMPARE(hit->col, Index(4));
}

void TestHeatmap::cellsLieOnWholePixels()
{
    // 5 columns on 83 pixels: every pixel has exactly one of the five colours.
    const auto values = std::make_shared<CountingValues>(
        Shape{1, 1, 5}, [](Index, Index, Index col) { return static_cast<double>(col) / 4.0; });
    const SceneMap map = mapOf(values, QRectF(3.3, 4.0, 83.0, 10.0), {0.0, 1.0, false});
    const QImage image = painted(sceneOf(map), bareOptions());
    std::vector<int> counts(5, 0);
    for (int x = 3; x < 86; ++x) {
        const QRgb seen = image.pixel(x, 8);
        for (std::size_t i = 0; i < 5; ++i) {
            if (colorDistance(seen, map.colorMap->rgb(static_cast<double>(i) / 4.0)) <= oneEntry)
                ++counts[i];
        }
    }
    for (const int count : counts)
        QVERIFY(count == 16 || count == 17);
}

void TestHeatmap::stripesStaySeparate_data()
{
    QTest::addColumn<int>("pixels");
    QTest::newRow("one pixel a cell") << 64;
    QTest::newRow("two and a half") << 160;
    QTest::newRow("seven") << 448;
}

void TestHeatmap::stripesStaySeparate()
{
    QFETCH(int, pixels);
    const SceneMap map = mapOf(stripes(), QRectF(0, 0, pixels, 20));
    const QImage image = painted(sceneOf(map), bareOptions());
    int changes = 0;
    for (int x = 0; x < pixels; ++x) {
        const QRgb seen = image.pixel(x, 10);
        QVERIFY(seen == map.colorMap->rgb(0.0) || seen == map.colorMap->rgb(1.0));
        changes += x > 0 && seen != image.pixel(x - 1, 10);
    }
    QCOMPARE(changes, 63);
}

void TestHeatmap::singleSpikeIsSeenAtAThird()
{
    // Case single-spike: 300 x 300 zeros and a 1 at row 137, column 211, drawn 100 pixels wide.
    const auto values = std::make_shared<CountingValues>(
        Shape{1, 300, 300}, [](Index, Index row, Index col) { return row == 137 && col == 211 ? 1.0 : 0.0; });
    const SceneMap map = mapOf(values, QRectF(0, 0, 100, 100), {0.0, 1.0, false});
    const QImage image = painted(sceneOf(map), bareOptions());
    for (int y = 0; y < 100; ++y) {
        for (int x = 0; x < 100; ++x)
            QCOMPARE(image.pixel(x, y), map.colorMap->rgb(x == 70 && y == 45 ? 1.0 : 0.0));
    }
    QCOMPARE(values->lastPool, Index(3));
    const auto hit = hitTest(sceneOf(map), cellRect(map, 137, 211).center());
    QCOMPARE(hit->row, Index(137));
    QCOMPARE(hit->col, Index(211));
}

void TestHeatmap::constantIsEven()
{
    const SceneMap map = mapOf(caseTable(QStringLiteral("constant.csv")), QRectF(0, 0, 40, 40));
    const QImage image = painted(sceneOf(map), bareOptions());
    for (const QPoint &point : {QPoint(5, 5), QPoint(35, 5), QPoint(5, 35), QPoint(35, 35)})
        QCOMPARE(image.pixel(point), map.colorMap->rgb(0.5));
}

void TestHeatmap::specialCellsAreNoColorsOfTheScale_data()
{
    QTest::addColumn<bool>("dark");
    QTest::addColumn<double>("cell");
    QTest::newRow("light") << false << 40.0;
    QTest::newRow("dark") << true << 40.0;
    QTest::newRow("light, small cells") << false << 6.0;
}

void TestHeatmap::specialCellsAreNoColorsOfTheScale()
{
    QFETCH(bool, dark);
    QFETCH(double, cell);
    for (const auto kind : {ColorMap::Kind::Sequential, ColorMap::Kind::Diverging}) {
        SceneMap map =
            mapOf({{0.0, std::nan(""), -infinity, infinity, 1.0}}, QRectF(0, 0, 5 * cell, cell), kind);
        map.colorMap = colorMap(kind, dark);
        ScenePaintOptions options = bareOptions();
        options.theme = dark ? Theme::dark() : Theme::light();
        const QImage image = painted(sceneOf(map), options);
        const auto colorsOf = [&](int column) {
            QMap<QRgb, int> colors;
            for (int y = 0; y < static_cast<int>(cell); ++y)
                for (int x = 0; x < static_cast<int>(cell); ++x)
                    ++colors[image.pixel(column * static_cast<int>(cell) + x, y)];
            return colors;
        };
        QCOMPARE(colorsOf(0).size(), 1);
        QCOMPARE(colorsOf(4).size(), 1);
        const auto missing = colorsOf(1);
        const auto minusInfinity = colorsOf(2);
        const auto plusInfinity = colorsOf(3);
        QCOMPARE(missing.size(), 2); // ground and strokes
        QCOMPARE(minusInfinity.size(), 2);
        QCOMPARE(plusInfinity.size(), 2);
        QVERIFY(missing.keys() != minusInfinity.keys());
        QVERIFY(plusInfinity.contains(map.colorMap->rgb(1.0)));
        if (kind == ColorMap::Kind::Sequential) {
            for (const QRgb entry : map.colorMap->table()) {
                for (const QRgb color : missing.keys() + minusInfinity.keys())
                    QVERIFY(colorDistance(entry, color) > 12);
            }
        }
    }
}

void TestHeatmap::maskedCellsKeepTheirColor()
{
    SceneMap map = mapOf({{0.0, 0.0}, {1.0, 1.0}}, QRectF(0, 0, 80, 80));
    map.allowed = valuesOf(Tensor::fromDoubles({1, 2, 2}, std::vector<double>{1, 0, 1, 1}));
    const QImage image = painted(sceneOf(map), bareOptions());
    int own = 0;
    int strokes = 0;
    for (int y = 0; y < 40; ++y) {
        for (int x = 40; x < 80; ++x) {
            QCOMPARE(image.pixel(x - 40, y), map.colorMap->rgb(0.0));
            ++(image.pixel(x, y) == map.colorMap->rgb(0.0) ? own : strokes);
        }
    }
    QVERIFY(strokes > 100);
    QVERIFY(own > 4 * strokes);
}

void TestHeatmap::clippedCellsAreMarked()
{
    SceneMap map = mapOf({{-3.0, 0.5, 7.0}}, QRectF(0, 0, 120, 40));
    const auto strangers = [&](const QImage &image, const QRect &area, QRgb color) {
        int count = 0;
        for (int y = area.top(); y <= area.bottom(); ++y)
            for (int x = area.left(); x <= area.right(); ++x)
                count += image.pixel(x, y) != color;
        return count;
    };
    map.range = {0.0, 1.0, false};
    const QImage image = painted(sceneOf(map), bareOptions());
    QVERIFY(strangers(image, QRect(0, 30, 10, 10), map.colorMap->rgb(0.0)) > 5); // below: lower corner
    QCOMPARE(strangers(image, QRect(0, 0, 10, 10), map.colorMap->rgb(0.0)), 0);
    QVERIFY(strangers(image, QRect(80, 0, 10, 10), map.colorMap->rgb(1.0)) > 5); // above: upper corner
    QCOMPARE(strangers(image, QRect(80, 30, 10, 10), map.colorMap->rgb(1.0)), 0);
    QCOMPARE(strangers(image, QRect(40, 0, 40, 40), image.pixel(60, 20)), 0);
}

void TestHeatmap::tinyAndHugeRangesKeepTheirColors_data()
{
    QTest::addColumn<double>("low");
    QTest::addColumn<double>("high");
    QTest::newRow("below float32") << 0.0 << 1e-200;
    QTest::newRow("beyond float32") << -1e300 << 1e300;
    QTest::newRow("close together") << 1.0 << 1.0 + 1e-9;
    QTest::newRow("ordinary") << -2.0 << 3.0;
}

void TestHeatmap::tinyAndHugeRangesKeepTheirColors()
{
    QFETCH(double, low);
    QFETCH(double, high);
    const double middle = low / 2 + high / 2;
    const SceneMap map = mapOf({{low, middle, high}}, QRectF(0, 0, 90, 30));
    const QImage image = painted(sceneOf(map), bareOptions());
    QCOMPARE(image.pixel(15, 15), map.colorMap->rgb(0.0));
    QVERIFY(colorDistance(image.pixel(45, 15), map.colorMap->rgb(0.5)) <= oneEntry);
    QCOMPARE(image.pixel(75, 15), map.colorMap->rgb(1.0));
}

void TestHeatmap::numbersAreInkOnTheCell()
{
    const SceneMap map = mapOf({{0.0, 1.0}}, QRectF(0, 0, 100, 40));
    ScenePaintOptions options = bareOptions();
    options.showValues = true;
    const QImage image = painted(sceneOf(map), options);
    const auto has = [&](const QRect &area, QRgb color) {
        for (int y = area.top(); y <= area.bottom(); ++y)
            for (int x = area.left(); x <= area.right(); ++x)
                if (colorDistance(image.pixel(x, y), color) < 60)
                    return true;
        return false;
    };
    QVERIFY(has(QRect(10, 10, 30, 20), qRgb(255, 255, 255))); // white on dark violet
    QVERIFY(has(QRect(60, 10, 30, 20), qRgb(0, 0, 0)));       // black on yellow
    QCOMPARE(image.pixel(2, 2), map.colorMap->rgb(0.0));
}

void TestHeatmap::cellTexts_data()
{
    QTest::addColumn<double>("value");
    QTest::addColumn<QString>("text");
    QTest::newRow("plain") << 0.256 << "0.26";
    QTest::newRow("real minus") << -1.5 << QStringLiteral("−1.50");
    QTest::newRow("small is not zero") << 0.0000312 << QStringLiteral("3e−5");
    QTest::newRow("small negative") << -4e-12 << QStringLiteral("−4e−12");
    QTest::newRow("large") << 2.6e9 << "3e9";
    QTest::newRow("zero") << 0.0 << "0.00";
    QTest::newRow("missing") << std::nan("") << "NaN";
    QTest::newRow("masked score") << -infinity << QStringLiteral("−∞");
    QTest::newRow("infinite") << infinity << QStringLiteral("∞");
}

void TestHeatmap::cellTexts()
{
    QFETCH(double, value);
    QFETCH(QString, text);
    QCOMPARE(cellText(value, 2), text);
}

void TestHeatmap::numbersShrinkThenLeave()
{
    const StageValuesPtr values = valuesOf(Tensor::fromDoubles({1, 1, 2}, std::vector<double>{-10.25, 3.5}));
    const QFont font = Theme::light().numberFont;
    const auto size = [&](double width, double height) {
        const auto numbers = cellNumbers(*values, 0, 2, width, height, font, 1.0, 1.0);
        return numbers ? numbers->font.pixelSize() : 0;
    };
    QCOMPARE(size(100, 40), 12);
    QVERIFY(size(40, 40) < 12);
    QVERIFY(size(40, 40) >= 7);
    QCOMPARE(size(16, 40), 0);
    QCOMPARE(size(100, 8), 0);
    const auto numbers = cellNumbers(*values, 0, 2, 60, 30, font, 1.0, 1.0);
    const QRectF cell(0, 0, 60, 30);
    // Points stand in a column: both texts end at the same x.
    const PlacedNumber wide = placeNumber(*numbers, -10.25, cell, 1.0);
    const PlacedNumber narrow = placeNumber(*numbers, 3.5, cell, 1.0);
    const QFontMetricsF metrics(numbers->font);
    QVERIFY(std::abs(wide.x + metrics.horizontalAdvance(wide.text) - narrow.x -
                     metrics.horizontalAdvance(narrow.text)) < 0.2);
    QVERIFY(wide.x >= 0.0);
}

void TestHeatmap::oneWideNumberIsShortenedAlone_data()
{
    QTest::addColumn<double>("value");
    QTest::addColumn<QString>("text");
    QTest::newRow("fits") << 0.43 << "0.43";
    QTest::newRow("negative drops the zero") << -0.13 << QStringLiteral("−.13");
    QTest::newRow("negative one") << -1.0 << QStringLiteral("−1.0");
    QTest::newRow("two digits") << -12.34 << QStringLiteral("−12");
    QTest::newRow("many digits") << 4.3e6 << QStringLiteral("4e6");
    QTest::newRow("tiny") << 3e-3 << QStringLiteral("3e−3");
    QTest::newRow("tiny negative is never zero") << -3e-5 << QStringLiteral("≈0");
    QTest::newRow("nothing fits") << -4.3e12 << QStringLiteral("…");
}

void TestHeatmap::oneWideNumberIsShortenedAlone()
{
    QFETCH(double, value);
    QFETCH(QString, text);
    // The weights of the worked example on the fitted board: cells of 21.6 x 14.4 pixels.
    const QRectF cell(0, 0, 21.6, 14.4);
    const StageValuesPtr values = valuesOf(Tensor::fromDoubles({1, 1, 2}, std::vector<double>{value, 0.43}));
    const auto numbers =
        cellNumbers(*values, 0, 2, cell.width(), cell.height(), Theme::light().numberFont, 0.6, 1.0);
    QVERIFY(numbers);
    const PlacedNumber placed = placeNumber(*numbers, value, cell, 1.0);
    QCOMPARE(placed.text, text);
    QVERIFY2(placed.pixelSize >= 7, qPrintable(QString::number(placed.pixelSize)));
    QVERIFY(placed.x >= 0.0);
    QFont font = numbers->font;
    font.setPixelSize(placed.pixelSize);
    QVERIFY(placed.x + QFontMetricsF(font).horizontalAdvance(placed.text) <= cell.width());
    // One format for all cells where that gives the widest its room.
    QCOMPARE(placeNumber(*numbers, 0.43, cell, 1.0).text,
             value == -0.13 ? QStringLiteral(".43") : QStringLiteral("0.43"));
}

/// The weights of the worked example in the narrowest cells of a fitted board: every one of them is a number,
/// all in one size.
void TestHeatmap::negativeNumbersStayNumbers()
{
    const std::vector<double> weights = {0.184, -0.103, -0.13, 0.43, -0.106, 0.003, -0.035, -0.081};
    const StageValuesPtr values = valuesOf(Tensor::fromDoubles({1, 1, 8}, weights));
    for (const double width : {16.9, 17.5, 18.0, 19.0, 20.0, 22.0, 30.0}) {
        const QRectF cell(0, 0, width, width * 2.0 / 3.0);
        const auto numbers =
            cellNumbers(*values, 0, 2, cell.width(), cell.height(), Theme::light().numberFont, 0.5, 1.0);
        QVERIFY2(numbers, qPrintable(QString::number(width)));
        for (const double weight : weights) {
            const PlacedNumber placed = placeNumber(*numbers, weight, cell, 1.0);
            QVERIFY2(placed.text.contains(u'.') || placed.text.contains(u'e') || std::abs(weight) < 0.005,
                     qPrintable(QStringLiteral("%1 at %2: %3").arg(weight).arg(width).arg(placed.text)));
            QVERIFY(placed.pixelSize >= 6);
            if (std::abs(weight) < 0.005)
                continue;
            QCOMPARE(placed.pixelSize, numbers->font.pixelSize());
            QCOMPARE(placed.text.contains(QStringLiteral("0.")), !numbers->dropsZero);
        }
    }
}

void TestHeatmap::pinnedCellsHaveACorner()
{
    SceneMap map = mapOf({{0.0, 0.0}, {0.0, 0.0}}, QRectF(10, 10, 80, 80));
    map.isPinned = [](Index row, Index col) {
        return row == 1 && col == 0;
    };
    const ScenePaintOptions options = bareOptions();
    const QImage image = painted(sceneOf(map), options);
    QVERIFY(colorDistance(image.pixel(48, 51), options.theme.pin.rgb()) < 40);
    QCOMPARE(image.pixel(88, 51), map.colorMap->rgb(0.5));
    QCOMPARE(image.pixel(48, 12), map.colorMap->rgb(0.5));
}

void TestHeatmap::contradictedCellsHaveTheOtherCorner()
{
    SceneMap map = mapOf({{0.0, 0.0}, {0.0, 0.0}}, QRectF(10, 10, 80, 80));
    map.isContradicted = [](Index row, Index col) {
        return row == 0 && col == 1;
    };
    const ScenePaintOptions options = bareOptions();
    const QImage image = painted(sceneOf(map), options);
    QVERIFY(colorDistance(image.pixel(51, 11), contradictionColor(options.theme).rgb()) < 40);
    QCOMPARE(image.pixel(88, 11), map.colorMap->rgb(0.5));
    QCOMPARE(image.pixel(11, 11), map.colorMap->rgb(0.5));
}

void TestHeatmap::contradictionLooksLikeNoNumber()
{
    for (const bool dark : {false, true}) {
        const Theme theme = dark ? Theme::dark() : Theme::light();
        const QRgb mark = contradictionColor(theme).rgb();
        QVERIFY(colorDistance(mark, theme.pin.rgb()) > 50);
        for (const char *name : {"viridis", "blue-orange"}) {
            const auto kind = name[0] == 'v' ? ColorMap::Kind::Sequential : ColorMap::Kind::Diverging;
            const ColorMap map = ColorMap::byName(QString::fromLatin1(name), kind, dark);
            for (const QRgb color : map.table())
                QVERIFY2(colorDistance(mark, color) > 50, name);
        }
    }
}

void TestHeatmap::updatingIsVeiled()
{
    SceneMap map = mapOf({{0.0, 1.0}}, QRectF(10, 10, 80, 40));
    map.isUpdating = true;
    const QImage image = painted(sceneOf(map), bareOptions());
    QVERIFY(colorDistance(image.pixel(20, 30), map.colorMap->rgb(0.0)) > 30);
}

void TestHeatmap::numbersOnFadedCellsAreReadable_data()
{
    QTest::addColumn<bool>("dark");
    QTest::addColumn<bool>("vector");
    QTest::addColumn<bool>("updating");
    for (const bool dark : {false, true})
        for (const bool vector : {false, true})
            for (const bool updating : {false, true})
                QTest::addRow("%s, %s, %s", dark ? "dark" : "light", vector ? "vector" : "pixels",
                              updating ? "not exact yet" : "takes no part")
                    << dark << vector << updating;
}

/// The digits take the better of black and white on the colour that is painted, not on that of the scale.
void TestHeatmap::numbersOnFadedCellsAreReadable()
{
    QFETCH(bool, dark);
    QFETCH(bool, vector);
    QFETCH(bool, updating);
    ScenePaintOptions options = bareOptions();
    options.theme = dark ? Theme::dark() : Theme::light();
    options.showValues = true;
    options.vectorCells = vector;
    for (const double value : {0.0, 0.25, 0.5, 0.75, 1.0}) {
        const ValueRange range{0.0, 1.0, false};
        SceneMap map = mapOf(std::vector<std::vector<double>>{{value}}, QRectF(10, 10, 80, 40));
        map.range = range;
        map.colorMap = std::make_shared<const ColorMap>(
            ColorMap::byName(QStringLiteral("viridis"), ColorMap::Kind::Sequential, dark));
        map.isUpdating = updating;
        if (!updating)
            map.emphasis = {{0, 0, 0, 0, MapEmphasis::Style::Veiled}};
        const QImage image = painted(sceneOf(map), options);
        const QRgb ground = image.pixel(14, 14);
        const QRgb wanted = readableOn(ground).rgb();
        const QRgb unwanted = wanted == 0xff000000u ? 0xffffffffu : 0xff000000u;
        QVERIFY(colorDistance(ground, map.colorMap->rgb(value)) > 10);
        int nearest = 1000;
        int wrong = 1000;
        for (int y = 20; y < 40; ++y)
            for (int x = 20; x < 80; ++x) {
                nearest = std::min(nearest, colorDistance(image.pixel(x, y), wanted));
                wrong = std::min(wrong, colorDistance(image.pixel(x, y), unwanted));
            }
        QVERIFY2(nearest < 60, qPrintable(QString::number(value)));
        QVERIFY2(wrong >= colorDistance(ground, unwanted) - 4, qPrintable(QString::number(value)));
    }
}

void TestHeatmap::largeMapsAreReadOnceAndPooled_data()
{
    QTest::addColumn<int>("size");
    QTest::addColumn<int>("pool");
    QTest::newRow("512") << 512 << 2;
    QTest::newRow("4096") << 4096 << 16;
}

void TestHeatmap::largeMapsAreReadOnceAndPooled()
{
    QFETCH(int, size);
    QFETCH(int, pool);
    const auto values = std::make_shared<CountingValues>(
        Shape{1, size, size}, [](Index, Index row, Index col) { return row == 7 && col == 9 ? 1.0 : 0.0; });
    const SceneMap map = mapOf(values, QRectF(0, 0, 300, 300), {0.0, 1.0, false});
    const QImage image = painted(sceneOf(map), bareOptions());
    QCOMPARE(values->pooledReads, 1);
    QCOMPARE(values->singleReads, 0);
    QCOMPARE(values->lastPool, Index(pool));
    int spikes = 0;
    for (int y = 0; y < 300; ++y)
        for (int x = 0; x < 300; ++x)
            spikes += image.pixel(x, y) != map.colorMap->rgb(0.0);
    QVERIFY(spikes >= 1 && spikes <= 4);
}

/// What follows from stages is as large as they are, and must not be read while a picture waits.
void TestHeatmap::largeMapsWithANameAreReadInTheBackground()
{
    constexpr Index size = 2048;
    const auto valuesOfSpike = [](Index spike) {
        return std::make_shared<CountingValues>(Shape{1, size, size}, [spike](Index, Index row, Index col) {
            return row == spike && col == spike ? 1.0 : 0.0;
        });
    };
    PooledMaps pools;
    ScenePaintOptions options = bareOptions();
    options.pooled = &pools;
    const auto scene = [&](const char *id, const StageValuesPtr &values) {
        SceneMap map = mapOf(values, QRectF(0, 0, 256, 256), {0.0, 1.0, false});
        map.key = MapKey::derived(QString::fromLatin1(id));
        return sceneOf(map);
    };
    const Scene first = scene("first", valuesOfSpike(100));
    const Scene second = scene("second", valuesOfSpike(1600));
    // A map that nobody draws for a while is not refined further: on a slow machine it takes several
    // pictures.
    const auto exact = [&](const Scene &shown) {
        QImage before = painted(shown, options);
        while (true) {
            pools.waitUntilIdle();
            QImage now = painted(shown, options);
            if (now == before)
                return now;
            before = std::move(now);
        }
    };
    // Each has its own pools, and ends as it would be read at once.
    QCOMPARE(exact(first), painted(first, bareOptions()));
    QCOMPARE(exact(second), painted(second, bareOptions()));
    QCOMPARE(painted(first, options), painted(first, bareOptions()));
    // Nothing is read of what is known; other numbers under the same name are.
    const Scene other = scene("first", valuesOfSpike(700));
    const auto counting = std::static_pointer_cast<const CountingValues>(first.maps[0].values);
    const int reads = counting->pooledReads + counting->blockReads;
    painted(first, options);
    pools.waitUntilIdle();
    QCOMPARE(counting->pooledReads + counting->blockReads, reads);
    QCOMPARE(exact(other), painted(other, bareOptions()));
}

void TestHeatmap::onlyTheVisiblePartIsRead()
{
    const auto values = std::make_shared<CountingValues>(
        Shape{1, 4096, 4096}, [](Index, Index row, Index) { return static_cast<double>(row) / 4096.0; });
    Scene scene = sceneOf(mapOf(values, QRectF(0, 0, 4096 * 8, 4096 * 8), {0.0, 1.0, false}));
    QImage image(640, 480, QImage::Format_RGB32);
    QPainter painter(&image);
    painter.translate(-8 * 1000, -8 * 2000);
    paintScene(painter, scene, bareOptions(), QRectF(8 * 1000, 8 * 2000, 640, 480));
    QCOMPARE(values->blockReads, 1);
    QVERIFY(values->cellsRead <= 82 * 62);
    QVERIFY(colorDistance(image.pixel(320, 100), scene.maps[0].colorMap->rgb(2012.0 / 4096.0)) <= oneEntry);
}

void TestHeatmap::wideMapsPoolOneWay()
{
    // 3000 rows x 4 columns: rows share pixels, columns must stay apart.
    const auto values = std::make_shared<CountingValues>(Shape{1, 3000, 4}, [](Index, Index row, Index col) {
        return row == 1500 && col == 2 ? 1.0 : static_cast<double>(col) / 8.0;
    });
    const SceneMap map = mapOf(values, QRectF(0, 0, 40, 100), {0.0, 1.0, false});
    const QImage image = painted(sceneOf(map), bareOptions());
    for (int col = 0; col < 4; ++col)
        QVERIFY(colorDistance(image.pixel(col * 10 + 5, 10), map.colorMap->rgb(col / 8.0)) <= oneEntry);
    QCOMPARE(image.pixel(25, 50), map.colorMap->rgb(1.0));
    QCOMPARE(values->singleReads, 0);
}

void TestHeatmap::imagesAreKept()
{
    const auto values =
        std::make_shared<CountingValues>(Shape{1, 40, 30}, [](Index, Index, Index) { return 0.5; });
    const auto others =
        std::make_shared<CountingValues>(Shape{1, 40, 30}, [](Index, Index, Index) { return 0.1; });
    SceneMap map = mapOf(values, QRectF(0, 0, 300, 400), {0.0, 1.0, false});
    HeatmapCache cache;
    ScenePaintOptions options = bareOptions();
    options.cache = &cache;
    const QImage first = painted(sceneOf(map), options);
    const QImage again = painted(sceneOf(map), options);
    QCOMPARE(first, again);
    QCOMPARE(cache.misses(), 1);
    map.values = others;
    painted(sceneOf(map), options);
    QCOMPARE(cache.misses(), 2);
    map.range.maximum = 2.0;
    painted(sceneOf(map), options);
    QCOMPARE(cache.misses(), 3);
    map.colorMap = colorMap(ColorMap::Kind::Diverging);
    painted(sceneOf(map), options);
    QCOMPARE(cache.misses(), 4);
    options.theme = Theme::dark();
    painted(sceneOf(map), options);
    QCOMPARE(cache.misses(), 5);
}

void TestHeatmap::scrolledImagesAreContinued_data()
{
    QTest::addColumn<int>("cellPx");
    QTest::newRow("cells with numbers") << 44;
    QTest::newRow("cells of some pixels") << 7;
    QTest::newRow("cells of one pixel") << 1;
}

/// A picture that is moved keeps its pixels, reads only what comes into sight, and looks as if made anew.
void TestHeatmap::scrolledImagesAreContinued()
{
    QFETCH(int, cellPx);
    constexpr Index side = 300;
    const auto values =
        std::make_shared<CountingValues>(Shape{1, side, side}, [](Index, Index row, Index col) {
            constexpr double infinity = std::numeric_limits<double>::infinity();
            const double odd[] = {infinity, -infinity, std::nan(""), 1.5, -0.5};
            const Index kind = (row * 7 + col * 3) % 19;
            return kind < 5 ? odd[kind] : static_cast<double>((row * 31 + col * 17) % 101) / 100.0;
        });
    SceneMap map = mapOf(values, QRectF(0, 0, 300, 300), {0.0, 1.0, false});
    map.emphasis.push_back({3, 90, 5, 60, MapEmphasis::Style::Veiled});
    const Theme theme = Theme::light();
    const QSize size(cellPx * int(side), cellPx * int(side));
    HeatmapLook look{size, {},      {}, 1.0, HatchColors(theme), theme.text.rgb(), CellVeils::of(map, theme),
                     {},   nullptr, 0};
    look.numbers = cellNumbers(*values, 0, 2, cellPx, cellPx, theme.numberFont, 1.0, 1.0);
    QCOMPARE(look.numbers.has_value(), cellPx == 44);
    HeatmapCache cache;
    HeatmapMemory memory;
    const QPoint steps[] = {{0, 0}, {13, 0}, {13, 9}, {40, 31}, {28, 50}, {28, 20}, {90, 60}};
    for (const QPoint &step : steps) {
        look.part = QRect(step + QPoint(1, 2), QSize(150, 120));
        const Index before = values->cellsRead;
        const QImage shown = cache.image(map, look);
        const Index read = values->cellsRead - before;
        const QImage expected = heatmapImage(map, look, memory).image;
        QCOMPARE(shown, expected);
        if (cellPx == 1 && !step.isNull())
            QVERIFY(read < 150 * 120 * 3 / 4);
    }
    QCOMPARE(cache.misses(), 7);
    QCOMPARE(cache.scrolled(), 6);
    // Where too little is left of the old picture, and of another map, all is made anew.
    look.part = QRect(QPoint(140, 150), QSize(150, 120));
    cache.image(map, look);
    map.range.maximum = 2.0;
    cache.image(map, look);
    QCOMPARE(cache.misses(), 9);
    QCOMPARE(cache.scrolled(), 6);
}

/// An edit of one query, or more rows becoming exact, leave the pictures of other rows as they are.
void TestHeatmap::unchangedRowsKeepTheirImage()
{
    constexpr Index tokens = 400;
    const Experiment experiment = seededQkv(tokens, 1, 8);
    Evaluator evaluator;
    const auto evaluated = [&](const Experiment &each, std::uint64_t generation) {
        return evaluator.evaluate(std::make_shared<const Experiment>(each), Generation{generation});
    };
    const auto mapOfA = [](const SnapshotPtr &snapshot) {
        return mapOf(snapshot->stage(Stage::A).values, QRectF(0, 0, 800, 800), {0.0, 0.02, false});
    };
    const Theme theme = Theme::light();
    HeatmapLook above{QSize(800, 800),
                      QRect(10, 20, 300, 100),
                      {},
                      1.0,
                      HatchColors(theme),
                      theme.text.rgb(),
                      CellVeils{},
                      {},
                      nullptr,
                      0};
    HeatmapLook below = above;
    below.part = QRect(10, 560, 300, 100); // rows 280 to 330
    HeatmapCache cache;
    HeatmapMemory memory;
    const SnapshotPtr first = evaluated(experiment, 1);
    cache.image(mapOfA(first), above);
    cache.image(mapOfA(first), below);
    QCOMPARE(cache.misses(), 2);
    const auto other = [&](Stage stage, Index row) {
        const Edit edit = SetCells{stage, {{{0, row, 2}, 3.5}}};
        return applyEdit(experiment, edit).value().experiment;
    };
    const SnapshotPtr second = evaluated(other(Stage::Q, 300), 2);
    cache.carryOver(mapOfA(first), mapOfA(second));
    QCOMPARE(cache.image(mapOfA(second), above), heatmapImage(mapOfA(second), above, memory).image);
    QCOMPARE(cache.misses(), 2);
    QCOMPARE(cache.image(mapOfA(second), below), heatmapImage(mapOfA(second), below, memory).image);
    QCOMPARE(cache.misses(), 3);
    // A key is in the sum of every row.
    const SnapshotPtr third = evaluated(other(Stage::K, 390), 3);
    cache.carryOver(mapOfA(second), mapOfA(third));
    QCOMPARE(cache.image(mapOfA(third), above), heatmapImage(mapOfA(third), above, memory).image);
    QCOMPARE(cache.misses(), 4);
}

/// Of a map that is refined only parts that changed are drawn again: the pixels are those of a fresh drawing.
void TestHeatmap::pictureOfPoolsIsDrawnOver()
{
    constexpr Index side = 1200;
    PooledMaps pools;
    const Theme theme = Theme::light();
    HeatmapLook look{QSize(512, 512),
                     QRect(0, 30, 512, 400),
                     {8, 8},
                     1.0,
                     HatchColors(theme),
                     theme.text.rgb(),
                     CellVeils{},
                     {},
                     &pools,
                     0};
    HeatmapCache cache;
    HeatmapMemory memory;
    std::mt19937 random(11);
    SceneMap map;
    QImage before;
    for (int step = 0; step < 40; ++step) {
        if (step % 3 == 0) {
            const double shift = step % 9 == 0 ? 0.0 : 0.01 * step;
            const bool hasHoles = step % 4 == 0;
            const auto values =
                std::make_shared<CountingValues>(Shape{1, side, side}, [=](Index, Index row, Index col) {
                    if (hasHoles && row / 100 == col / 100)
                        return std::nan("");
                    return row < side / 2 ? double(row % 50) / 50.0
                                          : std::fmod(double(col % 70) / 70.0 + shift, 1.0);
                });
            map = mapOf(values, QRectF(0, 0, 512, 512), {0.0, step % 5 == 0 ? 1.0 : 1.5, false});
            map.version = static_cast<std::uint64_t>(step + 1);
            // None, the same one for some numbers, then another.
            if (step % 18 >= 6) {
                const bool isNarrow = step % 18 >= 12;
                map.allowed =
                    std::make_shared<CountingValues>(Shape{1, side, side}, [=](Index, Index row, Index col) {
                        return col <= row && (!isNarrow || row < col + 300) ? 1.0 : 0.0;
                    });
                map.allowedVersion = isNarrow ? 2 : 1;
            }
        }
        if (random() % 2 == 0)
            pools.waitUntilIdle();
        // A tile that comes in between the two drawings would be seen by one of them.
        pools.giveWay(std::chrono::hours(1));
        QImage shown;
        QImage expected;
        do {
            look.revision = pools.revision();
            shown = cache.image(map, look);
            expected = heatmapImage(map, look, memory).image;
        } while (look.revision != pools.revision());
        QCOMPARE(shown, expected);
        pools.carryOn();
    }
    QVERIFY(cache.bytes() < 3 * 512 * 400 * 4);
}

void TestHeatmap::cacheIsBounded()
{
    HeatmapCache cache(1000 * 1000);
    ScenePaintOptions options = bareOptions();
    options.cache = &cache;
    for (int i = 0; i < 20; ++i) {
        const auto values =
            std::make_shared<CountingValues>(Shape{1, 4, 4}, [](Index, Index, Index) { return 0.5; });
        painted(sceneOf(mapOf(values, QRectF(0, 0, 300, 300), {0.0, 1.0, false})), options);
        QVERIFY(cache.bytes() <= 1000 * 1000);
    }
    QCOMPARE(cache.misses(), 20);
    // What was known before is drawn over: one picture is kept, with the numbers behind it.
    PooledMaps pools;
    const auto values =
        std::make_shared<CountingValues>(Shape{1, 2048, 2048}, [](Index, Index, Index) { return 0.5; });
    const SceneMap map = mapOf(values, QRectF(0, 0, 64, 64), {0.0, 1.0, false});
    const Theme theme = Theme::light();
    HeatmapLook look{QSize(64, 64),    QRect(0, 0, 64, 64), {32, 32}, 1.0,    HatchColors(theme),
                     theme.text.rgb(), CellVeils{},         {},       &pools, 0};
    HeatmapCache ofPools;
    for (look.revision = 1; look.revision < 5; ++look.revision) {
        const qsizetype bytes = ofPools.image(map, look).sizeInBytes();
        QVERIFY(ofPools.bytes() >= bytes);
        QVERIFY(ofPools.bytes() < 3 * bytes);
    }
    QCOMPARE(ofPools.misses(), 4);
    // Who holds a picture that is not kept any more still has its pixels.
    const QImage held = ofPools.image(map, look);
    const QImage pixels = held.copy();
    pools.waitUntilIdle();
    ++look.revision;
    QVERIFY(ofPools.image(map, look) != pixels);
    QCOMPARE(held, pixels);
}

void TestHeatmap::emptyMatricesArePaintedAsSuch()
{
    for (const Shape shape : {Shape{1, 0, 4}, Shape{1, 4, 0}}) {
        const SceneMap map = mapOf(valuesOf(Tensor::zeros(shape)), QRectF(10, 10, 80, 40), {0.0, 1.0, true});
        const QImage image = painted(sceneOf(map));
        QVERIFY(!image.isNull());
        QVERIFY(!hitTest(sceneOf(map), QPointF(20, 20)).has_value());
    }
}

QTEST_MAIN(TestHeatmap)
#include "tst_Heatmap.moc"
