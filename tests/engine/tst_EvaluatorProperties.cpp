#include "engine/Evaluator.h"
#include "support/GoldenFile.h"
#include "support/MatrixCompare.h"
#include "support/RandomExperiment.h"
#include "support/ReferenceAttention.h"

#include <QTest>

#include <bit>
#include <cmath>

using namespace attn;
using namespace attn::test;

namespace {

ExperimentPtr shared(Experiment experiment)
{
    return std::make_shared<const Experiment>(std::move(experiment));
}

std::vector<double> numbersOf(const StageValues &values)
{
    std::vector<double> numbers(static_cast<std::size_t>(values.shape().size()));
    const Index perHead = values.rows() * values.cols();
    for (Index head = 0; head < values.heads(); ++head)
        values.readBlock(head, 0, 0, values.rows(), values.cols(), numbers.data() + head * perHead,
                         values.cols());
    return numbers;
}

bool sameBits(const StageValues &a, const StageValues &b)
{
    const auto bits = [](double value) {
        return std::bit_cast<std::uint64_t>(value);
    };
    const std::vector<double> left = numbersOf(a);
    const std::vector<double> right = numbersOf(b);
    return a.shape() == b.shape() && std::equal(left.begin(), left.end(), right.begin(), right.end(),
                                                [&](double x, double y) { return bits(x) == bits(y); });
}

/// The first stage in which two snapshots of the same document differ.
QString snapshotDifference(const Snapshot &a, const Snapshot &b)
{
    for (const StageInfo &info : stageTable()) {
        const StageState &left = a.stage(info.stage);
        const StageState &right = b.stage(info.stage);
        const QString name = QString::fromUtf8(info.name);
        if (left.status != right.status || left.reason != right.reason ||
            left.pinnedCount != right.pinnedCount || left.isPinnedWhole != right.isPinnedWhole)
            return QStringLiteral("state of %1").arg(name);
        if (left.hasValues() && !sameBits(*left.values, *right.values))
            return QStringLiteral("numbers of %1").arg(name);
    }
    return {};
}

void addSeeds(int count)
{
    QTest::addColumn<unsigned>("seed");
    for (int i = 0; i < count; ++i)
        QTest::addRow("seed %d", 1000 + i) << static_cast<unsigned>(1000 + i);
}

} // namespace

class TestEvaluatorProperties : public QObject
{
    Q_OBJECT

private slots:
    void agreesWithPlainLoops_data() { addSeeds(200); }
    void agreesWithPlainLoops();
    void historyLeavesNoTrace_data() { addSeeds(60); }
    void historyLeavesNoTrace();
    void rowsSumToOneAndHiddenKeysAreZero_data() { addSeeds(60); }
    void rowsSumToOneAndHiddenKeysAreZero();
    void causalRowsIgnoreLaterTokens_data() { addSeeds(20); }
    void causalRowsIgnoreLaterTokens();
    void anythingAtAllIsSurvived_data() { addSeeds(100); }
    void anythingAtAllIsSurvived();
};

void TestEvaluatorProperties::agreesWithPlainLoops()
{
    QFETCH(unsigned, seed);
    Experiment experiment = RandomExperiments(seed).next();
    const auto expected = referenceAttention(experiment);
    for (const auto &[precision, tolerance] :
         {std::pair(Precision::Float64, 1e-12), std::pair(Precision::Float32, 3e-5)}) {
        experiment.precision = precision;
        const SnapshotPtr snapshot = evaluated(shared(experiment));
        QCOMPARE(snapshot->problem(), std::string());
        for (const auto &[stage, reference] : expected) {
            const StageState &state = snapshot->stage(stage);
            QVERIFY2(state.hasValues(), stageName(stage));
            QVERIFY2(state.values->shape() == reference.shape, stageName(stage));
            const std::vector<double> wanted(reference.numbers.begin(), reference.numbers.end());
            // Pinned weights and large random numbers widen float32 beyond the 1e-5 of the golden files.
            const QString difference = matrixDifference(numbersOf(*state.values), wanted, tolerance);
            QVERIFY2(difference.isEmpty(),
                     qPrintable(QString::fromUtf8(stageName(stage)) + QStringLiteral(": ") + difference));
        }
    }
}

void TestEvaluatorProperties::historyLeavesNoTrace()
{
    QFETCH(unsigned, seed);
    RandomExperiments random(seed);
    Experiment experiment = random.next();
    experiment.precision = random.chance(0.5) ? Precision::Float32 : Precision::Float64;
    Evaluator evaluator;
    SnapshotPtr before;
    for (std::uint64_t generation = 1; generation <= 12; ++generation) {
        const SnapshotPtr after = evaluator.evaluate(shared(experiment), Generation{generation});
        QCOMPARE(snapshotDifference(*after, *evaluated(shared(experiment))), QString());
        for (const StageInfo &info : stageTable()) {
            if (!before)
                break;
            const StageState &was = before->stage(info.stage);
            const StageState &is = after->stage(info.stage);
            if (!was.hasValues() || !is.hasValues() || was.status != is.status)
                continue;
            const bool isSame = sameBits(*was.values, *is.values);
            QVERIFY2(isSame == (was.values == is.values), info.name);
            QVERIFY2(is.changedAt == (isSame ? was.changedAt : Generation{generation}), info.name);
        }
        before = after;
        experiment = random.changed(experiment);
    }
}

