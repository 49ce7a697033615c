#include "HeatmapCases.h"
#include "SceneFixture.h"
#include "render/painting/ColorBarPainter.h"
#include "render/painting/LabelPainter.h"
#include "render/painting/MapHighlight.h"

#include <QTest>

#include <cmath>

using namespace attn;
using namespace attn::test;

namespace {

SceneMap stageMap(Stage stage, const Shape &shape, const QRectF &rect, Index head = 0)
{
    SceneMap map = mapOf(valuesOf(Tensor::zeros(shape)), rect, {0.0, 1.0, false});
    map.key.stage = stage;
    map.key.head = head;
    return map;
}

SceneHighlight selected(Stage stage, Index head, Index row, Index col)
{
    SceneHighlight highlight;
    highlight.active = true;
    highlight.stage = stage;
    highlight.cell = {head, row, col};
    highlight.firstRow = highlight.lastRow = row;
    highlight.firstCol = highlight.lastCol = col;
    return highlight;
}

/// Rows (or columns) of an image part that hold ink, as runs.
std::vector<double> inkCentres(const QImage &image, const QRect &area, bool alongY)
{
    std::vector<double> centres;
    int begin = -1;
    const int first = alongY ? area.top() : area.left();
    const int last = alongY ? area.bottom() : area.right();
    for (int at = first; at <= last + 1; ++at) {
        bool ink = false;
        for (int other = alongY ? area.left() : area.top();
             at <= last && other <= (alongY ? area.right() : area.bottom()); ++other)
            ink = ink || qGray(alongY ? image.pixel(other, at) : image.pixel(at, other)) < 140;
        if (ink && begin < 0)
            begin = at;
        if (!ink && begin >= 0) {
            centres.push_back((begin + at) / 2.0);
            begin = -1;
        }
    }
    return centres;
}

SceneMap labelledMap(int count, const QRectF &rect)
{
    SceneMap map = stageMap(Stage::A, {1, count, count}, rect);
    for (int i = 0; i < count; ++i) {
        map.rowLabels << QStringLiteral("mmmmmm");
        map.colLabels << QStringLiteral("mmmmmm");
    }
    map.rowLabelWidth = 70;
    map.colLabelHeight = 70;
    return map;
}

bool hasColor(const QImage &image, const QRectF &area, const QColor &color)
{
    const QRect pixels = area.toRect().intersected(image.rect());
    for (int y = pixels.top(); y <= pixels.bottom(); ++y)
        for (int x = pixels.left(); x <= pixels.right(); ++x)
            if (colorDistance(image.pixel(x, y), color.rgb()) < 30)
                return true;
    return false;
}

} // namespace

class TestScenePainter : public QObject
{
    Q_OBJECT

private slots:
    void mapsHideWhatTheyCover_data();
    void mapsHideWhatTheyCover();
    void hitsAndCells();
    void laterMapsAreOnTop();
    void labelLayouts();
    void labelsStandAtTheirRow_data();
    void labelsStandAtTheirRow();
    void columnLabelsLieFlatWhenTheyFit();
    void legendTexts_data();
    void legendTexts();
    void legendNotes();
    void colorBarRunsFromLowToHigh();
    void highlightFollowsAxes();
    void highlightRespectsHeadsAndOffsets();
    void selectionIsPainted();
    void boxesLinesAndControls();
    void textsAreDrawnInTheirPlace();
    void onlyExposedItemsArePainted();
};

void TestScenePainter::hitsAndCells()
{
    const SceneMap map = stageMap(Stage::Q, {1, 3, 5}, QRectF(10, 20, 100, 60));
    QCOMPARE(cellRect(map, 0, 0), QRectF(10, 20, 20, 20));
    QCOMPARE(cellRect(map, 2, 4), QRectF(90, 60, 20, 20));
    const Scene scene = sceneOf(map);
    for (Index row = 0; row < 3; ++row) {
        for (Index col = 0; col < 5; ++col) {
            const QRectF cell = cellRect(map, row, col);
            for (const QPointF &point :
                 {cell.topLeft(), cell.center(), cell.bottomRight() - QPointF(0.01, 0.01)}) {
                const auto hit = hitTest(scene, point);
                QVERIFY(hit.has_value());
                QCOMPARE(hit->row, row);
                QCOMPARE(hit->col, col);
            }
        }
    }
    QVERIFY(!hitTest(scene, QPointF(9.9, 30)).has_value());
    QVERIFY(!hitTest(scene, QPointF(110, 30)).has_value());
    QVERIFY(!hitTest(scene, QPointF(50, 80)).has_value());
}

