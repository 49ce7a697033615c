#include "engine/lab/HeadWeight.h"
#include "engine/lab/Span.h"
#include "support/GoldenFile.h"
#include "support/MatrixCompare.h"

#include <QTest>

using namespace attn;
using namespace attn::test;

namespace {

SnapshotPtr golden(const QString &name)
{
    return evaluated(goldenExperiment(readGolden(name)["state"]));
}

} // namespace

/// The part of a weight that belongs to one head: it takes the head's rows to the head's numbers.
class TestHeadWeight : public QObject
{
    Q_OBJECT

private slots:
    void givesTheStageBehindIt_data();
    void givesTheStageBehindIt();
    void refusals();
};

void TestHeadWeight::givesTheStageBehindIt_data()
{
    QTest::addColumn<QString>("name");
    QTest::newRow("two heads") << QStringLiteral("seed_d1x_two_heads_from_x");
    QTest::newRow("grouped queries") << QStringLiteral("random_007_grouped_query");
    QTest::newRow("cross attention") << QStringLiteral("random_039_cross_rectangular");
}

void TestHeadWeight::givesTheStageBehindIt()
{
    QFETCH(QString, name);
    const SnapshotPtr snapshot = golden(name);
    const Sizes &sizes = snapshot->sizes();
    int checked = 0;
    for (const auto &[weight, result] :
         {std::pair{Stage::Wq, Stage::Q}, {Stage::Wk, Stage::K}, {Stage::Wv, Stage::V}}) {
        for (Index head = 0; head < sizes.nHeads; ++head) {
            const Result<HeadWeight> found = headWeight(*snapshot, weight, head);
            if (!found)
                continue; // a side of 1
            ++checked;
            const Index rows = snapshot->stage(found->input).values->rows();
            const SmallMatrix product = inputRows(*snapshot, *found, 0, rows) * found->matrix;
            std::vector<double> expected(product.data.size());
            snapshot->stage(result).values->readBlock(0, 0, found->firstCol, rows, product.cols,
                                                      expected.data(), product.cols);
            COMPARE_MATRIX(product.data, expected, 1e-12);
            QCOMPARE(found->directions.stretches.size(),
                     std::size_t(std::min(found->matrix.rows, found->matrix.cols)));
        }
    }
    QVERIFY(checked > 0);
}

void TestHeadWeight::refusals()
{
    const SnapshotPtr snapshot = golden(QStringLiteral("seed_a_computed"));
    QVERIFY(headWeight(*snapshot, Stage::Wq, 0).ok());
    QVERIFY(!headWeight(*snapshot, Stage::Wo, 0).ok()); // there is none
    QVERIFY(!headWeight(*snapshot, Stage::A, 0).ok());
    const SnapshotPtr given = golden(QStringLiteral("given_00_qkv"));
    QVERIFY(!headWeight(*given, Stage::Wq, 0).ok());
}

QTEST_APPLESS_MAIN(TestHeadWeight)
#include "tst_HeadWeight.moc"
