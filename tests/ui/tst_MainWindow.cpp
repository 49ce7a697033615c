#include "WindowFixture.h"

#include "ExportController.h"
#include "NavigationController.h"
#include "document/StageTableModel.h"
#include "engine/Derivation.h"
#include "views/DerivationHtml.h"
#include "views/InspectorView.h"
#include "views/TableView.h"
#include "widgets/NumberScrubField.h"

#include <QApplication>
#include <QClipboard>
#include <QMenuBar>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QSet>
#include <QTabWidget>
#include <QTemporaryDir>

#include <cstring>

using namespace attn;

class TestMainWindow : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void typingOnTheBoardChangesTheOutput();
    void keysAloneReachACellAndEditIt();
    void typingIntoAComputedCellPinsIt();
    void undoingAllRestoresTheSameBits();
    void tableAndInspectorFollowTheSelection();
    void scrubbingIsOneUndoStep();
    void savesAndReopensTheSameBits();
    void damagedFileLeavesTheDocumentAlone();
    void closingWithChangesAsks();
    void everyActionOfAMenuHasKeysOfItsOwn();
    void keysOneAfterTheOtherWork();
    void f6VisitsEveryPaneInSight();
    void editsAreMarkedForAMoment();
    void outlineFindsTheCardOfEveryStage();
    void workspacesDrawTheSnapshot_data();
    void workspacesDrawTheSnapshot();
    void derivedStagesSayThatTheyAreReadOnly();
    void derivationShowsQuotientsAndProducts();
    void exportsFigures_data();
    void exportsFigures();
};

void TestMainWindow::initTestCase()
{
    QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
}

void TestMainWindow::typingOnTheBoardChangesTheOutput()
{
    WindowFixture fixture;
    SceneView *view = fixture.window.currentWorkspace()->view();
    fixture.bench()->select(Stage::X, {0, 1, 2});
    const double before = fixture.value(Stage::Output, 0, 0);
    view->setFocus();
    QTest::keyClick(view, Qt::Key_2);
    QVERIFY(view->isEditing());
    QTest::keyClicks(QApplication::focusWidget(), QStringLiteral(".5"));
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
    QCOMPARE(fixture.bench()->experiment().matrix(Stage::X).at(1, 2), 2.5);
    QVERIFY(fixture.value(Stage::Output, 0, 0) != before);
    QVERIFY(!fixture.bench()->compute()->isBehind());
    QCOMPARE(fixture.bench()->document()->undoStack()->undoText(), QStringLiteral("Set X[love, f3]"));
    QVERIFY(fixture.window.isWindowModified());
    // Return goes down, as in a spreadsheet.
    QCOMPARE(fixture.bench()->selection()->cell().row, Index(2));
}

void TestMainWindow::keysAloneReachACellAndEditIt()
{
    WindowFixture fixture;
    fixture.window.findChild<QTabWidget *>()->setFocus();
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_1, Qt::ControlModifier);
    QCOMPARE(QApplication::focusWidget(), fixture.window.currentWorkspace()->view());
    QVERIFY(fixture.window.navigation()->goTo(QStringLiteral("X[love, f3]")));
    QTest::keyClicks(QApplication::focusWidget(), QStringLiteral("0"));
    QTest::keyClicks(QApplication::focusWidget(), QStringLiteral(".9"));
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
    QCOMPARE(fixture.bench()->experiment().matrix(Stage::X).at(1, 2), 0.9);
}

void TestMainWindow::typingIntoAComputedCellPinsIt()
{
    WindowFixture fixture;
    QVERIFY(fixture.window.edits()->setCells(Stage::A, {{{0, 1, 3}, 0.5}}));
    QCOMPARE(fixture.value(Stage::A, 1, 3), 0.5);
    QVERIFY(fixture.bench()->experiment().pinsOf(Stage::A).at({0, 1, 3}).has_value());
    fixture.bench()->select(Stage::A, {0, 1, 3});
    fixture.window.edits()->unpinSelected();
    QVERIFY(fixture.bench()->experiment().pinsOf(Stage::A).isEmpty());
}

