#include "engine/heads/HeadAlone.h"

#include "engine/Evaluator.h"
#include "engine/heads/HeadCut.h"
#include "support/GoldenFile.h"
#include "support/MatrixCompare.h"
#include "support/RandomExperiment.h"

#include <QTest>

#include <cmath>

using namespace attn;
using namespace attn::test;

namespace {

SnapshotPtr snapshotOf(const Experiment &experiment)
{
    return evaluated(std::make_shared<const Experiment>(experiment));
}

std::vector<double> numbersOf(const StageValues &values)
{
    std::vector<double> numbers(static_cast<std::size_t>(values.rows() * values.cols()));
    values.readBlock(0, 0, 0, values.rows(), values.cols(), numbers.data(), values.cols());
    return numbers;
}

Experiment goldenState(const QString &name)
{
    return *goldenExperiment(readGolden(name)["state"]);
}

} // namespace

/// One big matrix does the work of h small ones: the cut of the columns, and a head computed by itself.
class TestHeadAlone : public QObject
{
    Q_OBJECT

private slots:
    void cutOfTwoHeads();
    void cutOfGroupedHeads();
    void goldenHeads_data();
    void goldenHeads();
    void randomHeadsAreEqual();
    void whatIsSetByHandProvesNothing();
    void headSeesEveryInputCoordinate();
    void identityOutputDoesNotMix();
    void contradictionsAreRefused();
};

void TestHeadAlone::cutOfTwoHeads()
{
    Sizes sizes;
    sizes.nHeads = sizes.nKvHeads = 2;
    sizes.dHeadK = sizes.dHeadV = 3;
    const HeadCut cut = headCut(sizes, 1);
    QCOMPARE(cut.kvHead, Index(1));
    QVERIFY((cut.query == LineRange{3, 3}) && cut.key == cut.query && cut.value == cut.query &&
            cut.output == cut.query);
    QCOMPARE(cut.sharing, std::vector<Index>{1});
}

void TestHeadAlone::cutOfGroupedHeads()
{
    Sizes sizes;
    sizes.nHeads = 6;
    sizes.nKvHeads = 3;
    sizes.dHeadK = 2;
    sizes.dHeadV = 5;
    const HeadCut cut = headCut(sizes, 3);
    QCOMPARE(cut.kvHead, Index(1));
    QVERIFY((cut.query == LineRange{6, 2}));
    QVERIFY((cut.key == LineRange{2, 2}));
    QVERIFY((cut.value == LineRange{5, 5}));
    QVERIFY((cut.output == LineRange{15, 5}));
    QCOMPARE(cut.sharing, (std::vector<Index>{2, 3}));
}

void TestHeadAlone::goldenHeads_data()
{
    QTest::addColumn<QString>("name");
    for (const QString &name : goldenNames(QStringLiteral("heads_equivalence")))
        QTest::newRow(qPrintable(name)) << name;
}

void TestHeadAlone::goldenHeads()
{
    QFETCH(QString, name);
    const Json golden = readGolden(name);
    const Experiment experiment = goldenState(name);
    const SnapshotPtr whole = snapshotOf(experiment);
    for (Index head = 0; head < experiment.nHeads; ++head) {
        const Json &expected = golden["per_head"].toArray()[static_cast<std::size_t>(head)];
        const auto alone = headAlone(experiment, head);
        QVERIFY(alone.ok());
        for (const char *weight : {"Wq", "Wk", "Wv", "Wo"})
            QCOMPARE(alone->matrix(*stageFromName(weight)).toDoubles(),
                     goldenTensor(expected["weights"][weight]).toDoubles());
        const auto check = checkHeadAlone(whole, head);
        QVERIFY(check.ok());
        for (const char *stage : {"Q", "K", "V", "A", "head_out"})
            QCOMPARE(matrixDifference(numbersOf(*check->alone->stage(*stageFromName(stage)).values),
                                      goldenTensor(expected[stage]).toDoubles(), 1e-12),
                     QString());
        QCOMPARE(check->parts.size(), std::size_t(7));
        for (const StageComparison &part : check->parts)
            QVERIFY2(part.different == 0 && part.largest == 0.0, stageName(part.stage));
    }
}

void TestHeadAlone::randomHeadsAreEqual()
{
    RandomExperiments random(416);
    int compared = 0;
    for (int i = 0; i < 150; ++i) {
        const Experiment experiment = random.next();
        const SnapshotPtr whole = snapshotOf(experiment);
        for (Index head = 0; head < experiment.nHeads; ++head) {
            const auto check = checkHeadAlone(whole, head);
            QVERIFY2(check.ok(), check.ok() ? "" : check.error().message.c_str());
            for (const StageComparison &part : check->parts) {
                ++compared;
                QVERIFY2(part.mismatched == 0 && part.largest <= 1e-12 * std::max(part.largestB, 1.0),
                         qPrintable(QStringLiteral("%1: %2 of %3, experiment %4")
                                        .arg(QLatin1String(stageName(part.stage)))
                                        .arg(part.largest)
                                        .arg(part.largestB)
                                        .arg(i)));
            }
        }
    }
    QVERIFY(compared > 1000);
}

