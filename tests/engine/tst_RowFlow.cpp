#include "engine/RowFlow.h"
#include "support/GoldenFile.h"
#include "support/RandomExperiment.h"

#include <QTest>

#include <cmath>

using namespace attn;
using namespace attn::test;

namespace {

SnapshotPtr golden(const QString &name)
{
    return evaluated(goldenExperiment(readGolden(name)["state"]));
}

double termOf(const RowFlow &flow, Index source, Index target)
{
    for (const FlowLink &link : flow.terms.links)
        if (link.source == source && link.target == target)
            return link.strength;
    return 0.0;
}

constexpr RowFlowKind allKinds[] = {RowFlowKind::Query,
                                    RowFlowKind::Key,
                                    RowFlowKind::Value,
                                    RowFlowKind::HeadOut,
                                    RowFlowKind::HeadContribution,
                                    RowFlowKind::Output};

} // namespace

class TestRowFlow : public QObject
{
    Q_OBJECT

private slots:
    void firstCellOfQ();
    void outputOfLove();
    void footprintOfProg();
    void termsAddUp_data();
    void termsAddUp();
    void headReadsItsColumnsOnly();
    void pinnedCellIsMarked();
    void saysWhyNot();
};

void TestRowFlow::firstCellOfQ()
{
    const SnapshotPtr snapshot = golden(QStringLiteral("seed_a_computed"));
    const RowFlow flow = rowFlow(*snapshot, {RowFlowKind::Query, 0, 0}, {});
    const double terms[] = {1.0 * 0.1, 0.2 * 0.0, 0.3 * 0.3, 0.5 * 0.2, 0.1 * 0.1, 0.4 * 0.2};
    for (Index m = 0; m < 6; ++m)
        QCOMPARE(termOf(flow, m, 0), terms[m]);
    QVERIFY(std::abs(flow.cells[0] - 0.38) < 1e-15);
    QCOMPARE(flow.factors, (std::vector<double>{1.0, 0.2, 0.3, 0.5, 0.1, 0.4}));
    QVERIFY(flow.residual() < 1e-15);
    QVERIFY(flow.result == Stage::Q);
}

void TestRowFlow::outputOfLove()
{
    const SnapshotPtr snapshot = golden(QStringLiteral("seed_c_attention_pinned"));
    const RowFlow flow = rowFlow(*snapshot, {RowFlowKind::HeadOut, 0, 1}, {});
    const double expected[] = {0.380, 0.4095, 0.360, 0.381, 0.411, 0.3485};
    for (std::size_t c = 0; c < 6; ++c)
        QVERIFY(std::abs(flow.terms.targetSums[c] - expected[c]) < 1e-15);
    QCOMPARE(flow.factors, (std::vector<double>{0.25, 0.15, 0.10, 0.50}));
    QVERIFY(flow.residual() < 1e-15);
}

void TestRowFlow::footprintOfProg()
{
    const SnapshotPtr snapshot = golden(QStringLiteral("seed_c_attention_pinned"));
    const double prog[] = {0.1750, 0.2450, 0.1650, 0.2350, 0.2200, 0.1900};
    const RowFlow flow = rowFlow(*snapshot, {RowFlowKind::HeadOut, 0, 1}, {});
    for (Index c = 0; c < 6; ++c)
        QVERIFY(std::abs(termOf(flow, 3, c) - prog[c]) < 1e-15);
}

void TestRowFlow::termsAddUp_data()
{
    QTest::addColumn<QString>("name");
    for (const QString &name : goldenNames(QStringLiteral("forward")))
        if (name.startsWith(u"random_") || name.startsWith(u"bias_"))
            QTest::newRow(qPrintable(name)) << name;
}

void TestRowFlow::termsAddUp()
{
    QFETCH(QString, name);
    const SnapshotPtr snapshot = golden(name);
    FlowFilter all;
    all.mostLinks = 1000000;
    for (const RowFlowKind kind : allKinds) {
        const Index head = snapshot->sizes().nHeads - 1;
        const bool isKeySide = kind == RowFlowKind::Key || kind == RowFlowKind::Value;
        const RowFlowQuestion question{kind, head,
                                       (isKeySide ? snapshot->sizes().nK : snapshot->sizes().nQ) - 1};
        if (!rowFlowProblem(*snapshot, question).empty())
            continue;
        const RowFlow flow = rowFlow(*snapshot, question, all);
        QCOMPARE(flow.cells.size(), static_cast<std::size_t>(flow.terms.targets));
        // Cells of head_out and what follows are no sums of terms where concat is pinned.
        if (snapshot->experiment().pins.empty())
            QVERIFY2(flow.residual() < 1e-11, qPrintable(QString::number(flow.residual())));
        else if (kind == RowFlowKind::Query || isKeySide)
            QVERIFY(flow.residual() < 1e-11);
    }
}

void TestRowFlow::headReadsItsColumnsOnly()
{
    const SnapshotPtr snapshot = golden(QStringLiteral("bias_02_grouped_query"));
    const Sizes &sizes = snapshot->sizes();
    QVERIFY(sizes.nHeads > sizes.nKvHeads);
    for (Index head = 0; head < sizes.nHeads; ++head) {
        QCOMPARE(rowFlow(*snapshot, {RowFlowKind::Query, head, 0}, {}).firstColumn, head * sizes.dHeadK);
        const Index group = sizes.nHeads / sizes.nKvHeads;
        const RowFlow value = rowFlow(*snapshot, {RowFlowKind::Value, head, 0}, {});
        QCOMPARE(value.firstColumn, head / group * sizes.dHeadV);
        QCOMPARE(value.terms.targets, sizes.dHeadV);
        // All input coordinates, not a part of them.
        QCOMPARE(value.terms.sources, sizes.dModelKv);
    }
}

void TestRowFlow::pinnedCellIsMarked()
{
    const SnapshotPtr snapshot = golden(QStringLiteral("seed_b_qkv_pinned"));
    const RowFlow flow = rowFlow(*snapshot, {RowFlowKind::Query, 0, 1}, {});
    QVERIFY(flow.pinned[1]);
    QCOMPARE(flow.cells[1], 0.43);                              // printed
    QVERIFY(std::abs(flow.terms.targetSums[1] - 0.34) < 1e-15); // computed
}

void TestRowFlow::saysWhyNot()
{
    Experiment experiment;
    experiment.tokens = TokenList({"a", "b"});
    RandomExperiments random(2);
    experiment.given = {{Stage::A, random.matrix({1, 2, 2})}, {Stage::V, random.matrix({1, 2, 3})}};
    const SnapshotPtr snapshot = evaluated(std::make_shared<const Experiment>(experiment));
    QVERIFY(!rowFlowProblem(*snapshot, {RowFlowKind::Query, 0, 0}).empty());
    QVERIFY(rowFlowProblem(*snapshot, {RowFlowKind::HeadOut, 0, 1}).empty());
    QVERIFY(!rowFlowProblem(*snapshot, {RowFlowKind::HeadOut, 0, 2}).empty());
    QVERIFY(!rowFlowProblem(*snapshot, {RowFlowKind::HeadOut, 1, 0}).empty());
}

QTEST_APPLESS_MAIN(TestRowFlow)
#include "tst_RowFlow.moc"
