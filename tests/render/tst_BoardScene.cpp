#include "engine/Edit.h"
#include "render/SceneBuilders.h"
#include "render/SceneCases.h"

#include <QTest>

#include <algorithm>

using namespace attn;
using namespace attn::test;

Q_DECLARE_METATYPE(attn::Stage)
Q_DECLARE_METATYPE(attn::Shape)

class TestBoardScene : public QObject
{
    Q_OBJECT

private slots:
    void everyPresentStageIsACard();
    void pinsOfJoinedHeadsAreShown();
    void tokenRowsShareOneLevel_data();
    void tokenRowsShareOneLevel();
    void weightsStandAboveTheirProducts();
    void layoutIsSound_data();
    void layoutIsSound();
    void vanishingAxesAreMarkedOnBothSides();
    void crossAttentionHasTwoLevels();
    void missingStagesSayWhy();
    void headsAreTiledOrPaged();
    void maskRulesAreWords();
    void masksOverPinnedWeightsSaySo();
    void pinsAreCountedAndFound();
    void contradictionsAreDrawn_data();
    void contradictionsAreDrawn();
    void largeStagesAreBounded();
    void hitTestFindsEveryCorner();
    void rangesFollowTheOptions();
};

void TestBoardScene::everyPresentStageIsACard()
{
    const Scene scene = boardScene(goldenSnapshot(QStringLiteral("seed_a_computed")), {});
    for (const Stage stage : {Stage::X, Stage::Wq, Stage::Wk, Stage::Wv, Stage::Q, Stage::K, Stage::V,
                              Stage::Scores, Stage::Scaled, Stage::A, Stage::HeadOut, Stage::Output}) {
        const SceneMap *map = findMap(scene, stage);
        QVERIFY2(map, stageName(stage));
        QVERIFY(!map->colorBar.isNull());
        QCOMPARE(map->name, QString::fromLatin1(stageName(stage)));
    }
    QVERIFY(hasText(scene, QStringLiteral("4×6")));
    QVERIFY(hasText(scene, QStringLiteral("given")));
    QVERIFY(hasText(scene, QStringLiteral("computed")));
    QVERIFY(hasText(scene, QStringLiteral("softmax")));
}

void TestBoardScene::pinsOfJoinedHeadsAreShown()
{
    const SnapshotPtr computed = goldenSnapshot(QStringLiteral("seed_a_computed"));
    QVERIFY(!findMap(boardScene(computed, {}), Stage::Concat)); // with one head it is AV
    QVERIFY(!findMap(boardScene(computed, {}), Stage::Masked)); // without a mask it is the scaled scores
    Experiment experiment = computed->experiment();
    for (const Stage stage : {Stage::Concat, Stage::Masked}) {
        const auto pinned = applyEdit(experiment, PinCells{stage, {{{0, 1, 2}, 0.5}}});
        QVERIFY(pinned.ok());
        experiment = pinned->experiment;
    }
    const Scene scene = boardScene(snapshotOf(experiment), {});
    for (const Stage stage : {Stage::Concat, Stage::Masked, Stage::HeadOut}) {
        const SceneMap *map = findMap(scene, stage);
        QVERIFY2(map, stageName(stage));
        QCOMPARE(map->isPinned && map->isPinned(1, 2), stage != Stage::HeadOut);
    }
}

void TestBoardScene::tokenRowsShareOneLevel_data()
{
    QTest::addColumn<QString>("golden");
    QTest::newRow("one head") << QStringLiteral("seed_a_computed");
    QTest::newRow("two heads side by side") << QStringLiteral("seed_d1x_two_heads_from_x");
    QTest::newRow("cross attention") << QStringLiteral("seed_f_cross_attention");
    QTest::newRow("rotary and masks") << QStringLiteral("random_045_everything");
}

