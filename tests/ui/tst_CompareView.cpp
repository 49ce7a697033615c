#include "WorkspaceFixture.h"

#include "views/CompareView.h"

#include <QTemporaryDir>

using namespace attn;

namespace {

CompareView *compareView(WindowFixture &fixture)
{
    fixture.window.showWorkspace(QStringLiteral("compare"));
    QCoreApplication::processEvents();
    return qobject_cast<CompareView *>(fixture.window.currentWorkspace());
}

} // namespace

class TestCompareView : public QObject
{
    Q_OBJECT

private slots:
    void choiceIsWrittenAndReadAgain();
    void freshDocumentEqualsItself();
    void withoutDifferencesTheSelectedStageIsShown();
    void keptStateShowsTheEdit();
    void keptStateIsSavedWithTheDocument();
    void anotherFileIsB();
    void importedResultsPassOrFail();
    void controlsShowStagesAndCells();
};

void TestCompareView::choiceIsWrittenAndReadAgain()
{
    CompareChoice choice;
    choice.source = CompareChoice::Source::File;
    choice.tolerance = 1e-9;
    choice.stage = Stage::HeadOut;
    choice.file = QStringLiteral("other.attn");
    const CompareChoice read = CompareChoice::fromJson(choice.toJson());
    QCOMPARE(read.toJson(), choice.toJson());
    QVERIFY(!CompareChoice::fromJson({}).stage);
    QCOMPARE(CompareChoice::fromJson({{QStringLiteral("tolerance"), -1.0}}).tolerance, 1e-5);
}

void TestCompareView::freshDocumentEqualsItself()
{
    WindowFixture fixture;
    CompareView *compare = compareView(fixture);
    QVERIFY(compare);
    QVERIFY(shows(compare, QStringLiteral("B: the document as opened or last saved")));
    QVERIFY(shows(compare, QStringLiteral("compared stages pass")));
}

/// Where nothing differs, the stage that is shown is the selected one.
void TestCompareView::withoutDifferencesTheSelectedStageIsShown()
{
    WindowFixture fixture;
    CompareView *compare = compareView(fixture);
    const auto shownStage = [&] {
        QCoreApplication::processEvents();
        for (const SceneControl &control : compare->view()->scene()->controls)
            if (control.checked)
                return control.id;
        return QString();
    };
    fixture.bench()->select(Stage::Wk, {0, 1, 2});
    QCOMPARE(shownStage(), QStringLiteral("stage:Wk"));
    emit compare->view()->controlActivated(QStringLiteral("stage:A"));
    QCOMPARE(shownStage(), QStringLiteral("stage:A"));
    fixture.bench()->select(Stage::Q, {0, 0, 0});
    QCOMPARE(shownStage(), QStringLiteral("stage:Q"));
}

void TestCompareView::keptStateShowsTheEdit()
{
    WindowFixture fixture;
    CompareView *compare = compareView(fixture);
    compare->keepAsB();
    const double before = fixture.value(Stage::Output, 1, 0);
    QVERIFY(fixture.window.edits()->setCells(Stage::X, {{{0, 1, 2}, 0.35}}));
    QCoreApplication::processEvents();
    QVERIFY(shows(compare, QStringLiteral("kept at")));
    QVERIFY(shows(compare, QStringLiteral("compared stages fail")));
    // X is the first that differs: 0.1 became 0.35.
    QVERIFY(shows(compare, QStringLiteral("X[love, f3]: A = 0.35, B = 0.1, A−B = 0.25")));
    QVERIFY(fixture.value(Stage::Output, 1, 0) != before);
    fixture.bench()->document()->undoStack()->undo();
    QCoreApplication::processEvents();
    QVERIFY(shows(compare, QStringLiteral("compared stages pass")));
}

void TestCompareView::keptStateIsSavedWithTheDocument()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("kept.attn"));
    {
        WindowFixture fixture;
        compareView(fixture)->keepAsB();
        QVERIFY(fixture.window.edits()->setCells(Stage::X, {{{0, 1, 2}, 0.35}}));
        QVERIFY(fixture.window.files()->saveTo(path));
    }
    WindowFixture fixture(path);
    CompareView *compare = compareView(fixture);
    QVERIFY(shows(compare, QStringLiteral("X[love, f3]: A = 0.35, B = 0.1, A−B = 0.25")));
}

void TestCompareView::anotherFileIsB()
{
    WindowFixture fixture;
    CompareView *compare = compareView(fixture);
    QVERIFY(compare->openB(QStringLiteral(ATTN_TEST_DATA "/golden/seed_g_as_printed.json")));
    QCoreApplication::processEvents();
    QVERIFY(shows(compare, QStringLiteral("Q[GPU, f4]: A = 0.24, B = 0.38, A−B = −0.14")));
    QVERIFY(!compare->openB(QStringLiteral(ATTN_TEST_DATA "/golden/missing.json")));
    QVERIFY(shows(compare, QStringLiteral("seed_g_as_printed.json")));
}

void TestCompareView::importedResultsPassOrFail()
{
    WindowFixture fixture;
    fixture.bench()->document()->setReference(
        {{Stage::K, Tensor::fromDoubles({1, 4, 6},
                                        std::vector<double>{0.45, 0.22, 0.30, 0.55, 0.24, 0.40, 0.31, 0.39,
                                                            0.20, 0.43, 0.37, 0.28, 0.34, 0.29, 0.44, 0.33,
                                                            0.28, 0.46, 0.49, 0.38, 0.46, 0.33, 0.35, 0.51})},
         {Stage::Output, Tensor::zeros({1, 4, 6})}});
    CompareView *compare = compareView(fixture);
    QVERIFY(shows(compare, QStringLiteral("results imported with the document")));
    QVERIFY(shows(compare, QStringLiteral("✓ ")));
    QVERIFY(shows(compare, QStringLiteral("✗ 1 of 2 compared stages fail.")));
    // Only what was imported is listed.
    QVERIFY(!shows(compare, QStringLiteral("only in A")));
}

void TestCompareView::controlsShowStagesAndCells()
{
    WindowFixture fixture;
    CompareView *compare = compareView(fixture);
    QVERIFY(compare->openB(QStringLiteral(ATTN_TEST_DATA "/golden/seed_g_as_printed.json")));
    fixture.window.resize(1280, 720);
    QCoreApplication::processEvents();
    const auto isInSight = [compare] {
        const SceneMap *difference = compare->view()->findMap(MapKey::derived(QStringLiteral("difference")));
        return difference && compare->view()->viewport()->rect().contains(
                                 compare->view()->fromScene(difference->rect).toRect());
    };
    QVERIFY(!isInSight()); // below the table
    emit compare->view()->controlActivated(QStringLiteral("stage:output"));
    QTRY_VERIFY(isInSight());
    QCOMPARE(compare->choice().stage, std::optional(Stage::Output));
    QCOMPARE(fixture.bench()->selection()->stage(), Stage::Output); // shown and selected are one
    emit compare->view()->controlActivated(QStringLiteral("worst:0"));
    QCOMPARE(fixture.bench()->selection()->stage(), Stage::Output);
}

QTEST_MAIN(TestCompareView)
#include "tst_CompareView.moc"
