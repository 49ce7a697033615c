#include "engine/decode/KvCacheRun.h"
#include "support/GoldenFile.h"
#include "support/MatrixCompare.h"
#include "support/RandomExperiment.h"

#include <QTest>

#include <algorithm>

using namespace attn;
using namespace attn::test;

namespace {

ExperimentPtr stateOf(const char *name)
{
    return goldenExperiment(readGolden(QString::fromLatin1(name))["state"]);
}

std::vector<double> numbersOf(const Json &array)
{
    return goldenTensor(array).toDoubles();
}

Tensor tensorOf(const StageValues &values)
{
    std::vector<double> numbers(static_cast<std::size_t>(values.shape().size()));
    for (Index head = 0; head < values.heads(); ++head)
        values.readBlock(head, 0, 0, values.rows(), values.cols(),
                         numbers.data() + head * values.rows() * values.cols(), values.cols());
    return Tensor::fromDoubles(values.shape(), numbers);
}

} // namespace

Q_DECLARE_METATYPE(std::vector<attn::Stage>)

class TestKvCacheRun : public QObject
{
    Q_OBJECT

private slots:
    void golden_data();
    void golden();
    void chunksDoNotChangeABit();
    void randomDocumentsEqualTheFullPass();
    void rewindAndFeedAgain();
    void costsOfTheWorkedExample();
    void costsAddUp();
    void scheduleCutsRowsIntoChunks();
    void keysOfAnotherSequenceAreCachedOnce();
    void documentsThatStartLater_data();
    void documentsThatStartLater();
    void documentsWithoutKeysAreRefused();
};

void TestKvCacheRun::golden_data()
{
    QTest::addColumn<QString>("name");
    for (const QString &name : goldenNames(QStringLiteral("kv_cache")))
        QTest::newRow(qPrintable(name)) << name;
}

void TestKvCacheRun::golden()
{
    QFETCH(QString, name);
    const Json file = readGolden(name);
    const ExperimentPtr whole = goldenExperiment(file["state"]);
    const SnapshotPtr full = evaluated(whole);
    Result<KvCacheRun> run = KvCacheRun::start(whole);
    QVERIFY(run.ok());
    for (const Json &expected : file["steps"].toArray()) {
        const DecodeStep &step = run->feed(expected["new_tokens"].toInteger());
        QCOMPARE(step.firstRow, expected["q_offset"].toInteger());
        QCOMPARE(step.keysBefore, expected["q_offset"].toInteger());
        COMPARE_MATRIX(run->keyCache().toDoubles(), numbersOf(expected["K_cache"]), 1e-12);
        COMPARE_MATRIX(run->valueCache().toDoubles(), numbersOf(expected["V_cache"]), 1e-12);
        COMPARE_MATRIX(step.masked, numbersOf(expected["masked"]), 1e-12);
        COMPARE_MATRIX(step.weights, numbersOf(expected["A"]), 1e-12);
        COMPARE_MATRIX(step.fullyMasked, numbersOf(expected["fully_masked"]), 1e-12);
        COMPARE_MATRIX(step.concat, numbersOf(expected["concat"]), 1e-12);
        COMPARE_MATRIX(step.output, numbersOf(expected["output"]), 1e-12);
        QVERIFY(compareWithFullPass(step, *full).isWithinTolerance(Precision::Float64));
    }
    QCOMPARE(run->fedRows(), run->rowCount());
}

void TestKvCacheRun::chunksDoNotChangeABit()
{
    for (const char *name : {"kv_cache_0", "kv_cache_1", "kv_cache_2", "random_010_rope_interleaved_causal",
                             "seed_a_computed"}) {
        const ExperimentPtr experiment = stateOf(name);
        Result<KvCacheRun> atOnce = KvCacheRun::start(experiment);
        const DecodeStep whole = atOnce->feed(atOnce->rowCount());
        for (const Index chunk : {1, 2, 3}) {
            Result<KvCacheRun> run = KvCacheRun::start(experiment);
            while (run->fedRows() < run->rowCount()) {
                const DecodeComparison comparison = compareWithStep(run->feed(chunk), whole);
                QVERIFY(comparison.isComparable);
                QVERIFY(comparison.sameBits);
            }
            QVERIFY(run->keyCache().sameBits(atOnce->keyCache()));
            QVERIFY(run->valueCache().sameBits(atOnce->valueCache()));
        }
    }
}

