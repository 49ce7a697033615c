#include "render/FlowScene.h"
#include "render/SceneCases.h"

#include <QTest>

using namespace attn;
using namespace attn::test;

namespace {

bool hasExactText(const Scene &scene, const QString &text)
{
    return std::any_of(scene.texts.begin(), scene.texts.end(),
                       [&](const SceneText &candidate) { return candidate.text == text; });
}

Scene sceneOf(const QString &golden, const RowFlowOptions &options, int decimals = 2)
{
    DisplayOptions display;
    display.decimals = decimals;
    return rowFlowScene(goldenSnapshot(golden), display, options);
}

} // namespace

class TestRowFlowScene : public QObject
{
    Q_OBJECT

private slots:
    void firstCellOfQ();
    void zeroTermIsWrittenToo();
    void outputOfLove();
    void footprintAlone();
    void allKindsInBothLayouts_data();
    void allKindsInBothLayouts();
    void biasAndPinsAreSaid();
    void manyFeatures();
    void saysWhyNot();
};

void TestRowFlowScene::firstCellOfQ()
{
    RowFlowOptions options;
    options.target = 0;
    const Scene scene = sceneOf(QStringLiteral("seed_a_computed"), options);
    QCOMPARE(layoutFault(scene), QString());
    for (const char *term : {"1.00 × 0.10 = 0.10", "0.30 × 0.30 = 0.09", "0.50 × 0.20 = 0.10",
                             "0.10 × 0.10 = 0.01", "0.40 × 0.20 = 0.08", "0.38"})
        QVERIFY2(hasExactText(scene, QString::fromUtf8(term)), term);
    QVERIFY(hasText(scene, QStringLiteral("The terms of f1 add up to 0.38.")));
}

void TestRowFlowScene::zeroTermIsWrittenToo()
{
    RowFlowOptions options;
    options.target = 0;
    QVERIFY(hasExactText(sceneOf(QStringLiteral("seed_a_computed"), options),
                         QStringLiteral("0.20 × 0.00 = 0.00")));
}

void TestRowFlowScene::outputOfLove()
{
    RowFlowOptions options;
    options.question = {RowFlowKind::HeadOut, 0, 1};
    const Scene all = sceneOf(QStringLiteral("seed_c_attention_pinned"), options, 4);
    for (const char *cell : {"0.3800", "0.4095", "0.3600", "0.3810", "0.4110", "0.3485", "0.2500", "0.5000"})
        QVERIFY2(hasExactText(all, QString::fromLatin1(cell)), cell);
    options.target = 0;
    const Scene first = sceneOf(QStringLiteral("seed_c_attention_pinned"), options);
    for (const char *term :
         {"0.25 × 0.45 = 0.11", "0.15 × 0.41 = 0.06", "0.10 × 0.31 = 0.03", "0.50 × 0.35 = 0.18"})
        QVERIFY2(hasExactText(first, QString::fromUtf8(term)), term);
}

void TestRowFlowScene::footprintAlone()
{
    RowFlowOptions options;
    options.question = {RowFlowKind::HeadOut, 0, 1};
    options.source = 3;
    const Scene scene = sceneOf(QStringLiteral("seed_c_attention_pinned"), options, 4);
    for (const char *cell : {"0.1750", "0.2450", "0.1650", "0.2350", "0.2200", "0.1900"})
        QVERIFY2(hasExactText(scene, QString::fromLatin1(cell)), cell);
}

void TestRowFlowScene::allKindsInBothLayouts_data()
{
    QTest::addColumn<QString>("golden");
    for (const char *name : {"seed_a_computed", "seed_d2_two_heads_attention_pinned",
                             "seed_f2_cross_attention_two_heads", "bias_02_grouped_query"})
        QTest::newRow(name) << QString::fromLatin1(name);
}

void TestRowFlowScene::allKindsInBothLayouts()
{
    QFETCH(QString, golden);
    for (const FlowLayout layout : {FlowLayout::SideBySide, FlowLayout::Stacked}) {
        for (const RowFlowKind kind :
             {RowFlowKind::Query, RowFlowKind::Key, RowFlowKind::Value, RowFlowKind::HeadOut,
              RowFlowKind::HeadContribution, RowFlowKind::Output}) {
            for (const int alone : {0, 1, 2}) {
                RowFlowOptions options;
                options.question = {kind, 0, 1};
                options.layout = layout;
                if (alone == 1)
                    options.source = 0;
                if (alone == 2)
                    options.target = 0;
                const Scene scene = sceneOf(golden, options);
                QCOMPARE(layoutFault(scene), QString());
                QVERIFY(scene.shapes.size() > 10);
                const QRectF everything(QPointF(), scene.size);
                for (const SceneShape &shape : scene.shapes)
                    QVERIFY2(everything.contains(shape.path.boundingRect()), qPrintable(shape.id));
            }
        }
    }
}

void TestRowFlowScene::biasAndPinsAreSaid()
{
    RowFlowOptions options;
    options.target = 1;
    QVERIFY(
        hasText(sceneOf(QStringLiteral("bias_00_single_head"), options), QStringLiteral("the bias adds")));
    options.question.row = 1;
    QVERIFY(hasText(sceneOf(QStringLiteral("seed_b_qkv_pinned"), options),
                    QStringLiteral("The terms of f2 add up to 0.34; the cell is set by hand to 0.43.")));
}

void TestRowFlowScene::manyFeatures()
{
    Experiment experiment;
    experiment.tokens = TokenList({"a", "b", "c"});
    experiment.nHeads = experiment.nKvHeads = 4;
    experiment.given[Stage::X] = seededTensor({1, 3, 256}, 1);
    for (const Stage stage : {Stage::Wq, Stage::Wk, Stage::Wv})
        experiment.given[stage] = seededTensor({1, 256, 256}, 2);
    const SnapshotPtr snapshot = snapshotOf(experiment);
    RowFlowOptions options;
    options.filter.mostLinks = 300;
    const Scene scene = rowFlowScene(snapshot, {}, options);
    QCOMPARE(layoutFault(scene), QString());
    QVERIFY(hasText(scene, QStringLiteral("300 of 16\u202f384 terms")));
    QVERIFY(scene.size.height() < 2400.0);
}

void TestRowFlowScene::saysWhyNot()
{
    const SnapshotPtr snapshot = snapshotOf(seededQkv(4, 1, 3));
    QVERIFY(hasText(rowFlowScene(snapshot, {}), QStringLiteral("cannot be drawn")));
}

QTEST_MAIN(TestRowFlowScene)
#include "tst_RowFlowScene.moc"