void TestScenePainter::laterMapsAreOnTop()
{
    Scene scene;
    scene.maps.push_back(stageMap(Stage::Q, {1, 2, 2}, QRectF(0, 0, 100, 100)));
    scene.maps.push_back(stageMap(Stage::K, {1, 4, 4}, QRectF(50, 50, 100, 100)));
    QCOMPARE(hitTest(scene, QPointF(60, 60))->map, std::size_t(1));
    QCOMPARE(hitTest(scene, QPointF(40, 60))->map, std::size_t(0));
}

void TestScenePainter::labelLayouts()
{
    QCOMPARE(labelLayout(30.0, 12, 1.0).pixelSize, 12);
    QCOMPARE(labelLayout(30.0, 12, 1.0).step, Index(1));
    QCOMPARE(labelLayout(11.0, 12, 1.0).pixelSize, 9);
    QCOMPARE(labelLayout(11.0, 12, 1.0).step, Index(1));
    QCOMPARE(labelLayout(5.0, 12, 1.0).pixelSize, 8);
    QCOMPARE(labelLayout(5.0, 12, 1.0).step, Index(2));
    // Zooming in gives every row its label.
    QCOMPARE(labelLayout(5.0, 12, 2.0).step, Index(1));
    // Far out nothing could be read.
    QCOMPARE(labelLayout(5.0, 12, 0.2).pixelSize, 0);
}

void TestScenePainter::labelsStandAtTheirRow_data()
{
    QTest::addColumn<int>("count");
    QTest::addColumn<double>("size");
    QTest::newRow("all of 6") << 6 << 240.0;
    QTest::newRow("case sixty-labels, thinned") << 60 << 300.0;
}

void TestScenePainter::labelsStandAtTheirRow()
{
    QFETCH(int, count);
    QFETCH(double, size);
    const SceneMap map = labelledMap(count, QRectF(80, 80, size, size));
    const QImage image = painted(sceneOf(map));
    const double pitch = size / count;
    const auto rows = inkCentres(image, QRect(0, 78, 76, static_cast<int>(size) + 4), true);
    const auto columns = inkCentres(image, QRect(78, 0, static_cast<int>(size) + 4, 76), false);
    const Index step = labelLayout(pitch, 12, 1.0).step;
    const auto expected = static_cast<std::size_t>((count + step - 1) / step);
    QCOMPARE(rows.size(), expected);
    QCOMPARE(columns.size(), expected);
    for (std::size_t i = 0; i < expected; ++i) {
        const double centre = 80.0 + (static_cast<double>(i) * static_cast<double>(step) + 0.5) * pitch;
        // "m" has no ascender: its middle is a little below the middle of the line.
        QVERIFY2(std::abs(rows[i] - centre) <= 3.0, qPrintable(QString::number(rows[i] - centre)));
        QVERIFY2(std::abs(columns[i] - centre) <= 3.0, qPrintable(QString::number(columns[i] - centre)));
    }
}

void TestScenePainter::columnLabelsLieFlatWhenTheyFit()
{
    SceneMap map = labelledMap(4, QRectF(80, 80, 400, 100));
    QVERIFY(columnLabelsLieFlat(map, Theme::light().textFont));
    map.rect.setWidth(100);
    QVERIFY(!columnLabelsLieFlat(map, Theme::light().textFont));
    map.colLabelHeight = 18;
    QVERIFY(columnLabelsLieFlat(map, Theme::light().textFont));
}

void TestScenePainter::legendTexts_data()
{
    QTest::addColumn<double>("minimum");
    QTest::addColumn<double>("maximum");
    QTest::addColumn<QString>("low");
    QTest::addColumn<QString>("high");
    QTest::newRow("weights") << 0.005 << 0.98 << "0.005"
                             << "0.98";
    QTest::newRow("signed") << -5.0 << 5.0 << QStringLiteral("−5") << "5";
    QTest::newRow("constant") << 0.25 << 0.25 << "0.25"
                              << "0.25";
    QTest::newRow("thousands") << 0.0 << 1234.5 << "0"
                               << "1235";
    QTest::newRow("tiny") << 0.0 << 2.5e-7 << "0.00"
                          << "2.50e-07";
    QTest::newRow("close together") << 1.0 << 1.001 << "1"
                                    << "1.001";
    QTest::newRow("zeros") << 0.0 << 0.0 << "0"
                           << "0";
}

