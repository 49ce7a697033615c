#include "engine/Evaluator.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

using namespace attn;

namespace {

Tensor tensor(Index rows, Index cols, std::vector<double> numbers)
{
    return Tensor::fromDoubles({1, rows, cols}, numbers);
}

/// Two tokens, one head of width 1: every number can be checked by hand.
Experiment byHand()
{
    Experiment experiment;
    experiment.tokens = TokenList({"a", "b"});
    experiment.given = {{Stage::X, tensor(2, 1, {1, 2})},           {Stage::Wq, tensor(1, 1, {1})},
                        {Stage::Wk, tensor(1, 1, {std::log(2.0)})}, {Stage::Wv, tensor(1, 1, {3})},
                        {Stage::Wo, tensor(1, 2, {1, -1})},         {Stage::Bo, tensor(1, 2, {0, 10})}};
    return experiment;
}

/// Three tokens, two heads, every optional part there.
Experiment everything()
{
    const auto ramp = [](Index heads, Index rows, Index cols, double step) {
        std::vector<double> numbers;
        for (Index i = 0; i < heads * rows * cols; ++i)
            numbers.push_back(step * static_cast<double>(i % 7) - 0.3);
        return Tensor::fromDoubles({heads, rows, cols}, numbers);
    };
    Experiment experiment;
    experiment.tokens = TokenList({"a", "b", "c"});
    experiment.nHeads = experiment.nKvHeads = 2;
    experiment.given = {{Stage::X, ramp(1, 3, 5, 0.2)},
                        {Stage::Wq, ramp(1, 5, 4, 0.3)},
                        {Stage::Bq, ramp(1, 1, 4, 0.1)},
                        {Stage::Wk, ramp(1, 5, 4, -0.2)},
                        {Stage::Bk, ramp(1, 1, 4, 0.2)},
                        {Stage::Wv, ramp(1, 5, 6, 0.25)},
                        {Stage::Bv, ramp(1, 1, 6, 0.1)},
                        {Stage::Wo, ramp(1, 6, 2, 0.15)},
                        {Stage::Bo, ramp(1, 1, 2, 0.5)},
                        {Stage::MaskAdd, ramp(1, 3, 3, 0.4)},
                        {Stage::MaskBool, Tensor::filled({1, 3, 3}, 1.0)},
                        {Stage::MaskPadding, Tensor::filled({1, 1, 3}, 1.0)},
                        {Stage::MaskAlibi, defaultAlibiSlopes(2)}};
    experiment.rotary = Rotary{};
    return experiment;
}

void setCell(Experiment &experiment, Stage stage, Index row, Index col, double value)
{
    Tensor &matrix = experiment.given[stage];
    matrix = matrix.withCells(std::vector<CellValue>{{{0, row, col}, value}});
}

ExperimentPtr shared(const Experiment &experiment)
{
    return std::make_shared<const Experiment>(experiment);
}

double valueOf(const SnapshotPtr &snapshot, Stage stage, Index row, Index col)
{
    return snapshot->stage(stage).values->value(0, row, col);
}

QString names(const std::set<Stage> &stages)
{
    QStringList list;
    for (const Stage stage : stages)
        list.append(QString::fromUtf8(stageName(stage)));
    return list.join(u' ');
}

using Change = std::function<void(Experiment &)>;

} // namespace

Q_DECLARE_METATYPE(Change)

class TestEvaluator : public QObject
{
    Q_OBJECT

private slots:
    void exampleByHand();
    void pinsAreUsedDownstream();
    void givenAttentionIgnoresMasks();
    void wholePinNeedsNoInputs();
    void recomputes_data();
    void recomputes();
    void equalResultsStopTheWave();
    void otherHeadsStayAsTheyAre();
    void missingPartsAreNamed_data();
    void missingPartsAreNamed();
    void laterStagesSurviveAContradiction();
    void absentPartsAreAbsent();
    void stoppedEvaluationLeavesNoTrace();
    void precisionIsThatOfTheExperiment();
    void givenNumbersKeepTheirStorage();
    void noTokensAndOneToken();
    void estimateGrowsWithTheWork();
};