/// Numbers set by hand stand on neither side, and are told where they differ from what is computed.
void TestHeadAlone::whatIsSetByHandProvesNothing()
{
    const Experiment computed = goldenState(QStringLiteral("heads_equivalence_0"));
    const SnapshotPtr plain = snapshotOf(computed);
    const double right = plain->stage(Stage::Q).values->value(0, 1, 3);
    Experiment byHand = computed;
    byHand.pins[Stage::Q].set({0, 1, 3}, right + 0.5);
    byHand.pins[Stage::Q].set({0, 2, 3}, plain->stage(Stage::Q).values->value(0, 2, 3) + 1e-15);
    byHand.pins[Stage::Q].set({0, 0, 0}, 9.0); // of the other head
    byHand.pins[Stage::A].set({1, 0, 0}, 0.25);
    const auto check = checkHeadAlone(snapshotOf(byHand), 1);
    QVERIFY(check.ok());
    QVERIFY(check->whole->experiment().pins.empty());
    QCOMPARE(check->alone->stage(Stage::Q).values->value(0, 1, 0), right);
    for (const StageComparison &part : check->parts)
        QVERIFY2(part.different == 0, stageName(part.stage));
    QCOMPARE(check->byHand.size(), std::size_t(2));
    const HeadByHand &Q = check->byHand.front();
    QVERIFY(Q.stage == Stage::Q && Q.isComputed);
    QCOMPARE(Q.cells, Index(2));
    QCOMPARE(Q.different, Index(1));
    QVERIFY((Q.farthest.cell == CellIndex{0, 1, 3}));
    QCOMPARE(Q.farthest.a, right + 0.5);
    QCOMPARE(Q.farthest.b, right);
    QVERIFY(check->byHand.back().stage == Stage::A);
    QCOMPARE(check->byHand.back().different, Index(1));
    // Where nothing is set by hand nothing is computed a second time.
    QCOMPARE(checkHeadAlone(plain, 1)->whole, plain);
    // A stage that only stands there by hand cannot be computed without it.
    Experiment only = computed;
    only.pins[Stage::K] = Pins(Tensor::filled({1, plain->sizes().nK, 6}, 0.5));
    only.given.erase(Stage::Wk);
    const auto kept = checkHeadAlone(snapshotOf(only), 0);
    QVERIFY(kept.ok());
    QCOMPARE(kept->byHand.size(), std::size_t(1));
    QVERIFY(!kept->byHand.front().isComputed);
    QCOMPARE(kept->byHand.front().cells, 3 * plain->sizes().nK);
}

void TestHeadAlone::headSeesEveryInputCoordinate()
{
    Experiment experiment = goldenState(QStringLiteral("heads_equivalence_0"));
    const SnapshotPtr before = snapshotOf(experiment);
    Tensor &X = experiment.given[Stage::X];
    X = X.withCells(std::vector<CellValue>{{{0, 0, 5}, X.at(0, 5) + 1.0}});
    const SnapshotPtr after = snapshotOf(experiment);
    for (Index head = 0; head < 2; ++head) {
        QVERIFY(before->stage(Stage::Qh).values->value(head, 0, 0) !=
                after->stage(Stage::Qh).values->value(head, 0, 0));
        // Row i of X W depends on row i of X alone.
        QCOMPARE(before->stage(Stage::Qh).values->value(head, 1, 0),
                 after->stage(Stage::Qh).values->value(head, 1, 0));
    }
}

void TestHeadAlone::identityOutputDoesNotMix()
{
    Experiment experiment = goldenState(QStringLiteral("heads_equivalence_0"));
    std::vector<double> identity(36, 0.0);
    for (std::size_t i = 0; i < 6; ++i)
        identity[i * 7] = 1.0;
    experiment.given[Stage::Wo] = Tensor::fromDoubles({1, 6, 6}, identity);
    const SnapshotPtr snapshot = snapshotOf(experiment);
    QCOMPARE(numbersOf(*snapshot->stage(Stage::Output).values),
             numbersOf(*snapshot->stage(Stage::Concat).values));
}

void TestHeadAlone::contradictionsAreRefused()
{
    Experiment experiment = goldenState(QStringLiteral("heads_equivalence_0"));
    QVERIFY(!headAlone(experiment, 2).ok());
    experiment.given[Stage::Wk] = Tensor::zeros({1, 5, 6});
    const auto refused = headAlone(experiment, 0);
    QVERIFY(!refused.ok());
    QVERIFY(!refused.error().message.empty());
}

QTEST_APPLESS_MAIN(TestHeadAlone)
#include "tst_HeadAlone.moc"
