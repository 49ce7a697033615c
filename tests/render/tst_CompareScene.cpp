#include "render/CompareScene.h"
#include "render/FigureExport.h"
#include "render/SceneCases.h"
#include "render/scenes/CompareTable.h"

#include <QFontMetricsF>
#include <QTest>

#include <algorithm>

using namespace attn;
using namespace attn::test;

namespace {

std::vector<StageComparison> compared(const StageSet &a, const StageSet &b)
{
    std::vector<StageComparison> results;
    for (const Stage stage : stagesOfEither(a, b))
        results.push_back(compareStage(stage, a.contains(stage) ? a.at(stage) : nullptr,
                                       b.contains(stage) ? b.at(stage) : nullptr));
    return results;
}

CompareOptions optionsFor(const SnapshotPtr &a, const SnapshotPtr &b)
{
    CompareOptions options;
    options.nameA = QStringLiteral("left");
    options.nameB = QStringLiteral("right");
    options.b = stagesOf(*b);
    options.results = compared(stagesOf(*a), options.b);
    return options;
}

} // namespace

class TestCompareScene : public QObject
{
    Q_OBJECT

private slots:
    void computedAgainstPrinted();
    void mapsShareTheScaleAndCentreTheDifference();
    void eachSideHatchesWhatItsOwnMaskHides();
    void equalSidesPass();
    void toleranceDecides();
    void whatDoesNotFitIsSaid();
    void headsAreChosen();
    void layouts_data();
    void layouts();
    void exports();
};

void TestCompareScene::computedAgainstPrinted()
{
    const SnapshotPtr a = goldenSnapshot(QStringLiteral("seed_a_computed"));
    CompareOptions options = optionsFor(a, goldenSnapshot(QStringLiteral("seed_g_as_printed")));
    options.stage = Stage::Q;
    const Scene scene = compareScene(a, {}, options);
    QCOMPARE(layoutFault(scene), QString());
    // Inconsistency of the article: 21 of 24 cells of Q, at most 0.14 apart, in GPU f4.
    QVERIFY(hasText(scene, QStringLiteral("0.14")));
    QVERIFY(hasText(scene, QStringLiteral("Q[GPU, f4]: A = 0.24, B = 0.38, A−B = −0.14")));
    QVERIFY(hasText(scene, QStringLiteral("✗ fail")));
    QVERIFY(hasText(scene, QStringLiteral("✓ equal")));
    for (const StageComparison &result : options.results) {
        QVERIFY(findControl(scene, QStringLiteral("stage:%1").arg(QLatin1String(stageName(result.stage)))));
        if (result.outcome == StageComparison::Outcome::Compared)
            QVERIFY(hasText(scene, differenceText(result.largest)));
    }
}

void TestCompareScene::mapsShareTheScaleAndCentreTheDifference()
{
    const SnapshotPtr a = goldenSnapshot(QStringLiteral("seed_a_computed"));
    CompareOptions options = optionsFor(a, goldenSnapshot(QStringLiteral("seed_g_as_printed")));
    options.stage = Stage::Output;
    const Scene scene = compareScene(a, {}, options);
    const SceneMap *left = findMap(scene, Stage::Output);
    const SceneMap *right = derivedMap(scene, QStringLiteral("b"));
    const SceneMap *difference = derivedMap(scene, QStringLiteral("difference"));
    QVERIFY(left && right && difference);
    QCOMPARE(left->range.minimum, right->range.minimum);
    QCOMPARE(left->range.maximum, right->range.maximum);
    QCOMPARE(difference->range.minimum, -difference->range.maximum);
    QVERIFY(!left->readOnly);
    QVERIFY(right->readOnly && difference->readOnly);
    for (Index row = 0; row < 4; ++row)
        for (Index col = 0; col < 6; ++col)
            QCOMPARE(difference->values->value(0, row, col),
                     left->values->value(0, row, col) - right->values->value(0, row, col));
}

void TestCompareScene::eachSideHatchesWhatItsOwnMaskHides()
{
    const SnapshotPtr a = goldenSnapshot(QStringLiteral("seed_a_computed"));
    const SnapshotPtr b = goldenSnapshot(QStringLiteral("seed_e_a_causal"));
    CompareOptions options = optionsFor(a, b);
    options.stage = Stage::A;
    options.snapshotB = b;
    const Scene scene = compareScene(a, {}, options);
    QVERIFY(!findMap(scene, Stage::A)->allowed);
    const SceneMap *right = derivedMap(scene, QStringLiteral("b"));
    QVERIFY(right->allowed);
    QCOMPARE(right->allowed->value(0, 0, 1), 0.0);
    // Numbers alone tell of no mask.
    options.snapshotB = nullptr;
    QVERIFY(!derivedMap(compareScene(a, {}, options), QStringLiteral("b"))->allowed);
}

