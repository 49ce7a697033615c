#include "engine/Footprints.h"
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

/// Two queries over three keys; four heads share two KV heads; with W^O and b^O.
Experiment groupedHeads()
{
    RandomExperiments random(5);
    Experiment experiment;
    experiment.tokens = TokenList({"a", "b"});
    experiment.tokensKv = TokenList({"x", "y", "z"});
    experiment.nHeads = 4;
    experiment.nKvHeads = 2;
    experiment.given = {{Stage::A, random.matrix({4, 2, 3})},
                        {Stage::V, random.matrix({1, 3, 4})},
                        {Stage::Wo, random.matrix({1, 8, 5})},
                        {Stage::Bo, random.matrix({1, 1, 5})}};
    return experiment;
}

} // namespace

class TestFootprints : public QObject
{
    Q_OBJECT

private slots:
    void factorsMultiplyToTheFootprint();
    void allTokensAddUp();
    void manyTokensAddUpAsProducts();
    void mutedTokensAreLeftOver();
    void pinnedConcatIsLeftOver();
    void withoutOutputWeightHeadsKeepTheirColumns();
    void precisionFollowsTheExperiment();
    void notAvailableWithoutItsParts();
    void notAvailableOnceStopped();
};

void TestFootprints::factorsMultiplyToTheFootprint()
{
    const SnapshotPtr snapshot = snapshotOf(groupedHeads());
    const StageValuesPtr column = footprintColumn(snapshot, 3, 1);
    const StageValuesPtr row = footprintRow(snapshot, 3, 1);
    const StageValuesPtr print = footprint(snapshot, FootprintTarget::Head, 3, 1);
    QVERIFY(column->shape() == (Shape{1, 2, 1}));
    QVERIFY(row->shape() == (Shape{1, 1, 2}));
    QVERIFY(print->shape() == (Shape{1, 2, 2}));
    // Head 3 reads KV head 1: columns 2 and 3 of V.
    QCOMPARE(row->value(0, 0, 0), snapshot->stage(Stage::V).values->value(0, 1, 2));
    QCOMPARE(column->value(0, 1, 0), snapshot->stage(Stage::A).values->value(3, 1, 1));
    for (Index r = 0; r < 2; ++r)
        for (Index c = 0; c < 2; ++c)
            QCOMPARE(print->value(0, r, c), column->value(0, r, 0) * row->value(0, 0, c));
}

void TestFootprints::allTokensAddUp()
{
    const SnapshotPtr snapshot = snapshotOf(groupedHeads());
    const std::vector<Index> tokens = {2, 0, 1};
    // Sums of three products of numbers near 1 in another order.
    for (Index head = 0; head < 4; ++head) {
        QVERIFY(footprintResidual(snapshot, FootprintTarget::Head, head, tokens) < 1e-14);
        QVERIFY(footprintResidual(snapshot, FootprintTarget::HeadMapped, head, tokens) < 1e-13);
    }
    QVERIFY(footprintResidual(snapshot, FootprintTarget::Token, 0, tokens) < 1e-13);
}

void TestFootprints::manyTokensAddUpAsProducts()
{
    RandomExperiments random(6);
    Experiment experiment = groupedHeads();
    experiment.tokensKv = TokenList(std::vector<std::string>(70, "k"));
    experiment.given[Stage::A] = random.matrix({4, 2, 70});
    experiment.given[Stage::V] = random.matrix({1, 70, 4});
    const SnapshotPtr snapshot = snapshotOf(experiment);
    std::vector<Index> most;
    for (Index token = 69; token > 0; --token)
        most.push_back(token);
    std::vector<Index> all = most;
    all.push_back(0);
    for (const FootprintTarget target :
         {FootprintTarget::Head, FootprintTarget::HeadMapped, FootprintTarget::Token}) {
        // 70 products of numbers near 1, and eight of them through W^O, in another order.
        QVERIFY(footprintResidual(snapshot, target, 2, all) < 1e-12);
        const StageValuesPtr sum = footprintSum(snapshot, target, 2, most);
        const StageValuesPtr whole = footprintSum(snapshot, target, 2, all);
        const StageValuesPtr last = footprint(snapshot, target, 2, 0);
        for (Index row = 0; row < sum->rows(); ++row)
            for (Index col = 0; col < sum->cols(); ++col)
                QVERIFY(std::abs(whole->value(0, row, col) - sum->value(0, row, col) -
                                 last->value(0, row, col)) < 1e-12);
    }
}