void TestScenePainter::legendTexts()
{
    QFETCH(double, minimum);
    QFETCH(double, maximum);
    QFETCH(QString, low);
    QFETCH(QString, high);
    const ValueRange range{minimum, maximum, false};
    QCOMPARE(legendText(minimum, range), low);
    QCOMPARE(legendText(maximum, range), high);
}

void TestScenePainter::legendNotes()
{
    SceneMap map = stageMap(Stage::A, {1, 4, 4}, QRectF(0, 0, 40, 40));
    QCOMPARE(legendNote(map, {}), QString());
    map.rangeNote = QStringLiteral("per head");
    QCOMPARE(legendNote(map, {8, 8}), QStringLiteral("per head · max of 8×8"));
    map.pooling = Pooling::Mean;
    QCOMPARE(legendNote(map, {8, 1}), QStringLiteral("per head · mean of 8×1"));
    // Case all-nan: the legend says so.
    const SceneMap empty = mapOf(caseTable(QStringLiteral("all-nan.csv")), QRectF(0, 0, 40, 40));
    QCOMPARE(legendNote(empty, {}), QStringLiteral("no data"));
    QVERIFY(!painted(sceneOf(empty)).isNull());
}

void TestScenePainter::colorBarRunsFromLowToHigh()
{
    SceneMap map = stageMap(Stage::A, {1, 4, 4}, QRectF(10, 10, 40, 40));
    map.colorBar = QRectF(10, 60, 128, 8);
    Scene scene = sceneOf(map);
    scene.size = {200, 100};
    QImage image = painted(scene, {}, 2.0);
    QCOMPARE(image.pixel(20, 128), map.colorMap->rgb(0.0));
    QVERIFY(colorDistance(image.pixel(20 + 128, 128), map.colorMap->rgb(0.5)) <= 2 * oneEntry);
    QCOMPARE(image.pixel(20 + 255, 128), map.colorMap->rgb(1.0));
    map.colorBar = QRectF(70, 10, 8, 40);
    scene.maps[0] = map;
    image = painted(scene, {}, 2.0);
    QVERIFY(colorDistance(image.pixel(148, 99), map.colorMap->rgb(0.0)) <= oneEntry);
    QVERIFY(colorDistance(image.pixel(148, 20), map.colorMap->rgb(1.0)) <= oneEntry);
}

void TestScenePainter::highlightFollowsAxes()
{
    const QRectF rect(0, 0, 40, 40);
    // A[1, 2]: query 1, key 2. Q, output: row 1; K, V: row 2; scores: both.
    const SceneHighlight highlight = selected(Stage::A, 0, 1, 2);
    const MapHighlight own = highlightOf(stageMap(Stage::A, {1, 4, 4}, rect), highlight);
    QVERIFY(own.isSelected);
    QCOMPARE(own.currentRow, Index(1));
    QCOMPARE(own.currentCol, Index(2));
    const MapHighlight q = highlightOf(stageMap(Stage::Q, {1, 4, 6}, rect), highlight);
    QVERIFY(!q.isSelected && q.hasRows() && !q.hasCols());
    QCOMPARE(q.firstRow, Index(1));
    const MapHighlight v = highlightOf(stageMap(Stage::V, {1, 4, 6}, rect), highlight);
    QCOMPARE(v.firstRow, Index(2));
    QVERIFY(!v.hasCols());
    const MapHighlight scores = highlightOf(stageMap(Stage::Scores, {1, 4, 4}, rect), highlight);
    QCOMPARE(scores.firstRow, Index(1));
    QCOMPARE(scores.firstCol, Index(2));
    // X[1, 3]: feature 3 is row 3 of Wq.
    const MapHighlight wq = highlightOf(stageMap(Stage::Wq, {1, 6, 4}, rect), selected(Stage::X, 0, 1, 3));
    QCOMPARE(wq.firstRow, Index(3));
    QVERIFY(!wq.hasCols());
    QVERIFY(!highlightOf(stageMap(Stage::Bq, {1, 1, 4}, rect), selected(Stage::Bk, 0, 0, 1)).hasRows());
    QVERIFY(!highlightOf(stageMap(Stage::Q, {1, 4, 6}, rect), SceneHighlight()).hasRows());
}