void TestKvCacheRun::randomDocumentsEqualTheFullPass()
{
    RandomExperiments random(41);
    int compared = 0;
    for (int i = 0; i < 200; ++i) {
        const Experiment experiment = random.next();
        // Weights set by hand do not know the causal mask: they may look ahead, which no cache can.
        if (!experiment.pinsOf(Stage::A).isEmpty() || !experiment.pinsOf(Stage::Masked).isEmpty())
            continue;
        Result<KvCacheRun> run = KvCacheRun::start(std::make_shared<const Experiment>(experiment));
        const SnapshotPtr full = evaluated(std::make_shared<const Experiment>(decodeReference(experiment)));
        if (!run.ok() || !full->stage(Stage::Output).hasValues())
            continue;
        while (run->fedRows() < run->rowCount()) {
            const DecodeComparison comparison = compareWithFullPass(run->feed(random.between(1, 3)), *full);
            QVERIFY(comparison.isComparable);
            QVERIFY2(comparison.isWithinTolerance(experiment.precision),
                     qPrintable(QStringLiteral("run %1: %2").arg(i).arg(comparison.largest)));
        }
        ++compared;
    }
    QVERIFY2(compared >= 40, qPrintable(QString::number(compared)));
}

void TestKvCacheRun::rewindAndFeedAgain()
{
    Result<KvCacheRun> run = KvCacheRun::start(stateOf("kv_cache_1"));
    run->feed(5);
    const DecodeStep sixth = run->feed(1);
    run->feed(1);
    run->rewind(5);
    QCOMPARE(run->fedRows(), Index(5));
    QCOMPARE(run->cachedKeys(), Index(5));
    QCOMPARE(run->feed(1).output, sixth.output);
    run->rewind(0);
    QVERIFY(run->keyCache().isNull());
    QCOMPARE(run->feed(100).rowCount, Index(7));
    QCOMPARE(run->feed(1).rowCount, Index(7)); // nothing is left: the newest step stays
}

/// Four tokens, d_model = 6, two heads of width 3, W^O 6x6.
void TestKvCacheRun::costsOfTheWorkedExample()
{
    Result<KvCacheRun> run = KvCacheRun::start(stateOf("kv_cache_0"));
    run->feed(3);
    const DecodeStep &step = run->feed(1);
    QCOMPARE(step.cost.projections, std::int64_t(3 * 6 * 6));    // q, k, v of one token
    QCOMPARE(step.cost.scores, std::int64_t(4 * 2 * 3 + 4 * 2)); // four keys, two heads; the scale
    QCOMPARE(step.cost.mixing, std::int64_t(4 * 2 * 3));
    QCOMPARE(step.cost.output, std::int64_t(6 * 6));
    QCOMPARE(step.costWithoutCache.projections, std::int64_t(4 * 3 * 6 * 6));
    QCOMPARE(step.costWithoutCache.scores, std::int64_t((1 + 2 + 3 + 4) * 2 * (3 + 1)));
    QCOMPARE(step.costWithoutCache.output, std::int64_t(4 * 6 * 6));
    QCOMPARE(run->costing().cacheBytes(4), std::int64_t(4 * 2 * (3 + 3) * 8));
    QCOMPARE(run->costing().inputBytes(4, 4), std::int64_t(4 * 6 * 8));
}

void TestKvCacheRun::costsAddUp()
{
    for (const char *name : {"kv_cache_1", "kv_cache_2"}) {
        const ExperimentPtr experiment = stateOf(name);
        Result<KvCacheRun> run = KvCacheRun::start(experiment);
        DecodeCost total;
        while (run->fedRows() < run->rowCount()) {
            const DecodeStep &step = run->feed(2);
            total += step.cost;
            // One step at a time costs as much as one go without a cache, which repeats all of it each step.
            QVERIFY(total == step.costWithoutCache);
        }
        QVERIFY(total.total() > 0);
    }
}

void TestKvCacheRun::scheduleCutsRowsIntoChunks()
{
    const DecodeSchedule schedule{3, 2};
    QCOMPARE(schedule.stepCount(0), Index(0));
    QCOMPARE(schedule.stepCount(2), Index(1));
    QCOMPARE(schedule.stepCount(3), Index(1));
    QCOMPARE(schedule.stepCount(4), Index(2));
    QCOMPARE(schedule.stepCount(8), Index(4));
    QCOMPARE(schedule.rowsAfter(0, 8), Index(0));
    QCOMPARE(schedule.rowsAfter(1, 8), Index(3));
    QCOMPARE(schedule.rowsAfter(3, 8), Index(7));
    QCOMPARE(schedule.rowsAfter(4, 8), Index(8));
}

