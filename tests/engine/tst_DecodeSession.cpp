#include "engine/Edit.h"
#include "engine/StageSlice.h"
#include "engine/decode/DecodeSession.h"
#include "support/GoldenFile.h"
#include "support/MatrixCompare.h"

#include <QTest>

#include <cmath>

using namespace attn;
using namespace attn::test;

namespace {

SnapshotPtr snapshotOfState(const char *name)
{
    return evaluated(goldenExperiment(readGolden(QString::fromLatin1(name))["state"]));
}

} // namespace

class TestDecodeSession : public QObject
{
    Q_OBJECT

private slots:
    void everyPositionEqualsTheFullPass();
    void jumpsGiveTheSameAsSteps();
    void totalsAreTheSumsOfTheSteps();
    void edgesOfTheSchedule();
    void anEditStartsAgain();
    void withoutTheMaskOldRowsMove();
    void manyTokens();
    void slicesReadTheirBlock();
};

void TestDecodeSession::everyPositionEqualsTheFullPass()
{
    for (const char *name : {"seed_a_computed", "kv_cache_1", "seed_f_cross_attention"}) {
        const SnapshotPtr snapshot = snapshotOfState(name);
        DecodeSession session;
        const Index steps = session.at(snapshot, {}, 0, 0).stepCount;
        QCOMPARE(steps, snapshot->sizes().nQ);
        for (Index position = 1; position <= steps; ++position) {
            const DecodePicture picture = session.at(snapshot, {}, position, 0);
            QCOMPARE(picture.step.firstRow, position - 1);
            QVERIFY(picture.recomputed.sameBits);
            QVERIFY(picture.full.isWithinTolerance(Precision::Float64));
        }
    }
}

void TestDecodeSession::jumpsGiveTheSameAsSteps()
{
    const SnapshotPtr snapshot = snapshotOfState("kv_cache_1");
    DecodeSession stepping;
    std::vector<DecodePicture> pictures;
    for (Index position = 0; position <= 4; ++position)
        pictures.push_back(stepping.at(snapshot, {3, 1}, position, 1));
    DecodeSession jumping;
    for (const Index position : {4, 1, 3, 0, 2}) {
        const DecodePicture picture = jumping.at(snapshot, {3, 1}, position, 1);
        const DecodePicture &expected = pictures[static_cast<std::size_t>(position)];
        QCOMPARE(picture.step.output, expected.step.output);
        QCOMPARE(picture.step.weights, expected.step.weights);
        QCOMPARE(picture.step.keysAfter, expected.step.keysAfter);
    }
}

void TestDecodeSession::totalsAreTheSumsOfTheSteps()
{
    for (const char *name : {"kv_cache_2", "seed_f2_cross_attention_two_heads"}) {
        const SnapshotPtr snapshot = snapshotOfState(name);
        DecodeSession session;
        std::int64_t cached = 0;
        std::int64_t uncached = 0;
        const DecodeSchedule schedule{2, 1};
        const Index steps = session.at(snapshot, schedule, 0, 0).stepCount;
        for (Index position = 1; position <= steps; ++position) {
            const DecodePicture picture = session.at(snapshot, schedule, position, 0);
            cached += picture.step.cost.total();
            uncached += picture.step.costWithoutCache.total();
            const DecodePicture::Total &total = picture.totals[static_cast<std::size_t>(position - 1)];
            QCOMPARE(total.cached, cached);
            QCOMPARE(total.uncached, uncached);
            QCOMPARE(total.rows, picture.step.endRow());
        }
        QVERIFY(cached < uncached);
    }
}

void TestDecodeSession::edgesOfTheSchedule()
{
    const SnapshotPtr snapshot = snapshotOfState("seed_a_computed");
    DecodeSession session;
    const DecodePicture all = session.at(snapshot, {100, 7}, 9, 0);
    QCOMPARE(all.stepCount, Index(1));
    QCOMPARE(all.position, Index(1));
    QCOMPARE(all.step.rowCount, Index(4));
    const DecodePicture none = session.at(snapshot, {0, 0}, -3, 0);
    QCOMPARE(none.position, Index(0));
    QCOMPARE(none.stepCount, Index(4));
    QCOMPARE(none.step.rowCount, Index(0));
    QVERIFY(!session.at(snapshotOfState("given_06_attention"), {}, 1, 0).unavailable.empty());
}