void TestScenePainter::highlightRespectsHeadsAndOffsets()
{
    const QRectF rect(0, 0, 40, 40);
    const SceneHighlight highlight = selected(Stage::A, 1, 2, 3);
    QVERIFY(!highlightOf(stageMap(Stage::A, {2, 4, 4}, rect, 0), highlight).isSelected);
    QVERIFY(highlightOf(stageMap(Stage::A, {2, 4, 4}, rect, 1), highlight).isSelected);
    SceneMap column = stageMap(Stage::A, {2, 4, 1}, rect, 1);
    column.key.role = MapKey::Role::FootprintColumn;
    column.key.colOffset = 3;
    const MapHighlight inColumn = highlightOf(column, highlight);
    QVERIFY(inColumn.isSelected);
    QCOMPARE(inColumn.firstCol, Index(0));
    QCOMPARE(inColumn.firstRow, Index(2));
    column.key.colOffset = 2;
    QVERIFY(!highlightOf(column, highlight).isSelected);
}

void TestScenePainter::selectionIsPainted()
{
    Scene scene = sceneOf(stageMap(Stage::A, {1, 4, 4}, QRectF(20, 20, 160, 160)));
    scene.maps.push_back(stageMap(Stage::V, {1, 4, 2}, QRectF(200, 20, 80, 160)));
    scene.size = {300, 200};
    ScenePaintOptions options;
    options.showValues = false;
    const QImage plain = painted(scene, options);
    options.highlight = selected(Stage::A, 0, 1, 2);
    const QImage marked = painted(scene, options);
    QVERIFY(!hasColor(plain, QRectF(0, 0, 300, 200), options.theme.accent));
    QVERIFY(hasColor(marked, QRectF(95, 55, 10, 50), options.theme.accent)); // left edge of cell (1, 2)
    QCOMPARE(marked.pixel(120, 80), plain.pixel(120, 80));                   // its middle is untouched
    QVERIFY(marked.pixel(30, 60) != plain.pixel(30, 60));                    // cross-hair: top of row 1
    QVERIFY(marked.pixel(100, 30) != plain.pixel(100, 30));                  // and left of column 2
    QVERIFY(marked.pixel(240, 100) != plain.pixel(240, 100));                // key 2 is row 2 of V
    QCOMPARE(marked.pixel(240, 40), plain.pixel(240, 40));
    options.highlight.crossHair = false;
    const QImage block = painted(scene, options);
    QCOMPARE(block.pixel(30, 60), plain.pixel(30, 60));
}

void TestScenePainter::boxesLinesAndControls()
{
    Scene scene;
    scene.size = {200, 100};
    scene.boxes.push_back({QRectF(10, 10, 80, 80)});
    scene.lines.push_back({QPolygonF({QPointF(100, 50), QPointF(190, 50)}), true, 0, true});
    scene.lines.push_back({QPolygonF({QPointF(100, 80), QPointF(190, 80)}), false, 3, false});
    SceneControl control;
    control.rect = QRectF(110, 10, 60, 20);
    control.text = QStringLiteral("Solo");
    scene.controls.push_back(control);
    ScenePaintOptions options;
    const QImage image = painted(scene, options);
    QCOMPARE(image.pixel(50, 50), options.theme.card.rgb());
    QCOMPARE(image.pixel(10, 50), options.theme.hairline.rgb()); // sharp on one pixel
    QCOMPARE(image.pixel(9, 50), options.theme.ground.rgb());
    QVERIFY(qGray(image.pixel(185, 50)) < 120); // arrow head
    QVERIFY(qGray(image.pixel(184, 52)) < 200);
    QCOMPARE(image.pixel(198, 50), options.theme.ground.rgb());
    const auto strokes = inkCentres(painted(scene, options, 4.0), QRect(4 * 130, 4 * 78, 4 * 30, 2), false);
    QCOMPARE(strokes.size(), std::size_t(3));
    QCOMPARE(image.pixel(140, 20), options.theme.ground.rgb()); // controls only where asked for
    options.drawControls = true;
    QVERIFY(painted(scene, options).pixel(115, 20) != options.theme.ground.rgb());
}