void TestEvaluator::exampleByHand()
{
    const SnapshotPtr snapshot = Evaluator().evaluate(shared(byHand()), Generation{7});
    QCOMPARE(snapshot->generation(), Generation{7});
    QVERIFY(snapshot->problem().empty());
    // Row a: scores ln 2, 2 ln 2; weights 2/6, 4/6; values 3, 6 give 5.
    QCOMPARE(valueOf(snapshot, Stage::Scores, 0, 1), 2.0 * std::log(2.0));
    QCOMPARE(valueOf(snapshot, Stage::A, 0, 0), 1.0 / 3.0);
    QCOMPARE(valueOf(snapshot, Stage::Concat, 0, 0), 5.0);
    QCOMPARE(valueOf(snapshot, Stage::Output, 0, 0), 5.0);
    QCOMPARE(valueOf(snapshot, Stage::Output, 0, 1), 5.0);
    QCOMPARE(valueOf(snapshot, Stage::HeadContribution, 0, 1), -5.0);
    // Row b: scores 2 ln 2, 4 ln 2; weights 4/20, 16/20.
    QCOMPARE(valueOf(snapshot, Stage::A, 1, 1), 0.8);
    QVERIFY(snapshot->stage(Stage::X).status == StageStatus::Given);
    QVERIFY(snapshot->stage(Stage::A).status == StageStatus::Computed);
}

void TestEvaluator::pinsAreUsedDownstream()
{
    Experiment experiment = byHand();
    experiment.causal = true;
    experiment.pins[Stage::A].set({0, 0, 1}, 0.5);
    experiment.pins[Stage::Scores].set({0, 0, 1}, 100.0);
    const SnapshotPtr snapshot = Evaluator().evaluate(shared(experiment), Generation{1});
    QCOMPARE(valueOf(snapshot, Stage::Scores, 0, 1), 100.0);
    QCOMPARE(valueOf(snapshot, Stage::ASoft, 0, 1), 0.0); // the mask hides the pinned score
    QCOMPARE(valueOf(snapshot, Stage::A, 0, 0), 1.0);     // nothing is renormalised
    QCOMPARE(valueOf(snapshot, Stage::A, 0, 1), 0.5);     // and never touches a pinned weight
    QCOMPARE(valueOf(snapshot, Stage::Concat, 0, 0), 3.0 + 3.0);
    QCOMPARE(snapshot->stage(Stage::A).pinnedCount, Index(1));
    QVERIFY(!snapshot->stage(Stage::A).isPinnedWhole);
}

void TestEvaluator::givenAttentionIgnoresMasks()
{
    Experiment experiment;
    experiment.tokens = TokenList({"a", "b"});
    experiment.causal = true;
    experiment.given = {{Stage::A, tensor(2, 2, {0.5, 0.5, 0.25, 0.75})}, {Stage::V, tensor(2, 1, {2, 4})}};
    const SnapshotPtr snapshot = Evaluator().evaluate(shared(experiment), Generation{1});
    QVERIFY(snapshot->stage(Stage::A).status == StageStatus::Given);
    QCOMPARE(valueOf(snapshot, Stage::Output, 0, 0), 3.0);
    QVERIFY(snapshot->stage(Stage::ASoft).status == StageStatus::Absent);
    QVERIFY(snapshot->stage(Stage::Masked).status == StageStatus::NotAvailable);
    QCOMPARE(snapshot->stage(Stage::Q).reason, std::string("the document starts at A"));
    QVERIFY(snapshot->stage(Stage::Allowed).hasValues());
}

