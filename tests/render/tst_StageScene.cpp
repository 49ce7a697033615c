#include "render/SceneBuilders.h"
#include "render/SceneCases.h"

#include <QTest>

using namespace attn;
using namespace attn::test;

class TestStageScene : public QObject
{
    Q_OBJECT

private slots:
    void allHeadsOrSome();
    void cellSizeIsObeyed();
    void everyStageHasASymbol();
    void leavesNoRoomForWhatIsNotShown();
    void oneLongLabelOfManyFindsRoom();
    void missingStageSaysWhy();
    void maskedWeightsAreMarked();
};

void TestStageScene::allHeadsOrSome()
{
    const SnapshotPtr snapshot = goldenSnapshot(QStringLiteral("random_025_alibi_six_heads"));
    const Scene all = stageScene(snapshot, Stage::A, {});
    QCOMPARE(all.maps.size(), std::size_t{6});
    QCOMPARE(layoutFault(all), QString());
    QVERIFY(!all.maps.front().colorBar.isNull());
    StageSceneOptions options;
    options.heads = {4, 1, 77};
    options.title = QStringLiteral("two heads");
    const Scene some = stageScene(snapshot, Stage::A, {}, options);
    QCOMPARE(some.maps.size(), std::size_t{2});
    QCOMPARE(some.maps.front().key.head, Index{4});
    QVERIFY(hasText(some, QStringLiteral("two heads")));
    QVERIFY(hasText(some, QStringLiteral("Head 5")));
}

void TestStageScene::cellSizeIsObeyed()
{
    StageSceneOptions options;
    options.cellSize = 10.0;
    const Scene scene = stageScene(goldenSnapshot(QStringLiteral("seed_a_computed")), Stage::X, {}, options);
    QCOMPARE(scene.maps.front().rect.size(), QSizeF(60.0, 40.0));
    QCOMPARE(layoutFault(scene), QString());
}

void TestStageScene::everyStageHasASymbol()
{
    for (const StageInfo &info : stageTable())
        QVERIFY2(!stageSymbol(info.stage).isEmpty(), info.name);
    QCOMPARE(stageSymbol(Stage::Wq), QStringLiteral("W^{Q}"));
}

void TestStageScene::leavesNoRoomForWhatIsNotShown()
{
    const SnapshotPtr snapshot = goldenSnapshot(QStringLiteral("seed_a_computed"));
    const Scene whole = stageScene(snapshot, Stage::A, {});
    DisplayOptions bare;
    bare.showLabels = false;
    const Scene unlabelled = stageScene(snapshot, Stage::A, bare);
    QCOMPARE(unlabelled.maps.front().rect.size(), whole.maps.front().rect.size());
    QCOMPARE(unlabelled.size.height(), whole.size.height() - whole.maps.front().colLabelHeight);
    QVERIFY(unlabelled.maps.front().rect.left() <
            whole.maps.front().rect.left() - 0.9 * whole.maps.front().rowLabelWidth);
    bare.showColorBars = false;
    QVERIFY(stageScene(snapshot, Stage::A, bare).size.height() < unlabelled.size.height() - 20.0);
    QCOMPARE(layoutFault(unlabelled), QString());
}

/// Of thousands of labels not all are set to find the widest.
void TestStageScene::oneLongLabelOfManyFindsRoom()
{
    const auto widthWith = [](const std::string &label) {
        Experiment many = seededQkv(2000, 1, 2);
        std::vector<std::string> labels(2000, "t");
        labels[1777] = label;
        many.tokens = TokenList(labels);
        return stageScene(snapshotOf(many), Stage::Q, {}).maps.front().rowLabelWidth;
    };
    QVERIFY(widthWith("a longer one") > widthWith("t") + 30.0);
}

void TestStageScene::missingStageSaysWhy()
{
    const SnapshotPtr snapshot = goldenSnapshot(QStringLiteral("given_06_attention"));
    const Scene scene = stageScene(snapshot, Stage::Q, {});
    QVERIFY(scene.maps.empty());
    QVERIFY(hasText(scene, QStringLiteral("not available")));
}

void TestStageScene::maskedWeightsAreMarked()
{
    Experiment experiment = goldenSnapshot(QStringLiteral("seed_a_computed"))->experiment();
    QVERIFY(!stageScene(snapshotOf(experiment), Stage::A, {}).maps.front().allowed);
    experiment.causal = true;
    const SnapshotPtr causal = snapshotOf(experiment);
    const SceneMap map = stageScene(causal, Stage::A, {}).maps.front();
    QVERIFY(map.allowed);
    QCOMPARE(map.allowed->value(map.allowedHead, 1, 0), 1.0);
    QCOMPARE(map.allowed->value(map.allowedHead, 0, 1), 0.0);
    QVERIFY(!stageScene(causal, Stage::Scores, {}).maps.front().allowed);
    // A mask has no effect on weights that are given, so nothing is marked.
    experiment.given[Stage::A] = Tensor::filled({1, 4, 4}, 0.25);
    QVERIFY(!stageScene(snapshotOf(experiment), Stage::A, {}).maps.front().allowed);
}

QTEST_MAIN(TestStageScene)
#include "tst_StageScene.moc"
