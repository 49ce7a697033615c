#include "base/NumberText.h"
#include "render/SceneBuilders.h"
#include "render/SceneCases.h"
#include "render/scenes/FootprintChoice.h"
#include "render/scenes/StageTexts.h"

#include <QTest>

#include <cmath>

using namespace attn;
using namespace attn::test;

Q_DECLARE_METATYPE(attn::FootprintTarget)

class TestFootprintsScene : public QObject
{
    Q_OBJECT

private slots:
    void oneLayerPerToken_data();
    void oneLayerPerToken();
    void factorsAreCellsOfAAndV();
    void layersStandInTheGivenOrder();
    void sumFollowsSoloMuteAndSlider();
    void residualIsPrinted();
    void biasIsALayerOfItsOwn();
    void sharesOfOneRow();
    void manyTokensAreShortened();
    void normsAreThoseOfTheLayers();
    void withoutVItSaysWhy();
    void headingAndLegendsStandApart();
};

/// The heading of a head is long; the scales of the factors stand above the same layers.
void TestFootprintsScene::headingAndLegendsStandApart()
{
    for (const char *golden : {"seed_d1x_two_heads_from_x", "random_003_long_narrow"}) {
        FootprintsOptions options;
        options.target = FootprintTarget::Head;
        options.width = 700.0;
        const Scene scene = footprintsScene(goldenSnapshot(QString::fromLatin1(golden)), {}, options);
        for (const SceneText &text : scene.texts)
            for (const SceneMap &map : scene.maps)
                if (map.key.role == MapKey::Role::FootprintColumn ||
                    map.key.role == MapKey::Role::FootprintRow)
                    QVERIFY2(map.colorBar.isEmpty() || text.style == SceneText::Style::Formula ||
                                 text.rect.bottom() <= map.colorBar.top() ||
                                 text.rect.right() <= map.colorBar.left() ||
                                 text.rect.top() >= map.colorBar.bottom(),
                             qPrintable(text.text));
    }
}

void TestFootprintsScene::oneLayerPerToken_data()
{
    QTest::addColumn<QString>("golden");
    QTest::addColumn<FootprintTarget>("target");
    QTest::addColumn<Index>("head");
    const QString one = QStringLiteral("seed_a_computed");
    const QString two = QStringLiteral("seed_d1x_two_heads_from_x");
    QTest::newRow("one head") << one << FootprintTarget::Head << Index{0};
    QTest::newRow("one head mapped") << one << FootprintTarget::HeadMapped << Index{0};
    QTest::newRow("second head") << two << FootprintTarget::Head << Index{1};
    QTest::newRow("second head mapped") << two << FootprintTarget::HeadMapped << Index{1};
    QTest::newRow("all heads") << two << FootprintTarget::Token << Index{0};
    QTest::newRow("cross") << QStringLiteral("random_039_cross_rectangular") << FootprintTarget::Head
                           << Index{0};
    QTest::newRow("long") << QStringLiteral("random_003_long_narrow") << FootprintTarget::Token << Index{0};
}

void TestFootprintsScene::oneLayerPerToken()
{
    QFETCH(QString, golden);
    QFETCH(FootprintTarget, target);
    QFETCH(Index, head);
    const SnapshotPtr snapshot = goldenSnapshot(golden);
    FootprintsOptions options;
    options.target = target;
    options.head = head;
    const Scene scene = footprintsScene(snapshot, {}, options);
    QCOMPARE(layoutFault(scene), QString());
    const Index tokens = snapshot->stage(Stage::A).values->cols();
    Index layers = 0;
    for (const SceneMap &map : scene.maps) {
        if (map.key.role != MapKey::Role::FootprintLayer)
            continue;
        QCOMPARE(map.key.token, layers++);
        QVERIFY(map.readOnly);
        QCOMPARE(map.range.maximum,
                 findMap(scene, map.key.stage, map.key.head, MapKey::Role::FootprintSum)->range.maximum);
    }
    QCOMPARE(layers, tokens);
    for (Index token = 0; token < tokens; ++token)
        for (const char *control : {"solo:%1", "mute:%1", "up:%1", "down:%1"})
            QVERIFY(findControl(scene, QString::fromLatin1(control).arg(token)));
}