void TestMainWindow::undoingAllRestoresTheSameBits()
{
    WindowFixture fixture(QStringLiteral("example:two-heads"));
    const ExperimentPtr start = fixture.bench()->document()->experiment();
    const SnapshotPtr first = fixture.bench()->snapshot();
    EditController *edits = fixture.window.edits();
    QVERIFY(edits->setCells(Stage::X, {{{0, 0, 0}, 0.1}, {{0, 1, 1}, -0.0}}));
    QVERIFY(edits->setCells(Stage::Scaled, {{{1, 0, 2}, 3.0}}));
    fixture.window.experimentController()->setCausal(true);
    fixture.window.experimentController()->setHeads(1, 1);
    fixture.window.experimentController()->setMaskMatrix(Stage::MaskBool, true);
    QUndoStack *stack = fixture.bench()->document()->undoStack();
    QCOMPARE(stack->count(), 5);
    while (stack->canUndo())
        stack->undo();
    QVERIFY(sameContent(*start, fixture.bench()->experiment()));
    const SnapshotPtr last = fixture.bench()->snapshot();
    for (const StageInfo &info : stageTable()) {
        const StageValuesPtr before = first->stage(info.stage).values;
        const StageValuesPtr after = last->stage(info.stage).values;
        QCOMPARE(after != nullptr, before != nullptr);
        for (Index h = 0; before && h < before->heads(); ++h)
            for (Index i = 0; i < before->rows(); ++i)
                for (Index j = 0; j < before->cols(); ++j) {
                    const double a = before->value(h, i, j);
                    const double b = after->value(h, i, j);
                    QVERIFY2(std::memcmp(&a, &b, sizeof a) == 0, info.name);
                }
    }
    QVERIFY(!fixture.window.isWindowModified());
}

void TestMainWindow::tableAndInspectorFollowTheSelection()
{
    WindowFixture fixture;
    fixture.bench()->select(Stage::Wq, {0, 2, 3});
    QCoreApplication::processEvents();
    auto *table = fixture.window.findChild<TableView *>();
    QVERIFY(table);
    QCOMPARE(table->model()->target().stage, Stage::Wq);
    auto *inspector = fixture.window.findChild<InspectorView *>();
    auto *field = inspector->findChild<NumberScrubField *>();
    QCOMPARE(field->text(), table->model()->index(2, 3).data(Qt::EditRole).toString());
    QVERIFY(table->model()->setData(table->model()->index(2, 3), QStringLiteral("0.123456789012345678")));
    QCOMPARE(fixture.bench()->experiment().matrix(Stage::Wq).at(2, 3), 0.123456789012345678);
    QCoreApplication::processEvents();
    QCOMPARE(field->text(), QStringLiteral("0.12345678901234568"));
}

void TestMainWindow::scrubbingIsOneUndoStep()
{
    WindowFixture fixture;
    fixture.bench()->select(Stage::X, {0, 0, 0});
    SceneView *view = fixture.window.currentWorkspace()->view();
    const MapKey key = view->currentMap()->key;
    emit view->scrubbed(key, 0, 0, 1.1, GesturePhase::Begin);
    emit view->scrubbed(key, 0, 0, 1.2, GesturePhase::Update);
    emit view->scrubbed(key, 0, 0, 1.2, GesturePhase::End);
    QCOMPARE(fixture.bench()->experiment().matrix(Stage::X).at(0, 0), 1.2);
    QCOMPARE(fixture.bench()->document()->undoStack()->count(), 1);
}

