#include "SceneFixture.h"
#include "render/FigureExport.h"
#include "render/figure/FigureHoles.h"

#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QSvgRenderer>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>

#include <cmath>
#include <limits>

using namespace attn;
using namespace attn::test;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// 3 x 5 with labels, a NaN and a -inf, and a card around it: 280 x 200 units.
Scene smallScene()
{
    SceneMap map = mapOf(
        {{0.0, 0.1, 0.2, 0.3, 1.0}, {0.4, std::nan(""), 0.5, -infinity, 0.6}, {0.7, 0.8, 0.9, 0.95, 0.05}},
        QRectF(70, 50, 200, 90));
    map.rowLabels = {QStringLiteral("<b>I</b>"), QStringLiteral(" love"), QStringLiteral("prog&")};
    map.colLabels = {QStringLiteral("k0"), QStringLiteral("k1"), QStringLiteral("k2"), QStringLiteral("注意"),
                     QStringLiteral("k4")};
    map.rowLabelWidth = 60;
    map.colLabelHeight = 18;
    map.colorBar = QRectF(70, 150, 200, 8);
    map.rangeNote = QStringLiteral("shared by 8 heads");
    Scene scene;
    scene.size = {280, 200};
    scene.boxes.push_back({QRectF(4, 4, 272, 192)});
    scene.texts.push_back({QRectF(70, 8, 100, 20), QStringLiteral("W^{Q}"), SceneText::Style::Title});
    scene.lines.push_back({QPolygonF({QPointF(10, 30), QPointF(40, 30)}), true, 0, false});
    scene.maps.push_back(map);
    return scene;
}

Scene stripesScene(int rows, int cols)
{
    const auto values = std::make_shared<CountingValues>(
        Shape{1, rows, cols}, [](Index, Index, Index col) { return static_cast<double>(col % 2); });
    Scene scene;
    scene.size = {cols + 20.0, rows + 20.0};
    scene.maps.push_back(mapOf(values, QRectF(10, 10, cols, rows), {0.0, 1.0, false}));
    return scene;
}

FigureOptions optionsFor(FigureOptions::Format format)
{
    FigureOptions options;
    options.format = format;
    options.widthMm = 100.0;
    return options;
}

QByteArray bytesOf(const Scene &scene, const FigureOptions &options)
{
    const Result<QByteArray> bytes = figureBytes(scene, options);
    return bytes ? *bytes : QByteArray();
}

QImage renderedSvg(const QByteArray &svg, const QSize &size)
{
    QSvgRenderer renderer(svg);
    QImage image(size, QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    renderer.render(&painter);
    return image;
}

struct SvgContents
{
    bool valid = true;
    QMap<QString, int> elements;
    QStringList texts;
    QString width;
    QString height;
    int smoothImages = 0;
};

SvgContents parsed(const QByteArray &svg)
{
    SvgContents contents;
    QXmlStreamReader reader(svg);
    while (!reader.atEnd()) {
        if (reader.readNext() != QXmlStreamReader::StartElement)
            continue;
        const QString name = reader.name().toString();
        ++contents.elements[name];
        if (name == QLatin1String("svg")) {
            contents.width = reader.attributes().value(QLatin1String("width")).toString();
            contents.height = reader.attributes().value(QLatin1String("height")).toString();
        } else if (name == QLatin1String("image")) {
            const auto style = reader.attributes().value(QLatin1String("style"));
            contents.smoothImages += !style.contains(QLatin1String("pixelated"));
        } else if (name == QLatin1String("text")) {
            contents.texts << reader.readElementText();
        }
    }
    contents.valid = !reader.hasError();
    return contents;
}

/// Runs a program of poppler-utils; nothing when it is not installed.
std::optional<QByteArray> toolOutput(const QString &program, const QStringList &arguments)
{
    if (QStandardPaths::findExecutable(program).isEmpty())
        return std::nullopt;
    QProcess process;
    process.start(program, arguments);
    if (!process.waitForFinished(30000) || process.exitCode() != 0)
        return QByteArray("failed: ") + process.readAllStandardError();
    return process.readAllStandardOutput() + process.readAllStandardError();
}

} // namespace

class TestFigureExport : public QObject
{
    Q_OBJECT

private slots:
    void roomAtTheRightIsLeftOut();
    void rowsOfControlsAreClosed();
    void formatsFromNames();
    void pngHasItsSizeAndResolution();
    void previewIsThePng();
    void pngAndSvgRepeatExactly();
    void transparentAndDark();
    void svgTextIsText();
    void svgCellsAreVectorAndColored();
    void svgLargeMapIsOneSharpImage();
    void svgWithoutLabelsAndValues();
    void pdfHasExactSizeFontsAndText();
    void pdfColorsAreTheScreens();
    void pdfLargeMapIsOneSharpImage();
    void stripesStaySeparate_data();
    void stripesStaySeparate();
    void specialCellsAreHatchedEverywhere();
    void longLabelsAreNotCut();
    void titleStandsAbove();
    void refusals();
    void writesAtomically();
};