void TestFootprintsScene::factorsAreCellsOfAAndV()
{
    const SnapshotPtr snapshot = goldenSnapshot(QStringLiteral("seed_d1x_two_heads_from_x"));
    FootprintsOptions options;
    options.head = 1;
    const Scene scene = footprintsScene(snapshot, {}, options);
    Index columns = 0, rows = 0;
    for (const SceneMap &map : scene.maps) {
        if (map.key.role == MapKey::Role::FootprintColumn) {
            ++columns;
            QVERIFY(!map.readOnly);
            for (Index row = 0; row < map.values->rows(); ++row)
                QCOMPARE(map.values->value(0, row, 0), snapshot->stage(Stage::A).values->value(
                                                           1, row + map.key.rowOffset, map.key.colOffset));
        } else if (map.key.role == MapKey::Role::FootprintRow) {
            ++rows;
            for (Index col = 0; col < map.values->cols(); ++col)
                QCOMPARE(map.values->value(0, 0, col), snapshot->stage(Stage::V).values->value(
                                                           0, map.key.rowOffset, col + map.key.colOffset));
        }
    }
    QCOMPARE(columns, Index{4});
    QCOMPARE(rows, Index{4});
}

void TestFootprintsScene::layersStandInTheGivenOrder()
{
    FootprintsOptions options;
    options.order = {2, 0, 2, 99};
    const Scene scene = footprintsScene(goldenSnapshot(QStringLiteral("seed_a_computed")), {}, options);
    std::vector<Index> order;
    for (const SceneMap &map : scene.maps)
        if (map.key.role == MapKey::Role::FootprintLayer)
            order.push_back(map.key.token);
    QCOMPARE(order, (std::vector<Index>{2, 0, 1, 3}));
    QVERIFY(!findControl(scene, QStringLiteral("up:2"))->enabled);
    QVERIFY(!findControl(scene, QStringLiteral("down:3"))->enabled);
}

void TestFootprintsScene::sumFollowsSoloMuteAndSlider()
{
    const SnapshotPtr snapshot = goldenSnapshot(QStringLiteral("seed_a_computed"));
    const auto sumCell = [&snapshot](const FootprintsOptions &options) {
        const Scene scene = footprintsScene(snapshot, {}, options);
        const SceneMap *sum = findMap(scene, Stage::HeadOut, 0, MapKey::Role::FootprintSum);
        return sum->values->value(0, 1, 2);
    };
    const auto part = [&snapshot](Index token) {
        return footprint(snapshot, FootprintTarget::Head, 0, token)->value(0, 1, 2);
    };
    FootprintsOptions options;
    options.accumulated = 2;
    QCOMPARE(sumCell(options), part(0) + part(1));
    options.muted = {0};
    QCOMPARE(sumCell(options), part(1));
    options.accumulated = -1;
    options.solo = 3;
    QCOMPARE(sumCell(options), part(3));
    options.solo = -1;
    options.accumulated = 0;
    QCOMPARE(sumCell(options), 0.0);
}

void TestFootprintsScene::residualIsPrinted()
{
    const SnapshotPtr snapshot = goldenSnapshot(QStringLiteral("seed_a_computed"));
    const double residual = footprintResidual(snapshot, FootprintTarget::Head, 0, {0, 1, 2, 3});
    const QString text =
        residual == 0.0 ? QStringLiteral("0") : QString::fromStdString(displayText(residual, 2));
    QVERIFY(
        hasText(footprintsScene(snapshot, {}), QStringLiteral("largest difference to head_out: ") + text));
    FootprintsOptions options;
    options.accumulated = 1;
    const double open = footprintResidual(snapshot, FootprintTarget::Head, 0, {0});
    QVERIFY(open > 0.01);
    QVERIFY(hasText(footprintsScene(snapshot, {}, options), QString::fromStdString(displayText(open, 2))));
}