void TestMainWindow::savesAndReopensTheSameBits()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("mine.attn"));
    WindowFixture fixture;
    QVERIFY(fixture.window.edits()->setCells(Stage::X, {{{0, 0, 0}, 0.1 + 0.2}, {{0, 0, 1}, -0.0}}));
    QVERIFY(fixture.window.edits()->setCells(Stage::A, {{{0, 0, 0}, 1e-300}}));
    const ExperimentPtr saved = fixture.bench()->document()->experiment();
    QVERIFY(fixture.window.files()->saveTo(path));
    QVERIFY(!fixture.window.isWindowModified());
    QVERIFY(fixture.window.windowTitle().startsWith(QStringLiteral("mine.attn[*]")));
    fixture.window.files()->open({QStringLiteral("example:computed")});
    QVERIFY(!sameContent(*saved, fixture.bench()->experiment()));
    fixture.window.files()->open({path});
    QVERIFY(sameContent(*saved, fixture.bench()->experiment()));
    QCOMPARE(fixture.settings.recentFiles().first(), path);
}

void TestMainWindow::damagedFileLeavesTheDocumentAlone()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("broken.attn"));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("{\"format\": \"attnscope\", ");
    file.close();
    WindowFixture fixture;
    const ExperimentPtr before = fixture.bench()->document()->experiment();
    fixture.window.files()->open({path});
    auto *box = fixture.window.findChild<QMessageBox *>();
    QVERIFY(box);
    QVERIFY(box->informativeText().contains(QStringLiteral("broken.attn")));
    QCOMPARE(fixture.bench()->document()->experiment(), before);
    box->reject();
}

void TestMainWindow::closingWithChangesAsks()
{
    WindowFixture fixture;
    QVERIFY(fixture.window.edits()->setCells(Stage::X, {{{0, 0, 0}, 9.0}}));
    QVERIFY(!fixture.window.close());
    auto *box = fixture.window.findChild<QMessageBox *>();
    QVERIFY(box);
    box->button(QMessageBox::Cancel)->click();
    QVERIFY(fixture.window.isVisible());
    QCOMPARE(fixture.value(Stage::X, 0, 0), 9.0);
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    QVERIFY(!fixture.window.close());
    box = fixture.window.findChild<QMessageBox *>();
    QVERIFY(box);
    box->button(QMessageBox::Discard)->click();
    QVERIFY(!fixture.window.isVisible());
}

void TestMainWindow::everyActionOfAMenuHasKeysOfItsOwn()
{
    WindowFixture fixture(QStringLiteral("example:two-heads"));
    fixture.settings.addRecentFile(QStringLiteral("/nowhere/a.attn"));
    emit fixture.bench()->document()->titleChanged();
    QCoreApplication::processEvents();
    const auto entries = menuEntries(*fixture.window.menuBar());
    for (const ActionRegistry::Entry &entry : fixture.window.actionRegistry().entries())
        QVERIFY2(
            std::ranges::any_of(entries, [&](const auto &inMenu) { return inMenu.action == entry.action; }),
            qPrintable(entry.action->objectName()));
    QList<std::pair<QKeySequence, QString>> keys;
    for (const ActionRegistry::Entry &entry : entries) {
        const QString name = entry.menu + QStringLiteral(" > ") + entry.action->text();
        QVERIFY2(!entry.action->shortcuts().isEmpty(), qPrintable(name));
        for (const QKeySequence &key : entry.action->shortcuts()) {
            QVERIFY2(!key.isEmpty(), qPrintable(name));
            for (const auto &[other, otherName] : keys) {
                // Neither the same keys nor the beginning of the other's.
                const QString both =
                    name + QStringLiteral(" and ") + otherName + QStringLiteral(": ") + key.toString();
                QVERIFY2(key.matches(other) == QKeySequence::NoMatch, qPrintable(both));
                QVERIFY2(other.matches(key) == QKeySequence::NoMatch, qPrintable(both));
            }
            keys.append({key, name});
        }
    }
    QVERIFY2(keys.size() > 80, qPrintable(QString::number(keys.size())));
}

