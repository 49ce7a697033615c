#include "views/SceneWorker.h"

#include "WindowFixture.h"
#include "WorkspaceFixture.h"
#include "engine/Edit.h"
#include "engine/NewExperiment.h"
#include "io/DocumentFile.h"

#include <QSignalSpy>
#include <QTabWidget>
#include <QTest>

#include <atomic>
#include <latch>
#include <semaphore>
#include <stop_token>
#include <utility>

using namespace attn;
using namespace Qt::StringLiterals;

class TestSceneWorker : public QObject
{
    Q_OBJECT

private slots:
    void newestWins();
    void cancelledScenesDoNotArrive();
    void buildsStopWhenTheirSceneIsNotWanted();
    void theSceneBeforeStaysMarked();
    void theFirstSceneIsAnnounced();
    void hiddenWorkspacesDoNotBuild();
    void largeWorkspacesBuildElsewhere_data();
    void largeWorkspacesBuildElsewhere();
};

namespace {

Scene sceneOfWidth(double width)
{
    Scene scene;
    scene.size = {width, 1.0};
    return scene;
}

/// Every scene waits until it is released.
class HeldWorkspace : public SceneWorkspace
{
public:
    using SceneWorkspace::SceneWorkspace;

    ~HeldWorkspace() override { m_releases->release(16); }
    void release() { m_releases->release(); }

protected:
    Scene buildScene(const SnapshotPtr &snapshot, const DisplayOptions &display) override
    {
        return stageScene(snapshot, Stage::X, display);
    }
    SceneWorker::Build heavyBuild(const SnapshotPtr &snapshot, const DisplayOptions &display) override
    {
        return [snapshot, display, releases = m_releases](const std::stop_token &) {
            releases->acquire();
            return stageScene(snapshot, Stage::X, display);
        };
    }

private:
    std::shared_ptr<std::counting_semaphore<>> m_releases = std::make_shared<std::counting_semaphore<>>(0);
};

/// Its first scene is built until it is stopped.
class EndlessWorkspace : public SceneWorkspace
{
public:
    using SceneWorkspace::SceneWorkspace;

    int begun() const { return *m_begun; }
    int stopped() const { return *m_stopped; }

protected:
    Scene buildScene(const SnapshotPtr &snapshot, const DisplayOptions &display) override
    {
        return stageScene(snapshot, Stage::X, display);
    }
    SceneWorker::Build heavyBuild(const SnapshotPtr &, const DisplayOptions &) override
    {
        if (std::exchange(m_hasBuilt, true))
            return {};
        return [begun = m_begun, stopped = m_stopped](const std::stop_token &stop) {
            ++*begun;
            std::latch end(1);
            const std::stop_callback told(stop, [&] { end.count_down(); });
            end.wait();
            ++*stopped;
            return Scene();
        };
    }

private:
    std::shared_ptr<std::atomic<int>> m_begun = std::make_shared<std::atomic<int>>(0);
    std::shared_ptr<std::atomic<int>> m_stopped = std::make_shared<std::atomic<int>>(0);
    bool m_hasBuilt = false;
};

} // namespace

void TestSceneWorker::newestWins()
{
    SceneWorker worker;
    std::vector<double> widths;
    std::vector<bool> wasBusy;
    connect(&worker, &SceneWorker::built, this, [&](const std::shared_ptr<const Scene> &scene) {
        widths.push_back(scene->size.width());
        wasBusy.push_back(worker.isBusy());
    });
    std::latch go(1);
    std::atomic<bool> isElsewhere = false;
    const auto guiThread = std::this_thread::get_id();
    worker.post([&](const std::stop_token &) {
        isElsewhere = std::this_thread::get_id() != guiThread;
        go.wait();
        return sceneOfWidth(1.0);
    });
    std::atomic<int> skipped = 0;
    worker.post([&](const std::stop_token &) {
        ++skipped;
        return sceneOfWidth(2.0);
    });
    worker.post([](const std::stop_token &) { return sceneOfWidth(3.0); });
    QVERIFY(worker.isBusy());
    go.count_down();
    QTRY_COMPARE(widths, (std::vector<double>{1.0, 3.0}));
    QCOMPARE(wasBusy, (std::vector<bool>{true, false}));
    QCOMPARE(skipped.load(), 0);
    QVERIFY(isElsewhere);
}

void TestSceneWorker::cancelledScenesDoNotArrive()
{
    SceneWorker worker;
    QSignalSpy built(&worker, &SceneWorker::built);
    std::latch go(1);
    worker.post([&](const std::stop_token &) {
        go.wait();
        return sceneOfWidth(1.0);
    });
    worker.post([](const std::stop_token &) { return sceneOfWidth(2.0); });
    worker.cancel();
    QVERIFY(!worker.isBusy());
    worker.post([](const std::stop_token &) { return sceneOfWidth(3.0); });
    QVERIFY(worker.isBusy());
    go.count_down();
    QTRY_COMPARE(built.count(), 1);
    QCOMPARE(built.first().first().value<std::shared_ptr<const Scene>>()->size.width(), 3.0);
    QVERIFY(!worker.isBusy());
}

