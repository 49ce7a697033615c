#include "engine/Metrics.h"
#include "render/SceneBuilders.h"
#include "render/SceneCases.h"
#include "render/scenes/StageTexts.h"

#include <QTest>

#include <cmath>

using namespace attn;
using namespace attn::test;

class TestHeadsScene : public QObject
{
    Q_OBJECT

private slots:
    void everyHeadIsInTheGrid_data();
    void everyHeadIsInTheGrid();
    void metricsAreTheEngines();
    void focusShowsWhatTheHeadAdds();
    void focusBeforeTheFiguresAreKnown();
    void groupedQueriesNameTheirHead();
    void nearlyEvenWeightsSaySo();
    void withoutAItSaysWhy();
};

void TestHeadsScene::everyHeadIsInTheGrid_data()
{
    QTest::addColumn<QString>("golden");
    QTest::addColumn<double>("width");
    QTest::newRow("one head") << QStringLiteral("seed_a_computed") << 1200.0;
    QTest::newRow("two heads") << QStringLiteral("seed_d1x_two_heads_from_x") << 1200.0;
    QTest::newRow("six heads") << QStringLiteral("random_025_alibi_six_heads") << 1200.0;
    QTest::newRow("six heads, narrow") << QStringLiteral("random_025_alibi_six_heads") << 500.0;
    QTest::newRow("rectangular") << QStringLiteral("given_08_cross_rectangular") << 900.0;
}

void TestHeadsScene::everyHeadIsInTheGrid()
{
    QFETCH(QString, golden);
    QFETCH(double, width);
    const SnapshotPtr snapshot = goldenSnapshot(golden);
    HeadsOptions options;
    options.width = width;
    const Scene scene = headsScene(snapshot, {}, options);
    QCOMPARE(layoutFault(scene), QString());
    QVERIFY(scene.size.width() <= std::max(width, 528.0));
    for (Index head = 0; head < snapshot->experiment().nHeads; ++head) {
        const SceneMap *map = findMap(scene, Stage::A, head);
        QVERIFY(map);
        QVERIFY(!map->rowLabels.isEmpty());
        QCOMPARE(findControl(scene, QStringLiteral("head:%1").arg(head)) != nullptr,
                 snapshot->experiment().nHeads > 1);
    }
    QVERIFY(!findMap(scene, Stage::A, 0)->colorBar.isNull());
}

void TestHeadsScene::metricsAreTheEngines()
{
    const SnapshotPtr snapshot = goldenSnapshot(QStringLiteral("seed_d1x_two_heads_from_x"));
    const Metrics metrics = metricsOf(*snapshot);
    const Scene scene = headsScene(snapshot, {});
    for (const HeadMetrics &head : metrics.heads) {
        QVERIFY(hasText(scene, figureText(head.all.uniformity, 2)));
        QVERIFY(hasText(scene, figureText(head.all.previousToken, 2)));
        QVERIFY(hasText(scene, percentText(head.contributionShare)));
    }
}

