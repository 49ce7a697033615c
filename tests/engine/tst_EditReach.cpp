#include "engine/Edit.h"
#include "engine/decode/KvCacheRun.h"
#include "io/Examples.h"
#include "support/GoldenFile.h"
#include "support/RandomExperiment.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

using namespace attn;
using namespace attn::test;

namespace {

constexpr std::array rowStages = {Stage::X, Stage::Xkv, Stage::Q, Stage::Qr, Stage::K, Stage::Kr, Stage::V};

/// Rows of [heads, rows, cols] that differ in some bit.
std::vector<Index> differingRows(const Tensor &a, const Tensor &b)
{
    std::vector<Index> rows;
    for (Index row = 0; row < a.rows(); ++row) {
        bool differs = false;
        for (Index head = 0; head < a.heads(); ++head)
            for (Index col = 0; col < a.cols(); ++col)
                differs = differs || std::bit_cast<std::uint64_t>(a.at(head, row, col)) !=
                                         std::bit_cast<std::uint64_t>(b.at(head, row, col));
        if (differs)
            rows.push_back(row);
    }
    return rows;
}

Tensor outputOf(const DecodeStep &step)
{
    return Tensor::fromDoubles({1, step.rowCount, static_cast<Index>(step.output.size()) / step.rowCount},
                               step.output);
}

/// The document with a row of this stage edited as a user would, cell by cell.
Result<EditOutcome> withRowEdited(const Experiment &experiment, const TokenEdit &edit)
{
    const Shape shape = expectedShape(experiment, edit.stage);
    std::vector<CellValue> cells;
    for (Index head = 0; head < shape.heads; ++head)
        for (Index col = 0; col < shape.cols; ++col)
            cells.push_back(
                {{head, edit.row, col}, 0.3 + std::sqrt(static_cast<double>(head * shape.cols + col) + 2.0)});
    const bool isGiven = experiment.isGiven(edit.stage);
    return applyEdit(experiment,
                     isGiven ? Edit(SetCells{edit.stage, cells}) : Edit(PinCells{edit.stage, cells}));
}

QString rowsText(const std::vector<Index> &rows)
{
    QStringList texts;
    for (const Index row : rows)
        texts.append(QString::number(row));
    return texts.join(QStringLiteral(" "));
}

enum class Outputs
{
    Equal,   ///< just those are said to be wrong that come out otherwise
    Covered, ///< others may be said to be: a weight can vanish in rounding
};

/// Where what is said to go wrong is not what comes out otherwise; empty when all of it agrees.
QString faultOf(const Experiment &experiment, Outputs expected = Outputs::Equal)
{
    Result<KvCacheRun> before = KvCacheRun::start(std::make_shared<const Experiment>(experiment));
    if (!before.ok())
        return {};
    const DecodeStep old = before->feed(before->rowCount());
    for (const Stage stage : rowStages) {
        const Shape shape = expectedShape(experiment, stage);
        for (Index row = 0; row < shape.rows; ++row) {
            const TokenEdit edit{stage, row};
            const Result<EditOutcome> outcome = withRowEdited(experiment, edit);
            if (!outcome.ok())
                continue;
            Result<KvCacheRun> after =
                KvCacheRun::start(std::make_shared<const Experiment>(outcome->experiment));
            if (!after.ok())
                continue;
            const DecodeStep now = after->feed(after->rowCount());
            const EditReach reach = before->reachOf(edit);
            const std::vector<Index> none;
            const std::vector<Index> own{row};
            const std::vector<Index> keys = differingRows(before->keyCache(), after->keyCache());
            const std::vector<Index> values = differingRows(before->valueCache(), after->valueCache());
            const std::vector<Index> outputs = differingRows(outputOf(old), outputOf(now));
            const bool areOutputsRight = expected == Outputs::Equal
                                             ? outputs == reach.outputs
                                             : std::ranges::includes(reach.outputs, outputs);
            if (!areOutputsRight || keys != (reach.key ? own : none) || values != (reach.value ? own : none))
                return QStringLiteral(
                           "%1, row %2: K changes in rows %3 (said: %4), V in %5 (%6), output in %7 (%8)")
                    .arg(QString::fromUtf8(stageName(stage)))
                    .arg(row)
                    .arg(rowsText(keys))
                    .arg(reach.key)
                    .arg(rowsText(values))
                    .arg(reach.value)
                    .arg(rowsText(outputs), rowsText(reach.outputs));
        }
    }
    return {};
}

/// The experiment with every cell of a stage set by hand to what it is, or every other one of them.
Experiment pinned(const Experiment &experiment, const std::vector<Stage> &stages, bool isWhole)
{
    const SnapshotPtr snapshot = evaluated(std::make_shared<const Experiment>(decodeReference(experiment)));
    Experiment changed = experiment;
    for (const Stage stage : stages) {
        const StageState &state = snapshot->stage(stage);
        if (!state.hasValues() || experiment.isGiven(stage))
            continue;
        const Shape &shape = state.values->shape();
        for (Index head = 0; head < shape.heads; ++head)
            for (Index row = 0; row < shape.rows; ++row)
                for (Index col = 0; col < shape.cols; ++col)
                    if (isWhole || (head + row + col) % 2 == 0)
                        changed.pins[stage].set({head, row, col}, state.values->value(head, row, col));
    }
    return changed;
}

} // namespace

