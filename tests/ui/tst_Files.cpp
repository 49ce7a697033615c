#include "WindowFixture.h"

#include "dialogs/ImportWizard.h"

#include <QDockWidget>
#include <QFileDialog>
#include <QMessageBox>
#include <QPushButton>
#include <QScrollBar>
#include <QTemporaryDir>
#include <QTreeView>

using namespace attn;
using namespace Qt::StringLiterals;

/// Documents coming and going: the questions before anything is lost, the list of recent files, and what the
/// window shows of another document.
class TestFiles : public QObject
{
    Q_OBJECT

private slots:
    void labelFilesLabelTheOpenDocument();
    void initTestCase();
    void questionNamesWhatIsUnsaved();
    void escapeKeepsEverything();
    void whatWasWantedFollowsASaveOnce();
    void importIsAskedAboutOnce();
    void namesGetTheirSuffix();
    void missingRecentFileCanBeForgotten();
    void anotherDocumentBeginsReadable_data();
    void anotherDocumentBeginsReadable();
    void keyOfAHiddenPaneBringsItToTheFront();
    void panesStartAsWideAsTheirListsNeed();
};

namespace {

QMessageBox *boxOf(MainWindow &window)
{
    return window.findChild<QMessageBox *>();
}

} // namespace

void TestFiles::initTestCase()
{
    QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
}

void TestFiles::questionNamesWhatIsUnsaved()
{
    WindowFixture fixture;
    for (int i = 0; i < 7; ++i)
        fixture.window.edits()->setCells(Stage::X, {{{0, 1, i % 6}, 10.0 + i}});
    fixture.window.close();
    QMessageBox *box = boxOf(fixture.window);
    QVERIFY(box);
    QVERIFY(box->informativeText().startsWith(u"2 earlier"_s));
    QVERIFY(box->informativeText().endsWith(u"• Set X[love, f1]"_s));
    QCOMPARE(box->defaultButton(), box->button(QMessageBox::Save));
    QCOMPARE(box->button(QMessageBox::Discard)->shortcut(), QKeySequence(Qt::ALT | Qt::Key_D));
    box->button(QMessageBox::Discard)->click();
    QVERIFY(!fixture.window.isVisible());
}

void TestFiles::escapeKeepsEverything()
{
    WindowFixture fixture;
    fixture.window.edits()->setCells(Stage::X, {{{0, 1, 2}, 10.0}});
    fixture.window.files()->open({u"example:two-heads"_s});
    QMessageBox *box = boxOf(fixture.window);
    QVERIFY(box);
    QTest::keyClick(box, Qt::Key_Escape);
    QVERIFY(!box->isVisible());
    QCOMPARE(fixture.bench()->experiment().matrix(Stage::X).at(1, 2), 10.0);
    QVERIFY(fixture.window.isWindowModified());
    fixture.bench()->document()->undoStack()->undo();
}

/// The document has no file yet: the name is asked for first. What follows opens another document, which is a
/// change of title as well.
void TestFiles::whatWasWantedFollowsASaveOnce()
{
    QTemporaryDir folder;
    WindowFixture fixture;
    fixture.window.edits()->setCells(Stage::X, {{{0, 1, 2}, 10.0}});
    int count = 0;
    fixture.window.files()->afterAsking([&] {
        ++count;
        fixture.window.files()->open({u"example:two-heads"_s});
    });
    boxOf(fixture.window)->button(QMessageBox::Save)->click();
    auto *dialog = fixture.window.findChild<QFileDialog *>();
    QVERIFY(dialog);
    emit dialog->fileSelected(folder.filePath(u"kept.attn"_s));
    QTRY_COMPARE(count, 1);
    QCoreApplication::processEvents();
    QCOMPARE(count, 1);
    QCOMPARE(fixture.bench()->experiment().nHeads, Index(2));
    for (auto *open : fixture.window.findChildren<QFileDialog *>())
        open->reject();
}

void TestFiles::importIsAskedAboutOnce()
{
    WindowFixture fixture;
    fixture.window.edits()->setCells(Stage::X, {{{0, 1, 2}, 10.0}});
    fixture.window.files()->open({QStringLiteral(ATTN_TEST_DATA "/cases/attention/causal-2-of-5.npz")});
    QVERIFY(!boxOf(fixture.window) || !boxOf(fixture.window)->button(QMessageBox::Discard));
    auto *wizard = fixture.window.findChild<ImportWizard *>();
    QVERIFY(wizard);
    wizard->reject();
    QCOMPARE(fixture.bench()->experiment().matrix(Stage::X).at(1, 2), 10.0);
    QVERIFY(fixture.window.isWindowModified());
    fixture.bench()->document()->undoStack()->undo();
}

void TestFiles::namesGetTheirSuffix()
{
    QTemporaryDir folder;
    WindowFixture fixture;
    fixture.window.files()->saveAsNamed(folder.filePath(u"3.5"_s));
    QCOMPARE(fixture.bench()->document()->file(), folder.filePath(u"3.5.attn"_s));
    QVERIFY(QFileInfo::exists(folder.filePath(u"3.5.attn"_s)));
    fixture.window.edits()->setCells(Stage::X, {{{0, 1, 2}, 10.0}});
    fixture.window.files()->saveAsNamed(folder.filePath(u"3.5"_s));
    QMessageBox *box = boxOf(fixture.window);
    QVERIFY(box && box->informativeText().contains(u"exists already"_s));
    QVERIFY(fixture.window.isWindowModified());
    box->reject();
    fixture.bench()->document()->undoStack()->undo();
}