void TestMainWindow::keysOneAfterTheOtherWork()
{
    WindowFixture fixture;
    SceneView *view = fixture.window.currentWorkspace()->view();
    fixture.bench()->select(Stage::X, {0, 1, 2});
    view->setFocus();
    const auto chord = [&](std::initializer_list<Qt::Key> rest) {
        QTest::keyClick(view, Qt::Key_K, Qt::ControlModifier);
        for (const Qt::Key key : rest)
            QTest::keyClick(view, key);
        QCoreApplication::processEvents();
    };
    chord({Qt::Key_H, Qt::Key_3}); // 1, 2, 3 and 6 divide the width of the example
    QCOMPARE(fixture.bench()->experiment().nHeads, Index(3));
    QVERIFY(!view->isEditing()); // the keys do not fall through into the cell
    chord({Qt::Key_M, Qt::Key_B});
    QVERIFY(fixture.bench()->experiment().isGiven(Stage::MaskBool));
    chord({Qt::Key_P, Qt::Key_3});
    QCOMPARE(fixture.bench()->experiment().precision, Precision::Float32);
    chord({Qt::Key_H, Qt::Key_1}); // the list was filled anew
    QCOMPARE(fixture.bench()->experiment().nHeads, Index(1));
    QTest::keyClick(view, Qt::Key_2);
    QVERIFY(view->isEditing());
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
}

void TestMainWindow::f6VisitsEveryPaneInSight()
{
    WindowFixture fixture;
    fixture.window.currentWorkspace()->view()->setFocus();
    QSet<QString> visited;
    for (int i = 0; i < 8; ++i) {
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_F6);
        visited.insert(QApplication::focusWidget()->accessibleName());
    }
    for (const QString &pane :
         {QStringLiteral("Board"), QStringLiteral("Stages"), QStringLiteral("Table of the selected stage"),
          QStringLiteral("Value of the selected cell")})
        QVERIFY2(visited.contains(pane), qPrintable(pane));
}

void TestMainWindow::editsAreMarkedForAMoment()
{
    WindowFixture fixture;
    SceneView *view = fixture.window.currentWorkspace()->view();
    fixture.bench()->setReducedMotion(false);
    QVERIFY(!view->isMarkingChanges());
    QVERIFY(fixture.window.edits()->setCells(Stage::X, {{{0, 1, 2}, 2.0}}));
    QCoreApplication::processEvents();
    QVERIFY(view->isMarkingChanges());
    QTRY_VERIFY_WITH_TIMEOUT(!view->isMarkingChanges(), 5000); // it ends by itself
    fixture.bench()->document()->undoStack()->undo();
    QCoreApplication::processEvents();
    QVERIFY(view->isMarkingChanges());
    fixture.window.files()->open({QStringLiteral("example:as-printed")}); // other numbers, but no edit
    QCoreApplication::processEvents();
    QVERIFY(!view->isMarkingChanges());
    fixture.bench()->setReducedMotion(true); // reduced motion
    QVERIFY(fixture.window.edits()->setCells(Stage::X, {{{0, 1, 2}, 2.0}}));
    QCoreApplication::processEvents();
    QVERIFY(!view->isMarkingChanges());
}

void TestMainWindow::outlineFindsTheCardOfEveryStage()
{
    WindowFixture fixture;
    SceneView *view = fixture.window.currentWorkspace()->view();
    for (const Stage stage : {Stage::HeadOut, Stage::Concat, Stage::Masked}) {
        fixture.bench()->select(stage, {0, 2, 1});
        QCoreApplication::processEvents();
        QVERIFY2(view->currentMap(), stageName(stage));
        QCOMPARE(view->currentCell(), (GridPosition{2, 1}));
        QCOMPARE(fixture.bench()->selection()->stage(), stage);
    }
}