class TestEditReach : public QObject
{
    Q_OBJECT

private slots:
    void everyExampleInEveryPinState_data();
    void everyExampleInEveryPinState();
    void goldenStates_data();
    void goldenStates();
    void stagesThatAreGiven_data();
    void stagesThatAreGiven();
    void randomDocuments();
    void onlyWhatIsFedCounts();
};

void TestEditReach::everyExampleInEveryPinState_data()
{
    QTest::addColumn<QString>("example");
    for (const ExampleInfo &info : examples())
        QTest::newRow(info.name) << QString::fromLatin1(info.name);
}

void TestEditReach::everyExampleInEveryPinState()
{
    QFETCH(QString, example);
    Result<DocumentFileData> data = loadExample(example);
    QVERIFY(data.ok());
    QCOMPARE(faultOf(data->experiment), QString());
    if (expectedShape(data->experiment, Stage::Scores).size() > 512)
        return; // the rest would take minutes and says nothing new
    for (const std::vector<Stage> &stages : {std::vector{Stage::Q},
                                             {Stage::K},
                                             {Stage::V},
                                             {Stage::K, Stage::V},
                                             {Stage::Kr},
                                             {Stage::Scores},
                                             {Stage::Scaled},
                                             {Stage::Masked},
                                             {Stage::A},
                                             {Stage::K, Stage::V, Stage::A},
                                             {Stage::HeadOut},
                                             {Stage::Concat},
                                             {Stage::Output},
                                             {Stage::Q, Stage::V, Stage::Output}}) {
        for (const bool isWhole : {true, false}) {
            const QString fault = faultOf(pinned(data->experiment, stages, isWhole));
            QVERIFY2(fault.isEmpty(),
                     qPrintable(QStringLiteral("%1 set by hand: %2")
                                    .arg(QString::fromUtf8(stageName(stages.front())), fault)));
        }
    }
}

void TestEditReach::goldenStates_data()
{
    QTest::addColumn<QString>("name");
    for (const char *kind : {"kv_cache", "seed", "given"})
        for (const QString &name : goldenNames(QString::fromLatin1(kind)))
            QTest::newRow(qPrintable(name)) << name;
}

void TestEditReach::goldenStates()
{
    QFETCH(QString, name);
    const Json file = readGolden(name);
    const ExperimentPtr experiment = goldenExperiment(file["state"]);
    if (!experiment)
        QSKIP("holds no state");
    QCOMPARE(faultOf(*experiment), QString());
}

void TestEditReach::stagesThatAreGiven_data()
{
    QTest::addColumn<Stage>("stage");
    for (const Stage stage : {Stage::Q, Stage::K, Stage::V})
        QTest::newRow(stageName(stage)) << stage;
}

/// A stage that is given while X is there does not follow from X.
void TestEditReach::stagesThatAreGiven()
{
    QFETCH(Stage, stage);
    for (const char *name : {"seed_a_computed", "seed_f2_cross_attention_two_heads"}) {
        Experiment experiment = *goldenExperiment(readGolden(QString::fromLatin1(name))["state"]);
        const SnapshotPtr snapshot = evaluated(std::make_shared<const Experiment>(experiment));
        const StageValues &values = *snapshot->stage(stage).values;
        std::vector<double> numbers(static_cast<std::size_t>(values.shape().size()));
        values.readBlock(0, 0, 0, values.rows(), values.cols(), numbers.data(), values.cols());
        experiment.given[stage] = Tensor::fromDoubles(values.shape(), numbers);
        QCOMPARE(faultOf(experiment), QString());
    }
}

void TestEditReach::randomDocuments()
{
    RandomExperiments random(73);
    for (int i = 0; i < 200; ++i) {
        const QString fault = faultOf(random.next(), Outputs::Covered);
        QVERIFY2(fault.isEmpty(), qPrintable(QStringLiteral("document %1: %2").arg(i).arg(fault)));
    }
}

void TestEditReach::onlyWhatIsFedCounts()
{
    Result<DocumentFileData> data = loadExample(QStringLiteral("computed"));
    QVERIFY(data.ok());
    Result<KvCacheRun> run = KvCacheRun::start(std::make_shared<const Experiment>(data->experiment));
    run->feed(2);
    QCOMPARE(run->reachOf({Stage::X, 1}).outputs, std::vector<Index>{1});
    QCOMPARE(run->reachOf({Stage::X, 2}).outputs, std::vector<Index>{});
    QVERIFY(run->reachOf({Stage::X, 1}).isSeen);
    QVERIFY(!run->reachOf({Stage::X, 2}).isSeen);
    QVERIFY(!run->reachOf({Stage::X, 2}).key && !run->reachOf({Stage::X, 2}).value);
    QVERIFY(run->reachOf({Stage::X, -1}) == EditReach{});
    QVERIFY(run->reachOf({Stage::X, 99}) == EditReach{});
}

QTEST_APPLESS_MAIN(TestEditReach)
#include "tst_EditReach.moc"