void TestEvaluator::wholePinNeedsNoInputs()
{
    Experiment experiment = byHand();
    experiment.given.erase(Stage::Wq);
    experiment.pins[Stage::Q] = Pins(tensor(2, 1, {1, 2}));
    Evaluator evaluator;
    const SnapshotPtr snapshot = evaluator.evaluate(shared(experiment), Generation{1});
    QVERIFY(snapshot->stage(Stage::Q).status == StageStatus::Computed);
    QVERIFY(snapshot->stage(Stage::Q).isPinnedWhole);
    QCOMPARE(valueOf(snapshot, Stage::Output, 0, 0), 5.0);
    experiment.pins[Stage::Q].clear({0, 0, 0});
    const SnapshotPtr withHole = evaluator.evaluate(shared(experiment), Generation{2});
    QVERIFY(withHole->stage(Stage::Q).status == StageStatus::NotAvailable);
}

void TestEvaluator::recomputes_data()
{
    QTest::addColumn<Change>("change");
    QTest::addColumn<QString>("stages");
    const QString fromA = QStringLiteral("head_out concat output head_contribution");
    const QString fromMasked = QStringLiteral("masked A fully_masked A_soft ") + fromA;
    const QString fromScores = QStringLiteral("scores scaled ") + fromMasked;
    const auto row = [](const char *name, Change change, const QString &stages) {
        QTest::newRow(name) << change << stages;
    };
    row("nothing", [](Experiment &) {}, {});
    row("the same number again", [](Experiment &e) { setCell(e, Stage::X, 0, 0, -0.3); }, {});
    row(
        "X", [](Experiment &e) { setCell(e, Stage::X, 0, 0, 9); },
        QStringLiteral("Q K V Qr Kr ") + fromScores);
    row(
        "Wq", [](Experiment &e) { setCell(e, Stage::Wq, 0, 0, 9); }, QStringLiteral("Q Qr ") + fromScores);
    row(
        "bk", [](Experiment &e) { setCell(e, Stage::Bk, 0, 0, 9); }, QStringLiteral("K Kr ") + fromScores);
    row(
        "Wv", [](Experiment &e) { setCell(e, Stage::Wv, 0, 0, 9); }, QStringLiteral("V ") + fromA);
    row(
        "Wo", [](Experiment &e) { setCell(e, Stage::Wo, 0, 0, 9); },
        QStringLiteral("output head_contribution"));
    row(
        "bo", [](Experiment &e) { setCell(e, Stage::Bo, 0, 0, 9); }, QStringLiteral("output"));
    row(
        "scale", [](Experiment &e) { e.scale = 0.1; }, QStringLiteral("scaled ") + fromMasked);
    row("the default scale by hand", [](Experiment &e) { e.scale = 1.0 / std::sqrt(2.0); }, {});
    row(
        "a rotary base that turns the only pair alike", [](Experiment &e) { e.rotary->base = 100; },
        QStringLiteral("Qr Kr"));
    row(
        "no rotary", [](Experiment &e) { e.rotary.reset(); }, fromScores);
    row(
        "offset", [](Experiment &e) { e.qOffset = 1; }, QStringLiteral("Qr bias ") + fromScores);
    row(
        "causal", [](Experiment &e) { e.causal = true; }, QStringLiteral("allowed bias ") + fromMasked);
    row(
        "boolean mask", [](Experiment &e) { setCell(e, Stage::MaskBool, 0, 1, 0); },
        QStringLiteral("allowed bias ") + fromMasked);
    row(
        "additive mask", [](Experiment &e) { setCell(e, Stage::MaskAdd, 0, 1, 9); },
        QStringLiteral("allowed bias ") + fromMasked);
    row(
        "slopes", [](Experiment &e) { setCell(e, Stage::MaskAlibi, 0, 1, 9); },
        QStringLiteral("bias ") + fromMasked);
    row(
        "pin of A",
        [](Experiment &e) {
            e.pins[Stage::A].set({1, 0, 1}, 9);
        },
        QStringLiteral("A ") + fromA);
    row(
        "pin of concat",
        [](Experiment &e) {
            e.pins[Stage::Concat].set({0, 0, 1}, 9);
        },
        QStringLiteral("concat output head_contribution"));
    row(
        "pin of output",
        [](Experiment &e) {
            e.pins[Stage::Output].set({0, 0, 1}, 9);
        },
        QStringLiteral("output"));
    row("label", [](Experiment &e) { e.tokens = TokenList({"x", "b", "c"}); }, {});
    row("notes", [](Experiment &e) { e.notes = "note"; }, {});
}