void TestCompareScene::equalSidesPass()
{
    const SnapshotPtr a = goldenSnapshot(QStringLiteral("seed_d1_two_heads_computed"));
    CompareOptions options = optionsFor(a, a);
    options.tolerance = 0.0;
    const Scene scene = compareScene(a, {}, options);
    QVERIFY(hasText(scene, QStringLiteral("compared stages pass")));
    QVERIFY(hasText(scene, QStringLiteral("A and B agree in every cell.")));
    QVERIFY(!hasText(scene, QStringLiteral("✗")));
}

void TestCompareScene::toleranceDecides()
{
    const SnapshotPtr a = goldenSnapshot(QStringLiteral("seed_a_computed"));
    CompareOptions options = optionsFor(a, goldenSnapshot(QStringLiteral("seed_g_as_printed")));
    const auto isPassed = [&](double tolerance) {
        options.tolerance = tolerance;
        return hasText(compareScene(a, {}, options), QStringLiteral("compared stages pass"));
    };
    QVERIFY(!isPassed(1e-6));
    QVERIFY(isPassed(10.0));
    options.tolerance = 1e-5;
    QVERIFY(hasText(compareScene(a, {}, options), QStringLiteral("1e-05 times the largest number of B")));
    options.isComplete = false;
    QVERIFY(hasText(compareScene(a, {}, options), QStringLiteral("Comparing …")));
}

void TestCompareScene::whatDoesNotFitIsSaid()
{
    const SnapshotPtr a = goldenSnapshot(QStringLiteral("seed_a_computed"));
    const Scene scene =
        compareScene(a, {}, optionsFor(a, goldenSnapshot(QStringLiteral("seed_f_cross_attention"))));
    QVERIFY(hasText(scene, QStringLiteral("not comparable")));
    QVERIFY(hasText(scene, QStringLiteral("only in B")));
    const QFontMetricsF metrics(Theme().textFont);
    for (const SceneText &text : scene.texts)
        if (text.text.contains(QStringLiteral("not comparable")))
            QVERIFY2(metrics.horizontalAdvance(text.text) <= text.rect.width(), qPrintable(text.text));
    QCOMPARE(layoutFault(scene), QString());
}

void TestCompareScene::headsAreChosen()
{
    const SnapshotPtr a = goldenSnapshot(QStringLiteral("seed_d1x_two_heads_from_x"));
    CompareOptions options =
        optionsFor(a, goldenSnapshot(QStringLiteral("seed_d2_two_heads_attention_pinned")));
    options.stage = Stage::A;
    options.head = 1;
    const Scene scene = compareScene(a, {}, options);
    QVERIFY(findMap(scene, Stage::A, 1));
    QCOMPARE(derivedMap(scene, QStringLiteral("b"))->head, Index(1));
    QVERIFY(hasText(scene, QStringLiteral("Head 2")));
}

void TestCompareScene::layouts_data()
{
    QTest::addColumn<QString>("left");
    QTest::addColumn<QString>("right");
    QTest::newRow("masked") << QStringLiteral("seed_e_d1_causal")
                            << QStringLiteral("seed_d1_two_heads_computed");
    QTest::newRow("largest") << QStringLiteral("random_002_largest_causal")
                             << QStringLiteral("random_002_largest_causal");
    QTest::newRow("one token") << QStringLiteral("random_000_one_token_smallest")
                               << QStringLiteral("random_000_one_token_smallest");
}

void TestCompareScene::layouts()
{
    QFETCH(QString, left);
    QFETCH(QString, right);
    const SnapshotPtr a = goldenSnapshot(left);
    CompareOptions options = optionsFor(a, goldenSnapshot(right));
    for (const StageComparison &result : std::vector<StageComparison>(options.results)) {
        options.stage = result.stage;
        QCOMPARE(layoutFault(compareScene(a, {}, options)), QString());
    }
}

void TestCompareScene::exports()
{
    const SnapshotPtr a = goldenSnapshot(QStringLiteral("seed_a_computed"));
    const Scene scene =
        compareScene(a, {}, optionsFor(a, goldenSnapshot(QStringLiteral("seed_g_as_printed"))));
    for (const FigureOptions::Format format :
         {FigureOptions::Format::Png, FigureOptions::Format::Svg, FigureOptions::Format::Pdf}) {
        FigureOptions figure;
        figure.format = format;
        const Result<QByteArray> bytes = figureBytes(scene, figure);
        QVERIFY(bytes.ok());
        QVERIFY(bytes->size() > 1000);
    }
}

QTEST_MAIN(TestCompareScene)
#include "tst_CompareScene.moc"