void TestBoardScene::tokenRowsShareOneLevel()
{
    QFETCH(QString, golden);
    const SnapshotPtr snapshot = goldenSnapshot(golden);
    const Scene scene = boardScene(snapshot, {});
    const SceneMap *x = findMap(scene, Stage::X);
    QVERIFY(x);
    const Index love = 1;
    const QRectF row = cellRect(*x, love, 0);
    for (const Stage stage : {Stage::Q, Stage::Scores, Stage::Scaled, Stage::A, Stage::Output}) {
        const SceneMap *map = findMap(scene, stage);
        QVERIFY2(map, stageName(stage));
        QCOMPARE(cellRect(*map, love, 0).top(), row.top());
        QCOMPARE(cellRect(*map, love, 0).height(), row.height());
    }
    const SceneMap *k = findMap(scene, Stage::K);
    const SceneMap *v = findMap(scene, Stage::V);
    QVERIFY(k && v);
    QCOMPARE(k->rect.top(), v->rect.top());
    QVERIFY(k->rect.top() > x->rect.bottom());
}

void TestBoardScene::weightsStandAboveTheirProducts()
{
    const Scene scene = boardScene(goldenSnapshot(QStringLiteral("seed_d1x_two_heads_from_x")), {});
    const std::pair<Stage, Stage> pairs[] = {
        {Stage::Wq, Stage::Q}, {Stage::Wk, Stage::K}, {Stage::Wv, Stage::V}, {Stage::Wo, Stage::Output}};
    for (const auto &[weight, product] : pairs) {
        const SceneMap *above = findMap(scene, weight);
        const SceneMap *below = findMap(scene, product);
        QVERIFY(above && below);
        QVERIFY(above->rect.bottom() < below->rect.top());
        QCOMPARE(above->rect.left(), below->rect.left());
        QCOMPARE(cellRect(*above, 0, 3).left(), cellRect(*below, 0, 3).left());
    }
}

void TestBoardScene::layoutIsSound_data()
{
    QTest::addColumn<QString>("golden");
    QTest::addColumn<bool>("tiles");
    for (const char *name :
         {"seed_a_computed", "seed_d2_two_heads_attention_pinned", "seed_f2_cross_attention_two_heads",
          "random_000_one_token_smallest", "random_001_one_token_wide", "random_002_largest_causal",
          "random_003_long_narrow", "random_006_odd_sizes_window", "random_009_grouped_query_rope_half",
          "random_021_boolean_per_head", "random_025_alibi_six_heads", "random_045_everything",
          "random_046_free", "bias_03_rotary_causal", "bias_04_cross", "given_00_qkv",
          "given_04_scores_per_head", "given_06_attention", "given_08_cross_rectangular"}) {
        QTest::newRow(name) << QString::fromLatin1(name) << true;
        QTest::addRow("%s, one head at a time", name) << QString::fromLatin1(name) << false;
    }
}

void TestBoardScene::layoutIsSound()
{
    QFETCH(QString, golden);
    QFETCH(bool, tiles);
    BoardOptions options;
    options.tileHeads = tiles;
    const Scene scene = boardScene(goldenSnapshot(golden), {}, options);
    QVERIFY(!scene.maps.empty());
    QCOMPARE(layoutFault(scene), QString());
}

void TestBoardScene::vanishingAxesAreMarkedOnBothSides()
{
    const Scene scene = boardScene(goldenSnapshot(QStringLiteral("seed_d1x_two_heads_from_x")), {});
    const auto isMarked = [&scene](Stage stage, bool alongRows, int strokes) {
        const QRectF rect = findMap(scene, stage)->rect;
        return std::any_of(scene.lines.begin(), scene.lines.end(), [&](const SceneLine &line) {
            if (line.ticks != strokes || line.points.size() != 2)
                return false;
            const QRectF bounds = QRectF(line.points[0], line.points[1]).normalized();
            return alongRows ? bounds.width() == 0.0 && bounds.top() == rect.top() &&
                                   bounds.bottom() == rect.bottom() && bounds.left() > rect.right() &&
                                   bounds.left() < rect.right() + 12.0
                             : bounds.height() == 0.0 && bounds.left() == rect.left() &&
                                   bounds.right() == rect.right() && bounds.top() > rect.bottom() &&
                                   bounds.top() < rect.bottom() + 12.0;
        });
    };
    QVERIFY(isMarked(Stage::X, false, 1));
    QVERIFY(isMarked(Stage::Wq, true, 1));
    QVERIFY(isMarked(Stage::Wk, true, 1));
    QVERIFY(isMarked(Stage::Wv, true, 1));
    QVERIFY(isMarked(Stage::Q, false, 2));
    QVERIFY(isMarked(Stage::K, false, 2));
    QVERIFY(isMarked(Stage::A, false, 3));
    QVERIFY(isMarked(Stage::V, true, 3));
    QVERIFY(isMarked(Stage::Concat, false, 4));
    QVERIFY(isMarked(Stage::Wo, true, 4));
}