void TestFootprints::mutedTokensAreLeftOver()
{
    const SnapshotPtr snapshot = snapshotOf(groupedHeads());
    const StageValuesPtr muted = footprint(snapshot, FootprintTarget::Head, 1, 2);
    const ValueStatistics statistics = muted->statistics(0);
    const double largest = std::max(std::abs(statistics.minimum), std::abs(statistics.maximum));
    QVERIFY(std::abs(footprintResidual(snapshot, FootprintTarget::Head, 1, {0, 1}) - largest) < 1e-14);
    const StageValuesPtr none = footprintSum(snapshot, FootprintTarget::Token, 0, {});
    QVERIFY(none->shape() == (Shape{1, 2, 5}));
    QCOMPARE(none->statistics(0).maximum, 0.0);
}

void TestFootprints::pinnedConcatIsLeftOver()
{
    Experiment experiment = groupedHeads();
    experiment.given.erase(Stage::Wo);
    experiment.given.erase(Stage::Bo);
    const double computed = snapshotOf(experiment)->stage(Stage::Concat).values->value(0, 1, 3);
    experiment.pins[Stage::Concat].set({0, 1, 3}, computed + 0.5);
    const SnapshotPtr snapshot = snapshotOf(experiment);
    const double residual = footprintResidual(snapshot, FootprintTarget::Token, 0, {0, 1, 2});
    QVERIFY(std::abs(residual - 0.5) < 1e-13);
}

void TestFootprints::withoutOutputWeightHeadsKeepTheirColumns()
{
    Experiment experiment = groupedHeads();
    experiment.given.erase(Stage::Wo);
    experiment.given.erase(Stage::Bo);
    const SnapshotPtr snapshot = snapshotOf(experiment);
    const StageValuesPtr mapped = footprint(snapshot, FootprintTarget::HeadMapped, 1, 0);
    const StageValuesPtr plain = footprint(snapshot, FootprintTarget::Head, 1, 0);
    QVERIFY(mapped->shape() == (Shape{1, 2, 8}));
    QCOMPARE(mapped->value(0, 1, 2), plain->value(0, 1, 0));
    QCOMPARE(mapped->value(0, 1, 0), 0.0);
    QCOMPARE(mapped->value(0, 1, 4), 0.0);
}

void TestFootprints::precisionFollowsTheExperiment()
{
    Experiment experiment = groupedHeads();
    QVERIFY(!footprint(snapshotOf(experiment), FootprintTarget::Token, 0, 0)->isSinglePrecision());
    experiment.precision = Precision::Float32;
    QVERIFY(footprint(snapshotOf(experiment), FootprintTarget::Token, 0, 0)->isSinglePrecision());
}

void TestFootprints::notAvailableWithoutItsParts()
{
    Experiment experiment = groupedHeads();
    const SnapshotPtr whole = snapshotOf(experiment);
    QVERIFY(!footprint(whole, FootprintTarget::Head, 4, 0));
    QVERIFY(!footprint(whole, FootprintTarget::Head, 0, 3));
    QVERIFY(!footprintColumn(whole, 0, -1));
    experiment.given[Stage::Wo] = Tensor::zeros({1, 7, 5});
    const SnapshotPtr misfit = snapshotOf(experiment);
    QVERIFY(footprint(misfit, FootprintTarget::Head, 0, 0));
    QVERIFY(!footprint(misfit, FootprintTarget::HeadMapped, 0, 0));
    QVERIFY(std::isnan(footprintResidual(misfit, FootprintTarget::Token, 0, {0})));
    experiment.given.erase(Stage::V);
    QVERIFY(!footprintRow(snapshotOf(experiment), 0, 0));
}

void TestFootprints::notAvailableOnceStopped()
{
    const SnapshotPtr snapshot = snapshotOf(groupedHeads());
    std::stop_source nobodyWaits;
    const std::stop_token stop = nobodyWaits.get_token();
    QVERIFY(footprint(snapshot, FootprintTarget::Token, 0, 1, stop));
    nobodyWaits.request_stop();
    QVERIFY(!footprint(snapshot, FootprintTarget::Token, 0, 1, stop));
    QVERIFY(!footprintColumn(snapshot, 0, 1, stop));
    QVERIFY(!footprintSum(snapshot, FootprintTarget::Head, 0, {0, 1, 2}, stop));
}

QTEST_APPLESS_MAIN(TestFootprints)
#include "tst_Footprints.moc"
