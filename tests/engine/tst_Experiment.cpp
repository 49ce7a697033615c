#include "engine/Evaluator.h"
#include "engine/Experiment.h"

#include <QTest>

#include <cmath>
#include <functional>

using namespace attn;

namespace {

Tensor matrix(Index rows, Index cols, double value = 0.5)
{
    return Tensor::filled({1, rows, cols}, value);
}

/// 4 tokens, d_model 6, two heads of d_k 3 and d_v 2, d_out 5.
Experiment twoHeads()
{
    Experiment experiment;
    experiment.tokens = TokenList({"I", "love", "GPU", "prog"});
    experiment.nHeads = 2;
    experiment.nKvHeads = 2;
    experiment.given = {{Stage::X, matrix(4, 6)},
                        {Stage::Wq, matrix(6, 6)},
                        {Stage::Wk, matrix(6, 6)},
                        {Stage::Wv, matrix(6, 4)},
                        {Stage::Wo, matrix(4, 5)}};
    return experiment;
}

} // namespace

class TestExperiment : public QObject
{
    Q_OBJECT

private slots:
    void stageNames();
    void sizes();
    void sizesOfLaterStarts();
    void scaleFollowsHeadWidth();
    void expectedShapes();
    void validExperimentsPass();
    void contradictionsAreNamed_data();
    void contradictionsAreNamed();
    void alibiSlopes();
    void sameContentSeesEveryField();
    void sameContentIgnoresHowPinsAreHeld();
};

void TestExperiment::stageNames()
{
    for (const StageInfo &info : stageTable()) {
        QCOMPARE(stageFromName(info.name), std::optional<Stage>(info.stage));
        QCOMPARE(stageInfo(info.stage).name, info.name);
    }
    QVERIFY(!stageFromName("q").has_value());
    QCOMPARE(QByteArray(stageName(Stage::MaskPadding)), QByteArray("mask.key_padding"));
    QCOMPARE(QByteArray(axisNoun(Axis::Key)), QByteArray("token"));
}

void TestExperiment::sizes()
{
    const Sizes sizes = sizesOf(twoHeads());
    QCOMPARE(sizes.nQ, Index(4));
    QCOMPARE(sizes.nK, Index(4));
    QCOMPARE(sizes.dModel, Index(6));
    QCOMPARE(sizes.dHeadK, Index(3));
    QCOMPARE(sizes.dHeadV, Index(2));
    QCOMPARE(sizes.dOut, Index(5));
    QCOMPARE(sizes.length(Axis::ConcatWidth), Index(4));
}

void TestExperiment::sizesOfLaterStarts()
{
    Experiment experiment;
    experiment.tokens = TokenList({"a", "b"});
    experiment.tokensKv = TokenList({"x", "y", "z"});
    experiment.nHeads = 4;
    experiment.nKvHeads = 2;
    experiment.statedDHeadK = 16;
    experiment.given = {{Stage::Scores, Tensor::zeros({4, 2, 3})}, {Stage::V, matrix(3, 10)}};
    const Sizes sizes = sizesOf(experiment);
    QCOMPARE(sizes.dHeadK, Index(16));
    QCOMPARE(sizes.dHeadV, Index(5));
    QCOMPARE(sizes.dOut, Index(20));
    QCOMPARE(sizes.scale, 0.25);
    QVERIFY(validate(experiment).ok());
}

void TestExperiment::scaleFollowsHeadWidth()
{
    Experiment experiment = twoHeads();
    QCOMPARE(sizesOf(experiment).scale, 1.0 / std::sqrt(3.0));
    experiment.nHeads = experiment.nKvHeads = 1;
    QCOMPARE(sizesOf(experiment).scale, 1.0 / std::sqrt(6.0));
    experiment.scale = 0.0;
    QCOMPARE(sizesOf(experiment).scale, 0.0);
}

void TestExperiment::expectedShapes()
{
    Experiment experiment = twoHeads();
    QVERIFY(expectedShape(experiment, Stage::A) == (Shape{2, 4, 4}));
    QVERIFY(expectedShape(experiment, Stage::Qr) == (Shape{2, 4, 3}));
    QVERIFY(expectedShape(experiment, Stage::HeadOut) == (Shape{2, 4, 2}));
    QVERIFY(expectedShape(experiment, Stage::FullyMasked) == (Shape{1, 2, 4}));
    QVERIFY(expectedShape(experiment, Stage::MaskBool) == (Shape{1, 4, 4}));
    QVERIFY(expectedShape(experiment, Stage::HeadContribution) == (Shape{2, 4, 5}));
    experiment.given[Stage::MaskBool] = Tensor::filled({2, 4, 4}, 1.0);
    QVERIFY(expectedShape(experiment, Stage::MaskBool) == (Shape{2, 4, 4}));
}

void TestExperiment::validExperimentsPass()
{
    QVERIFY(validate(twoHeads()).ok());
    QVERIFY(validate(Experiment{}).ok());
    Experiment withoutWeights = twoHeads();
    withoutWeights.given.erase(Stage::Wk);
    QVERIFY(validate(withoutWeights).ok());
}