void TestBoardScene::crossAttentionHasTwoLevels()
{
    const SnapshotPtr snapshot = goldenSnapshot(QStringLiteral("seed_f_cross_attention"));
    const Scene scene = boardScene(snapshot, {});
    const SceneMap *x = findMap(scene, Stage::X);
    const SceneMap *keys = findMap(scene, Stage::Xkv);
    const SceneMap *k = findMap(scene, Stage::K);
    QVERIFY(x && keys && k);
    QVERIFY(keys->rect.top() > x->rect.bottom());
    QCOMPARE(keys->rect.top(), k->rect.top());
    QCOMPARE(x->rowLabels.front(), QString::fromStdString(snapshot->experiment().tokens.at(0)));
    QCOMPARE(keys->rowLabels.front(), QString::fromStdString(snapshot->experiment().keyTokens().at(0)));
    const SceneMap *weights = findMap(scene, Stage::A);
    QCOMPARE(weights->rowLabels, x->rowLabels);
    QCOMPARE(weights->colLabels, keys->rowLabels);
}

void TestBoardScene::missingStagesSayWhy()
{
    const SnapshotPtr snapshot = goldenSnapshot(QStringLiteral("given_06_attention"));
    const Scene scene = boardScene(snapshot, {});
    QVERIFY(!findMap(scene, Stage::Q));
    QVERIFY(findMap(scene, Stage::A));
    QVERIFY(hasText(scene, QStringLiteral("not available")));
    QCOMPARE(snapshot->stage(Stage::Q).status, StageStatus::NotAvailable);
    const auto dashed =
        std::count_if(scene.boxes.begin(), scene.boxes.end(), [](const SceneBox &box) { return box.dashed; });
    QVERIFY(dashed >= 4); // Q, K, scores, scaled
    QString words;
    for (const SceneText &text : scene.texts)
        words += text.text + u' ';
    QVERIFY(words.contains(QString::fromStdString(snapshot->stage(Stage::Q).reason)));
}

void TestBoardScene::headsAreTiledOrPaged()
{
    const SnapshotPtr snapshot = goldenSnapshot(QStringLiteral("random_009_grouped_query_rope_half"));
    const Index heads = snapshot->experiment().nHeads;
    const Index kvHeads = snapshot->experiment().nKvHeads;
    QVERIFY(heads > kvHeads && kvHeads > 1);
    const Scene tiles = boardScene(snapshot, {});
    for (Index head = 0; head < heads; ++head) {
        QVERIFY(findMap(tiles, Stage::A, head));
        QCOMPARE(findMap(tiles, Stage::A, head)->name, QStringLiteral("A, head %1").arg(head + 1));
    }
    QVERIFY(findMap(tiles, Stage::Kr, kvHeads - 1));
    QVERIFY(!findMap(tiles, Stage::Kr, kvHeads));
    QVERIFY(tiles.controls.empty());

    BoardOptions options;
    options.tileHeads = false;
    options.head = heads - 1;
    const Scene page = boardScene(snapshot, {}, options);
    QVERIFY(findMap(page, Stage::A, heads - 1));
    QVERIFY(!findMap(page, Stage::A, 0));
    QVERIFY(findMap(page, Stage::Kr, kvHeads - 1));
    QVERIFY(findControl(page, QStringLiteral("head:prev"))->enabled);
    QVERIFY(!findControl(page, QStringLiteral("head:next"))->enabled);
    QVERIFY(findControl(page, QStringLiteral("head:%1").arg(heads - 1))->checked);
    QVERIFY(!findControl(page, QStringLiteral("head:0"))->checked);
    options.head = 1000;
    QVERIFY(findMap(boardScene(snapshot, {}, options), Stage::A, heads - 1));
}