/// A figure has no controls, and no empty row where they stood; what stands beside one keeps it its place.
void TestFigureExport::rowsOfControlsAreClosed()
{
    const auto label = [](double y, const QString &words) {
        SceneText text;
        text.rect = {40.0, y, 200.0, 20.0};
        text.text = words;
        return text;
    };
    Scene scene;
    scene.size = {300.0, 220.0};
    scene.boxes.push_back({{20.0, 20.0, 260.0, 180.0}});
    scene.texts = {label(30.0, QStringLiteral("above")), label(60.0, QStringLiteral("type")),
                   label(130.0, QStringLiteral("below"))};
    scene.texts[1].isHint = true;
    SceneControl control;
    control.rect = {40.0, 90.0, 100.0, 24.0};
    scene.controls.push_back(control);
    const Scene closed = withoutHoles(scene);
    QVERIFY(closed.controls.empty());
    QCOMPARE(closed.texts.size(), std::size_t(2));
    QCOMPARE(closed.texts[0].rect.top(), 30.0);
    QCOMPARE(closed.texts[1].rect.top(), 66.0); // below "above" as far as the control was above it
    QCOMPARE(closed.texts[1].rect.height(), 20.0);
    QCOMPARE(closed.boxes[0].rect.height(), 180.0 - 64.0);
    QCOMPARE(closed.size.height(), 220.0 - 64.0);

    scene.texts.push_back(label(95.0, QStringLiteral("beside"))); // the control's row is needed
    QVERIFY(withoutHoles(scene).size.height() > closed.size.height());
    scene.controls.clear();
    scene.texts.erase(scene.texts.begin() + 1);
    QCOMPARE(withoutHoles(scene).size.height(), 220.0); // room that nobody left is kept
}

void TestFigureExport::formatsFromNames()
{
    QCOMPARE(*figureFormatFromSuffix(QStringLiteral("a.b.PNG")), FigureOptions::Format::Png);
    QCOMPARE(*figureFormatFromSuffix(QStringLiteral("x.svg")), FigureOptions::Format::Svg);
    QCOMPARE(*figureFormatFromSuffix(QStringLiteral("x.pdf")), FigureOptions::Format::Pdf);
    const auto refused = figureFormatFromSuffix(QStringLiteral("x.gif"));
    QVERIFY(!refused.ok());
    QVERIFY(refused.error().message.find("gif") != std::string::npos);
}

void TestFigureExport::pngHasItsSizeAndResolution()
{
    FigureOptions options = optionsFor(FigureOptions::Format::Png);
    options.dpi = 254;
    const QImage image = QImage::fromData(bytesOf(smallScene(), options), "PNG");
    QCOMPARE(image.width(), 1000);
    QCOMPARE(image.height(), 714);
    QCOMPARE(image.dotsPerMeterX(), 10000);
    QCOMPARE(image.dotsPerMeterY(), 10000);
}

void TestFigureExport::previewIsThePng()
{
    FigureOptions options = optionsFor(FigureOptions::Format::Png);
    options.title = QStringLiteral("Preview");
    const QImage file =
        QImage::fromData(bytesOf(smallScene(), options), "PNG").convertToFormat(QImage::Format_RGB32);
    const QImage preview = figureImage(smallScene(), options, file.width());
    QCOMPARE(preview.size(), file.size());
    for (int y = 0; y < file.height(); ++y)
        for (int x = 0; x < file.width(); ++x)
            QCOMPARE(preview.pixel(x, y), file.pixel(x, y));
}

void TestFigureExport::pngAndSvgRepeatExactly()
{
    for (const auto format : {FigureOptions::Format::Png, FigureOptions::Format::Svg}) {
        const FigureOptions options = optionsFor(format);
        const QByteArray first = bytesOf(smallScene(), options);
        QVERIFY(!first.isEmpty());
        QCOMPARE(bytesOf(smallScene(), options), first);
    }
}

