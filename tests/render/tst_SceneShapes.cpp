#include "HeatmapCases.h"
#include "SceneFixture.h"
#include "render/FigureExport.h"
#include "render/painting/MapHighlight.h"
#include "render/painting/RestingShapes.h"

#include <QTest>

using namespace attn;
using namespace attn::test;

namespace {

Scene plainScene()
{
    Scene scene;
    scene.size = {200, 100};
    return scene;
}

SceneShape rectShape(const QRectF &rect, const ScenePaint &fill)
{
    SceneShape shape;
    shape.path.addRect(rect);
    shape.fill = fill;
    return shape;
}

SceneShape lineShape(QPointF from, QPointF to)
{
    SceneShape shape;
    shape.path.moveTo(from);
    shape.path.lineTo(to);
    shape.stroke = ScenePaint::of(ScenePaint::Role::Text);
    shape.strokeWidth = 2.0;
    return shape;
}

SceneGrip gripAtPoint(const QString &id, QPointF pos)
{
    SceneGrip grip;
    grip.id = id;
    grip.pos = pos;
    return grip;
}

SceneMap derivedMap(const QRectF &rect)
{
    SceneMap map = mapOf({{0.0, 0.5}, {0.5, 1.0}}, rect);
    map.key = MapKey::derived(QStringLiteral("sum"));
    map.showNumbers = false;
    return map;
}

} // namespace

class TestSceneShapes : public QObject
{
    Q_OBJECT

private slots:
    void fillFollowsThemeDataAndOpacity();
    void shapesLieBelowAndAboveMaps();
    void arrowHeadEndsAtThePoint();
    void hitsFillsAndLines();
    void restingShapesAreKept();
    void gripsAreHitFirstFromAbove();
    void gripsAreNeverExported();
    void staysVectorInSvgAndPdf();
    void emphasisMarksCells();
    void emphasisOutsideTheMapIsClipped();
    void derivedMapsFollowNoSelection();
    void labSelectionMarksOnlyItsMatrix();
};

void TestSceneShapes::fillFollowsThemeDataAndOpacity()
{
    Scene scene = plainScene();
    scene.shapes.push_back(rectShape({10, 10, 20, 20}, ScenePaint::of(ScenePaint::Role::Accent)));
    scene.shapes.push_back(rectShape({40, 10, 20, 20}, ScenePaint::data(QColor(10, 200, 30))));
    scene.shapes.push_back(rectShape({70, 10, 20, 20}, ScenePaint::data(QColor(0, 0, 0), 0.5)));
    scene.shapes.push_back(rectShape({100, 10, 20, 20}, {}));
    for (const Theme &theme : {Theme::light(), Theme::dark()}) {
        ScenePaintOptions options;
        options.theme = theme;
        const QImage image = painted(scene, options);
        QVERIFY(colorDistance(image.pixel(20, 20), theme.accent.rgb()) <= 1);
        QVERIFY(colorDistance(image.pixel(50, 20), qRgb(10, 200, 30)) <= 1);
        QVERIFY(std::abs(qGray(image.pixel(80, 20)) - qGray(theme.ground.rgb()) / 2) <= 2);
        QVERIFY(colorDistance(image.pixel(110, 20), theme.ground.rgb()) <= 1);
    }
}

void TestSceneShapes::shapesLieBelowAndAboveMaps()
{
    Scene scene = plainScene();
    scene.maps.push_back(derivedMap({20, 20, 40, 40}));
    scene.shapes.push_back(rectShape({20, 20, 40, 40}, ScenePaint::data(QColor(1, 2, 3))));
    const QRgb below = painted(scene).pixel(30, 30);
    scene.shapes.back().aboveMaps = true;
    const QRgb above = painted(scene).pixel(30, 30);
    QVERIFY(colorDistance(below, qRgb(1, 2, 3)) > 20);
    QVERIFY(colorDistance(above, qRgb(1, 2, 3)) <= 1);
}

void TestSceneShapes::arrowHeadEndsAtThePoint()
{
    Scene scene = plainScene();
    scene.shapes.push_back(lineShape({20, 50}, {120, 50}));
    const QImage line = painted(scene);
    scene.shapes.back().arrow = true;
    const QImage arrow = painted(scene);
    const auto isInk = [](const QImage &image, int x, int y) {
        return qGray(image.pixel(x, y)) < 140;
    };
    QVERIFY(!isInk(line, 114, 51));
    QVERIFY(isInk(arrow, 114, 51)); // the head is broader than the line
    QVERIFY(isInk(arrow, 60, 50));
    QVERIFY(!isInk(arrow, 122, 50));
}

