#include "WindowFixture.h"

#include "NavigationController.h"
#include "UndoPassage.h"
#include "engine/heads/KvWeights.h"
#include "views/AuditView.h"
#include "views/OutlineView.h"
#include "widgets/NumberScrubField.h"

#include <QAbstractItemView>
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QInputDialog>
#include <QLineEdit>
#include <QSpinBox>
#include <QTreeView>

#include <cmath>
#include <limits>

using namespace attn;

/// Edits of blocks, navigation and settings of the experiment, through the window's controllers.
class TestWindowControllers : public QObject
{
    Q_OBJECT

private slots:
    void pastesABlockAsOneStep();
    void pasteThatDoesNotFitChangesNothing();
    void pasteOfAWordChangesNothing();
    void copyKeepsFullPrecision();
    void fillsDownAndClears();
    void undoReachesTheDocumentFromAField();
    void goesToCellsByLabelAndPlace();
    void keyboardIsOnTheCellThatWasAskedFor();
    void findsTokens();
    void nextLargestVisitsAllCellsInOrder();
    void nextNanFindsIt();
    void nextNanOfLargeDocuments();
    void groupedQueriesKeepMeansOfHeads();
    void headsChangeAndComeBack();
    void masksAreAddedSelectedAndRemoved();
    void whatIsSelectedExists_data();
    void whatIsSelectedExists();
    void selectedCellExists();
    void whatHasNoNumbersTakesNone();
    void tokensAreInsertedAndMoved();
    void scratchMatricesAreEditedLikeStages();
    void auditAdoptsAWholeStageAsOneStep();
    void figuresOfTheAuditStayInSight();
};

void TestWindowControllers::pastesABlockAsOneStep()
{
    WindowFixture fixture;
    QGuiApplication::clipboard()->setText(QStringLiteral("1\t2\t3\t4\t5\t6\n-1\t0.5\t1e-3\t0\t7\t8\n"
                                                         "1\t2\t3\t4\t5\t6\n1\t2\t3\t4\t5\t0.1\n"));
    fixture.bench()->select(Stage::X, {0, 0, 0});
    fixture.window.edits()->paste();
    QCOMPARE(fixture.bench()->document()->undoStack()->count(), 1);
    QCOMPARE(fixture.value(Stage::X, 1, 2), 1e-3);
    QCOMPARE(fixture.value(Stage::X, 3, 5), 0.1);
    QCOMPARE(fixture.bench()->selection()->lastRow(), Index(3));
    QCOMPARE(fixture.bench()->selection()->lastCol(), Index(5));
}

void TestWindowControllers::pasteThatDoesNotFitChangesNothing()
{
    WindowFixture fixture;
    QGuiApplication::clipboard()->setText(QStringLiteral("1\t2\n3\t4"));
    fixture.bench()->select(Stage::X, {0, 3, 5});
    fixture.window.edits()->paste();
    QCOMPARE(fixture.bench()->document()->undoStack()->count(), 0);
    QVERIFY(fixture.window.messageBar()->text().contains(QStringLiteral("2×2")));
}

void TestWindowControllers::pasteOfAWordChangesNothing()
{
    WindowFixture fixture;
    QGuiApplication::clipboard()->setText(QStringLiteral("1\t2\n3\tfour"));
    fixture.bench()->select(Stage::X, {0, 0, 0});
    fixture.window.edits()->paste();
    QCOMPARE(fixture.bench()->document()->undoStack()->count(), 0);
    QVERIFY(fixture.window.messageBar()->text().contains(QStringLiteral("four")));
}

void TestWindowControllers::copyKeepsFullPrecision()
{
    WindowFixture fixture;
    QVERIFY(fixture.window.edits()->setCells(Stage::X, {{{0, 0, 0}, 0.1 + 0.2}, {{0, 0, 1}, -0.0}}));
    fixture.bench()->selection()->setBlock(Stage::X, {0, 0, 0}, {0, 0, 1});
    fixture.window.edits()->copy();
    QCOMPARE(QGuiApplication::clipboard()->text().trimmed(), QStringLiteral("0.30000000000000004\t-0"));
}