void TestEvaluator::recomputes()
{
    QFETCH(Change, change);
    QFETCH(QString, stages);
    Experiment experiment = everything();
    Evaluator evaluator;
    const SnapshotPtr before = evaluator.evaluate(shared(experiment), Generation{1});
    QVERIFY(before->problem().empty());
    change(experiment);
    const SnapshotPtr after = evaluator.evaluate(shared(experiment), Generation{2});
    std::set<Stage> expected;
    for (const QString &name : stages.split(u' ', Qt::SkipEmptyParts))
        expected.insert(*stageFromName(name.toStdString()));
    QCOMPARE(names(evaluator.recomputed()), names(expected));
    // The heads are read out of the same blocks.
    for (const auto &[whole, split] :
         {std::pair(Stage::Q, Stage::Qh), std::pair(Stage::K, Stage::Kh), std::pair(Stage::V, Stage::Vh)})
        if (expected.contains(whole))
            expected.insert(split);
    for (const StageInfo &info : stageTable()) {
        const bool isComputed = after->stage(info.stage).status == StageStatus::Computed;
        if (isComputed && !expected.contains(info.stage)) {
            QVERIFY2(after->stage(info.stage).values == before->stage(info.stage).values, info.name);
            QVERIFY2(after->stage(info.stage).changedAt == Generation{1}, info.name);
        }
    }
    QCOMPARE(after->generation(), Generation{2});
}

void TestEvaluator::equalResultsStopTheWave()
{
    Experiment experiment = everything();
    Evaluator evaluator;
    const SnapshotPtr before = evaluator.evaluate(shared(experiment), Generation{1});
    // A pin at the very number that is computed there changes nothing downstream.
    experiment.pins[Stage::V].set({0, 1, 2}, valueOf(before, Stage::V, 1, 2));
    const SnapshotPtr after = evaluator.evaluate(shared(experiment), Generation{2});
    QCOMPARE(names(evaluator.recomputed()), QStringLiteral("V"));
    QVERIFY(after->stage(Stage::V).values == before->stage(Stage::V).values);
    QCOMPARE(after->stage(Stage::V).pinnedCount, Index(1));
}

void TestEvaluator::otherHeadsStayAsTheyAre()
{
    Experiment experiment = everything();
    Evaluator evaluator;
    const SnapshotPtr before = evaluator.evaluate(shared(experiment), Generation{1});
    experiment.pins[Stage::Scaled].set({1, 0, 0}, 3.0);
    const SnapshotPtr after = evaluator.evaluate(shared(experiment), Generation{2});
    const StageValues &A = *after->stage(Stage::A).values;
    for (Index row = 0; row < 3; ++row)
        for (Index col = 0; col < 3; ++col)
            QCOMPARE(A.value(0, row, col), before->stage(Stage::A).values->value(0, row, col));
    QVERIFY(A.value(1, 0, 0) != before->stage(Stage::A).values->value(1, 0, 0));
    QVERIFY(after->stage(Stage::A).changedAt == Generation{2});
}