void TestBoardScene::maskRulesAreWords()
{
    Experiment experiment = goldenExperiment(QStringLiteral("seed_a_computed"));
    QVERIFY(!findMap(boardScene(snapshotOf(experiment), {}), Stage::Masked));
    experiment.causal = true;
    experiment.window = Window{2, std::nullopt};
    const Scene scene = boardScene(snapshotOf(experiment), {});
    QVERIFY(findMap(scene, Stage::Masked));
    QVERIFY(hasText(scene, QStringLiteral("causal")));
    QVERIFY(hasText(scene, QStringLiteral("window: 2 back, ∞ ahead")));
    QVERIFY(!hasText(scene, QStringLiteral("no effect")));
    QVERIFY(findMap(scene, Stage::A)->allowed);
    QCOMPARE(layoutFault(scene), QString());
}

void TestBoardScene::masksOverPinnedWeightsSaySo()
{
    const Scene scene = boardScene(goldenSnapshot(QStringLiteral("seed_e_c_causal_pin_wins")), {});
    QVERIFY(hasText(scene, QStringLiteral("no effect: A is pinned")));
    QVERIFY(!findMap(scene, Stage::A)->allowed);
    const Scene given = boardScene(goldenSnapshot(QStringLiteral("given_07_attention_causal")), {});
    QVERIFY(hasText(given, QStringLiteral("no effect: A is given")));
    QCOMPARE(layoutFault(given), QString());
}

void TestBoardScene::pinsAreCountedAndFound()
{
    Experiment experiment = goldenExperiment(QStringLiteral("seed_a_computed"));
    experiment.pins[Stage::A].set({0, 1, 3}, 0.5);
    experiment.pins[Stage::A].set({0, 2, 2}, 0.25);
    const Scene scene = boardScene(snapshotOf(experiment), {});
    QVERIFY(hasText(scene, QStringLiteral("2 pinned")));
    const SceneMap *map = findMap(scene, Stage::A);
    QVERIFY(map->isPinned && map->isPinned(1, 3) && map->isPinned(2, 2));
    QVERIFY(!map->isPinned(3, 1));
    QVERIFY(!findMap(scene, Stage::Q)->isPinned);
}

void TestBoardScene::contradictionsAreDrawn_data()
{
    QTest::addColumn<Stage>("stage");
    QTest::addColumn<Shape>("shape");
    QTest::addColumn<Index>("heads");
    QTest::addColumn<Index>("kvHeads");
    QTest::newRow("no heads") << Stage::Wq << Shape{1, 6, 6} << Index{0} << Index{0};
    QTest::newRow("heads that do not divide") << Stage::Wq << Shape{1, 6, 6} << Index{3} << Index{2};
    QTest::newRow("X of too many rows") << Stage::X << Shape{1, 7, 6} << Index{1} << Index{1};
    QTest::newRow("X with heads") << Stage::X << Shape{3, 4, 6} << Index{1} << Index{1};
    QTest::newRow("weights for more keys") << Stage::A << Shape{1, 4, 9} << Index{1} << Index{1};
    QTest::newRow("weights for more queries") << Stage::A << Shape{1, 9, 4} << Index{1} << Index{1};
    QTest::newRow("weights of more heads") << Stage::A << Shape{3, 4, 4} << Index{1} << Index{1};
    QTest::newRow("values of fewer keys") << Stage::V << Shape{1, 2, 6} << Index{1} << Index{1};
    QTest::newRow("mask of another shape") << Stage::MaskBool << Shape{2, 3, 5} << Index{1} << Index{1};
    QTest::newRow("output weights") << Stage::Wo << Shape{1, 5, 6} << Index{1} << Index{1};
}

