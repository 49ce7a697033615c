#include "engine/Evaluator.h"
#include "engine/pooling/ChangedCells.h"
#include "support/RandomExperiment.h"

#include <QTest>

#include <cmath>
#include <cstring>
#include <thread>

using namespace attn;
using namespace attn::test;

namespace {

constexpr Index rowCount = 600; ///< ten strips of 64
constexpr Index stripRows = 64;

Experiment layer()
{
    RandomExperiments random(17);
    Experiment experiment;
    experiment.tokens = TokenList(std::vector<std::string>(static_cast<std::size_t>(rowCount)));
    experiment.nHeads = experiment.nKvHeads = 2;
    experiment.causal = true; // a token changes no row before its own
    experiment.given = {{Stage::X, random.matrix({1, rowCount, 20})}, {Stage::Wq, random.matrix({1, 20, 16})},
                        {Stage::Wk, random.matrix({1, 20, 16})},      {Stage::Wv, random.matrix({1, 20, 16})},
                        {Stage::Wo, random.matrix({1, 16, 12})},      {Stage::Bo, random.matrix({1, 1, 12})}};
    return experiment;
}

/// An experiment, its evaluator, and what it says.
class Session
{
public:
    const StageValues &evaluate(const Experiment &experiment, const Focus &focus = {})
    {
        EvaluateOptions options;
        options.focus = focus;
        m_generation = m_generation.next();
        m_snapshot =
            m_evaluator.evaluate(std::make_shared<const Experiment>(experiment), m_generation, {}, options);
        return *m_snapshot->stage(Stage::Output).values;
    }
    const SnapshotPtr &snapshot() const { return m_snapshot; }
    Index computedStrips() const { return m_evaluator.counts().of(Stage::Output); }

private:
    Evaluator m_evaluator;
    SnapshotPtr m_snapshot;
    Generation m_generation;
};

Experiment withCell(const Experiment &experiment, Stage stage, Index row, double value)
{
    Experiment edited = experiment;
    edited.given[stage] = edited.given[stage].withCells(std::vector<CellValue>{{{0, row, 2}, value}});
    return edited;
}

std::vector<double> rowsOf(const StageValues &values, Index first, Index count)
{
    std::vector<double> cells(static_cast<std::size_t>(count * values.cols()));
    values.readBlock(0, first, 0, count, values.cols(), cells.data(), values.cols());
    return cells;
}

bool sameBits(const std::vector<double> &a, const std::vector<double> &b)
{
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

/// All of the output, computed with the evaluation by one that knows of nothing before.
std::vector<double> freshly(const Experiment &experiment)
{
    Session session;
    return rowsOf(session.evaluate(experiment, {Stage::Output, 0, 0, rowCount}), 0, rowCount);
}

} // namespace

class TestLargeOutput : public QObject
{
    Q_OBJECT

private slots:
    void isLeftUntilItIsRead();
    void followsTheReader();
    void isTheSameOutput();
    void pinsAreRead();
    void takesOverWhatIsTheSame();
    void knowsWhatChanged();
    void isReadFromManyThreads();
    void isExactFromTheFirstSnapshotOn();
};

void TestLargeOutput::isLeftUntilItIsRead()
{
    Session session;
    const Experiment experiment = layer();
    const StageValues &output = session.evaluate(experiment);
    QCOMPARE(session.computedStrips(), Index(0));
    QVERIFY(session.snapshot()->isComplete());
    QVERIFY(output.blockStatus(0, 0, 0, rowCount, 12) == BlockStatus::Exact);
    QVERIFY(sameBits(rowsOf(output, 0, rowCount), freshly(experiment)));
}

void TestLargeOutput::followsTheReader()
{
    Session session;
    Experiment experiment = layer();
    const StageValues &first = session.evaluate(experiment);
    rowsOf(first, 70, 3);  // of the second strip
    rowsOf(first, 590, 2); // and the last
    // Looked at once, followed for a while: a hand edits faster than a screen is drawn.
    for (int edit = 1; edit <= 5; ++edit) {
        experiment = withCell(experiment, Stage::X, 0, edit);
        session.evaluate(experiment);
        QCOMPARE(session.computedStrips(), Index(edit <= 4 ? 2 : 0));
    }
    session.evaluate(withCell(experiment, Stage::X, 0, 9.0), {Stage::Output, 0, 130, 100});
    QCOMPARE(session.computedStrips(), Index(2));
}

/// Eager and late strips, before and after edits that come and go, have the bits of a fresh evaluation.
void TestLargeOutput::isTheSameOutput()
{
    Session session;
    const Experiment start = layer();
    const std::vector<double> before = freshly(start);
    QVERIFY(sameBits(rowsOf(session.evaluate(start, {Stage::Output, 0, 0, 64}), 0, rowCount), before));
    const Experiment other = withCell(start, Stage::X, 0, 4.0);
    // Nobody reads it for so long that it is left again; then it comes back as it was.
    for (int i = 0; i < 6; ++i)
        session.evaluate(i % 2 == 0 ? other : withCell(start, Stage::X, 0, 5.0));
    const StageValuesPtr left = session.snapshot()->stage(Stage::Output).values;
    QVERIFY(sameBits(rowsOf(session.evaluate(other), 64, 64), rowsOf(*left, 64, 64)) == false);
    QVERIFY(sameBits(rowsOf(session.evaluate(start), 0, rowCount), before));
    QVERIFY(sameBits(rowsOf(session.evaluate(other), 0, rowCount), freshly(other)));
}

void TestLargeOutput::pinsAreRead()
{
    Experiment experiment = layer();
    Pins pins;
    pins.set({0, 100, 3}, 42.0);
    experiment.pins[Stage::Output] = pins;
    Session session;
    const StageValues &output = session.evaluate(experiment);
    QCOMPARE(output.value(0, 100, 3), 42.0);
    QVERIFY(sameBits(rowsOf(output, 0, rowCount), freshly(experiment)));
    const StageValuesPtr pinned = session.snapshot()->stage(Stage::Output).values;
    experiment.pins.clear();
    QVERIFY(sameBits(rowsOf(session.evaluate(experiment), 0, rowCount), freshly(experiment)));
    QCOMPARE(pinned->value(0, 100, 3), 42.0);
}

void TestLargeOutput::takesOverWhatIsTheSame()
{
    Session session;
    Experiment experiment = layer();
    session.evaluate(experiment);
    const StageValuesPtr first = session.snapshot()->stage(Stage::Output).values;
    const Generation changedAt = session.snapshot()->stage(Stage::Output).changedAt;
    // Of the same numbers it is the same output, read or not, computed with the evaluation or not.
    for (const bool isRead : {false, true, false}) {
        if (isRead)
            first->value(0, 3, 3);
        session.evaluate(experiment);
        QVERIFY(session.snapshot()->stage(Stage::Output).values == first);
        QVERIFY(session.snapshot()->stage(Stage::Output).changedAt == changedAt);
    }
    // A late token leaves the strips before it as they are, to the very block.
    const std::vector<double> early = rowsOf(*first, 0, 512);
    session.evaluate(withCell(experiment, Stage::X, 550, 3.0));
    const StageValuesPtr second = session.snapshot()->stage(Stage::Output).values;
    QVERIFY(second != first);
    QVERIFY(sameBits(rowsOf(*second, 0, 512), early));
}

void TestLargeOutput::knowsWhatChanged()
{
    Session session;
    const Experiment experiment = layer();
    session.evaluate(experiment);
    const StageValuesPtr first = session.snapshot()->stage(Stage::Output).values;
    rowsOf(*first, 0, 64);
    const Experiment edited = withCell(experiment, Stage::X, 550, 3.0);
    session.evaluate(edited);
    const StageValuesPtr second = session.snapshot()->stage(Stage::Output).values;
    const ChangedCells changed = changedCells(*first, *second, 0);
    const auto isOnly = [](const ChangedCells &cells, Index firstRow, Index count) {
        return !cells.everywhere && cells.cols.empty() && cells.rows.size() == 1 &&
               cells.rows.front().first == firstRow && cells.rows.front().count == count;
    };
    QVERIFY(isOnly(changed, 512, 88));
    session.evaluate(withCell(edited, Stage::Wo, 1, 8.0));
    QVERIFY(isOnly(changedCells(*second, *session.snapshot()->stage(Stage::Output).values, 0), 0, 600));
}

void TestLargeOutput::isReadFromManyThreads()
{
    const Experiment experiment = layer();
    const std::vector<double> expected = freshly(experiment);
    Session session;
    const StageValues &output = session.evaluate(experiment);
    std::vector<std::vector<double>> read(4);
    {
        std::vector<std::jthread> readers;
        for (std::vector<double> &cells : read)
            readers.emplace_back([&output, &cells] { cells = rowsOf(output, 0, rowCount); });
    }
    for (const std::vector<double> &cells : read)
        QVERIFY(sameBits(cells, expected));
}

void TestLargeOutput::isExactFromTheFirstSnapshotOn()
{
    const Experiment experiment = layer();
    Evaluator evaluator;
    std::vector<SnapshotPtr> published;
    EvaluateOptions options;
    options.focus = {Stage::Output, 0, 128, 64};
    options.publish = [&published](const SnapshotPtr &snapshot) {
        published.push_back(snapshot);
    };
    evaluator.evaluate(std::make_shared<const Experiment>(experiment), Generation{1}, {}, options);
    // First the scores; then what is looked at, and nothing but that, is there.
    QVERIFY(published.size() >= 2);
    const StageValues &output = *published[1]->stage(Stage::Output).values;
    QVERIFY(!published[1]->isComplete());
    QVERIFY(output.blockStatus(0, 128, 0, 64, 12) == BlockStatus::Exact);
    QVERIFY(output.blockStatus(0, 192, 0, 64, 12) == BlockStatus::Updating);
    const std::vector<double> expected = freshly(experiment);
    const std::vector<double> seen = rowsOf(output, 128, stripRows);
    QVERIFY(std::memcmp(seen.data(), expected.data() + 128 * 12, seen.size() * sizeof(double)) == 0);
    QVERIFY(std::isnan(output.value(0, 200, 3))); // never a wrong number
}

QTEST_APPLESS_MAIN(TestLargeOutput)
#include "tst_LargeOutput.moc"