void TestDecodeSession::anEditStartsAgain()
{
    const SnapshotPtr before = snapshotOfState("seed_a_computed");
    DecodeSession session;
    const DecodePicture old = session.at(before, {}, 4, 0);
    const Result<EditOutcome> outcome =
        applyEdit(before->experiment(), SetCells{Stage::X, {{{0, 1, 2}, 0.7}}});
    const SnapshotPtr after = evaluated(std::make_shared<const Experiment>(outcome->experiment));
    const DecodePicture picture = session.at(after, {}, 4, 0);
    QVERIFY(picture.step.output != old.step.output);
    QVERIFY(picture.full.isWithinTolerance(Precision::Float64));
    QCOMPARE(session.reachOf({Stage::X, 1}).outputs, (std::vector<Index>{1, 2, 3}));
}

void TestDecodeSession::withoutTheMaskOldRowsMove()
{
    const SnapshotPtr snapshot = snapshotOfState("seed_a_computed");
    DecodeSession session;
    const DecodePicture picture = session.at(snapshot, {}, 4, 0);
    QCOMPARE(picture.bidirectional.oldRows, Index(3));
    QCOMPARE(picture.bidirectional.changedRows, Index(3));
    QVERIFY(picture.bidirectional.largest > 1e-3);
    // All four tokens are fed and the document has no mask: the picture is the document's own A.
    const StageValues &A = *snapshot->stage(Stage::A).values;
    for (Index row = 0; row < 4; ++row)
        for (Index col = 0; col < 4; ++col)
            QVERIFY(std::abs(picture.bidirectional.weights->value(0, row, col) - A.value(0, row, col)) <
                    1e-15);
}

void TestDecodeSession::manyTokens()
{
    constexpr Index tokens = 1500;
    Experiment experiment;
    experiment.tokens = TokenList(std::vector<std::string>(tokens, std::string("t")));
    std::vector<double> numbers(tokens * 4);
    for (std::size_t i = 0; i < numbers.size(); ++i)
        numbers[i] = std::sin(static_cast<double>(i));
    const Tensor X = Tensor::fromDoubles({1, tokens, 4}, numbers);
    experiment.given = {{Stage::Q, X}, {Stage::K, X}, {Stage::V, X}};
    experiment.causal = true;
    const SnapshotPtr snapshot = evaluated(std::make_shared<const Experiment>(experiment));
    DecodeSession session;
    const DecodePicture picture = session.at(snapshot, {1, 1}, 1400, 0);
    QCOMPARE(picture.step.rowCount, Index(1));
    QCOMPARE(picture.step.keysAfter, Index(1400));
    QVERIFY(picture.recomputed.sameBits);
    QVERIFY(picture.full.isWithinTolerance(Precision::Float64));
    QVERIFY(!picture.bidirectional.weights);
    QCOMPARE(picture.totals.size(), std::size_t(tokens));
}

void TestDecodeSession::slicesReadTheirBlock()
{
    const SnapshotPtr snapshot = snapshotOfState("kv_cache_1");
    const StageValuesPtr A = snapshot->stage(Stage::A).values;
    const StageValuesPtr slice = sliceOf(A, 2, 3, 1, 2, 3);
    QVERIFY(slice->shape() == (Shape{1, 2, 3}));
    QCOMPARE(slice->value(0, 1, 2), A->value(2, 4, 3));
    double block[2];
    slice->readBlock(0, 1, 1, 1, 2, block, 2);
    QCOMPARE(block[1], A->value(2, 4, 3));
    QCOMPARE(slice->statistics(0).finiteCount, Index(6));
    QVERIFY(!sliceOf(nullptr, 0, 0, 0, 1, 1));
}

QTEST_APPLESS_MAIN(TestDecodeSession)
#include "tst_DecodeSession.moc"
