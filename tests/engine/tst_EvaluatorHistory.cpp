#include "engine/Evaluator.h"
#include "engine/kernels/KernelTable.h"
#include "support/RandomExperiment.h"

#include <QTest>

#include <array>
#include <cmath>
#include <cstring>

using namespace attn;
using namespace attn::test;

namespace {

/// Stages of more cells than this are compared in some of their rows.
constexpr Index mostComparedCells = 100'000;

ExperimentPtr shared(const Experiment &experiment)
{
    return std::make_shared<const Experiment>(experiment);
}

bool sameRowBits(const StageValues &a, const StageValues &b, Index head, Index row, Index count)
{
    std::vector<double> left(static_cast<std::size_t>(count * a.cols()));
    std::vector<double> right(left.size());
    a.readBlock(head, row, 0, count, a.cols(), left.data(), a.cols());
    b.readBlock(head, row, 0, count, a.cols(), right.data(), a.cols());
    return std::memcmp(left.data(), right.data(), left.size() * sizeof(double)) == 0;
}

/// The first stage in which two snapshots of the same document differ in any bit.
QString difference(const Snapshot &a, const Snapshot &b)
{
    for (const StageInfo &info : stageTable()) {
        const StageState &left = a.stage(info.stage);
        const StageState &right = b.stage(info.stage);
        const QString name = QString::fromUtf8(info.name);
        if (left.status != right.status || left.reason != right.reason ||
            left.hasValues() != right.hasValues())
            return QStringLiteral("state of %1").arg(name);
        if (!left.hasValues())
            continue;
        if (!(left.values->shape() == right.values->shape()))
            return QStringLiteral("shape of %1").arg(name);
        const Shape shape = left.values->shape();
        const Index atOnce = 16;
        const Index step = shape.size() > mostComparedCells ? 97 : atOnce;
        for (Index head = 0; head < shape.heads; ++head)
            for (Index row = 0; row < shape.rows; row += step)
                if (!sameRowBits(*left.values, *right.values, head, row, std::min(atOnce, shape.rows - row)))
                    return QStringLiteral("numbers of %1, head %2, row %3").arg(name).arg(head).arg(row);
        for (Index head = 0; head < shape.heads; ++head)
            if (left.values->blockStatus(head, 0, 0, shape.rows, shape.cols) != BlockStatus::Exact)
                return QStringLiteral("%1 is not exact").arg(name);
    }
    return {};
}

std::vector<const KernelTable *> instructionSets()
{
    std::vector<const KernelTable *> tables;
    for (const KernelTable *const *table = kernelTables(); *table; ++table)
        tables.push_back(*table);
    return tables;
}

/// n tokens, two heads of width 8 from X, with every weight and a boolean mask.
Experiment twoHeadsOver(Index n)
{
    RandomExperiments random(11);
    Experiment experiment;
    experiment.tokens = TokenList(std::vector<std::string>(static_cast<std::size_t>(n)));
    experiment.nHeads = experiment.nKvHeads = 2;
    experiment.scale = 0.01; // so that every key has a weight
    experiment.given = {
        {Stage::X, random.matrix({1, n, 20})},   {Stage::Wq, random.matrix({1, 20, 16})},
        {Stage::Wk, random.matrix({1, 20, 16})}, {Stage::Wv, random.matrix({1, 20, 16})},
        {Stage::Wo, random.matrix({1, 16, 12})}, {Stage::MaskBool, Tensor::filled({1, n, n}, 1.0)}};
    return experiment;
}

Experiment withCell(const Experiment &experiment, Stage stage, Index row, Index col, double value)
{
    Experiment edited = experiment;
    edited.given[stage] = edited.given[stage].withCells(std::vector<CellValue>{{{0, row, col}, value}});
    return edited;
}

constexpr std::array threadCounts = {1, 2, 5};

} // namespace

Q_DECLARE_METATYPE(RandomSizes)

class TestEvaluatorHistory : public QObject
{
    Q_OBJECT

private slots:
    void bitsDependOnTheDocumentAlone_data();
    void bitsDependOnTheDocumentAlone();
    void stopsLeaveAConsistentState();
    void editsComputeOnlyWhatTheyTouch_data();
    void editsComputeOnlyWhatTheyTouch();
    void editsReuseTheirMemory_data();
    void editsReuseTheirMemory();
    void whatIsInFocusIsExactFirst();
};

