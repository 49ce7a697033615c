#include "render/painting/TextCache.h"

#include "SceneFixture.h"
#include "render/SceneBuilders.h"
#include "render/SceneCases.h"

#include <QFontMetricsF>
#include <QTest>

using namespace attn;
using namespace attn::test;

namespace {

/// Texts of every style, labels in several scripts, controls.
Scene sceneOfTexts(bool isDark)
{
    Experiment experiment = goldenExperiment(QStringLiteral("seed_a_computed"));
    experiment.tokens = TokenList(std::vector<std::string>{
        "a token with a long name", "\xe6\xb3\xa8\xe6\x84\x8f", "\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d",
        "AV fi \xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x91\xa7"});
    DisplayOptions display;
    display.dark = isDark;
    Scene scene = boardScene(snapshotOf(std::move(experiment)), display);
    double y = 4.0;
    for (const Qt::Alignment vertical : {Qt::AlignTop, Qt::AlignVCenter, Qt::AlignBottom})
        for (const Qt::Alignment along : {Qt::AlignLeft, Qt::AlignHCenter, Qt::AlignRight}) {
            scene.texts.push_back({QRectF(7.3, y, 181.7, 23.4), QStringLiteral("Wave \u2212 \u6ce8 fjord"),
                                   SceneText::Style::Heading, along | vertical});
            y += 21.6;
        }
    scene.controls.push_back(
        {QStringLiteral("one"), QRectF(200.5, 3.0, 61.0, 20.0), QStringLiteral("Solo"), {}});
    scene.controls.push_back({QStringLiteral("two"),
                              QRectF(270.5, 3.0, 61.0, 20.0),
                              QStringLiteral("What has no room"),
                              {},
                              true,
                              true});
    return scene;
}

} // namespace

class TestTextCache : public QObject
{
    Q_OBJECT

private slots:
    void drawsTheSamePixels_data();
    void drawsTheSamePixels();
    void shapesEachTextOnce();
    void knowsWidths();
};

void TestTextCache::drawsTheSamePixels_data()
{
    QTest::addColumn<bool>("isDark");
    QTest::addColumn<double>("zoom");
    QTest::addColumn<double>("pixelRatio");
    QTest::newRow("made smaller") << false << 0.73 << 1.0;
    QTest::newRow("as it is, fine screen") << false << 1.0 << 2.0;
    QTest::newRow("made larger, dark") << true << 1.31 << 1.0;
    QTest::newRow("made smaller, dark, fine screen") << true << 0.73 << 2.0;
    QTest::newRow("labels of their own size, dark") << true << 2.6 << 1.0;
}

void TestTextCache::drawsTheSamePixels()
{
    QFETCH(bool, isDark);
    QFETCH(double, zoom);
    QFETCH(double, pixelRatio);
    const Scene scene = sceneOfTexts(isDark);
    ScenePaintOptions options;
    options.theme = isDark ? Theme::dark() : Theme::light();
    options.zoom = zoom;
    options.drawControls = true;
    const QImage expected = painted(scene, options, pixelRatio);
    TextCache texts;
    options.texts = &texts;
    for (const char *time : {"shaped", "kept"}) {
        const QImage actual = painted(scene, options, pixelRatio);
        if (actual != expected) {
            expected.save(QStringLiteral("expected.png"));
            actual.save(QStringLiteral("actual.png"));
        }
        QVERIFY2(actual == expected, time);
    }
}

void TestTextCache::shapesEachTextOnce()
{
    const Scene scene = sceneOfTexts(false);
    TextCache texts;
    ScenePaintOptions options;
    options.drawControls = true;
    options.texts = &texts;
    painted(scene, options);
    const int shaped = texts.misses();
    QVERIFY(shaped > 20);
    painted(scene, options);
    QCOMPARE(texts.misses(), shaped);
}

void TestTextCache::knowsWidths()
{
    TextCache texts;
    QFont font = Theme::light().textFont;
    for (const int size : {9, 14}) {
        font.setPixelSize(size);
        for (const QString &text : {QString(), QStringLiteral("AVAVA"), QStringLiteral("a\u0301\u6ce8")})
            QCOMPARE(texts.width(font, text), QFontMetricsF(font).horizontalAdvance(text));
    }
}

QTEST_MAIN(TestTextCache)
#include "tst_TextCache.moc"