void TestFigureExport::transparentAndDark()
{
    FigureOptions options = optionsFor(FigureOptions::Format::Png);
    options.transparent = true;
    const QImage clear = QImage::fromData(bytesOf(smallScene(), options), "PNG");
    QVERIFY(clear.hasAlphaChannel());
    QCOMPARE(qAlpha(clear.pixel(2, 2)), 0);
    options.transparent = false;
    options.dark = true;
    const QImage dark = QImage::fromData(bytesOf(smallScene(), options), "PNG");
    QCOMPARE(dark.pixel(2, 2), Theme::dark().ground.rgb());

    FigureOptions svg = optionsFor(FigureOptions::Format::Svg);
    svg.transparent = true;
    QVERIFY(!bytesOf(smallScene(), svg).contains(Theme::light().ground.name().toLatin1()));
}

void TestFigureExport::svgTextIsText()
{
    FigureOptions options = optionsFor(FigureOptions::Format::Svg);
    options.title = QStringLiteral("A & <B>");
    const SvgContents svg = parsed(bytesOf(smallScene(), options));
    QVERIFY(svg.valid);
    QCOMPARE(svg.width, QStringLiteral("100mm"));
    for (const char16_t *text : {u"A & <B>", u"<b>I</b>", u"␣love", u"prog&", u"k4", u"注意", u"0.95", u"NaN",
                                 u"−∞", u"shared by 8 heads", u"W", u"Q"})
        QVERIFY2(svg.texts.contains(QString::fromUtf16(text)), qPrintable(QString::fromUtf16(text)));
}

void TestFigureExport::svgCellsAreVectorAndColored()
{
    const Scene scene = smallScene();
    const QByteArray bytes = bytesOf(scene, optionsFor(FigureOptions::Format::Svg));
    const SvgContents svg = parsed(bytes);
    QVERIFY(svg.elements.value(QStringLiteral("rect")) >= 15);
    QCOMPARE(svg.elements.value(QStringLiteral("image")), 0);
    QVERIFY(bytes.contains("crispEdges"));
    QVERIFY(!bytes.contains("clip"));
    const QImage drawn = renderedSvg(bytes, QSize(1120, 800));
    const QImage screen = figureImage(scene, optionsFor(FigureOptions::Format::Png), 1120);
    for (Index row = 0; row < 3; ++row) {
        for (Index col = 0; col < 5; ++col) {
            const QPoint corner =
                ((cellRect(scene.maps[0], row, col).topLeft() + QPointF(3, 24)) * 4).toPoint();
            const double value = scene.maps[0].values->value(0, row, col);
            if (!std::isfinite(value))
                continue;
            const QRgb wanted = scene.maps[0].colorMap->rgb(scene.maps[0].range.place(value));
            QVERIFY(colorDistance(drawn.pixel(corner), wanted) <= oneEntry);
            QCOMPARE(drawn.pixel(corner), screen.pixel(corner));
        }
    }
}

void TestFigureExport::svgLargeMapIsOneSharpImage()
{
    const Scene scene = stripesScene(40, 200);
    const QByteArray bytes = bytesOf(scene, optionsFor(FigureOptions::Format::Svg));
    const SvgContents svg = parsed(bytes);
    QVERIFY(svg.valid);
    QCOMPARE(svg.elements.value(QStringLiteral("image")), 1);
    QCOMPARE(svg.smoothImages, 0);
    QVERIFY(svg.elements.value(QStringLiteral("rect")) < 12);
    const QImage drawn = renderedSvg(bytes, QSize(220 * 5, 60 * 5));
    for (int col = 0; col < 200; ++col) {
        const QRgb wanted = scene.maps[0].colorMap->rgb(col % 2);
        QVERIFY(colorDistance(drawn.pixel(50 + col * 5 + 2, 150), wanted) <= oneEntry);
    }
}

void TestFigureExport::svgWithoutLabelsAndValues()
{
    FigureOptions options = optionsFor(FigureOptions::Format::Svg);
    options.showLabels = false;
    options.showValues = false;
    options.showColorBars = false;
    const SvgContents svg = parsed(bytesOf(smallScene(), options));
    QCOMPARE(svg.texts, QStringList({QStringLiteral("W"), QStringLiteral("Q")}));
}

void TestFigureExport::pdfHasExactSizeFontsAndText()
{
    FigureOptions options = optionsFor(FigureOptions::Format::Pdf);
    options.widthMm = 123.4;
    options.title = QStringLiteral("Final figure");
    QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("figure.pdf"));
    QVERIFY(writeFigure(smallScene(), options, file).ok());
    const auto info = toolOutput(QStringLiteral("pdfinfo"), {file});
    if (!info)
        QSKIP("poppler-utils is not installed");
    // 123.4 mm = 349.795 pt; 280 x 236 units with the title.
    QVERIFY2(info->contains("349.795 x 294.827 pts"), info->constData());
    QVERIFY(!info->contains("Error"));
    const auto fonts = toolOutput(QStringLiteral("pdffonts"), {file});
    const QList<QByteArray> lines = fonts->trimmed().split('\n');
    QVERIFY(lines.size() > 2);
    for (const QByteArray &line : lines.mid(2))
        QVERIFY2(line.contains(" yes "), line.constData());
    const QString text =
        QString::fromUtf8(*toolOutput(QStringLiteral("pdftotext"), {file, QStringLiteral("-")}));
    for (const char16_t *part : {u"Final figure", u"<b>I</b>", u"␣love", u"prog&", u"注意", u"0.95", u"NaN"})
        QVERIFY2(text.contains(QString::fromUtf16(part)), qPrintable(text));
}

