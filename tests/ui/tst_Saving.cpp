#include "WindowFixture.h"

#include "views/MessageBar.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QUndoStack>

#include <cmath>

using namespace attn;
using namespace Qt::StringLiterals;

namespace {

constexpr int savingPatience = 60000;

/// A window on a document that takes more than a few frames to write.
struct LargeDocument
{
    static constexpr Index rows = 700;
    static constexpr Index cols = 512;

    LargeDocument()
    {
        std::vector<double> numbers(static_cast<std::size_t>(rows * cols));
        for (std::size_t i = 0; i < numbers.size(); ++i)
            numbers[i] = std::sin(static_cast<double>(i) * 0.37);
        DocumentFileData data;
        data.experiment.tokens = TokenList(std::vector<std::string>(rows, "t"));
        data.experiment.given[Stage::X] = Tensor::fromDoubles({1, rows, cols}, numbers);
        fixture.window.files()->loadImported(std::move(data), u"large"_s, {});
        path = folder.filePath(u"large.attn"_s);
    }

    FileController *files() { return fixture.window.files(); }
    Document *document() { return fixture.bench()->document(); }
    bool set(double value) { return fixture.window.edits()->setCells(Stage::X, {{{0, 0, 0}, value}}); }
    /// The first number in the file.
    double written() const
    {
        const Result<QByteArray> bytes = readFile(path);
        const auto data = bytes.ok() ? parseDocument(*bytes, u"large.attn"_s) : bytes.error();
        return data.ok() ? data->experiment.matrix(Stage::X).at(0, 0) : std::nan("");
    }
    QMessageBox *box() { return fixture.window.findChild<QMessageBox *>(); }

    WindowFixture fixture;
    QTemporaryDir folder;
    QString path;
};

} // namespace

/// Large documents are written while the window goes on, and nothing is lost by it.
class TestSaving : public QObject
{
    Q_OBJECT

private slots:
    void theMomentOfTheSaveIsWritten();
    void editsMeanwhileStayAndCount();
    void undoComesBackToWhatIsWritten();
    void savesFollowEachOther();
    void failuresLeaveItModified();
    void closingWaits();
    void whatFollowsWaits();
    void smallDocumentsAreWrittenAtOnce();
};

void TestSaving::theMomentOfTheSaveIsWritten()
{
    LargeDocument large;
    QVERIFY(large.set(3.0));
    QVERIFY(large.files()->saveTo(large.path));
    QVERIFY(large.files()->isSaving());
    QVERIFY(large.document()->isModified()); // nothing is safe yet
    QCOMPARE(large.fixture.window.messageBar()->text(), u"Saving large.attn…"_s);
    QTRY_VERIFY_WITH_TIMEOUT(!large.files()->isSaving(), savingPatience);
    QVERIFY(!large.document()->isModified());
    QCOMPARE(large.document()->file(), large.path);
    QCOMPARE(large.written(), 3.0);
    QVERIFY(!large.fixture.window.messageBar()->isVisible() ||
            large.fixture.window.messageBar()->text().isEmpty());
}

void TestSaving::editsMeanwhileStayAndCount()
{
    LargeDocument large;
    QVERIFY(large.set(3.0));
    QVERIFY(large.files()->saveTo(large.path));
    QVERIFY(large.set(4.0));
    QTRY_VERIFY_WITH_TIMEOUT(!large.files()->isSaving(), savingPatience);
    QCOMPARE(large.written(), 3.0);
    QVERIFY(large.document()->isModified());
    QCOMPARE(large.document()->experiment()->matrix(Stage::X).at(0, 0), 4.0);
    QCOMPARE(large.document()->differences().total, Index(1)); // from what was written
    large.document()->undoStack()->undo();
    QVERIFY(!large.document()->isModified());
}

