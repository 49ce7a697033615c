#include "engine/heads/HeadCombination.h"

#include "engine/heads/WeightTimesLength.h"
#include "support/GoldenFile.h"
#include "support/RandomExperiment.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace attn;
using namespace attn::test;

namespace {

SnapshotPtr snapshotOf(const Experiment &experiment)
{
    return evaluated(std::make_shared<const Experiment>(experiment));
}

SnapshotPtr twoHeadsByHand()
{
    return evaluated(
        goldenExperiment(readGolden(QStringLiteral("seed_d2_two_heads_attention_pinned"))["state"]));
}

} // namespace

class TestHeadCombination : public QObject
{
    Q_OBJECT

private slots:
    void weightsByHand();
    void sumsAddUpToTheOutput();
    void pinsOfTheOutputAreTheGap();
    void chosenAndRestMakeTheOutput();
    void lengthsOfGroupedValues();
    void reasonsAreGiven();
};

void TestHeadCombination::weightsByHand()
{
    const SnapshotPtr snapshot = twoHeadsByHand();
    // Row of love: A_1 (0.2, 0.1, 0.1, 0.6), A_2 (0.5, 0.2, 0.1, 0.2).
    const auto mixed = [&](HeadMix mix, Index col) {
        return mixedWeights(snapshot, {0, 1}, mix)->value(0, 1, col);
    };
    QCOMPARE(mixed(HeadMix::Mean, 0), 0.35);
    QCOMPARE(mixed(HeadMix::Mean, 3), 0.4);
    QCOMPARE(mixed(HeadMix::Max, 0), 0.5);
    QCOMPARE(mixed(HeadMix::Max, 3), 0.6);
    QCOMPARE(mixed(HeadMix::Sum, 1), 0.1 + 0.2);
    const StageValuesPtr alone = mixedWeights(snapshot, {1}, HeadMix::Max);
    QVERIFY(alone->shape() == (Shape{1, 4, 4}));
    QCOMPARE(alone->value(0, 1, 0), 0.5);
    float painted[4];
    alone->readBlock(0, 1, 0, 1, 4, painted, 4);
    QCOMPARE(painted[0], 0.5F);
    QCOMPARE(alone->statistics(0).finiteCount, Index(16));
}

void TestHeadCombination::sumsAddUpToTheOutput()
{
    RandomExperiments random(77);
    int summed = 0;
    for (int i = 0; i < 120; ++i) {
        Experiment experiment = random.next();
        experiment.pins.erase(Stage::Output);
        const SnapshotPtr snapshot = snapshotOf(experiment);
        const auto sum = headSum(snapshot, {0});
        if (!sum)
            continue;
        ++summed;
        QVERIFY2(sum->gap <= 1e-11 * std::max(sum->outputNorm, 1.0), qPrintable(QString::number(sum->gap)));
    }
    QVERIFY(summed > 60);
}

void TestHeadCombination::pinsOfTheOutputAreTheGap()
{
    Experiment experiment = twoHeadsByHand()->experiment();
    const double computed = snapshotOf(experiment)->stage(Stage::Output).values->value(0, 2, 3);
    experiment.pins[Stage::Output].set({0, 2, 3}, computed + 0.25);
    const auto sum = headSum(snapshotOf(experiment), {0, 1});
    QVERIFY(sum.ok());
    QVERIFY(std::abs(sum->gap - 0.25) < 1e-12);
    QVERIFY(std::abs(sum->restNorm - 0.25) < 1e-12);
}

void TestHeadCombination::chosenAndRestMakeTheOutput()
{
    const SnapshotPtr snapshot = twoHeadsByHand();
    const StageValues &output = *snapshot->stage(Stage::Output).values;
    for (const std::vector<Index> &heads :
         {std::vector<Index>{}, std::vector<Index>{0}, std::vector<Index>{1}, std::vector<Index>{0, 1}}) {
        const auto sum = headSum(snapshot, heads);
        QVERIFY(sum.ok());
        for (Index row = 0; row < output.rows(); ++row)
            for (Index col = 0; col < output.cols(); ++col) {
                const double both = sum->chosen->value(0, row, col) + sum->rest->value(0, row, col);
                QVERIFY(std::abs(both - output.value(0, row, col)) < 1e-12);
            }
        if (heads.empty()) {
            QCOMPARE(sum->chosenNorm, 0.0);
            QCOMPARE(sum->restNorm, sum->outputNorm);
        }
        if (heads.size() == 2)
            QVERIFY(sum->restNorm < 1e-12);
    }
}

void TestHeadCombination::lengthsOfGroupedValues()
{
    Experiment experiment;
    experiment.tokens = TokenList({"a"});
    experiment.tokensKv = TokenList({"x", "y"});
    experiment.nHeads = 2;
    experiment.nKvHeads = 1;
    experiment.given = {{Stage::A, Tensor::fromDoubles({2, 1, 2}, std::vector<double>{0.75, 0.25, 0.5, 0.5})},
                        {Stage::V, Tensor::fromDoubles({1, 2, 2}, std::vector<double>{3.0, 4.0, 0.0, 0.5})}};
    const auto taken = weightsTimesLength(snapshotOf(experiment));
    QVERIFY(taken.ok());
    QCOMPARE((*taken)->value(0, 0, 0), 3.75);
    QCOMPARE((*taken)->value(0, 0, 1), 0.125);
    QCOMPARE((*taken)->value(1, 0, 0), 2.5);
    QCOMPARE((*taken)->value(1, 0, 1), 0.25);
}

void TestHeadCombination::reasonsAreGiven()
{
    Experiment experiment;
    experiment.tokens = TokenList({"a"});
    QVERIFY(!headSum(snapshotOf(experiment), {}).ok());
    QVERIFY(!weightsTimesLength(snapshotOf(experiment)).ok());
}

QTEST_APPLESS_MAIN(TestHeadCombination)
#include "tst_HeadCombination.moc"