void TestSceneShapes::restingShapesAreKept()
{
    Scene scene = plainScene();
    scene.shapes = {rectShape({20, 20, 100, 20}, ScenePaint::data(Qt::red, 0.5)),
                    rectShape({60, 30, 100, 20}, ScenePaint::data(Qt::blue, 0.5)),
                    rectShape({100, 60, 50, 20}, ScenePaint::data(Qt::black))};
    const auto drawn = [](const Scene &shown, RestingShapes *resting, double zoom = 1.0) {
        QImage image(int(200 * zoom), int(100 * zoom), QImage::Format_ARGB32_Premultiplied);
        image.fill(Qt::white);
        QPainter painter(&image);
        painter.scale(zoom, zoom);
        ScenePaintOptions options;
        options.zoom = zoom;
        options.resting = resting;
        options.window = {0, 0, 200, 100};
        paintScene(painter, shown, options);
        painter.end();
        return image;
    };
    const auto differs = [](const QImage &a, const QImage &b) {
        int most = 0;
        for (int y = 0; y < a.height(); ++y)
            for (int x = 0; x < a.width(); ++x) {
                const QColor one = a.pixelColor(x, y);
                const QColor other = b.pixelColor(x, y);
                most = std::max({most, std::abs(one.red() - other.red()),
                                 std::abs(one.green() - other.green()), std::abs(one.blue() - other.blue())});
            }
        return most;
    };
    const QImage direct = drawn(scene, nullptr);
    scene.resting = 2;
    RestingShapes resting;
    // Half-transparent colours are rounded once more on the way through the kept picture.
    QVERIFY(differs(drawn(scene, &resting), direct) <= 3);
    QCOMPARE(resting.misses(), 1);
    // Others come and go, or the kept ones stand back: nothing of them is drawn anew.
    scene.shapes.pop_back();
    scene.restingOpacity = 0.2;
    const QImage faint = drawn(scene, &resting);
    QCOMPARE(resting.misses(), 1);
    QCOMPARE(faint.pixelColor(125, 70), QColor(Qt::white));
    QVERIFY(faint.pixelColor(30, 25).green() > 220 && faint.pixelColor(30, 25).green() < 235);
    // A shape moved, another scale: they are.
    scene.shapes[1].path.translate(1.0, 0.0);
    drawn(scene, &resting);
    QCOMPARE(resting.misses(), 2);
    drawn(scene, &resting, 2.0);
    QCOMPARE(resting.misses(), 3);
}

void TestSceneShapes::hitsFillsAndLines()
{
    Scene scene = plainScene();
    SceneShape block = rectShape({10, 10, 40, 40}, ScenePaint::of(ScenePaint::Role::Accent));
    block.id = QStringLiteral("block");
    SceneShape line = lineShape({20, 20}, {150, 20});
    line.id = QStringLiteral("line");
    SceneShape silent = rectShape({0, 0, 200, 100}, ScenePaint::of(ScenePaint::Role::Card));
    scene.shapes = {block, line, silent};
    QCOMPARE(shapeAt(scene, {15, 40})->id, QStringLiteral("block"));
    QCOMPARE(shapeAt(scene, {30, 21})->id, QStringLiteral("line")); // the later one lies on top
    QCOMPARE(shapeAt(scene, {100, 23})->id, QStringLiteral("line"));
    QVERIFY(!shapeAt(scene, {100, 30}));
    QVERIFY(!shapeAt(scene, {190, 90})); // without an id it says nothing
}

void TestSceneShapes::gripsAreHitFirstFromAbove()
{
    Scene scene = plainScene();
    scene.grips.push_back(gripAtPoint(QStringLiteral("a"), {50, 50}));
    scene.grips.push_back(gripAtPoint(QStringLiteral("b"), {54, 50}));
    QCOMPARE(gripAt(scene, {52, 50}), 1);
    QCOMPARE(gripAt(scene, {42, 50}), 0);
    QCOMPARE(gripAt(scene, {80, 50}), -1);
}

void TestSceneShapes::gripsAreNeverExported()
{
    Scene scene = plainScene();
    scene.grips.push_back(gripAtPoint(QStringLiteral("a"), {50, 50}));
    ScenePaintOptions options;
    QVERIFY(colorDistance(painted(scene, options).pixel(50, 50), options.theme.accent.rgb()) > 30);
    options.drawControls = true;
    QVERIFY(colorDistance(painted(scene, options).pixel(50, 50), options.theme.accent.rgb()) <= 1);
}