void TestEvaluator::missingPartsAreNamed_data()
{
    QTest::addColumn<Change>("change");
    QTest::addColumn<int>("stage");
    QTest::addColumn<QString>("reason");
    const auto row = [](const char *name, Change change, Stage stage, const char *reason) {
        QTest::newRow(name) << change << static_cast<int>(stage) << QString::fromUtf8(reason);
    };
    const Change noWeights = [](Experiment &e) {
        e.given.erase(Stage::Wq);
    };
    row("weight", noWeights, Stage::Q, "Wq is missing, so Q cannot be computed");
    row("further down", noWeights, Stage::Scaled, "scaled needs scores: Wq is missing");
    row(
        "everything", [](Experiment &e) { e.given.clear(); }, Stage::V,
        "X and Wv are missing, so V cannot be computed");
    row(
        "contradiction further down",
        [](Experiment &e) {
            e.given[Stage::Wv] = Tensor::zeros({1, 4, 6});
        },
        Stage::Output, "output needs concat: X is 3×5, Wv is 4×6: 5 columns against 4 rows");
    row(
        "heads", [](Experiment &e) { e.nHeads = 4, e.nKvHeads = 3; }, Stage::Kh,
        "K is 3×4: 4 columns cannot be split into 3 heads");
    row(
        "shared heads", [](Experiment &e) { e.nHeads = 1; }, Stage::Scores,
        "1 head cannot share 2 KV heads evenly");
    row(
        "rotary", [](Experiment &e) { e.rotary->rotDim = 4; }, Stage::Qr,
        "rotary positions turn 4 columns, Qh is 2×3×2: an even number up to 2 is needed");
    row(
        "pins",
        [](Experiment &e) {
            e.pins[Stage::V] = Pins(Tensor::zeros({1, 2, 6}));
        },
        Stage::V, "V is 3×6, but its pins are 2×6");
    row(
        "pin outside",
        [](Experiment &e) {
            e.pins[Stage::A].set({0, 3, 0}, 1.0);
        },
        Stage::A, "A is 2×3×3, but a pin lies at [0, 3, 0]");
}

void TestEvaluator::missingPartsAreNamed()
{
    QFETCH(Change, change);
    QFETCH(int, stage);
    QFETCH(QString, reason);
    Experiment experiment = everything();
    change(experiment);
    const SnapshotPtr snapshot = Evaluator().evaluate(shared(experiment), Generation{1});
    const StageState &state = snapshot->stage(static_cast<Stage>(stage));
    QVERIFY(state.status == StageStatus::NotAvailable);
    QCOMPARE(QString::fromStdString(state.reason), reason);
}

void TestEvaluator::laterStagesSurviveAContradiction()
{
    Experiment experiment = everything();
    Evaluator evaluator;
    const SnapshotPtr before = evaluator.evaluate(shared(experiment), Generation{1});
    experiment.given[Stage::Wq] = Tensor::zeros({1, 4, 4});
    const SnapshotPtr broken = evaluator.evaluate(shared(experiment), Generation{2});
    QVERIFY(!broken->problem().empty());
    QVERIFY(broken->stage(Stage::V).values == before->stage(Stage::V).values);
    QVERIFY(!broken->stage(Stage::A).hasValues());
    const SnapshotPtr repaired = evaluator.evaluate(shared(everything()), Generation{3});
    QVERIFY(repaired->problem().empty());
    QCOMPARE(valueOf(repaired, Stage::Output, 2, 1), valueOf(before, Stage::Output, 2, 1));
}

void TestEvaluator::absentPartsAreAbsent()
{
    const SnapshotPtr snapshot = Evaluator().evaluate(shared(byHand()), Generation{1});
    for (const Stage stage : {Stage::Xkv, Stage::Bq, Stage::Qr, Stage::Kr, Stage::Bias, Stage::MaskAdd}) {
        QVERIFY2(snapshot->stage(stage).status == StageStatus::Absent, stageName(stage));
        QVERIFY(!snapshot->stage(stage).hasValues());
    }
    QVERIFY(snapshot->stage(Stage::ASoft).values == snapshot->stage(Stage::A).values);
}

void TestEvaluator::stoppedEvaluationLeavesNoTrace()
{
    Experiment experiment = everything();
    Evaluator evaluator;
    const SnapshotPtr before = evaluator.evaluate(shared(experiment), Generation{1});
    std::stop_source source;
    source.request_stop();
    experiment.causal = true;
    QVERIFY(!evaluator.evaluate(shared(experiment), Generation{2}, source.get_token()));
    const SnapshotPtr after = evaluator.evaluate(shared(everything()), Generation{3});
    QVERIFY(evaluator.recomputed().empty());
    QVERIFY(after->stage(Stage::A).values == before->stage(Stage::A).values);
}