void TestHeadsScene::focusShowsWhatTheHeadAdds()
{
    const SnapshotPtr snapshot = goldenSnapshot(QStringLiteral("seed_d1x_two_heads_from_x"));
    HeadsOptions options;
    options.focus = 1;
    const Scene scene = headsScene(snapshot, {}, options);
    QCOMPARE(layoutFault(scene), QString());
    const SceneMap *out = findMap(scene, Stage::HeadOut, 1);
    const SceneMap *contribution = findMap(scene, Stage::HeadContribution, 1);
    QVERIFY(out && contribution);
    QVERIFY(contribution->readOnly);
    QVERIFY(hasText(scene, QStringLiteral("4×3")) && !hasText(scene, QStringLiteral("2×4×3"))); // one head
    QCOMPARE(out->rect.top(), contribution->rect.top());
    QVERIFY(findControl(scene, QStringLiteral("head:1"))->checked);
    QVERIFY(!findMap(headsScene(snapshot, {}), Stage::HeadOut, 1));
    // In words: how much of the whole it is, and where it is most, from the engine's numbers.
    QVERIFY(findMap(scene, Stage::Output));
    QVERIFY(hasText(scene, QStringLiteral("Head 2: what it adds to the output")));
    const HeadMetrics figures = metricsOf(*snapshot).heads[1];
    QVERIFY(hasText(
        scene, QStringLiteral("Its part has the length %1 (Frobenius): %2 of")
                   .arg(figureText(figures.contributionNorm, 3), percentText(figures.contributionShare))));
    const StageValues &adds = *snapshot->stage(Stage::HeadContribution).values;
    double most = 0.0;
    QString sentence;
    for (Index row = 0; row < adds.rows(); ++row) {
        for (Index col = 0; col < adds.cols(); ++col) {
            if (std::abs(adds.value(1, row, col)) <= most)
                continue;
            most = std::abs(adds.value(1, row, col));
            sentence =
                QStringLiteral(
                    "It adds most at “%1”, f%2: head 1 adds %3, head 2 adds %4, the output there is %5.")
                    .arg(QString::fromStdString(snapshot->experiment().tokens.at(row)))
                    .arg(col + 1)
                    .arg(figureText(adds.value(0, row, col), 2), figureText(adds.value(1, row, col), 2),
                         figureText(snapshot->stage(Stage::Output).values->value(0, row, col), 2));
        }
    }
    QVERIFY2(hasText(scene, sentence), qPrintable(sentence));
}

void TestHeadsScene::focusBeforeTheFiguresAreKnown()
{
    HeadsOptions options;
    options.focus = 1;
    options.withoutMetrics = QStringLiteral("not counted yet");
    const Scene scene = headsScene(goldenSnapshot(QStringLiteral("seed_d1x_two_heads_from_x")), {}, options);
    QCOMPARE(layoutFault(scene), QString());
    QVERIFY(hasText(scene, QStringLiteral("Head 2: what it adds to the output")));
    QVERIFY(!hasText(scene, QStringLiteral("Its part has the length")));
    QVERIFY(findMap(scene, Stage::HeadContribution, 1));
}

/// Their colours differ as much as those of any others.
void TestHeadsScene::nearlyEvenWeightsSaySo()
{
    const auto noteOf = [](const QString &golden) {
        return findMap(headsScene(goldenSnapshot(golden), {}), Stage::A, 0)->rangeNote;
    };
    QCOMPARE(noteOf(QStringLiteral("seed_a_computed")), QStringLiteral("nearly even"));
    QVERIFY(noteOf(QStringLiteral("seed_d1x_two_heads_from_x")).endsWith(QStringLiteral(", nearly even")));
    QVERIFY(!noteOf(QStringLiteral("seed_c_attention_pinned")).contains(QStringLiteral("even")));
    QVERIFY(!noteOf(QStringLiteral("seed_e_a_causal")).contains(QStringLiteral("even")));
}

void TestHeadsScene::groupedQueriesNameTheirHead()
{
    const SnapshotPtr snapshot = goldenSnapshot(QStringLiteral("random_007_grouped_query"));
    QVERIFY(snapshot->experiment().nHeads > snapshot->experiment().nKvHeads);
    const Scene scene = headsScene(snapshot, {});
    QVERIFY(hasText(scene, QStringLiteral("KV head 1")));
}

void TestHeadsScene::withoutAItSaysWhy()
{
    Experiment experiment = goldenExperiment(QStringLiteral("seed_a_computed"));
    experiment.given.erase(Stage::Wk);
    const SnapshotPtr snapshot = snapshotOf(experiment);
    const Scene scene = headsScene(snapshot, {});
    QVERIFY(scene.maps.empty());
    QVERIFY(hasText(scene, QString::fromStdString(snapshot->stage(Stage::A).reason)));
    QCOMPARE(layoutFault(scene), QString());
}

QTEST_MAIN(TestHeadsScene)
#include "tst_HeadsScene.moc"