void TestFigureExport::pdfColorsAreTheScreens()
{
    const Scene scene = smallScene();
    QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("figure.pdf"));
    QVERIFY(writeFigure(scene, optionsFor(FigureOptions::Format::Pdf), file).ok());
    const auto drawn =
        toolOutput(QStringLiteral("pdftoppm"),
                   {QStringLiteral("-png"), QStringLiteral("-singlefile"), QStringLiteral("-scale-to-x"),
                    QStringLiteral("1120"), QStringLiteral("-scale-to-y"), QStringLiteral("800"), file,
                    folder.filePath(QStringLiteral("page"))});
    if (!drawn)
        QSKIP("poppler-utils is not installed");
    const QImage page(folder.filePath(QStringLiteral("page.png")));
    QCOMPARE(page.size(), QSize(1120, 800));
    const QImage screen = figureImage(scene, optionsFor(FigureOptions::Format::Png), 1120);
    for (Index row = 0; row < 3; ++row) {
        for (Index col = 0; col < 5; ++col) {
            if (!std::isfinite(scene.maps[0].values->value(0, row, col)))
                continue;
            const QPoint corner =
                ((cellRect(scene.maps[0], row, col).topLeft() + QPointF(3, 24)) * 4).toPoint();
            QVERIFY(colorDistance(page.pixel(corner), screen.pixel(corner)) <= 2);
        }
    }
}

void TestFigureExport::pdfLargeMapIsOneSharpImage()
{
    QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("figure.pdf"));
    QVERIFY(writeFigure(stripesScene(40, 200), optionsFor(FigureOptions::Format::Pdf), file).ok());
    const auto images = toolOutput(QStringLiteral("pdfimages"), {QStringLiteral("-list"), file});
    if (!images)
        QSKIP("poppler-utils is not installed");
    const QList<QByteArray> lines = images->trimmed().split('\n');
    QCOMPARE(lines.size(), 3); // two of heading, one image
    QVERIFY2(lines.at(2).simplified().contains("8 image no"),
             lines.at(2).constData()); // lossless, not interpolated
}

void TestFigureExport::stripesStaySeparate_data()
{
    QTest::addColumn<int>("format");
    QTest::newRow("SVG") << static_cast<int>(FigureOptions::Format::Svg);
    QTest::newRow("PNG") << static_cast<int>(FigureOptions::Format::Png);
    QTest::newRow("PDF") << static_cast<int>(FigureOptions::Format::Pdf);
}

void TestFigureExport::stripesStaySeparate()
{
    // Case stripes-64: 64 separate stripes with hard edges, here at 8 pixels a stripe.
    QFETCH(int, format);
    const Scene scene = stripesScene(20, 64);
    FigureOptions options = optionsFor(static_cast<FigureOptions::Format>(format));
    options.widthMm = 84.0 * 8.0 * 25.4 / 300.0;
    const QByteArray bytes = bytesOf(scene, options);
    QImage image;
    if (options.format == FigureOptions::Format::Png) {
        image = QImage::fromData(bytes, "PNG");
    } else if (options.format == FigureOptions::Format::Svg) {
        image = renderedSvg(bytes, QSize(84 * 8, 40 * 8));
    } else {
        QTemporaryDir folder;
        QVERIFY(writeFigure(scene, options, folder.filePath(QStringLiteral("a.pdf"))).ok());
        const auto drawn =
            toolOutput(QStringLiteral("pdftoppm"),
                       {QStringLiteral("-png"), QStringLiteral("-singlefile"), QStringLiteral("-r"),
                        QStringLiteral("300"), folder.filePath(QStringLiteral("a.pdf")),
                        folder.filePath(QStringLiteral("a"))});
        if (!drawn)
            QSKIP("poppler-utils is not installed");
        image = QImage(folder.filePath(QStringLiteral("a.png")));
    }
    QCOMPARE(image.width(), 84 * 8);
    for (int col = 0; col < 64; ++col) {
        const QRgb wanted = scene.maps[0].colorMap->rgb(col % 2);
        for (int x = 1; x < 7; ++x)
            QVERIFY(colorDistance(image.pixel(80 + col * 8 + x, 160), wanted) <= 2);
    }
}