void TestExperiment::contradictionsAreNamed_data()
{
    QTest::addColumn<int>("stage");
    QTest::addColumn<int>("rows");
    QTest::addColumn<int>("cols");
    QTest::addColumn<QString>("message");
    const auto row = [](const char *name, Stage stage, int rows, int cols, const char *message) {
        QTest::newRow(name) << static_cast<int>(stage) << rows << cols << QString::fromUtf8(message);
    };
    row("inner sizes", Stage::Wq, 5, 6, "X is 4×6, Wq is 5×6: 6 columns against 5 rows");
    row("tokens", Stage::X, 5, 6, "X is 5×6, but there are 4 tokens: 5 rows against 4 tokens");
    row("heads", Stage::Wq, 6, 7, "Q is 4×7: 7 columns cannot be split into 2 heads");
    row("bias", Stage::Bk, 1, 4, "bk is 1×4, Wk is 6×6: 4 against 6 columns");
    row("bias with two rows", Stage::Bq, 2, 6, "bq is 2×6: 2 rows, expected 1");
    row("head widths", Stage::Wk, 6, 8, "Q is 4×6 in 2 heads, K is 4×8 in 2 heads: head width 3 against 4");
    row("output weight", Stage::Wo, 6, 5, "concat is 4×4, Wo is 6×5: 4 columns against 6 rows");
    row("mask", Stage::MaskBool, 4, 5,
        "mask.bool is 4×5, but there are 4 key tokens: 5 columns against 4 key tokens");
    row("slopes", Stage::MaskAlibi, 1, 3,
        "mask.alibi is 1×3, but there are 2 heads: 3 columns against 2 heads");
    row("output bias", Stage::Bo, 1, 4, "bo is 1×4, Wo is 4×5: 4 against 5 columns");
}

void TestExperiment::contradictionsAreNamed()
{
    QFETCH(int, stage);
    QFETCH(int, rows);
    QFETCH(int, cols);
    QFETCH(QString, message);
    Experiment experiment = twoHeads();
    experiment.given[static_cast<Stage>(stage)] = matrix(rows, cols);
    const Result<void> result = validate(experiment);
    QVERIFY(!result.ok());
    QCOMPARE(QString::fromStdString(result.error().message), message);
    const SnapshotPtr snapshot =
        Evaluator().evaluate(std::make_shared<Experiment>(experiment), Generation{1});
    QVERIFY(snapshot);
    QCOMPARE(QString::fromStdString(snapshot->problem()), message);
}

void TestExperiment::alibiSlopes()
{
    const Tensor eight = defaultAlibiSlopes(8);
    QCOMPARE(eight.at(0, 0), 0.5);
    QCOMPARE(eight.at(0, 7), std::exp2(-8.0));
    const Tensor six = defaultAlibiSlopes(6);
    QVERIFY(six.shape() == (Shape{1, 1, 6}));
    const std::vector<double> expected = {0.25, 0.0625, 0.015625, 0.00390625, 0.5, 0.125};
    QCOMPARE(six.toDoubles(), expected);
}

void TestExperiment::sameContentSeesEveryField()
{
    const Experiment base = twoHeads();
    QVERIFY(sameContent(base, twoHeads()));
    const std::vector<std::function<void(Experiment &)>> changes = {
        [](Experiment &e) {
            e.tokens = TokenList({"I", "love", "GPU", "prog."});
        },
        [](Experiment &e) { e.tokensKv = e.tokens; },
        [](Experiment &e) {
            e.given[Stage::X] = e.given[Stage::X].withCells(std::vector<CellValue>{{{0, 0, 0}, -0.0}});
        },
        [](Experiment &e) { e.given.erase(Stage::Wo); },
        [](Experiment &e) {
            e.pins[Stage::A].set({0, 1, 2}, 0.5);
        },
        [](Experiment &e) { e.nHeads = 1; },
        [](Experiment &e) { e.nKvHeads = 1; },
        [](Experiment &e) { e.statedDHeadK = 1; },
        [](Experiment &e) { e.statedDHeadV = 1; },
        [](Experiment &e) { e.scale = 1.0; },
        [](Experiment &e) { e.qOffset = 1; },
        [](Experiment &e) { e.rotary = Rotary{}; },
        [](Experiment &e) { e.causal = true; },
        [](Experiment &e) { e.window = Window{}; },
        [](Experiment &e) { e.precision = Precision::Float32; },
        [](Experiment &e) { e.decimals[Stage::Q] = 2; },
        [](Experiment &e) {
            e.printedFacts.push_back({"sum", {5.517}, 3, std::nullopt});
        },
        [](Experiment &e) { e.notes = "note"; },
    };
    for (const auto &change : changes) {
        Experiment changed = base;
        change(changed);
        QVERIFY(!sameContent(base, changed));
        QVERIFY(sameContent(changed, changed));
    }
}

void TestExperiment::sameContentIgnoresHowPinsAreHeld()
{
    Experiment whole = twoHeads();
    whole.pins[Stage::Concat] = Pins(matrix(4, 4, 0.25));
    Experiment cells = twoHeads();
    for (Index row = 0; row < 4; ++row)
        for (Index col = 0; col < 4; ++col)
            cells.pins[Stage::Concat].set({0, row, col}, 0.25);
    QVERIFY(sameContent(whole, cells));
    cells.pins[Stage::Concat].set({0, 3, 3}, 0.5);
    QVERIFY(!sameContent(whole, cells));
}

QTEST_APPLESS_MAIN(TestExperiment)
#include "tst_Experiment.moc"
