#include "WorkspaceFixture.h"

#include "dialogs/ImportWizard.h"
#include "io/TensorWriters.h"
#include "views/CompareView.h"
#include "views/InspectorView.h"

#include <QFileInfo>
#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QScrollBar>
#include <QTemporaryDir>
#include <QUndoStack>

#include <cmath>

using namespace attn;
using namespace Qt::StringLiterals;

namespace {

constexpr Index largeTokens = 1200;
constexpr int patience = 60000;

ExperimentPtr largeExperiment()
{
    Experiment large;
    large.tokens = TokenList(std::vector<std::string>(largeTokens, "t"));
    std::vector<double> numbers(static_cast<std::size_t>(largeTokens * 4));
    for (std::size_t i = 0; i < numbers.size(); ++i)
        numbers[i] = std::sin(static_cast<double>(i) * 0.37);
    for (const Stage stage : {Stage::Q, Stage::K, Stage::V})
        large.given[stage] = Tensor::fromDoubles({1, largeTokens, 4}, numbers);
    large.causal = true;
    return std::make_shared<const Experiment>(large);
}

/// A file whose reading takes longer than a few frames.
struct LargeFile
{
    static constexpr Index rows = 700;
    static constexpr Index cols = 512;

    explicit LargeFile(const QString &name = u"large.attn"_s)
        : path(folder.filePath(name))
    {
        std::vector<double> numbers(static_cast<std::size_t>(rows * cols));
        for (Index i = 0; i < rows * cols; ++i)
            numbers[static_cast<std::size_t>(i)] = number(i / cols, i % cols);
        const auto bytes = [&]() -> QByteArray {
            if (name.endsWith(u".npz"_s))
                return *npzBytes({{"X", Dtype::F64, {rows, cols}, numbers, {}}});
            DocumentFileData data;
            data.experiment.tokens = TokenList(std::vector<std::string>(rows, "t"));
            data.experiment.given[Stage::X] = Tensor::fromDoubles({1, rows, cols}, numbers);
            return documentBytes(data);
        };
        const Result<void> written = writeFileAtomically(path, bytes());
        ATTN_ASSERT(written.ok() && QFileInfo(path).size() > (2 << 20), "a large file");
    }

    double number(Index row, Index col) const { return std::sin(double(row) * 0.37 + double(col)); }

    QTemporaryDir folder;
    QString path;
};

/// The workspace as it stands when its key has been answered, before anything else.
SceneWorkspace *justOpened(WindowFixture &fixture, const QString &name)
{
    fixture.window.showWorkspace(name);
    return fixture.window.currentWorkspace();
}

} // namespace

/// What takes long must not keep the window from answering.
class TestLargeDocuments : public QObject
{
    Q_OBJECT

private slots:
    void decodeIsComputedElsewhere();
    void comparedMapsAreBuiltElsewhere();
    void openAtTheTop_data();
    void openAtTheTop();
    void inspectorCountsElsewhere();
    void largeFilesAreReadElsewhere();
    void editsWhileAFileIsReadAreAskedAbout();
    void newestRequestWins();
    void largeTensorsAreReadElsewhere();
};

void TestLargeDocuments::decodeIsComputedElsewhere()
{
    WindowFixture fixture;
    fixture.bench()->document()->load(largeExperiment(), ViewState(), {}, {});
    SceneWorkspace *decode = justOpened(fixture, u"decode"_s);
    QVERIFY(!shows(decode, u"step 1200 of 1200"_s));
    QTRY_VERIFY_WITH_TIMEOUT(shows(decode, u"step 1200 of 1200"_s), patience);
    QVERIFY(shows(decode, u"over 1200 keys"_s));
    // A small document is decoded at once, also right after a large one.
    fixture.window.files()->open({u"example:computed"_s});
    QCoreApplication::processEvents();
    QVERIFY(shows(decode, u"step 4 of 4"_s));
}

void TestLargeDocuments::comparedMapsAreBuiltElsewhere()
{
    WindowFixture fixture;
    fixture.bench()->document()->load(largeExperiment(), ViewState(), {}, {});
    auto *compare = qobject_cast<CompareView *>(justOpened(fixture, u"compare"_s));
    QVERIFY(compare);
    QVERIFY(!shows(compare, u"compared stages pass"_s));
    QTRY_VERIFY_WITH_TIMEOUT(shows(compare, u"compared stages pass"_s), patience);
    QVERIFY(fixture.window.edits()->setCells(Stage::V, {{{0, 700, 2}, 9.0}}));
    QTRY_VERIFY_WITH_TIMEOUT(shows(compare, u"compared stages fail"_s), patience);
    QVERIFY(shows(compare, u"A = 9"_s));
}

void TestLargeDocuments::openAtTheTop_data()
{
    QTest::addColumn<QString>("workspace");
    for (const char *name : {"heads", "masks", "products", "flow", "decode", "compare"})
        QTest::newRow(name) << QString::fromLatin1(name);
}