void TestSaving::undoComesBackToWhatIsWritten()
{
    LargeDocument large;
    QVERIFY(large.set(3.0));
    QVERIFY(large.files()->saveTo(large.path));
    large.document()->undoStack()->undo();
    QTRY_VERIFY_WITH_TIMEOUT(!large.files()->isSaving(), savingPatience);
    QVERIFY(large.document()->isModified());
    large.document()->undoStack()->redo();
    QVERIFY(!large.document()->isModified());
    QCOMPARE(large.written(), 3.0);
}

void TestSaving::savesFollowEachOther()
{
    LargeDocument large;
    QVERIFY(large.set(3.0));
    QVERIFY(large.files()->saveTo(large.path));
    QVERIFY(large.set(4.0));
    QVERIFY(large.files()->saveTo(large.path));
    QVERIFY(large.set(5.0));
    QTRY_VERIFY_WITH_TIMEOUT(!large.files()->isSaving(), savingPatience);
    QCOMPARE(large.written(), 4.0);
    QVERIFY(large.document()->isModified());
    large.document()->undoStack()->undo();
    QVERIFY(!large.document()->isModified());
}

void TestSaving::failuresLeaveItModified()
{
    LargeDocument large;
    QVERIFY(large.set(3.0));
    large.files()->saveTo(large.folder.filePath(u"missing/large.attn"_s));
    QTRY_VERIFY_WITH_TIMEOUT(!large.files()->isSaving(), savingPatience);
    QVERIFY(large.document()->isModified());
    QVERIFY(large.document()->file().isEmpty());
    QVERIFY(large.box());
    QVERIFY(large.box()->text().contains(u"was not saved"_s));
    large.box()->accept();
    QVERIFY(large.files()->saveTo(large.path));
    QTRY_VERIFY_WITH_TIMEOUT(!large.files()->isSaving(), savingPatience);
    QVERIFY(!large.document()->isModified());
}

void TestSaving::closingWaits()
{
    LargeDocument large;
    QVERIFY(large.set(3.0));
    QVERIFY(large.files()->saveTo(large.path));
    QVERIFY(!large.fixture.window.close());
    QVERIFY(large.fixture.window.isVisible());
    QVERIFY(!large.box()); // nothing to ask: it is being saved
    QTRY_VERIFY_WITH_TIMEOUT(!large.fixture.window.isVisible(), savingPatience);
    QCOMPARE(large.written(), 3.0);
}

void TestSaving::whatFollowsWaits()
{
    LargeDocument large;
    QVERIFY(large.set(3.0));
    QVERIFY(large.files()->saveTo(large.path));
    QTRY_VERIFY_WITH_TIMEOUT(!large.files()->isSaving(), savingPatience);
    QVERIFY(large.set(4.0));
    large.files()->open({u"example:two-heads"_s});
    QVERIFY(large.box());
    large.box()->button(QMessageBox::Save)->click();
    QCOMPARE(large.document()->experiment()->nHeads, Index(1)); // not before it is written
    QTRY_COMPARE_WITH_TIMEOUT(large.document()->experiment()->nHeads, Index(2), savingPatience);
    QCOMPARE(large.written(), 4.0);
    QVERIFY(!large.document()->isModified());
}

void TestSaving::smallDocumentsAreWrittenAtOnce()
{
    WindowFixture fixture;
    QTemporaryDir folder;
    QVERIFY(fixture.window.edits()->setCells(Stage::X, {{{0, 1, 2}, 10.0}}));
    QVERIFY(fixture.window.files()->saveTo(folder.filePath(u"small.attn"_s)));
    QVERIFY(!fixture.window.files()->isSaving());
    QVERIFY(!fixture.bench()->document()->isModified());
    QVERIFY(!fixture.window.files()->saveTo(folder.filePath(u"missing/small.attn"_s)));
    QVERIFY(!fixture.bench()->document()->isModified()); // it is what small.attn holds
    fixture.window.findChild<QMessageBox *>()->accept();
}

QTEST_MAIN(TestSaving)
#include "tst_Saving.moc"
