#include "engine/WeightSums.h"

#include "EditFixtures.h"
#include "engine/Evaluator.h"

#include <QTest>

#include <cmath>
#include <limits>

using namespace attn;
using namespace attn::test;

namespace {

SnapshotPtr snapshotOf(const Experiment &experiment)
{
    return Evaluator().evaluate(std::make_shared<const Experiment>(experiment), Generation{1});
}

} // namespace

class TestWeightSums : public QObject
{
    Q_OBJECT

private slots:
    void softmaxRowsAddToOne();
    void aPinLeavesItsRowUneven();
    void pinsThatAddToOneAreEven();
    void givenWeightsAreLookedAt();
    void nanAndMaskedRows();
};

void TestWeightSums::softmaxRowsAddToOne()
{
    const SnapshotPtr snapshot = snapshotOf(twoHeads());
    for (Index head = 0; head < 2; ++head) {
        QVERIFY(unevenRows(*snapshot, head).empty());
        for (Index row = 0; row < 4; ++row)
            QVERIFY(addsToOne(weightSum(*snapshot->stage(Stage::A).values, head, row)));
    }
    QVERIFY(unevenRows(*snapshot, 2).empty());
    QVERIFY(!addsToOne(0.999));
    QVERIFY(addsToOne(0.9996));
}

void TestWeightSums::aPinLeavesItsRowUneven()
{
    const Experiment experiment = twoHeads();
    const double before = snapshotOf(experiment)->stage(Stage::A).values->value(1, 2, 3);
    const SnapshotPtr snapshot =
        snapshotOf(with(experiment, PinCells{Stage::A, {{{1, 2, 3}, before + 0.5}}}));
    QVERIFY(unevenRows(*snapshot, 0).empty());
    const std::vector<UnevenRow> uneven = unevenRows(*snapshot, 1);
    QCOMPARE(uneven.size(), std::size_t(1));
    QCOMPARE(uneven[0].row, Index(2));
    QVERIFY(std::abs(uneven[0].sum - 1.5) < 1e-12); // nothing else of the row moved
}

void TestWeightSums::pinsThatAddToOneAreEven()
{
    PinCells pins{Stage::A, {}};
    const double weights[] = {0.1, 0.2, 0.3, 0.4};
    for (Index key = 0; key < 4; ++key)
        pins.cells.push_back({{0, 1, key}, weights[key]});
    QVERIFY(unevenRows(*snapshotOf(with(twoHeads(), pins)), 0).empty());
}

void TestWeightSums::givenWeightsAreLookedAt()
{
    Experiment experiment;
    experiment.tokens = TokenList({"a", "b"});
    experiment.given = {{Stage::A, Tensor::fromDoubles({1, 2, 2}, std::vector{0.5, 0.5, 0.7, 0.7})}};
    const std::vector<UnevenRow> uneven = unevenRows(*snapshotOf(experiment), 0);
    QCOMPARE(uneven.size(), std::size_t(1));
    QCOMPARE(uneven[0].row, Index(1));
    QCOMPARE(uneven[0].sum, 1.4);
}

/// A row that the mask empties is the mask's doing; NaN adds to nothing.
void TestWeightSums::nanAndMaskedRows()
{
    Experiment experiment = twoHeads();
    for (Index key = 0; key < 4; ++key)
        experiment = with(experiment, SetCells{Stage::MaskPadding, {{{0, 0, key}, 0.0}}});
    QVERIFY(unevenRows(*snapshotOf(experiment), 0).empty());
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const auto uneven = unevenRows(*snapshotOf(with(twoHeads(), PinCells{Stage::A, {{{0, 0, 0}, nan}}})), 0);
    QCOMPARE(uneven.size(), std::size_t(1));
    QVERIFY(std::isnan(uneven[0].sum));
}

QTEST_APPLESS_MAIN(TestWeightSums)
#include "tst_WeightSums.moc"