/// Also where the picture comes after a message, or in parts.
void TestLargeDocuments::openAtTheTop()
{
    QFETCH(QString, workspace);
    WindowFixture fixture;
    fixture.window.resize(1280, 720);
    fixture.bench()->document()->load(largeExperiment(), ViewState(), {}, {});
    fixture.bench()->select(Stage::A, {0, 600, 600});
    SceneWorkspace *view = justOpened(fixture, workspace);
    const auto isDrawn = [view] {
        const auto scene = view->view()->scene();
        return scene && (!scene->maps.empty() || !scene->shapes.empty());
    };
    QTRY_VERIFY_WITH_TIMEOUT(isDrawn(), patience);
    if (auto *compare = qobject_cast<CompareView *>(view))
        compare->waitUntilIdle();
    QCoreApplication::processEvents();
    QCOMPARE(view->view()->verticalScrollBar()->value(), 0);
    QCOMPARE(view->view()->horizontalScrollBar()->value(), 0);
}

void TestLargeDocuments::inspectorCountsElsewhere()
{
    WindowFixture fixture;
    fixture.bench()->document()->load(largeExperiment(), ViewState(), {}, {});
    auto *inspector = fixture.window.findChild<InspectorView *>();
    QVERIFY(inspector && inspector->isVisible());
    const auto says = [inspector](const QString &part) {
        const auto labels = inspector->findChildren<QLabel *>();
        return std::ranges::any_of(labels, [&](const QLabel *label) { return label->text().contains(part); });
    };
    fixture.bench()->select(Stage::A, {0, 700, 3});
    QTRY_VERIFY(says(u"A: its cells are being counted"_s));
    inspector->waitUntilIdle();
    const ValueStatistics expected = fixture.bench()->snapshot()->stage(Stage::A).values->statistics(0);
    QCOMPARE(expected.finiteCount, largeTokens * largeTokens);
    QVERIFY(says(u"A: minimum 0.0000, maximum 1.0000, mean 0.0008"_s));
    // The next cell of the same matrix says the same at once.
    fixture.bench()->select(Stage::A, {0, 701, 3});
    QCoreApplication::processEvents();
    QVERIFY(!inspector->isBusy());
    QVERIFY(says(u"A: minimum 0.0000"_s));
}

void TestLargeDocuments::largeFilesAreReadElsewhere()
{
    const LargeFile file;
    WindowFixture fixture;
    const ExperimentPtr before = fixture.bench()->document()->experiment();
    fixture.window.files()->open({file.path});
    QCOMPARE(fixture.bench()->document()->experiment(), before);
    QCOMPARE(fixture.window.findChild<MessageBar *>()->text(), u"Reading large.attn…"_s);
    QTRY_COMPARE_WITH_TIMEOUT(fixture.bench()->document()->file(), file.path, patience);
    QCOMPARE(fixture.bench()->experiment().matrix(Stage::X).at(500, 300), file.number(500, 300));
    QCOMPARE(fixture.window.findChild<MessageBar *>()->text(), QString());
    // A damaged one is refused, and what is open stays.
    QFile damaged(file.path);
    QVERIFY(damaged.resize(damaged.size() - 1000));
    const ExperimentPtr open = fixture.bench()->document()->experiment();
    fixture.window.files()->open({file.path});
    QTRY_VERIFY_WITH_TIMEOUT(fixture.window.findChild<QMessageBox *>(), patience);
    QCOMPARE(fixture.bench()->document()->experiment(), open);
    fixture.window.findChild<QMessageBox *>()->reject();
}

void TestLargeDocuments::editsWhileAFileIsReadAreAskedAbout()
{
    const LargeFile file;
    WindowFixture fixture;
    fixture.window.files()->open({file.path});
    QVERIFY(fixture.window.edits()->setCells(Stage::X, {{{0, 1, 2}, 9.0}}));
    QTRY_VERIFY_WITH_TIMEOUT(fixture.window.findChild<QMessageBox *>(), patience);
    QCOMPARE(fixture.bench()->experiment().matrix(Stage::X).at(1, 2), 9.0);
    auto *box = fixture.window.findChild<QMessageBox *>();
    box->button(QMessageBox::Discard)->click();
    QCOMPARE(fixture.bench()->document()->file(), file.path);
    QVERIFY(!fixture.window.isWindowModified());
}

void TestLargeDocuments::newestRequestWins()
{
    const LargeFile file;
    WindowFixture fixture;
    fixture.window.files()->open({file.path});
    fixture.window.files()->open({u"example:two-heads"_s});
    QVERIFY(!fixture.window.files()->reader()->isBusy());
    const ExperimentPtr open = fixture.bench()->document()->experiment();
    QCOMPARE(open->nHeads, Index(2));
    QCOMPARE(fixture.window.findChild<MessageBar *>()->text(), QString());
    // Were it still read, it would come before what is asked for now.
    fixture.window.files()->open({file.path});
    QTRY_COMPARE_WITH_TIMEOUT(fixture.bench()->document()->file(), file.path, patience);
}

void TestLargeDocuments::largeTensorsAreReadElsewhere()
{
    const LargeFile file(u"large.npz"_s);
    WindowFixture fixture;
    fixture.window.files()->open({file.path});
    QVERIFY(!fixture.window.findChild<ImportWizard *>());
    QCOMPARE(fixture.window.findChild<MessageBar *>()->text(), u"Reading large.npz…"_s);
    QTRY_VERIFY_WITH_TIMEOUT(fixture.window.findChild<ImportWizard *>(), patience);
    fixture.window.findChild<ImportWizard *>()->reject();
}

QTEST_MAIN(TestLargeDocuments)
#include "tst_LargeDocuments.moc"