void TestEvaluatorHistory::bitsDependOnTheDocumentAlone_data()
{
    QTest::addColumn<unsigned>("seed");
    QTest::addColumn<RandomSizes>("sizes");
    QTest::addColumn<int>("edits");
    const RandomSizes small{1, 20, 3, 3, 6, 7};
    const RandomSizes medium{60, 256, 2, 2, 9, 12};
    const RandomSizes large{257, 700, 2, 2, 9, 12};
    const RandomSizes wide{20, 90, 2, 2, 40, 300};
    const auto rows = [](const char *name, unsigned first, unsigned count, const RandomSizes &sizes,
                         int edits) {
        for (unsigned seed = first; seed < first + count; ++seed)
            QTest::addRow("%s, seed %u", name, seed) << seed << sizes << edits;
    };
    rows("up to 20 tokens", 100, 54, small, 30);
    rows("up to 256 tokens", 200, 12, medium, 12);
    rows("more than 256 tokens", 300, 18, large, 12);
    rows("wide", 400, 6, wide, 12);
}

void TestEvaluatorHistory::bitsDependOnTheDocumentAlone()
{
    QFETCH(unsigned, seed);
    QFETCH(RandomSizes, sizes);
    QFETCH(int, edits);
    const std::vector<const KernelTable *> tables = instructionSets();
    const KernelTable *table = tables[seed % tables.size()];
    RandomExperiments random(seed, sizes);
    Experiment experiment = random.next();
    experiment.precision = random.chance(0.5) ? Precision::Float32 : Precision::Float64;
    Evaluator evaluator(threadCounts[seed / tables.size() % threadCounts.size()], table);
    for (int step = 0; step < edits; ++step) {
        const SnapshotPtr snapshot =
            evaluator.evaluate(shared(experiment), Generation{static_cast<std::uint64_t>(step + 1)});
        // Whether somebody looks at the numbers in between decides what is computed, not what comes out.
        if (step + 1 == edits || random.chance(0.7)) {
            const SnapshotPtr fresh = Evaluator(1, table).evaluate(shared(experiment), Generation{1});
            const QString found = difference(*snapshot, *fresh);
            QVERIFY2(found.isEmpty(), qPrintable(QStringLiteral("step %1: %2").arg(step).arg(found)));
        }
        const Edit edit = random.edit(experiment);
        if (Result<EditOutcome> outcome = applyEdit(experiment, edit))
            experiment = std::move(outcome->experiment);
    }
}

void TestEvaluatorHistory::stopsLeaveAConsistentState()
{
    RandomExperiments random(7, RandomSizes{300, 500, 2, 2, 8, 16});
    Experiment experiment = random.next();
    Evaluator evaluator(2);
    for (int step = 0; step < 12; ++step) {
        // Stopped from inside, as the newest edit does it; then the next experiment goes on from there.
        std::stop_source source;
        EvaluateOptions options;
        options.focus = {Stage::A, random.between(0, 3), random.between(0, 200), 64};
        options.publish = [&](const SnapshotPtr &partial) {
            QVERIFY(partial);
            source.request_stop();
        };
        evaluator.evaluate(shared(experiment), Generation{static_cast<std::uint64_t>(2 * step + 1)},
                           source.get_token(), options);
        if (Result<EditOutcome> outcome = applyEdit(experiment, random.edit(experiment)))
            experiment = std::move(outcome->experiment);
        const SnapshotPtr snapshot =
            evaluator.evaluate(shared(experiment), Generation{static_cast<std::uint64_t>(2 * step + 2)});
        QVERIFY(snapshot->isComplete());
        QCOMPARE(difference(*snapshot, *Evaluator().evaluate(shared(experiment), Generation{1})), QString());
    }
}

void TestEvaluatorHistory::editsComputeOnlyWhatTheyTouch_data()
{
    QTest::addColumn<int>("stage");
    QTest::addColumn<int>("col");
    QTest::addColumn<QString>("blocks");
    QTest::addColumn<int>("leaves");
    QTest::addColumn<int>("partials");
    const auto row = [](const char *name, Stage stage, int col, const char *blocks, int leaves,
                        int partials) {
        QTest::newRow(name) << static_cast<int>(stage) << col << QString::fromUtf8(blocks) << leaves
                            << partials;
    };
    // 600 tokens: 10 strips of queries, 3 leaves of keys, 2 heads. A row of X changes all leaves of its own
    // strip and one leaf of the 9 others; the normalisers carry it into every row of the output.
    row("X", Stage::X, 3, "Q:2 K:2 V:2 head_out:20 concat:20 output:10 fully_masked:1", 24, 24);
    row("Wq of the second head", Stage::Wq, 9, "Q:10 head_out:10 concat:10 output:10 fully_masked:1", 30, 30);
    row("Wk of the first head", Stage::Wk, 0, "K:3 head_out:10 concat:10 output:10 fully_masked:1", 30, 30);
    row("Wv of the second head", Stage::Wv, 15, "V:3 head_out:10 concat:10 output:10", 0, 30);
    row("Wo", Stage::Wo, 5, "output:10", 0, 0);
    row("mask", Stage::MaskBool, 7, "head_out:2 concat:2 output:1 fully_masked:1", 6, 6);
}