void TestFigureExport::specialCellsAreHatchedEverywhere()
{
    const Scene scene = smallScene();
    FigureOptions options = optionsFor(FigureOptions::Format::Svg);
    options.showValues = false;
    const QImage drawn = renderedSvg(bytesOf(scene, options), QSize(1120, 800));
    for (const Index col : {Index(1), Index(3)}) {
        const QRectF cell = cellRect(scene.maps[0], 1, col);
        QSet<QRgb> colors;
        for (int y = static_cast<int>(cell.top()) * 4 + 8; y < static_cast<int>(cell.bottom()) * 4 - 8; ++y)
            for (int x = static_cast<int>(cell.left()) * 4 + 8; x < static_cast<int>(cell.right()) * 4 - 8;
                 ++x)
                colors.insert(drawn.pixel(x, y));
        QVERIFY(colors.size() >= 2);
        for (const QRgb entry : scene.maps[0].colorMap->table())
            QVERIFY(!colors.contains(entry));
    }
}

void TestFigureExport::longLabelsAreNotCut()
{
    Scene scene = smallScene();
    scene.maps[0].rowLabels[1] = QStringLiteral("a_very_long_token_number_007");
    const SvgContents svg = parsed(bytesOf(scene, optionsFor(FigureOptions::Format::Svg)));
    QVERIFY(svg.texts.contains(QStringLiteral("a_very_long_token_number_007")));
}

void TestFigureExport::titleStandsAbove()
{
    FigureOptions options = optionsFor(FigureOptions::Format::Png);
    const QImage without = figureImage(smallScene(), options, 560);
    options.title = QStringLiteral("Title");
    const QImage with = figureImage(smallScene(), options, 560);
    const int room = with.height() - without.height();
    QVERIFY(room > 40);
    QCOMPARE(with.copy(0, room, 560, without.height()), without);
}

void TestFigureExport::refusals()
{
    FigureOptions options = optionsFor(FigureOptions::Format::Png);
    QVERIFY(!figureBytes(Scene(), options).ok());
    options.dpi = 1000000;
    const auto huge = figureBytes(smallScene(), options);
    QVERIFY(!huge.ok());
    QCOMPARE(huge.error().code, ErrorCode::TooLarge);
    options.dpi = 0;
    QVERIFY(!figureBytes(smallScene(), options).ok());
    options.dpi = 300;
    options.widthMm = std::nan("");
    QVERIFY(!figureBytes(smallScene(), options).ok());
    const auto unwritable = writeFigure(smallScene(), optionsFor(FigureOptions::Format::Svg),
                                        QStringLiteral("/nonexistent/folder/a.svg"));
    QVERIFY(!unwritable.ok());
    QVERIFY(unwritable.error().message.find("/nonexistent/folder/a.svg: ") == 0);
}

void TestFigureExport::writesAtomically()
{
    QTemporaryDir folder;
    const QString name = folder.filePath(QStringLiteral("a.svg"));
    QVERIFY(writeFigure(smallScene(), optionsFor(FigureOptions::Format::Svg), name).ok());
    QFile file(name);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), bytesOf(smallScene(), optionsFor(FigureOptions::Format::Svg)));
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files).size(), 1);
}

/// The window may be wider than its picture: a figure is as wide as what is drawn, with the same room at both
/// sides, and a text counts by its ink, a button not at all.
void TestFigureExport::roomAtTheRightIsLeftOut()
{
    Scene scene = stripesScene(100, 180);
    scene.size = {1000.0, 120.0};
    scene.texts.push_back({QRectF(10, 0, 980, 10), QStringLiteral("short"), SceneText::Style::Label});
    SceneControl button;
    button.rect = QRectF(900, 0, 90, 10);
    scene.controls.push_back(button);
    const QImage image = figureImage(scene, optionsFor(FigureOptions::Format::Png), 400);
    QCOMPARE(image.size(), QSize(400, 240));
    // The last stripe ends 10 units before the edge, and the figure ends with ground.
    QVERIFY(image.pixel(378, 120) != image.pixel(390, 120));

    scene.texts.back().alignment = Qt::AlignRight | Qt::AlignVCenter;
    QCOMPARE(figureImage(scene, optionsFor(FigureOptions::Format::Png), 1000).size(), QSize(1000, 120));
}

QTEST_MAIN(TestFigureExport)
#include "tst_FigureExport.moc"
