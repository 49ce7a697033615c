#include "engine/Evaluator.h"
#include "engine/kernels/KernelTable.h"
#include "support/RandomExperiment.h"

#include <QTest>

#include <array>
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
        const SnapshotPtr fresh = Evaluator(1, table).evaluate(shared(experiment), Generation{1});
        const QString found = difference(*snapshot, *fresh);
        QVERIFY2(found.isEmpty(), qPrintable(QStringLiteral("step %1: %2").arg(step).arg(found)));
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

QTEST_APPLESS_MAIN(TestEvaluatorHistory)
#include "tst_EvaluatorHistory.moc"