void TestFiles::missingRecentFileCanBeForgotten()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(u"gone.attn"_s);
    WindowFixture fixture;
    const auto before = fixture.bench()->document()->experiment();
    fixture.settings.addRecentFile(path);
    fixture.window.files()->open({path});
    QMessageBox *box = boxOf(fixture.window);
    QVERIFY(box);
    QVERIFY(box->text().contains(u"gone.attn"_s));
    QVERIFY(box->informativeText().contains(path));
    for (QAbstractButton *button : box->buttons())
        if (box->buttonRole(button) == QMessageBox::AcceptRole)
            button->click();
    QVERIFY(!fixture.settings.recentFiles().contains(path));
    QCOMPARE(fixture.bench()->document()->experiment(), before);
}

void TestFiles::anotherDocumentBeginsReadable_data()
{
    QTest::addColumn<QString>("example");
    QTest::newRow("one head") << u"example:as-printed"_s;
    QTest::newRow("two heads") << u"example:two-heads"_s;
    QTest::newRow("two token lists") << u"example:cross"_s;
}

void TestFiles::anotherDocumentBeginsReadable()
{
    QFETCH(QString, example);
    WindowFixture fixture;
    fixture.window.resize(1440, 900);
    SceneView *view = fixture.window.currentWorkspace()->view();
    // As a whole where that can be read, else from its start, readable too.
    const auto begins = [view] {
        const QSizeF drawn = view->scene()->size * view->zoom();
        const bool isWhole = drawn.width() <= view->viewport()->width() + 1 &&
                             drawn.height() <= view->viewport()->height() + 1;
        return view->zoom() >= 0.47 && (isWhole || view->horizontalScrollBar()->value() == 0);
    };
    QCoreApplication::processEvents();
    QVERIFY(begins());
    view->setZoom(2.0, {});
    view->horizontalScrollBar()->setValue(view->horizontalScrollBar()->maximum());
    QVERIFY(!begins());
    fixture.window.files()->open({example});
    QCoreApplication::processEvents();
    QVERIFY(begins());
    QVERIFY(view->isFitted());
}

void TestFiles::keyOfAHiddenPaneBringsItToTheFront()
{
    WindowFixture fixture;
    auto *audit = fixture.window.findChild<QDockWidget *>(u"audit"_s);
    QVERIFY(audit->visibleRegion().isEmpty()); // behind the table
    QAction *action = fixture.window.actionRegistry().action(u"pane.audit"_s);
    action->trigger();
    QCoreApplication::processEvents();
    QVERIFY(!audit->visibleRegion().isEmpty());
    QVERIFY(action->isChecked());
    action->trigger();
    QVERIFY(audit->isHidden());
    QVERIFY(!action->isChecked());
    action->trigger();
    QCoreApplication::processEvents();
    QVERIFY(!audit->visibleRegion().isEmpty());
}

void TestFiles::panesStartAsWideAsTheirListsNeed()
{
    ThemeController theme;
    SettingsStore settings;
    settings.forgetWindow();
    MainWindow window(&theme, &settings, ComputeService::Mode::Inline);
    window.files()->open({u"example:computed"_s});
    window.resize(1440, 900);
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    QCOMPARE(window.findChild<QDockWidget *>(u"outline"_s)->width(), 204);
    // Names of stages are never cut, "head_contribution" included.
    auto *stages = window.findChild<QDockWidget *>(u"outline"_s)->findChild<QTreeView *>();
    QVERIFY(stages->columnWidth(0) >= static_cast<QAbstractItemView *>(stages)->sizeHintForColumn(0));
    QCOMPARE(window.findChild<QDockWidget *>(u"inspector"_s)->width(), 216);
    // The numbers of the worked example can be read.
    QVERIFY(window.currentWorkspace()->view()->zoom() >= 0.47);
}

/// A file of nothing but words is no document: it names the tokens of the open one, or says why not.
void TestFiles::labelFilesLabelTheOpenDocument()
{
    WindowFixture fixture;
    QTemporaryDir folder;
    const auto fileOf = [&folder](const QString &name, const QByteArray &text) {
        QFile file(folder.filePath(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
            qFatal("cannot write");
        return file.fileName();
    };
    fixture.window.files()->open({fileOf(QStringLiteral("three.txt"), "a\nb\nc\n")});
    QCOMPARE(fixture.bench()->experiment().tokens.at(0), std::string("I"));
    QCOMPARE(fixture.window.messageBar()->text(),
             QStringLiteral("three.txt was not used. Labels in it: 3; tokens of this document: 4."));
    fixture.window.files()->open({fileOf(QStringLiteral("four.txt"), "ich\nliebe\nGPU\nCode\n")});
    QCOMPARE(fixture.bench()->experiment().tokens.at(1), std::string("liebe"));
    QCOMPARE(fixture.bench()->document()->undoStack()->count(), 1);
    fixture.bench()->document()->undoStack()->undo();
    QCOMPARE(fixture.bench()->experiment().tokens.at(1), std::string("love"));
}

QTEST_MAIN(TestFiles)
#include "tst_Files.moc"