void TestKvCacheRun::keysOfAnotherSequenceAreCachedOnce()
{
    const ExperimentPtr experiment = stateOf("seed_f2_cross_attention_two_heads");
    const SnapshotPtr full = evaluated(experiment);
    Result<KvCacheRun> run = KvCacheRun::start(experiment);
    QVERIFY(!run->costing().isGrowing());
    while (run->fedRows() < run->rowCount()) {
        const DecodeStep &step = run->feed(1);
        QCOMPARE(step.keysAfter, full->sizes().nK);
        QCOMPARE(step.keysBefore, step.firstRow == 0 ? Index(0) : full->sizes().nK);
        QVERIFY(compareWithFullPass(step, *full).isWithinTolerance(Precision::Float64));
    }
}

void TestKvCacheRun::documentsThatStartLater_data()
{
    QTest::addColumn<std::vector<Stage>>("stages");
    QTest::newRow("Q, K and V") << std::vector{Stage::Q, Stage::K, Stage::V};
    QTest::newRow("rotated queries and keys") << std::vector{Stage::Qr, Stage::Kr, Stage::V};
    QTest::newRow("rotated keys alone") << std::vector{Stage::Q, Stage::Kr, Stage::V};
}

/// The same rows, whether they are computed from X or stand in the document, rotated already or not.
void TestKvCacheRun::documentsThatStartLater()
{
    QFETCH(std::vector<Stage>, stages);
    const ExperimentPtr whole = stateOf("random_010_rope_interleaved_causal");
    QVERIFY(whole->rotary && whole->pins.empty());
    Result<KvCacheRun> expected = KvCacheRun::start(whole);
    const DecodeStep all = expected->feed(expected->rowCount());
    Experiment later = *whole;
    for (const Stage stage : {Stage::X, Stage::Wq, Stage::Wk, Stage::Wv, Stage::Bq, Stage::Bk, Stage::Bv})
        later.given.erase(stage);
    const SnapshotPtr full = evaluated(whole);
    for (const Stage stage : stages)
        later.given[stage] = tensorOf(*full->stage(stage).values);
    const ExperimentPtr experiment = std::make_shared<const Experiment>(later);
    const SnapshotPtr snapshot = evaluated(experiment);
    QVERIFY(snapshot->stage(Stage::Output).hasValues());
    Result<KvCacheRun> run = KvCacheRun::start(experiment);
    QVERIFY2(run.ok(), run.ok() ? "" : run.error().message.c_str());
    while (run->fedRows() < run->rowCount()) {
        const DecodeStep &step = run->feed(2);
        QVERIFY(compareWithFullPass(step, *snapshot).isWithinTolerance(Precision::Float64));
        QVERIFY(compareWithStep(step, all).isWithinTolerance(Precision::Float64));
    }
    // Only what is still to do is counted: nothing is projected, and no key is turned a second time.
    QVERIFY(run->step().cost.projections < all.cost.projections);
    if (std::ranges::count(stages, Stage::Qr) > 0)
        QCOMPARE(run->step().cost.projections, std::int64_t(0));
}

void TestKvCacheRun::documentsWithoutKeysAreRefused()
{
    Experiment experiment;
    experiment.tokens = TokenList({"a", "b"});
    experiment.given = {{Stage::A, Tensor::filled({1, 2, 2}, 0.5)}, {Stage::V, Tensor::zeros({1, 2, 2})}};
    const Result<KvCacheRun> run = KvCacheRun::start(std::make_shared<const Experiment>(experiment));
    QVERIFY(!run.ok());
    QVERIFY(QString::fromStdString(run.error().message).contains(QStringLiteral("starts at A")));
    experiment.given = {{Stage::X, Tensor::zeros({1, 2, 2})}};
    QVERIFY(!KvCacheRun::start(std::make_shared<const Experiment>(experiment)).ok());
}

QTEST_APPLESS_MAIN(TestKvCacheRun)
#include "tst_KvCacheRun.moc"