void TestSceneShapes::staysVectorInSvgAndPdf()
{
    Scene scene = plainScene();
    SceneShape ribbon;
    ribbon.path.moveTo(10, 10);
    ribbon.path.cubicTo(60, 10, 60, 80, 110, 80);
    ribbon.stroke = ScenePaint::data(QColor(0x12, 0x34, 0x56), 0.5);
    ribbon.strokeWidth = 6.0;
    scene.shapes.push_back(ribbon);
    scene.shapes.push_back(rectShape({10, 10, 20, 20}, ScenePaint::data(QColor(0x65, 0x43, 0x21))));
    FigureOptions options;
    options.format = FigureOptions::Format::Svg;
    const Result<QByteArray> svg = figureBytes(scene, options);
    QVERIFY(svg.ok());
    QVERIFY(svg->contains("<path"));
    QVERIFY(svg->contains("stroke=\"#123456\""));
    QVERIFY(svg->contains("stroke-opacity=\"0.5"));
    QVERIFY(svg->contains("fill=\"#654321\""));
    QVERIFY(!svg->contains("<image"));
    options.format = FigureOptions::Format::Pdf;
    const Result<QByteArray> pdf = figureBytes(scene, options);
    QVERIFY(pdf.ok());
    QVERIFY(!pdf->contains("/Subtype /Image") && !pdf->contains("/Subtype/Image"));
}

void TestSceneShapes::emphasisMarksCells()
{
    Scene scene = plainScene();
    scene.maps.push_back(derivedMap({20, 20, 40, 40}));
    const QImage plain = painted(scene);
    const Theme theme = ScenePaintOptions().theme;
    scene.maps[0].emphasis = {{1, 1, 0, 0, MapEmphasis::Style::Framed}};
    const QImage framed = painted(scene);
    QVERIFY(colorDistance(framed.pixel(18, 50), theme.text.rgb()) < 40);
    // The accent is the selection's: a frame beside it must not look like a second one.
    QVERIFY(colorDistance(framed.pixel(18, 50), theme.accent.rgb()) > 80);
    QCOMPARE(framed.pixel(30, 50), plain.pixel(30, 50)); // its middle is untouched
    scene.maps[0].emphasis = {{0, 0, 0, 1, MapEmphasis::Style::Veiled}};
    const QImage veiled = painted(scene);
    const QColor card = ScenePaintOptions().theme.card;
    QVERIFY(colorDistance(veiled.pixel(30, 30), card.rgb()) < colorDistance(plain.pixel(30, 30), card.rgb()));
    QCOMPARE(veiled.pixel(30, 50), plain.pixel(30, 50));
}

void TestSceneShapes::emphasisOutsideTheMapIsClipped()
{
    Scene scene = plainScene();
    scene.maps.push_back(derivedMap({20, 20, 40, 40}));
    const QImage plain = painted(scene);
    scene.maps[0].emphasis = {{5, 9, 0, 1}, {0, 1, -3, -1}, {2, 1, 0, 0}};
    QCOMPARE(painted(scene), plain);
}

void TestSceneShapes::derivedMapsFollowNoSelection()
{
    SceneHighlight highlight;
    highlight.active = true;
    highlight.stage = Stage::X; // the stage a derived key happens to hold
    QVERIFY(!highlightOf(derivedMap({0, 0, 40, 40}), highlight).hasRows());
}

void TestSceneShapes::labSelectionMarksOnlyItsMatrix()
{
    SceneMap lab = derivedMap({0, 0, 40, 40});
    lab.key = MapKey::lab(QStringLiteral("A"));
    SceneMap other = lab;
    other.key = MapKey::lab(QStringLiteral("B"));
    SceneMap stage = lab;
    stage.key = {};
    SceneHighlight highlight;
    highlight.active = true;
    highlight.lab = QStringLiteral("A");
    highlight.cell = {0, 1, 0};
    highlight.firstRow = highlight.lastRow = 1;
    const MapHighlight marked = highlightOf(lab, highlight);
    QVERIFY(marked.isSelected);
    QCOMPARE(marked.firstRow, Index(1));
    QCOMPARE(marked.firstCol, Index(0));
    QVERIFY(!highlightOf(other, highlight).hasRows());
    QVERIFY(!highlightOf(stage, highlight).hasRows());
    highlight.lab.clear();
    QVERIFY(!highlightOf(lab, highlight).hasRows());
}

QTEST_MAIN(TestSceneShapes)
#include "tst_SceneShapes.moc"
