#include "engine/Comparison.h"
#include "engine/Edit.h"
#include "support/GoldenFile.h"
#include "support/RandomExperiment.h"

#include <QTest>

#include <cmath>
#include <limits>

using namespace attn;
using namespace attn::test;

namespace {

constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

StageValuesPtr matrix(const Shape &shape, const std::vector<double> &numbers)
{
    return valuesOf(Tensor::fromDoubles(shape, numbers));
}

ExperimentPtr golden(const QString &name)
{
    return goldenExperiment(readGolden(name)["state"]);
}

} // namespace

class TestComparison : public QObject
{
    Q_OBJECT

private slots:
    void countsAndWorstCells();
    void notFiniteCells();
    void toleranceIsRelativeToB();
    void sidesThatDoNotFit();
    void sameSnapshotPasses();
    void sameValuesAreNotRead();
    void computedAgainstPrinted();
    void goldenStagesPassAsReference();
    void blocksAgreeWithCells();
    void pooledShowsTheFarthest();
    void bigMatrixByBlocks();
};

void TestComparison::countsAndWorstCells()
{
    const StageValuesPtr a = matrix({2, 1, 3}, {1, 2, 3, 4, 5, 6});
    const StageValuesPtr b = matrix({2, 1, 3}, {1, 2.5, 3, 4, 8, 6.5});
    const StageComparison result = compareStage(Stage::A, a, b, 2);
    QCOMPARE(result.cells, Index(6));
    QCOMPARE(result.different, Index(3));
    QCOMPARE(result.largest, 3.0);
    QCOMPARE(result.mean, 4.0 / 6.0);
    QCOMPARE(result.largestB, 8.0);
    QCOMPARE(result.worst.size(), std::size_t(2));
    QCOMPARE(result.worst[0].cell, (CellIndex{1, 0, 1}));
    QCOMPARE(result.worst[0].difference(), -3.0);
    QCOMPARE(result.worst[1].cell, (CellIndex{0, 0, 1})); // of two equal ones the first
}

void TestComparison::notFiniteCells()
{
    const StageValuesPtr a = matrix({1, 1, 6}, {notANumber, infinity, -infinity, notANumber, infinity, 1});
    const StageValuesPtr b = matrix({1, 1, 6}, {notANumber, infinity, -infinity, 2, -infinity, 1});
    const StageComparison result = compareStage(Stage::Masked, a, b);
    QCOMPARE(result.different, Index(2));
    QCOMPARE(result.mismatched, Index(2));
    QCOMPARE(result.largest, 0.0);
    QVERIFY(!result.passes(1e6));
    QVERIFY(std::isnan(result.worst[0].difference()));
    const StageValuesPtr difference = differenceOf(a, b);
    QCOMPARE(difference->value(0, 0, 0), 0.0);
    QCOMPARE(difference->value(0, 0, 2), 0.0);
    QVERIFY(std::isnan(difference->value(0, 0, 3)));
    QVERIFY(std::isnan(difference->value(0, 0, 4)));
}

void TestComparison::toleranceIsRelativeToB()
{
    const StageComparison result =
        compareStage(Stage::Q, matrix({1, 1, 2}, {100.0, 1.1}), matrix({1, 1, 2}, {100.0, 1.0}));
    QVERIFY(std::abs(result.relative() - 0.001) < 1e-12);
    QVERIFY(result.passes(0.0011));
    QVERIFY(!result.passes(0.0009));
    const StageComparison zeros = compareStage(Stage::Q, matrix({1, 1, 1}, {1e-9}), matrix({1, 1, 1}, {0.0}));
    QVERIFY(!zeros.passes(0.5));
    QVERIFY(compareStage(Stage::Q, matrix({1, 1, 1}, {0.0}), matrix({1, 1, 1}, {0.0})).passes(0.0));
}

void TestComparison::sidesThatDoNotFit()
{
    const StageValuesPtr a = matrix({1, 1, 2}, {1, 2});
    const StageValuesPtr b = matrix({1, 2, 1}, {1, 2});
    QVERIFY(compareStage(Stage::A, a, nullptr).outcome == StageComparison::Outcome::OnlyInA);
    QVERIFY(compareStage(Stage::A, nullptr, a).outcome == StageComparison::Outcome::OnlyInB);
    const StageComparison shapes = compareStage(Stage::A, a, b);
    QVERIFY(shapes.outcome == StageComparison::Outcome::ShapesDiffer);
    QVERIFY(!shapes.passes(1e9));
    QVERIFY(differenceOf(a, b) == nullptr);
    QCOMPARE(stagesOfEither({{Stage::Q, a}, {Stage::A, a}}, {{Stage::K, b}}),
             (std::vector<Stage>{Stage::Q, Stage::K, Stage::A}));
}

void TestComparison::sameSnapshotPasses()
{
    const SnapshotPtr snapshot = evaluated(golden(QStringLiteral("seed_e_d1_causal")));
    const StageSet set = stagesOf(*snapshot);
    QVERIFY(set.contains(Stage::Output));
    QVERIFY(!set.contains(Stage::Qh));
    for (const auto &[stage, values] : set)
        QVERIFY2(compareStage(stage, values, values).passes(0.0), stageName(stage));
}

namespace {

/// A matrix of this size that must not be read.
class UnreadValues final : public StageValues
{
public:
    Shape shape() const override { return {12, 100000, 100000}; }
    bool isSinglePrecision() const override { return true; }
    double value(Index, Index, Index) const override
    {
        ++reads;
        return notANumber;
    }
    ValueStatistics statistics(Index) const override
    {
        ++reads;
        return {};
    }
    mutable int reads = 0;
};

} // namespace