void TestScenePainter::textsAreDrawnInTheirPlace()
{
    using Style = SceneText::Style;
    for (const Style style : {Style::Title, Style::Heading, Style::Label, Style::Muted, Style::Badge,
                              Style::Warning, Style::Formula}) {
        Scene scene;
        scene.size = {300, 60};
        scene.texts.push_back({QRectF(100, 20, 150, 20), QStringLiteral("X^{2} mmmm"), style});
        const QImage image = painted(scene);
        QVERIFY(!inkCentres(image, QRect(100, 10, 150, 40), false).empty());
        QVERIFY(inkCentres(image, QRect(0, 0, 98, 60), false).empty());
    }
    // Too long for its place: shortened, never drawn over what is beside it.
    Scene scene;
    scene.size = {300, 60};
    scene.texts.push_back(
        {QRectF(100, 20, 60, 18), QStringLiteral("a text that is far too long"), Style::Label});
    QVERIFY(inkCentres(painted(scene), QRect(162, 0, 130, 60), false).empty());
}

void TestScenePainter::onlyExposedItemsArePainted()
{
    const auto values =
        std::make_shared<CountingValues>(Shape{1, 4, 4}, [](Index, Index, Index) { return 0.5; });
    Scene scene = sceneOf(mapOf(values, QRectF(1000, 1000, 80, 80), {0.0, 1.0, false}));
    QImage image(100, 100, QImage::Format_RGB32);
    QPainter painter(&image);
    paintScene(painter, scene, {}, QRectF(0, 0, 100, 100));
    QCOMPARE(values->blockReads, 0);
}

void TestScenePainter::mapsHideWhatTheyCover_data()
{
    QTest::addColumn<double>("zoom");
    QTest::addColumn<double>("pixelRatio");
    for (const double zoom : {0.73, 1.0, 1.9})
        for (const double pixelRatio : {1.0, 1.5, 2.0})
            QTest::addRow("%g at %g", zoom, pixelRatio) << zoom << pixelRatio;
}

/// What is left out below a map is never seen: every pixel there is the map's.
void TestScenePainter::mapsHideWhatTheyCover()
{
    QFETCH(double, zoom);
    QFETCH(double, pixelRatio);
    Scene scene = sceneOf(stageMap(Stage::A, {1, 7, 9}, QRectF(40.3, 30.7, 311.1, 260.9)));
    scene.maps.push_back(stageMap(Stage::V, {1, 3, 3}, QRectF(380, 30, 30, 30)));
    scene.size = QSizeF(430, 330);
    SceneBox box;
    box.rect = QRectF(20, 10, 390, 300);
    scene.boxes.push_back(box);
    ScenePaintOptions options;
    options.zoom = zoom;
    const QTransform fromScene = QTransform::fromTranslate(3.0, 5.0).scale(zoom, zoom);
    const QRegion hidden = hiddenByMaps(scene, options, fromScene);
    QCOMPARE(hidden.rectCount(), 1); // the small one is not worth it
    QVERIFY(hidden.boundingRect().width() > 300 * zoom);
    const QRgb unpainted = qRgb(255, 0, 255);
    QImage image((QSizeF(450, 350) * zoom * pixelRatio).toSize(), QImage::Format_RGB32);
    image.setDevicePixelRatio(pixelRatio);
    image.fill(unpainted);
    QPainter painter(&image);
    painter.setWorldTransform(fromScene);
    paintScene(painter, scene, options);
    painter.end();
    for (const QRect &rect : hidden) {
        const QRect pixels =
            QRectF(QPointF(rect.topLeft()) * pixelRatio, QSizeF(rect.size()) * pixelRatio).toAlignedRect();
        for (int y = pixels.top(); y <= pixels.bottom(); ++y)
            for (int x = pixels.left(); x <= pixels.right(); ++x)
                QVERIFY(image.pixel(x, y) != unpainted);
    }
    // Beside the map the box is there.
    const QPointF beside = fromScene.map(QPointF(30, 150)) * pixelRatio;
    QVERIFY(image.pixel(beside.toPoint()) != unpainted);
    options.vectorCells = true;
    QVERIFY(hiddenByMaps(scene, options, fromScene).isEmpty());
}

QTEST_MAIN(TestScenePainter)
#include "tst_ScenePainter.moc"