void TestEvaluatorProperties::rowsSumToOneAndHiddenKeysAreZero()
{
    QFETCH(unsigned, seed);
    Experiment experiment = RandomExperiments(seed).next();
    experiment.pins.erase(Stage::A);
    const SnapshotPtr snapshot = evaluated(shared(experiment));
    if (experiment.isGiven(Stage::A))
        return;
    const StageValues &A = *snapshot->stage(Stage::A).values;
    const StageValues &allowed = *snapshot->stage(Stage::Allowed).values;
    const StageValues &fullyMasked = *snapshot->stage(Stage::FullyMasked).values;
    for (Index head = 0; head < A.heads(); ++head)
        for (Index row = 0; row < A.rows(); ++row) {
            double sum = 0.0;
            for (Index col = 0; col < A.cols(); ++col) {
                sum += A.value(head, row, col);
                if (allowed.value(head, row, col) == 0.0)
                    QCOMPARE(A.value(head, row, col), 0.0);
            }
            const double wanted = fullyMasked.value(0, head, row) != 0.0 ? 0.0 : 1.0;
            QVERIFY(std::abs(sum - wanted) < 1e-14); // at most nine terms, each rounded once
        }
}

void TestEvaluatorProperties::causalRowsIgnoreLaterTokens()
{
    QFETCH(unsigned, seed);
    RandomExperiments random(seed);
    Experiment experiment;
    experiment.tokens = TokenList({"a", "b", "c", "d", "e"});
    experiment.nHeads = experiment.nKvHeads = 2;
    experiment.causal = true;
    experiment.given = {{Stage::X, random.matrix({1, 5, 4})},
                        {Stage::Wq, random.matrix({1, 4, 6})},
                        {Stage::Wk, random.matrix({1, 4, 6})},
                        {Stage::Wv, random.matrix({1, 4, 2})},
                        {Stage::Wo, random.matrix({1, 2, 3})}};
    const Index edited = random.between(0, 4);
    Experiment later = experiment;
    later.given[Stage::X] =
        later.given[Stage::X].withCells(std::vector<CellValue>{{{0, edited, 2}, random.number()}});
    const SnapshotPtr before = evaluated(shared(experiment));
    const SnapshotPtr after = evaluated(shared(later));
    for (Index row = 0; row < edited; ++row)
        for (Index col = 0; col < 3; ++col)
            QCOMPARE(after->stage(Stage::Output).values->value(0, row, col),
                     before->stage(Stage::Output).values->value(0, row, col));
}

void TestEvaluatorProperties::anythingAtAllIsSurvived()
{
    QFETCH(unsigned, seed);
    RandomExperiments random(seed);
    Evaluator evaluator;
    for (std::uint64_t generation = 1; generation <= 20; ++generation) {
        Experiment experiment;
        experiment.tokens =
            TokenList(std::vector<std::string>(static_cast<std::size_t>(random.between(0, 3))));
        if (random.chance(0.5))
            experiment.tokensKv =
                TokenList(std::vector<std::string>(static_cast<std::size_t>(random.between(0, 3))));
        experiment.nHeads = random.between(-1, 4);
        experiment.nKvHeads = random.between(-1, 3);
        for (const StageInfo &info : stageTable()) {
            const Shape shape{random.between(0, 3), random.between(0, 4), random.between(0, 4)};
            const Shape plain{1, shape.rows, shape.cols};
            const Shape wanted = expectedShape(experiment, info.stage);
            const bool canFit = wanted.heads >= 0 && wanted.rows >= 0 && wanted.cols >= 0;
            const Shape &chosen = canFit && random.chance(0.7) ? wanted : random.chance(0.5) ? shape : plain;
            if (info.canBeGiven && random.chance(0.35))
                experiment.given[info.stage] = random.matrix(chosen);
            if (info.canBePinned && random.chance(0.1))
                experiment.pins[info.stage] = Pins(random.matrix(chosen));
            if (info.canBePinned && random.chance(0.1))
                experiment.pins[info.stage].set({random.between(0, 2), random.between(0, 2), 0}, 1.0);
        }
        if (random.chance(0.3))
            experiment.rotary = Rotary{Rotary::Pairing::Half, 100.0, random.between(-1, 4)};
        const SnapshotPtr snapshot = evaluator.evaluate(shared(experiment), Generation{generation});
        QVERIFY(snapshot);
        QCOMPARE(snapshot->problem().empty(), validate(experiment).ok());
        QCOMPARE(snapshotDifference(*snapshot, *evaluated(shared(experiment))), QString());
        for (const StageInfo &info : stageTable()) {
            const StageState &state = snapshot->stage(info.stage);
            const bool shouldHave =
                state.status == StageStatus::Given || state.status == StageStatus::Computed;
            QCOMPARE(state.hasValues(), shouldHave);
            QCOMPARE(state.status == StageStatus::NotAvailable && state.reason.empty(), false);
        }
    }
}

QTEST_APPLESS_MAIN(TestEvaluatorProperties)
#include "tst_EvaluatorProperties.moc"