void TestSceneWorker::buildsStopWhenTheirSceneIsNotWanted()
{
    // Left alone it would build for ever.
    const SceneWorker::Build untilStopped = [](const std::stop_token &stop) {
        std::latch stopped(1);
        const std::stop_callback told(stop, [&] { stopped.count_down(); });
        stopped.wait();
        return sceneOfWidth(1.0);
    };
    SceneWorker worker;
    QSignalSpy built(&worker, &SceneWorker::built);
    worker.post(untilStopped);
    worker.cancel();
    worker.post([](const std::stop_token &) { return sceneOfWidth(2.0); });
    QTRY_COMPARE(built.count(), 1);
    QCOMPARE(built.first().first().value<std::shared_ptr<const Scene>>()->size.width(), 2.0);
    // A newer one waits for it only so long.
    worker.post(untilStopped);
    worker.post([](const std::stop_token &) { return sceneOfWidth(3.0); });
    QTRY_COMPARE(built.count(), 2);
    QCOMPARE(built.last().first().value<std::shared_ptr<const Scene>>()->size.width(), 3.0);
    worker.post(untilStopped);
}

void TestSceneWorker::theSceneBeforeStaysMarked()
{
    WindowFixture fixture;
    HeldWorkspace workspace(fixture.bench(), fixture.window.edits());
    workspace.show();
    QVERIFY(QTest::qWaitForWindowExposed(&workspace));
    workspace.release();
    QTRY_VERIFY(workspace.view()->scene());
    const auto before = workspace.view()->scene();
    QVERIFY(!before->maps.front().isUpdating);

    QVERIFY(fixture.bench()->apply(SetCells{Stage::X, {CellValue{{0, 0, 0}, 5.0}}}, u"edit"_s));
    QTRY_VERIFY(workspace.view()->scene() != before);
    QVERIFY(workspace.view()->scene()->maps.front().isUpdating);
    QCOMPARE(workspace.view()->scene()->maps.front().values, before->maps.front().values);
    workspace.release();
    QTRY_VERIFY(!workspace.view()->scene()->maps.front().isUpdating);
    QCOMPARE(workspace.view()->scene()->maps.front().values->value(0, 0, 0), 5.0);
}

void TestSceneWorker::theFirstSceneIsAnnounced()
{
    WindowFixture fixture;
    HeldWorkspace workspace(fixture.bench(), fixture.window.edits());
    workspace.show();
    QVERIFY(QTest::qWaitForWindowExposed(&workspace));
    QTRY_VERIFY(shows(&workspace, u"being computed"_s));
    workspace.release();
    QTRY_VERIFY(!workspace.view()->scene()->maps.empty());
    QVERIFY(!shows(&workspace, u"being computed"_s));
    // Of another document there is none yet.
    fixture.window.files()->open({u"example:causal"_s});
    QTRY_VERIFY(shows(&workspace, u"being computed"_s));
}

void TestSceneWorker::hiddenWorkspacesDoNotBuild()
{
    WindowFixture fixture;
    EndlessWorkspace workspace(fixture.bench(), fixture.window.edits());
    workspace.show();
    QVERIFY(QTest::qWaitForWindowExposed(&workspace));
    QTRY_COMPARE(workspace.begun(), 1);
    QCOMPARE(workspace.stopped(), 0);
    workspace.hide();
    QTRY_COMPARE(workspace.stopped(), 1);
    workspace.show();
    QTRY_VERIFY(workspace.view()->scene() && !workspace.view()->scene()->maps.empty());
}

void TestSceneWorker::largeWorkspacesBuildElsewhere_data()
{
    QTest::addColumn<int>("tokens");
    QTest::addColumn<bool>("isElsewhere");
    QTest::newRow("small") << 16 << false;
    QTest::newRow("large") << 300 << true;
}

void TestSceneWorker::largeWorkspacesBuildElsewhere()
{
    QFETCH(int, tokens);
    QFETCH(bool, isElsewhere);
    WindowFixture fixture;
    NewExperimentOptions options;
    options.tokens.assign(static_cast<std::size_t>(tokens), "t");
    options.nHeads = 2;
    options.dModel = options.dOut = 16;
    options.dHeadK = options.dHeadV = 12;
    DocumentFileData data;
    data.experiment = *newExperiment(options);
    fixture.window.files()->loadImported(std::move(data), u"random"_s, {});
    auto *tabs = fixture.window.findChild<QTabWidget *>();
    // The grid of heads is not among them: it shows its maps at once, their figures follow.
    for (const QString &name : {u"Footprints"_s}) {
        SceneWorkspace *workspace = nullptr;
        for (SceneWorkspace *candidate : fixture.window.findChildren<SceneWorkspace *>())
            if (candidate->view()->accessibleName() == name)
                workspace = candidate;
        QVERIFY(workspace);
        tabs->setCurrentWidget(workspace);
        QCOMPARE(workspace->view()->scene() == nullptr, isElsewhere);
        QTRY_VERIFY(workspace->view()->scene() && workspace->view()->scene()->maps.size() > 1);
    }
}

QTEST_MAIN(TestSceneWorker)
#include "tst_SceneWorker.moc"
