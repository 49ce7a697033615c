#include "engine/Edit.h"
#include "render/SceneBuilders.h"
#include "render/SceneCases.h"
#include "render/scenes/StageTexts.h"

#include <QTest>

#include <cmath>

using namespace attn;
using namespace attn::test;

/// Symbols say what is done in the experiment at hand, not what is usual.
class TestStageTexts : public QObject
{
    Q_OBJECT

private slots:
    void scaledSaysHowItIsScaled_data();
    void scaledSaysHowItIsScaled();
    void rotatedScoresSaySo();
    void boardShowsTheSymbol();
    void figuresHaveATrueMinus();
    void sharesOfAlmostNothingAndAlmostAll();
};

namespace {

SnapshotPtr editedSeed(const Edit &edit)
{
    const SnapshotPtr seed = goldenSnapshot(QStringLiteral("seed_a_computed"));
    return snapshotOf(applyEdit(seed->experiment(), edit)->experiment);
}

} // namespace

void TestStageTexts::scaledSaysHowItIsScaled_data()
{
    QTest::addColumn<double>("scale");
    QTest::addColumn<QString>("symbol");
    QTest::newRow("a half") << 0.5 << "QK^{T} · 0.5";
    QTest::newRow("none") << 1.0 << "QK^{T}";
    QTest::newRow("a long number is shortened") << 1.0 / 3.0 << "QK^{T} · 0.333";
    QTest::newRow("negative") << -2.0 << "QK^{T} · (−2)";
}

void TestStageTexts::scaledSaysHowItIsScaled()
{
    QFETCH(double, scale);
    QFETCH(QString, symbol);
    const SnapshotPtr snapshot = editedSeed(SetScale{scale});
    QCOMPARE(scaledSymbol(*snapshot), symbol);
    QCOMPARE(symbolIn(*snapshot, Stage::Scaled), symbol);
    QCOMPARE(symbolIn(*snapshot, Stage::Scores), QStringLiteral("QK^{T}"));
    QCOMPARE(scaledSymbol(*goldenSnapshot(QStringLiteral("seed_a_computed"))),
             QStringLiteral("QK^{T}/√d_{k}"));
}

void TestStageTexts::rotatedScoresSaySo()
{
    const SnapshotPtr snapshot = editedSeed(SetRotary{Rotary{}});
    QCOMPARE(symbolIn(*snapshot, Stage::Scores), QStringLiteral("Q_{rot}K_{rot}^{T}"));
    QCOMPARE(symbolIn(*snapshot, Stage::Scaled), QStringLiteral("Q_{rot}K_{rot}^{T}/√d_{k}"));
    QCOMPARE(scoresSymbol(*snapshot, QStringLiteral("q")), QStringLiteral("q_{rot}K_{rot}^{T}"));
}

void TestStageTexts::boardShowsTheSymbol()
{
    const Scene scene = boardScene(editedSeed(SetScale{0.5}), {});
    QVERIFY(hasText(scene, QStringLiteral("QK^{T} · 0.5")));
    QVERIFY(!hasText(scene, QStringLiteral("√d_{k}")));
}

void TestStageTexts::figuresHaveATrueMinus()
{
    QCOMPARE(figureText(-0.425, 2), QStringLiteral("−0.43"));
    QCOMPARE(figureText(-0.0012, 2), QStringLiteral("−0.0012"));
    QCOMPARE(figureText(0.5, 2), QStringLiteral("0.50"));
    QCOMPARE(figureText(std::nan(""), 2), QStringLiteral("–"));
}

void TestStageTexts::sharesOfAlmostNothingAndAlmostAll()
{
    QCOMPARE(percentText(0.123), QStringLiteral("12.3 %"));
    QCOMPARE(percentText(0.0), QStringLiteral("0.0 %"));
    QCOMPARE(percentText(1.0), QStringLiteral("100.0 %"));
    QCOMPARE(percentText(0.00028), QStringLiteral("< 0.1 %"));
    QCOMPARE(percentText(-0.00028), QStringLiteral("> −0.1 %"));
    QCOMPARE(percentText(1.0 - 0.00028), QStringLiteral("> 99.9 %"));
    QCOMPARE(percentText(0.0005), QStringLiteral("0.1 %"));
    QCOMPARE(percentText(12.5), QStringLiteral("1250.0 %"));
}

QTEST_MAIN(TestStageTexts)
#include "tst_StageTexts.moc"