void TestEvaluatorHistory::editsComputeOnlyWhatTheyTouch()
{
    QFETCH(int, stage);
    QFETCH(int, col);
    QFETCH(QString, blocks);
    QFETCH(int, leaves);
    QFETCH(int, partials);
    const Experiment experiment = twoHeadsOver(600);
    Evaluator evaluator(2);
    EvaluateOptions options;
    options.focus = {Stage::Output, 0, 0, 600}; // all of it is looked at
    evaluator.evaluate(shared(experiment), Generation{1}, {}, options);
    const Experiment edited = withCell(experiment, static_cast<Stage>(stage), 10, col, 0.0);
    evaluator.evaluate(shared(edited), Generation{2}, {}, options);
    QStringList counted;
    for (const StageInfo &info : stageTable())
        if (const Index count = evaluator.counts().of(info.stage); count > 0)
            counted.append(QStringLiteral("%1:%2").arg(QString::fromUtf8(info.name)).arg(count));
    QCOMPARE(counted.join(u' '), blocks);
    QCOMPARE(evaluator.counts().leaves, Index(leaves));
    QCOMPARE(evaluator.counts().partials, Index(partials));
    evaluator.evaluate(shared(edited), Generation{3});
    QVERIFY(evaluator.recomputed().empty());
}

void TestEvaluatorHistory::editsReuseTheirMemory_data()
{
    QTest::addColumn<int>("tokens");
    QTest::newRow("stored weights") << 30;
    QTest::newRow("weights on demand") << 300;
}

void TestEvaluatorHistory::editsReuseTheirMemory()
{
    QFETCH(int, tokens);
    Experiment experiment = twoHeadsOver(tokens);
    Evaluator evaluator(1); // with more threads their timing decides how many blocks are in use at once
    SnapshotPtr shown;
    std::size_t allocations = 0;
    for (std::uint64_t edit = 1; edit <= 30; ++edit) {
        experiment =
            withCell(experiment, edit % 2 ? Stage::X : Stage::Wq, 5, 2, static_cast<double>(edit) / 8.0);
        // The window holds the last snapshot while the next one is made.
        shown = evaluator.evaluate(shared(experiment), Generation{edit});
        if (edit == 6)
            allocations = evaluator.blockAllocations();
    }
    QCOMPARE(evaluator.blockAllocations(), allocations);
}

void TestEvaluatorHistory::whatIsInFocusIsExactFirst()
{
    const Experiment experiment = twoHeadsOver(600);
    Evaluator evaluator;
    evaluator.evaluate(shared(experiment), Generation{1});
    EvaluateOptions options;
    options.focus = {Stage::A, 1, 128, 64};
    std::vector<SnapshotPtr> partial;
    options.publish = [&](const SnapshotPtr &snapshot) {
        partial.push_back(snapshot);
    };
    const Experiment edited = withCell(experiment, Stage::X, 10, 3, 0.5);
    const SnapshotPtr complete = evaluator.evaluate(shared(edited), Generation{2}, {}, options);
    QVERIFY(complete->isComplete());
    QVERIFY(!partial.empty() && !partial.front()->isComplete());
    const StageValues &A = *partial.front()->stage(Stage::A).values;
    const StageValues &exact = *complete->stage(Stage::A).values;
    QVERIFY(A.blockStatus(1, 128, 0, 64, 600) == BlockStatus::Exact);
    QVERIFY(A.blockStatus(1, 0, 0, 600, 600) == BlockStatus::Updating);
    QVERIFY(sameRowBits(A, exact, 1, 128, 64));
    QVERIFY(std::isnan(A.value(0, 300, 3))); // never a wrong number
    QVERIFY(!sameRowBits(*partial.front()->stage(Stage::HeadOut).values,
                         *complete->stage(Stage::HeadOut).values, 0, 0, 600));
}

QTEST_APPLESS_MAIN(TestEvaluatorHistory)
#include "tst_EvaluatorHistory.moc"