void TestFootprintsScene::biasIsALayerOfItsOwn()
{
    const SnapshotPtr snapshot = goldenSnapshot(QStringLiteral("bias_01_multi_head"));
    QVERIFY(snapshot->stage(Stage::Bo).hasValues());
    FootprintsOptions options;
    options.target = FootprintTarget::Token;
    const Scene scene = footprintsScene(snapshot, {}, options);
    QVERIFY(findMap(scene, Stage::Bo));
    const SceneMap *sum = findMap(scene, Stage::Output, 0, MapKey::Role::FootprintSum);
    QVERIFY(sum->range.minimum <= sum->values->statistics(0).minimum);
    QVERIFY(sum->range.maximum >= sum->values->statistics(0).maximum);
    DisplayOptions fixed;
    fixed.defaultRange = {DisplayOptions::RangeMode::Fixed, -1.0, 1.0};
    QCOMPARE(findMap(footprintsScene(snapshot, fixed, options), Stage::Output)->range.maximum, 1.0);
    options.target = FootprintTarget::Head;
    QVERIFY(!findMap(footprintsScene(snapshot, {}, options), Stage::Bo));
}

void TestFootprintsScene::sharesOfOneRow()
{
    const SnapshotPtr snapshot = goldenSnapshot(QStringLiteral("seed_c_attention_pinned"));
    FootprintsOptions options;
    options.row = 1;
    const Scene scene = footprintsScene(snapshot, {}, options);
    QVERIFY(hasText(scene, QString::fromStdString(snapshot->experiment().tokens.at(1))));
    for (const char *share : {"25.0 %", "15.0 %", "10.0 %", "50.0 %"}) // the article's love row
        QVERIFY2(hasText(scene, QString::fromLatin1(share)), share);
    const auto bars = std::count_if(scene.lines.begin(), scene.lines.end(),
                                    [](const SceneLine &line) { return line.width > 0.0; });
    QCOMPARE(bars, 4);
}

void TestFootprintsScene::manyTokensAreShortened()
{
    const SnapshotPtr snapshot = snapshotOf(seededQkv(100, 2, 4));
    FootprintsOptions options;
    const FootprintChoice choice = footprintChoice(*snapshot, options);
    QCOMPARE(choice.shown.size(), std::size_t{24});
    QCOMPARE(choice.rest.size(), std::size_t{76});
    QVERIFY(choice.isComplete);
    const Scene scene = footprintsScene(snapshot, {}, options);
    QCOMPARE(layoutFault(scene), QString());
    QVERIFY(hasText(scene, QStringLiteral("24 of 100 shown, largest first; the rest in one sum")));
    QVERIFY(hasText(scene, QStringLiteral("the 24 largest of 100")));
    const std::vector<double> norms = footprintNorms(*snapshot, options.target, 0);
    for (const Index other : choice.rest)
        QVERIFY(norms[static_cast<std::size_t>(other)] <=
                norms[static_cast<std::size_t>(choice.shown.back())]);
}

void TestFootprintsScene::normsAreThoseOfTheLayers()
{
    const SnapshotPtr snapshot = goldenSnapshot(QStringLiteral("random_007_grouped_query"));
    for (const FootprintTarget target : {FootprintTarget::Head, FootprintTarget::HeadMapped}) {
        const std::vector<double> norms = footprintNorms(*snapshot, target, 1);
        for (Index token = 0; token < static_cast<Index>(norms.size()); ++token) {
            const StageValuesPtr layer = footprint(snapshot, target, 1, token);
            double square = 0.0;
            for (Index row = 0; row < layer->rows(); ++row)
                for (Index col = 0; col < layer->cols(); ++col)
                    square += layer->value(0, row, col) * layer->value(0, row, col);
            QVERIFY(std::abs(norms[static_cast<std::size_t>(token)] - std::sqrt(square)) < 1e-12);
        }
    }
}

void TestFootprintsScene::withoutVItSaysWhy()
{
    Experiment experiment = goldenExperiment(QStringLiteral("seed_a_computed"));
    experiment.given.erase(Stage::Wv);
    const SnapshotPtr snapshot = snapshotOf(experiment);
    const Scene scene = footprintsScene(snapshot, {});
    QVERIFY(scene.maps.empty());
    QVERIFY(hasText(scene, QString::fromStdString(snapshot->stage(Stage::V).reason)));
}

QTEST_MAIN(TestFootprintsScene)
#include "tst_FootprintsScene.moc"