void TestComparison::sameValuesAreNotRead()
{
    const auto same = std::make_shared<const UnreadValues>();
    const StageComparison result = compareStage(Stage::A, same, same);
    QCOMPARE(result.cells, Index(120'000'000'000));
    QCOMPARE(result.different, Index(0));
    QVERIFY(result.passes(0.0));
    const StageValuesPtr difference = differenceOf(same, same);
    QCOMPARE(difference->shape(), same->shape());
    QCOMPARE(difference->value(3, 5, 7), 0.0);
    QCOMPARE(difference->statistics(0).maximum, 0.0);
    QCOMPARE(same->reads, 0);
}

void TestComparison::computedAgainstPrinted()
{
    // Of the printed Q, 21 of 24 cells are not X W^Q; the largest difference is 0.14 in GPU, f4.
    const SnapshotPtr computed = evaluated(golden(QStringLiteral("seed_a_computed")));
    const SnapshotPtr printed = evaluated(golden(QStringLiteral("seed_g_as_printed")));
    const auto values = [](const SnapshotPtr &snapshot, Stage stage) {
        return snapshot->stage(stage).values;
    };
    const StageComparison Q =
        compareStage(Stage::Q, values(computed, Stage::Q), values(printed, Stage::Q), 24);
    const auto off = std::count_if(Q.worst.begin(), Q.worst.end(), [](const CellDifference &cell) {
        return std::abs(cell.difference()) > 0.005;
    });
    QCOMPARE(off, 21);
    QVERIFY(std::abs(Q.largest - 0.14) < 1e-12);
    QVERIFY(compareStage(Stage::K, values(computed, Stage::K), values(printed, Stage::K)).passes(1e-12));
    const SnapshotPtr byHand = evaluated(golden(QStringLiteral("seed_c_attention_pinned")));
    const StageComparison output =
        compareStage(Stage::Output, values(byHand, Stage::Output), values(printed, Stage::Output));
    QVERIFY(std::abs(output.largest - 0.026) < 1e-12);
    QCOMPARE(output.worst[0].cell, (CellIndex{0, 2, 1}));
    QVERIFY(compareStage(Stage::A, values(byHand, Stage::A), values(printed, Stage::A)).passes(0.0));
}

void TestComparison::goldenStagesPassAsReference()
{
    const Json file = readGolden(QStringLiteral("random_004_plain"));
    const SnapshotPtr snapshot = evaluated(goldenExperiment(file["state"]));
    std::map<Stage, Tensor> reference;
    for (const Stage stage : {Stage::Q, Stage::Scores, Stage::A, Stage::Output})
        reference[stage] = goldenTensor(file["stages"][stageName(stage)]);
    const StageSet a = stagesOf(*snapshot);
    for (const auto &[stage, values] : stagesOf(reference)) {
        const StageComparison result = compareStage(stage, a.at(stage), values);
        QVERIFY2(result.passes(1e-12), stageName(stage));
        QVERIFY(result.cells > 0);
    }
}

void TestComparison::blocksAgreeWithCells()
{
    RandomExperiments random(8);
    const StageValuesPtr a = valuesOf(random.matrix({2, 5, 7}));
    const StageValuesPtr b = valuesOf(random.matrix({2, 5, 7}));
    const StageValuesPtr difference = differenceOf(a, b);
    std::vector<double> block(3 * 8);
    std::vector<float> painted(3 * 8);
    difference->readBlock(1, 2, 3, 3, 4, block.data(), 8);
    difference->readBlock(1, 2, 3, 3, 4, painted.data(), 8);
    for (Index r = 0; r < 3; ++r) {
        for (Index c = 0; c < 4; ++c) {
            const double expected = a->value(1, 2 + r, 3 + c) - b->value(1, 2 + r, 3 + c);
            QCOMPARE(block[static_cast<std::size_t>(r * 8 + c)], expected);
            QCOMPARE(painted[static_cast<std::size_t>(r * 8 + c)], static_cast<float>(expected));
            QCOMPARE(difference->value(1, 2 + r, 3 + c), expected);
        }
    }
}

void TestComparison::pooledShowsTheFarthest()
{
    const StageValuesPtr difference =
        differenceOf(matrix({1, 2, 3}, {0, -5, 1, 2, 0, 0}), matrix({1, 2, 3}, {0, 0, 0, 0, 0, 0}));
    float pooled[2] = {};
    difference->readPooled(0, 0, 0, 2, 1, 2, Pooling::Max, pooled, 2);
    QCOMPARE(pooled[0], -5.0F);
    QCOMPARE(pooled[1], 1.0F);
    difference->readPooled(0, 0, 0, 2, 1, 2, Pooling::Mean, pooled, 2);
    QCOMPARE(pooled[0], -0.75F);
}

void TestComparison::bigMatrixByBlocks()
{
    const Tensor zeros = Tensor::zeros({1, 130, 5000});
    const Tensor changed =
        zeros.withCells(std::vector<CellValue>{{{0, 129, 4999}, 2.0}, {{0, 64, 4096}, -1.0}});
    const StageComparison result = compareStage(Stage::A, valuesOf(changed), valuesOf(zeros));
    QCOMPARE(result.cells, Index(650000));
    QCOMPARE(result.different, Index(2));
    QCOMPARE(result.worst[0].cell, (CellIndex{0, 129, 4999}));
    QCOMPARE(result.worst[1].cell, (CellIndex{0, 64, 4096}));
}

QTEST_APPLESS_MAIN(TestComparison)
#include "tst_Comparison.moc"