void TestMainWindow::workspacesDrawTheSnapshot_data()
{
    QTest::addColumn<QString>("example");
    QTest::addColumn<QString>("workspace");
    QTest::addColumn<int>("leastMaps");
    for (const char *example : {"example:computed", "example:two-heads", "example:four-sizes"})
        for (const auto &[workspace, maps] :
             {std::pair("board", 10), std::pair("heads", 1), std::pair("footprints", 4)})
            QTest::addRow("%s in %s", example, workspace)
                << QString::fromUtf8(example) << QString::fromUtf8(workspace) << maps;
}

void TestMainWindow::workspacesDrawTheSnapshot()
{
    QFETCH(QString, example);
    QFETCH(QString, workspace);
    QFETCH(int, leastMaps);
    WindowFixture fixture(example);
    fixture.window.showWorkspace(workspace);
    QCoreApplication::processEvents();
    const auto scene = fixture.window.currentWorkspace()->view()->scene();
    QVERIFY(scene);
    QVERIFY(static_cast<int>(scene->maps.size()) >= leastMaps);
    for (const SceneMap &map : scene->maps)
        if (map.key.role == MapKey::Role::Stage)
            QCOMPARE(map.values, fixture.bench()->snapshot()->stage(map.key.stage).values);
    QCOMPARE(fixture.bench()->viewState().workspace, workspace);
}

void TestMainWindow::derivedStagesSayThatTheyAreReadOnly()
{
    WindowFixture fixture;
    QVERIFY(!fixture.window.edits()->setCells(Stage::HeadContribution, {{{0, 0, 0}, 1.0}}));
    QVERIFY(!fixture.window.messageBar()->text().isEmpty());
    QVERIFY(!fixture.window.isWindowModified());
}

void TestMainWindow::derivationShowsQuotientsAndProducts()
{
    WindowFixture fixture;
    const auto html = [&](Stage stage) {
        return derivationHtml(derive(*fixture.bench()->snapshot(), stage, {0, 1, 2}), fixture.theme.theme(),
                              2, fixture.window.fontMetrics(), 260);
    };
    QVERIFY(html(Stage::A).contains(QStringLiteral("&nbsp;/&nbsp;")));
    QVERIFY(!html(Stage::Scores).contains(QStringLiteral("&nbsp;/&nbsp;")));
    QVERIFY(html(Stage::Scores).contains(QStringLiteral("&nbsp;·&nbsp;")));
}

void TestMainWindow::exportsFigures_data()
{
    QTest::addColumn<int>("content");
    QTest::addColumn<QString>("file");
    QTest::newRow("current view as svg") << static_cast<int>(FigureContent::CurrentView) << "view.svg";
    QTest::newRow("one stage as png") << static_cast<int>(FigureContent::Stage) << "stage.png";
    QTest::newRow("all heads as pdf") << static_cast<int>(FigureContent::AllHeads) << "heads.pdf";
    QTest::newRow("footprints as svg") << static_cast<int>(FigureContent::Footprints) << "footprints.svg";
}

void TestMainWindow::exportsFigures()
{
    QFETCH(int, content);
    QFETCH(QString, file);
    QTemporaryDir folder;
    WindowFixture fixture(QStringLiteral("example:two-heads"));
    FigureChoice choice;
    choice.content = static_cast<FigureContent>(content);
    const QString path = folder.filePath(file);
    QVERIFY(fixture.window.exports()->writeFigures(choice, path));
    QFile written(path);
    QVERIFY(written.open(QIODevice::ReadOnly));
    const QByteArray start = file.endsWith(QStringLiteral("pdf"))   ? QByteArray("%PDF")
                             : file.endsWith(QStringLiteral("svg")) ? QByteArray("<?xml")
                                                                    : QByteArray("\x89PNG");
    QCOMPARE(written.read(start.size()), start);
    QVERIFY(written.size() > 1000);
    QVERIFY(
        !fixture.window.exports()->writeFigures(choice, folder.filePath(QStringLiteral("no/such/") + file)));
    QVERIFY(fixture.window.findChild<QMessageBox *>());
}

QTEST_MAIN(TestMainWindow)
#include "tst_MainWindow.moc"