void TestEvaluator::precisionIsThatOfTheExperiment()
{
    Experiment experiment = byHand();
    experiment.precision = Precision::Float32;
    Evaluator evaluator;
    const SnapshotPtr single = evaluator.evaluate(shared(experiment), Generation{1});
    QVERIFY(single->stage(Stage::A).values->isSinglePrecision());
    QCOMPARE(valueOf(single, Stage::A, 0, 0), static_cast<double>(1.0f / 3.0f));
    experiment.precision = Precision::Float64;
    const SnapshotPtr twice = evaluator.evaluate(shared(experiment), Generation{2});
    QVERIFY(!twice->stage(Stage::A).values->isSinglePrecision());
    QCOMPARE(valueOf(twice, Stage::A, 0, 0), 1.0 / 3.0);
    QVERIFY(twice->stage(Stage::X).values == single->stage(Stage::X).values);
}

void TestEvaluator::givenNumbersKeepTheirStorage()
{
    Experiment experiment;
    experiment.tokens = TokenList({"a"});
    experiment.given = {{Stage::A, Tensor::filled({1, 1, 1}, 0.1, Tensor::Storage::Float32)},
                        {Stage::V, tensor(1, 1, {0.1})}};
    experiment.precision = Precision::Float32;
    const SnapshotPtr snapshot = Evaluator().evaluate(shared(experiment), Generation{1});
    QVERIFY(snapshot->stage(Stage::A).values->isSinglePrecision());
    QCOMPARE(valueOf(snapshot, Stage::V, 0, 0), 0.1); // a double of the document stays one
    experiment.precision = Precision::Float64;
    experiment.pins[Stage::A].set({0, 0, 0}, 0.3);
    const SnapshotPtr pinned = Evaluator().evaluate(shared(experiment), Generation{1});
    QCOMPARE(valueOf(pinned, Stage::A, 0, 0), 0.3); // not rounded to the storage underneath
}

void TestEvaluator::noTokensAndOneToken()
{
    Experiment experiment = byHand();
    experiment.tokens = TokenList(std::vector<std::string>{});
    experiment.given[Stage::X] = Tensor::zeros({1, 0, 1});
    const SnapshotPtr none = Evaluator().evaluate(shared(experiment), Generation{1});
    QVERIFY(none->problem().empty());
    QCOMPARE(none->stage(Stage::Output).values->shape(), (Shape{1, 0, 2}));

    experiment.tokens = TokenList({"a"});
    experiment.tokensKv = TokenList(std::vector<std::string>{});
    experiment.given[Stage::X] = tensor(1, 1, {4});
    experiment.given[Stage::Xkv] = Tensor::zeros({1, 0, 1});
    const SnapshotPtr noKeys = Evaluator().evaluate(shared(experiment), Generation{1});
    QCOMPARE(valueOf(noKeys, Stage::FullyMasked, 0, 0), 1.0);
    QCOMPARE(valueOf(noKeys, Stage::Output, 0, 1), 10.0); // nothing but bo
    QVERIFY(Evaluator().evaluate(shared(Experiment{}), Generation{1}));
}

void TestEvaluator::estimateGrowsWithTheWork()
{
    QVERIFY(estimatedMs(everything()) < 1.0);
    Experiment large;
    large.tokens = TokenList(std::vector<std::string>(512));
    large.nHeads = large.nKvHeads = 12;
    large.given = {{Stage::Q, Tensor::zeros({1, 512, 768})},
                   {Stage::K, Tensor::zeros({1, 512, 768})},
                   {Stage::V, Tensor::zeros({1, 512, 768})}};
    QVERIFY(estimatedMs(large) > 10.0);
}

QTEST_APPLESS_MAIN(TestEvaluator)
#include "tst_Evaluator.moc"