void TestWindowControllers::fillsDownAndClears()
{
    WindowFixture fixture;
    fixture.bench()->selection()->setBlock(Stage::X, {0, 0, 1}, {0, 3, 1});
    const double top = fixture.value(Stage::X, 0, 1);
    fixture.window.edits()->fillDown();
    QCOMPARE(fixture.value(Stage::X, 3, 1), top);
    fixture.window.edits()->clear();
    QCOMPARE(fixture.value(Stage::X, 0, 1), 0.0);
    QCOMPARE(fixture.bench()->document()->undoStack()->count(), 2);
}

void TestWindowControllers::undoReachesTheDocumentFromAField()
{
    WindowFixture fixture;
    UndoPassage passage;
    qApp->installEventFilter(&passage);
    QVERIFY(fixture.window.edits()->setCells(Stage::X, {{{0, 1, 2}, 0.7}}));
    auto *box = new QSpinBox(&fixture.window);
    box->show();
    box->setFocus();
    QVERIFY(box->hasFocus());
    QTest::keyClick(box, Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(fixture.value(Stage::X, 1, 2), 0.1);
    QTest::keyClick(box, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(fixture.value(Stage::X, 1, 2), 0.7);
    // What is typed in a field is its own to undo.
    auto *field = new QLineEdit(&fixture.window);
    field->show();
    field->setFocus();
    QTest::keyClicks(field, QStringLiteral("12"));
    QTest::keyClick(field, Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(field->text() != QStringLiteral("12"));
    QCOMPARE(fixture.value(Stage::X, 1, 2), 0.7);
}

void TestWindowControllers::goesToCellsByLabelAndPlace()
{
    WindowFixture fixture;
    NavigationController *go = fixture.window.navigation();
    QVERIFY(go->goTo(QStringLiteral("A[love, prog]")));
    QCOMPARE(fixture.bench()->selection()->stage(), Stage::A);
    QCOMPARE(fixture.bench()->selection()->cell(), (CellIndex{0, 1, 3}));
    // Places count from 0, as on the command line.
    QVERIFY(go->goTo(QStringLiteral("X[1, f3]")));
    QCOMPARE(fixture.bench()->selection()->cell(), (CellIndex{0, 1, 2}));
    QVERIFY(go->goTo(QStringLiteral("3, 5")));
    QCOMPARE(fixture.bench()->selection()->cell(), (CellIndex{0, 3, 5}));
    QVERIFY(!go->goTo(QStringLiteral("X[4, 1]")));
    QVERIFY(!go->goTo(QStringLiteral("Y[1, 1]")));
    QVERIFY(!go->goTo(QStringLiteral("nonsense")));
    QCOMPARE(fixture.bench()->selection()->cell(), (CellIndex{0, 3, 5}));
}

void TestWindowControllers::keyboardIsOnTheCellThatWasAskedFor()
{
    WindowFixture f;
    f.window.findChild<QTreeView *>()->setFocus(); // of the outline
    f.window.findChild<QAction *>(QStringLiteral("go.cell"))->trigger();
    auto *dialog = f.window.findChild<QInputDialog *>();
    QVERIFY(dialog);
    dialog->setTextValue(QStringLiteral("X[love, f3]"));
    dialog->accept();
    SceneView *view = f.window.currentWorkspace()->view();
    QTRY_COMPARE(f.window.focusWidget(), static_cast<QWidget *>(view));
    QTest::keyClicks(view, QStringLiteral("7"));
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
    QCOMPARE(f.value(Stage::X, 1, 2), 7.0);
}

void TestWindowControllers::findsTokens()
{
    WindowFixture fixture;
    fixture.bench()->select(Stage::A, {0, 0, 2});
    QVERIFY(fixture.window.navigation()->findToken(QStringLiteral("PRO")));
    QCOMPARE(fixture.bench()->selection()->cell(), (CellIndex{0, 3, 2}));
    QVERIFY(!fixture.window.navigation()->findToken(QStringLiteral("absent")));
}

void TestWindowControllers::nextLargestVisitsAllCellsInOrder()
{
    WindowFixture fixture;
    QVERIFY(fixture.window.edits()->setCells(Stage::X, {{{0, 2, 2}, 9.0}, {{0, 3, 0}, 9.0}}));
    fixture.bench()->select(Stage::X, {0, 2, 2});
    std::set<std::pair<Index, Index>> visited;
    double last = 9.0;
    for (int i = 0; i < 24; ++i) {
        const CellIndex &cell = fixture.bench()->selection()->cell();
        const double value = fixture.value(Stage::X, cell.row, cell.col);
        QVERIFY(value <= last);
        last = value;
        visited.insert({cell.row, cell.col});
        fixture.window.navigation()->nextLargest();
    }
    QCOMPARE(visited.size(), std::size_t(24));
    QCOMPARE(fixture.bench()->selection()->cell(), (CellIndex{0, 2, 2}));
}

void TestWindowControllers::nextNanFindsIt()
{
    WindowFixture fixture;
    QVERIFY(
        fixture.window.edits()->setCells(Stage::Wv, {{{0, 1, 1}, std::numeric_limits<double>::quiet_NaN()}}));
    fixture.bench()->select(Stage::X, {0, 0, 0});
    fixture.window.navigation()->nextNan();
    QCOMPARE(fixture.bench()->selection()->stage(), Stage::Wv);
    QCOMPARE(fixture.bench()->selection()->cell(), (CellIndex{0, 1, 1}));
    fixture.window.navigation()->nextNan();
    QCOMPARE(fixture.bench()->selection()->stage(), Stage::V);
}

/// Found while the window goes on; whoever goes elsewhere meanwhile stays there.
void TestWindowControllers::nextNanOfLargeDocuments()
{
    constexpr Index rows = 700;
    constexpr Index cols = 512;
    WindowFixture fixture;
    std::vector<double> numbers(static_cast<std::size_t>(rows * cols), 0.5);
    numbers[static_cast<std::size_t>(600 * cols + 7)] = std::numeric_limits<double>::quiet_NaN();
    DocumentFileData data;
    data.experiment.tokens = TokenList(std::vector<std::string>(rows, "t"));
    data.experiment.given[Stage::X] = Tensor::fromDoubles({1, rows, cols}, numbers);
    fixture.window.files()->loadImported(std::move(data), QStringLiteral("large"), {});
    fixture.bench()->select(Stage::X, {0, 0, 0});
    fixture.window.navigation()->nextNan();
    QVERIFY(fixture.window.navigation()->isSearching());
    QCOMPARE(fixture.bench()->selection()->cell(), (CellIndex{0, 0, 0}));
    QTRY_COMPARE_WITH_TIMEOUT(fixture.bench()->selection()->cell(), (CellIndex{0, 600, 7}), 60000);
    QVERIFY(!fixture.window.navigation()->isSearching());
    fixture.window.navigation()->nextNan();
    fixture.bench()->select(Stage::X, {0, 3, 3});
    QVERIFY(!fixture.window.navigation()->isSearching());
    QCOMPARE(fixture.bench()->selection()->cell(), (CellIndex{0, 3, 3}));
}

void TestWindowControllers::groupedQueriesKeepMeansOfHeads()
{
    WindowFixture fixture(QStringLiteral("example:two-heads"));
    const Experiment &experiment = fixture.bench()->experiment();
    QVERIFY(kvWeightsFor(experiment, 2, 2).empty());
    const auto matrices = kvWeightsFor(experiment, 2, 1);
    const Tensor &Wk = experiment.matrix(Stage::Wk);
    const Tensor &grouped = matrices.at(Stage::Wk);
    QCOMPARE(grouped.cols(), Wk.cols() / 2);
    for (Index row = 0; row < Wk.rows(); ++row)
        for (Index col = 0; col < grouped.cols(); ++col)
            QCOMPARE(grouped.at(row, col), (Wk.at(row, col) + Wk.at(row, col + grouped.cols())) / 2.0);
    fixture.window.experimentController()->setHeads(2, 1);
    QCOMPARE(fixture.bench()->experiment().nKvHeads, Index(1));
    QVERIFY(fixture.bench()->snapshot()->stage(Stage::Output).hasValues());
}

void TestWindowControllers::headsChangeAndComeBack()
{
    WindowFixture fixture;
    fixture.window.experimentController()->setHeads(3, 3);
    QCOMPARE(fixture.bench()->snapshot()->stage(Stage::A).values->heads(), Index(3));
    fixture.window.experimentController()->setHeads(4, 4);
    QCOMPARE(fixture.bench()->experiment().nHeads, Index(3));
    QVERIFY(!fixture.window.messageBar()->text().isEmpty());
    fixture.bench()->document()->undoStack()->undo();
    QCOMPARE(fixture.bench()->experiment().nHeads, Index(1));
}

void TestWindowControllers::masksAreAddedSelectedAndRemoved()
{
    WindowFixture fixture;
    ExperimentController *experiment = fixture.window.experimentController();
    for (const Stage mask : {Stage::MaskPadding, Stage::MaskBool, Stage::MaskAdd, Stage::MaskAlibi}) {
        experiment->setMaskMatrix(mask, true);
        QVERIFY(fixture.bench()->experiment().isGiven(mask));
        QCOMPARE(fixture.bench()->selection()->stage(), mask);
        experiment->setMaskMatrix(mask, false);
        QVERIFY(!fixture.bench()->experiment().isGiven(mask));
    }
    experiment->setMaskMatrix(Stage::MaskBool, true);
    QVERIFY(!fixture.window.edits()->setCells(Stage::MaskBool, {{{0, 0, 1}, 0.5}}));
    QVERIFY(fixture.window.edits()->setCells(Stage::MaskBool, {{{0, 0, 1}, 0.0}}));
    QCOMPARE(fixture.value(Stage::A, 0, 1), 0.0);
}

void TestWindowControllers::whatIsSelectedExists_data()
{
    QTest::addColumn<Stage>("added");
    QTest::addColumn<GridPosition>("size");
    QTest::addColumn<GridPosition>("selected");
    QTest::addColumn<Stage>("beside");
    QTest::addColumn<GridPosition>("expected");
    using At = GridPosition;
    QTest::newRow("painted mask") << Stage::MaskBool << At{4, 4} << At{2, 3} << Stage::Allowed << At{2, 3};
    QTest::newRow("additive mask") << Stage::MaskAdd << At{4, 4} << At{2, 3} << Stage::Allowed << At{2, 3};
    QTest::newRow("padding") << Stage::MaskPadding << At{1, 4} << At{0, 3} << Stage::Allowed << At{0, 3};
    QTest::newRow("slopes") << Stage::MaskAlibi << At{1, 1} << At{0, 0} << Stage::A << At{0, 0};
    QTest::newRow("bias of Q") << Stage::Bq << At{1, 4} << At{0, 3} << Stage::Q << At{0, 3};
    QTest::newRow("bias of the output") << Stage::Bo << At{1, 6} << At{0, 5} << Stage::Output << At{0, 5};
    QTest::newRow("W^O") << Stage::Wo << At{3, 6} << At{2, 5} << Stage::Output << At{0, 5};
    QTest::newRow("another sequence") << Stage::Xkv << At{4, 6} << At{1, 5} << Stage::K << At{1, 0};
}

/// A stage that goes while it is selected, by an edit or by Undo, is left for one that exists.
void TestWindowControllers::whatIsSelectedExists()
{
    QFETCH(Stage, added);
    QFETCH(GridPosition, size);
    QFETCH(GridPosition, selected);
    QFETCH(Stage, beside);
    QFETCH(GridPosition, expected);
    WindowFixture fixture;
    Workbench *bench = fixture.bench();
    if (bench->experiment().isGiven(added))
        QVERIFY(bench->apply(SetTensor{added, {}}, QStringLiteral("Take away")));
    const CellIndex cell{0, selected.row, selected.col};
    const CellIndex cellBeside{0, expected.row, expected.col};
    QVERIFY(
        bench->apply(SetTensor{added, Tensor::filled({1, size.row, size.col}, 1.0)}, QStringLiteral("Add")));
    bench->select(added, cell);
    QVERIFY(bench->apply(SetTensor{added, {}}, QStringLiteral("Take away")));
    QCOMPARE(bench->selection()->stage(), beside);
    QCOMPARE(bench->selection()->cell(), cellBeside);

    bench->document()->undoStack()->undo();
    QVERIFY(bench->apply(SetCells{added, {{cell, 0.0}}}, QStringLiteral("Set")));
    bench->document()->undoStack()->undo();
    QCOMPARE(bench->selection()->stage(), added);
    QCOMPARE(bench->selection()->cell(), cell);
    bench->document()->undoStack()->undo(); // there is none of it any more
    QVERIFY(bench->snapshot()->stage(bench->selection()->stage()).hasValues());
    QCOMPARE(bench->selection()->stage(), beside);
}

void TestWindowControllers::selectedCellExists()
{
    WindowFixture fixture(QStringLiteral("example:two-heads"));
    Workbench *bench = fixture.bench();
    const Index heads = bench->snapshot()->stage(Stage::A).values->heads();
    QVERIFY(heads > 1);
    bench->select(Stage::A, {heads - 1, 3, 3});
    QVERIFY(bench->apply(DeleteToken{TokenSide::Query, 3}, QStringLiteral("Delete")));
    QCOMPARE(bench->selection()->cell(), (CellIndex{heads - 1, 2, 2}));
    fixture.window.experimentController()->setHeads(1, 1);
    QCOMPARE(bench->snapshot()->stage(Stage::A).values->heads(), Index(1));
    QCOMPARE(bench->selection()->cell(), (CellIndex{0, 2, 2}));
}

/// A first stroke into a mask makes it, and Undo takes it away: nothing is left there to type into.
void TestWindowControllers::whatHasNoNumbersTakesNone()
{
    WindowFixture fixture;
    Workbench *bench = fixture.bench();
    QVERIFY(bench->apply(SetCells{Stage::MaskBool, {{{0, 1, 3}, 0.0}}}, QStringLiteral("Paint")));
    bench->document()->undoStack()->undo();
    QCOMPARE(bench->selection()->stage(), Stage::Allowed);
    QCOMPARE(bench->selection()->cell(), (CellIndex{0, 1, 3}));

    QVERIFY(bench->apply(SetTensor{Stage::Wq, {}}, QStringLiteral("Take away")));
    bench->select(Stage::Q, {0, 0, 0});
    QCoreApplication::processEvents();
    QVERIFY(!bench->snapshot()->stage(Stage::Q).hasValues());
    auto *field = fixture.window.findChild<NumberScrubField *>();
    QVERIFY(field);
    const int edits = bench->document()->undoStack()->count();
    field->setFocus();
    QTest::keyClicks(field, QStringLiteral("7"));
    QTest::keyClick(field, Qt::Key_Return);
    QCOMPARE(bench->document()->undoStack()->count(), edits);
    QVERIFY(!fixture.window.messageBar()->text().isEmpty());
}

void TestWindowControllers::tokensAreInsertedAndMoved()
{
    WindowFixture fixture;
    QVERIFY(fixture.bench()->apply(InsertToken{TokenSide::Query, 1, "really", {}}, QStringLiteral("Insert")));
    QCOMPARE(fixture.bench()->snapshot()->stage(Stage::A).values->rows(), Index(5));
    fixture.bench()->select(Stage::X, {0, 1, 0});
    for (QAction *action : fixture.window.actions())
        if (action->objectName() == QStringLiteral("token.down"))
            action->trigger();
    QCOMPARE(QString::fromStdString(fixture.bench()->experiment().tokens.at(2)), QStringLiteral("really"));
    QCOMPARE(fixture.bench()->selection()->cell().row, Index(2));
}

void TestWindowControllers::scratchMatricesAreEditedLikeStages()
{
    WindowFixture fixture;
    Workbench *bench = fixture.bench();
    QVERIFY(bench->apply(SetLab{"A", Tensor::zeros({1, 2, 3})}, QStringLiteral("Make A")));
    const auto matrix = [&] {
        return bench->experiment().lab("A").toDoubles();
    };
    bench->selectLab(QStringLiteral("A"), {0, 0, 1});
    QVERIFY(bench->selection()->target().isLab());
    auto *outline = fixture.window.findChild<OutlineView *>()->findChild<QAbstractItemView *>();
    QVERIFY(!outline->currentIndex().isValid()); // it is no stage
    QVERIFY(outline->selectionModel()->selectedIndexes().isEmpty());
    outline->setCurrentIndex(outline->model()->index(0, 0)); // of the stage selected before
    QVERIFY(!bench->selection()->target().isLab());
    bench->selectLab(QStringLiteral("A"), {0, 0, 1});
    QGuiApplication::clipboard()->setText(QStringLiteral("1\t2\n3\t4"));
    fixture.window.edits()->paste();
    QCOMPARE(matrix(), (std::vector<double>{0, 1, 2, 0, 3, 4}));
    fixture.window.edits()->copy(true);
    QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("\t2\t3\n1\t1\t2\n2\t3\t4\n"));
    fixture.window.edits()->paste(); // labels that are numbers stay labels
    QCOMPARE(matrix(), (std::vector<double>{0, 1, 2, 0, 3, 4}));
    fixture.window.edits()->fillDown();
    QCOMPARE(matrix(), (std::vector<double>{0, 1, 2, 0, 1, 2}));
    fixture.window.edits()->clear();
    QCOMPARE(matrix(), (std::vector<double>(6, 0.0)));
    fixture.window.edits()->pinSelected();
    fixture.window.edits()->unpinSelected();
    QCOMPARE(bench->document()->undoStack()->count(), 4);
    QCOMPARE(bench->document()->undoStack()->undoText(), QStringLiteral("Clear 4 cells of left A"));
    bench->document()->undoStack()->undo();
    bench->document()->undoStack()->undo();
    QCOMPARE(matrix(), (std::vector<double>{0, 1, 2, 0, 3, 4}));
    bench->document()->undoStack()->setIndex(0); // the matrix goes: the selection is on a stage again
    QVERIFY(!bench->selection()->target().isLab());
}

void TestWindowControllers::auditAdoptsAWholeStageAsOneStep()
{
    WindowFixture f(QStringLiteral("example:as-printed"));
    auto *audit = f.window.findChild<AuditView *>();
    QVERIFY(audit);
    QCOMPARE(f.bench()->audit()->stage(Stage::Output)->differing.size(), std::size_t(12));
    QAbstractItemModel *model = audit->list()->model();
    int row = 0;
    while (row < model->rowCount() &&
           !model->index(row, 0).data().toString().startsWith(QLatin1String("output[")))
        ++row;
    audit->list()->selectionModel()->select(model->index(row, 0),
                                            QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    const double printed = f.value(Stage::Output, 0, 1);
    audit->adoptStages();
    QVERIFY(f.bench()->audit()->stage(Stage::Output)->differing.empty());
    QVERIFY(std::abs(f.value(Stage::Output, 0, 1) - 0.343) < 1e-12);
    f.bench()->document()->undoStack()->undo();
    QCOMPARE(f.value(Stage::Output, 0, 1), printed);
    QCOMPARE(f.bench()->audit()->stage(Stage::Output)->differing.size(), std::size_t(12));
}

/// Facts list many numbers: they must not push the other columns out of the pane.
void TestWindowControllers::figuresOfTheAuditStayInSight()
{
    WindowFixture f(QStringLiteral("example:as-printed"));
    auto *audit = f.window.findChild<AuditView *>();
    QTreeView *list = audit->list();
    const QHeaderView *header = list->header();
    const auto allInSight = [&] {
        QCoreApplication::processEvents();
        for (int column = 0; column < header->count(); ++column)
            if (header->sectionSize(column) < header->sectionSizeHint(column) / 2)
                return false;
        return header->length() <= list->viewport()->width();
    };
    for (const int width : {480, 800, 1200}) {
        audit->resize(width, 160);
        QVERIFY2(allInSight(), qPrintable(QString::number(width)));
        // What a number is comes first, as far as the heads of the other columns leave room.
        const QAbstractItemView *view = list; // QTreeView hides the hint
        int heads = 0;
        for (int column = 1; column < header->count(); ++column)
            heads += header->sectionSizeHint(column);
        const int wanted = std::min(view->sizeHintForColumn(0), list->viewport()->width() - heads);
        QVERIFY2(header->sectionSize(0) >= wanted - 3, qPrintable(QString::number(width)));
    }
    audit->list()->selectionModel()->select(list->model()->index(0, 0),
                                            QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    audit->adoptStages();
    QVERIFY(allInSight());
}

QTEST_MAIN(TestWindowControllers)
#include "tst_WindowControllers.moc"