void TestBoardScene::contradictionsAreDrawn()
{
    QFETCH(Stage, stage);
    QFETCH(Shape, shape);
    QFETCH(Index, heads);
    QFETCH(Index, kvHeads);
    Experiment experiment = goldenExperiment(QStringLiteral("seed_a_computed"));
    experiment.given[stage] = seededTensor(shape, 7);
    experiment.nHeads = heads;
    experiment.nKvHeads = kvHeads;
    const SnapshotPtr snapshot = snapshotOf(experiment);
    QVERIFY(!snapshot->problem().empty());
    BoardOptions page;
    page.tileHeads = false;
    for (const BoardOptions &options : {BoardOptions{}, page}) {
        const Scene board = boardScene(snapshot, {}, options);
        QCOMPARE(layoutFault(board), QString());
        QVERIFY(hasText(board, QString::fromStdString(snapshot->problem())));
    }
    HeadsOptions focused;
    focused.focus = 0;
    QCOMPARE(layoutFault(headsScene(snapshot, {}, focused)), QString());
    QCOMPARE(layoutFault(stageScene(snapshot, stage, {})), QString());
    for (const FootprintTarget target :
         {FootprintTarget::Head, FootprintTarget::HeadMapped, FootprintTarget::Token}) {
        FootprintsOptions options;
        options.target = target;
        QCOMPARE(layoutFault(footprintsScene(snapshot, {}, options)), QString());
    }
}

void TestBoardScene::largeStagesAreBounded()
{
    const Scene scene = boardScene(snapshotOf(seededQkv(512, 12, 8)), {});
    QCOMPARE(layoutFault(scene), QString());
    for (const SceneMap &map : scene.maps) {
        QVERIFY2(map.rect.width() <= 360.0, qPrintable(map.name));
        QVERIFY2(map.rect.height() <= 360.0, qPrintable(map.name));
    }
    QVERIFY(findMap(scene, Stage::A, 11));
}

void TestBoardScene::hitTestFindsEveryCorner()
{
    const Scene scene = boardScene(goldenSnapshot(QStringLiteral("random_045_everything")), {});
    for (std::size_t i = 0; i < scene.maps.size(); ++i) {
        const SceneMap &map = scene.maps[i];
        for (const Index row : {Index{0}, map.values->rows() - 1})
            for (const Index col : {Index{0}, map.values->cols() - 1}) {
                const auto hit = hitTest(scene, cellRect(map, row, col).center());
                QVERIFY(hit.has_value());
                QCOMPARE(hit->map, i);
                QCOMPARE(hit->row, row);
                QCOMPARE(hit->col, col);
            }
    }
}

void TestBoardScene::rangesFollowTheOptions()
{
    const SnapshotPtr snapshot = goldenSnapshot(QStringLiteral("seed_d1x_two_heads_from_x"));
    DisplayOptions display;
    const Scene shared = boardScene(snapshot, display);
    QCOMPARE(findMap(shared, Stage::A, 0)->range.maximum, findMap(shared, Stage::A, 1)->range.maximum);
    QCOMPARE(findMap(shared, Stage::A, 0)->rangeNote, QStringLiteral("shared by 2 heads"));
    display.ranges[Stage::A].mode = DisplayOptions::RangeMode::PerHead;
    const Scene own = boardScene(snapshot, display);
    QVERIFY(findMap(own, Stage::A, 0)->range.maximum != findMap(own, Stage::A, 1)->range.maximum);
    QVERIFY(!findMap(own, Stage::A, 1)->colorBar.isNull());
    display.ranges[Stage::A] = {DisplayOptions::RangeMode::Fixed, 0.0, 1.0};
    const Scene fixed = boardScene(snapshot, display);
    QCOMPARE(findMap(fixed, Stage::A, 1)->range.minimum, 0.0);
    QCOMPARE(findMap(fixed, Stage::A, 1)->range.maximum, 1.0);
}

QTEST_MAIN(TestBoardScene)
#include "tst_BoardScene.moc"
