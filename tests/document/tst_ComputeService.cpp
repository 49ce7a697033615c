#include "document/ComputeService.h"

#include <QSignalSpy>
#include <QTest>

using namespace attn;

namespace {

/// n tokens, one head of width 8, filled so that the rows differ.
ExperimentPtr experimentOf(Index n, double first = 0.5)
{
    Experiment experiment;
    std::vector<std::string> labels;
    for (Index i = 0; i < n; ++i)
        labels.push_back("t" + std::to_string(i));
    experiment.tokens = TokenList(std::move(labels));
    std::vector<double> numbers(static_cast<std::size_t>(n) * 8);
    for (std::size_t i = 0; i < numbers.size(); ++i)
        numbers[i] = static_cast<double>(i % 17) / 17.0;
    numbers[0] = first;
    for (const Stage stage : {Stage::Q, Stage::K, Stage::V})
        experiment.given[stage] = Tensor::fromDoubles({1, n, 8}, numbers);
    return std::make_shared<const Experiment>(std::move(experiment));
}

} // namespace

class TestComputeService : public QObject
{
    Q_OBJECT

private slots:
    void smallExperimentsAreThereAtOnce();
    void workerDeliversTheNewestRequest();
    void olderResultsNeverReplaceNewerOnes();
    void cancelDeliversNothing();
    void sameBitsInlineAndOnTheWorker();
    void largeExperimentsShowWhatIsInFocusFirst();
    void whatDoesNotFitSaysHowMuchItNeeds();
};

void TestComputeService::smallExperimentsAreThereAtOnce()
{
    ComputeService service;
    QSignalSpy ready(&service, &ComputeService::snapshotReady);
    service.request(experimentOf(4), Generation{1});
    QCOMPARE(ready.count(), 1);
    QVERIFY(service.snapshot()->generation() == Generation{1});
    QVERIFY(!service.isBehind());
}

void TestComputeService::workerDeliversTheNewestRequest()
{
    ComputeService service(ComputeService::Mode::Worker);
    QSignalSpy ready(&service, &ComputeService::snapshotReady);
    for (std::uint64_t generation = 1; generation <= 50; ++generation)
        service.request(experimentOf(64, static_cast<double>(generation)), Generation{generation});
    QVERIFY(service.isBehind());
    service.waitUntilIdle();
    QVERIFY(!service.isBehind());
    QVERIFY(service.snapshot()->generation() == Generation{50});
    QCOMPARE(service.snapshot()->stage(Stage::Q).values->value(0, 0, 0), 50.0);
    QVERIFY(ready.count() >= 1 && ready.count() <= 50);
}

void TestComputeService::olderResultsNeverReplaceNewerOnes()
{
    ComputeService service(ComputeService::Mode::Worker);
    std::vector<std::uint64_t> generations;
    connect(&service, &ComputeService::snapshotReady, this,
            [&](const SnapshotPtr &snapshot) { generations.push_back(snapshot->generation().number); });
    for (std::uint64_t generation = 1; generation <= 20; ++generation) {
        service.request(experimentOf(32), Generation{generation});
        QCoreApplication::sendPostedEvents(&service);
    }
    service.waitUntilIdle();
    QVERIFY(std::is_sorted(generations.begin(), generations.end()));
    QCOMPARE(generations.back(), std::uint64_t(20));
}

void TestComputeService::cancelDeliversNothing()
{
    ComputeService service(ComputeService::Mode::Worker);
    QSignalSpy ready(&service, &ComputeService::snapshotReady);
    QSignalSpy behind(&service, &ComputeService::behindChanged);
    service.request(experimentOf(128), Generation{1});
    service.cancel();
    service.waitUntilIdle();
    QCOMPARE(ready.count(), 0);
    QVERIFY(!service.isBehind());
    QCOMPARE(behind.count(), 1);
    QCOMPARE(behind.takeFirst().first().toBool(), false);
    service.request(experimentOf(16), Generation{2});
    service.waitUntilIdle();
    QCOMPARE(ready.count(), 1);
    // What comes at once is not announced as late: nothing is drawn for it twice.
    QCOMPARE(behind.count(), 1);
    QCOMPARE(behind.first().first().toBool(), false);
}

void TestComputeService::sameBitsInlineAndOnTheWorker()
{
    ComputeService inlineService(ComputeService::Mode::Inline);
    ComputeService worker(ComputeService::Mode::Worker);
    const ExperimentPtr experiment = experimentOf(33);
    inlineService.request(experiment, Generation{1});
    worker.request(experiment, Generation{1});
    worker.waitUntilIdle();
    const StageValues &a = *inlineService.snapshot()->stage(Stage::Output).values;
    const StageValues &b = *worker.snapshot()->stage(Stage::Output).values;
    for (Index row = 0; row < a.rows(); ++row)
        for (Index col = 0; col < a.cols(); ++col)
            QVERIFY(a.value(0, row, col) == b.value(0, row, col));
}

void TestComputeService::largeExperimentsShowWhatIsInFocusFirst()
{
    ComputeService service(ComputeService::Mode::Worker);
    std::vector<SnapshotPtr> delivered;
    connect(&service, &ComputeService::snapshotReady, this,
            [&](const SnapshotPtr &snapshot) { delivered.push_back(snapshot); });
    service.setFocus({Stage::A, 0, 512, 64});
    service.request(experimentOf(2000), Generation{1});
    QTRY_VERIFY(!service.isBehind());
    QVERIFY(delivered.back()->isComplete());
    QVERIFY(!service.showsOlder());
    // The very first picture may show the scores before their weights; it never shows anything else instead.
    const auto isExact = [](const SnapshotPtr &snapshot, Stage stage) {
        return snapshot->stage(stage).values->blockStatus(0, 512, 0, 64, 2000) == BlockStatus::Exact;
    };
    for (const SnapshotPtr &snapshot : delivered) {
        QVERIFY(isExact(snapshot, Stage::Scores));
        QVERIFY(isExact(snapshot, Stage::A) || snapshot == delivered.front());
    }
}

void TestComputeService::whatDoesNotFitSaysHowMuchItNeeds()
{
    ComputeService service;
    QSignalSpy failed(&service, &ComputeService::failed);
    service.setMemoryLimit(1e6);
    service.request(experimentOf(4000), Generation{1});
    QCOMPARE(failed.count(), 1);
    QVERIFY(failed.first().first().toString().contains(QStringLiteral("GB of memory")));
    QVERIFY(!service.isBehind());
    service.request(experimentOf(4), Generation{2});
    QVERIFY(service.snapshot());
}

QTEST_GUILESS_MAIN(TestComputeService)
#include "tst_ComputeService.moc"
