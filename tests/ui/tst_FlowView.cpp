#include "WorkspaceFixture.h"

#include "BackgroundTask.h"
#include "ExportController.h"
#include "views/FlowChoice.h"
#include "views/FlowView.h"

#include <QAccessible>
#include <QApplication>
#include <QComboBox>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <atomic>
#include <thread>

using namespace attn;

namespace {

FlowView *flowView(WindowFixture &fixture)
{
    fixture.window.showWorkspace(QStringLiteral("flow"));
    QCoreApplication::processEvents();
    return qobject_cast<FlowView *>(fixture.window.currentWorkspace());
}

void choose(WindowFixture &fixture, const FlowChoice &choice)
{
    fixture.bench()->setViewState(
        fixture.bench()->viewState().withWorkspaceState(QStringLiteral("flow"), choice.toJson()));
    QCoreApplication::processEvents();
}

} // namespace

class TestFlowView : public QObject
{
    Q_OBJECT

private slots:
    void choiceIsWrittenAndReadAgain();
    void choiceIsBroughtInside();
    void typedDirections();
    void hoveringShowsATokenAlone();
    void clickKeepsATokenAlone();
    void selectedTokenIsShownAloneFirst();
    void clickOnARibbonSelectsItsCell();
    void outputSelectionAimsTheContributions();
    void everyPictureIsDrawn();
    void editsChangeTheFlow();
    void isSavedWithTheDocument();
    void rolloutIsOneOfTheWidths();
    void keysGoFromTokenToRibbon();
    void digitsOnARibbonEditItsCell();
    void keysScrollWithoutAChoice();
    void screenReadersFindTokensAndRibbons();
    void everyHeadAndOneAreNamed();
    void newestTaskWins();
};

void TestFlowView::choiceIsWrittenAndReadAgain()
{
    FlowChoice choice;
    choice.picture = FlowChoice::Picture::HeadContribution;
    choice.heads = {1, 3};
    choice.measure = FlowMeasure::Contribution;
    choice.toward = FlowChoice::Toward::Typed;
    choice.typed = QStringLiteral("0.3, 0.5");
    choice.column = 4;
    choice.token = 2;
    choice.mass = 0.9;
    choice.threshold = 0.05;
    choice.mostLinks = 50;
    choice.layout = FlowLayout::Stacked;
    choice.alone = FlowChoice::Alone::Target;
    choice.aloneToken = 3;
    QCOMPARE(FlowChoice::fromJson(choice.toJson()), choice);
    QCOMPARE(FlowChoice::fromJson({}), FlowChoice());
    QCOMPARE(FlowChoice::fromJson({{QStringLiteral("picture"), 99}, {QStringLiteral("mass"), -3}}).mass,
             0.01);
}

void TestFlowView::choiceIsBroughtInside()
{
    WindowFixture fixture;
    FlowChoice choice;
    choice.heads = {0, 7};
    choice.column = 50;
    choice.token = 50;
    const FlowChoice fitted = choice.fittedTo(*fixture.bench()->snapshot());
    QCOMPARE(fitted.heads, std::vector<Index>{0});
    QCOMPARE(fitted.column, Index(5));
    QCOMPARE(fitted.token, Index(3));
}

void TestFlowView::typedDirections()
{
    QCOMPARE(typedDirection(QStringLiteral("0.3 0.5,0.1;-2")), (std::vector<double>{0.3, 0.5, 0.1, -2.0}));
    QVERIFY(typedDirection(QStringLiteral("0.3 x")).empty());
}

void TestFlowView::hoveringShowsATokenAlone()
{
    WindowFixture fixture(QStringLiteral("example:by-hand"));
    FlowView *flow = flowView(fixture);
    QVERIFY(flow);
    QVERIFY(!shows(flow, QStringLiteral("alone")));
    emit flow->view()->shapeHovered(QStringLiteral("to:1"));
    QCoreApplication::processEvents();
    QVERIFY(shows(flow, QStringLiteral("“love” alone: takes 1.00 in all")));
    emit flow->view()->shapeHovered(QString());
    QCoreApplication::processEvents();
    QVERIFY(!shows(flow, QStringLiteral("alone")));
}

void TestFlowView::clickKeepsATokenAlone()
{
    WindowFixture fixture(QStringLiteral("example:by-hand"));
    FlowView *flow = flowView(fixture);
    emit flow->view()->shapeClicked(QStringLiteral("from:3"));
    QCoreApplication::processEvents();
    QVERIFY(shows(flow, QStringLiteral("“prog” alone: hands out 1.30 in all")));
    emit flow->view()->shapeClicked(QStringLiteral("from:3"));
    QCoreApplication::processEvents();
    QVERIFY(!shows(flow, QStringLiteral("alone")));
    // Looking is no change of the document.
    QVERIFY(!fixture.bench()->document()->undoStack()->canUndo());
}

/// Who has chosen a row and asks for one token alone means that one.
void TestFlowView::selectedTokenIsShownAloneFirst()
{
    WindowFixture fixture;
    fixture.bench()->select(Stage::A, {0, 1, 3});
    FlowView *flow = flowView(fixture);
    QVERIFY(flow);
    const auto pick = [&](FlowChoice::Alone alone) {
        for (QComboBox *box : fixture.window.findChildren<QComboBox *>())
            if (box->itemText(2) == QStringLiteral("one that gets"))
                emit box->activated(static_cast<int>(alone));
        QCoreApplication::processEvents();
    };
    pick(FlowChoice::Alone::Target);
    QCOMPARE(flow->choice().aloneToken, Index(1));
    QVERIFY(shows(flow, QStringLiteral("“love” alone: takes 1.00 in all")));
    pick(FlowChoice::Alone::Source);
    QCOMPARE(flow->choice().aloneToken, Index(3));
    fixture.bench()->select(Stage::X, {0, 2, 0});
    pick(FlowChoice::Alone::Target);
    QCOMPARE(flow->choice().aloneToken, Index(2));
}

void TestFlowView::clickOnARibbonSelectsItsCell()
{
    WindowFixture fixture(QStringLiteral("example:by-hand"));
    FlowView *flow = flowView(fixture);
    emit flow->view()->shapeClicked(QStringLiteral("link:3:1"));
    QCOMPARE(fixture.bench()->selection()->stage(), Stage::A);
    QCOMPARE(fixture.bench()->selection()->cell(), (CellIndex{0, 1, 3}));
}

void TestFlowView::outputSelectionAimsTheContributions()
{
    WindowFixture fixture(QStringLiteral("example:by-hand"));
    FlowView *flow = flowView(fixture);
    FlowChoice choice;
    choice.measure = FlowMeasure::Contribution;
    choice.toward = FlowChoice::Toward::Cell;
    choose(fixture, choice);
    fixture.bench()->select(Stage::Output, {0, 1, 0});
    QCoreApplication::processEvents();
    QCOMPARE(flow->choice().token, Index(1));
    QVERIFY(shows(flow, QStringLiteral("All links of love add up to 0.38; its output there is 0.38.")));
}

void TestFlowView::everyPictureIsDrawn()
{
    for (const char *example : {"example:computed", "example:two-heads", "example:cross-two-heads",
                                "example:four-sizes", "example:trained-stories"}) {
        WindowFixture fixture(QString::fromLatin1(example));
        FlowView *flow = flowView(fixture);
        for (int picture = 0; picture <= static_cast<int>(FlowChoice::Picture::Output); ++picture) {
            FlowChoice choice;
            choice.picture = static_cast<FlowChoice::Picture>(picture);
            choose(fixture, choice);
            QVERIFY2(flow->view()->scene()->shapes.size() > 8, example);
            QVERIFY(!shows(flow, QStringLiteral("cannot be drawn")));
        }
    }
}

void TestFlowView::editsChangeTheFlow()
{
    WindowFixture fixture(QStringLiteral("example:by-hand"));
    FlowView *flow = flowView(fixture);
    FlowChoice choice;
    choice.alone = FlowChoice::Alone::Target;
    choice.aloneToken = 1;
    choose(fixture, choice);
    QVERIFY(!shows(flow, QStringLiteral("0.75")));
    QVERIFY(fixture.window.edits()->setCells(Stage::A, {{{0, 1, 0}, 0.75}}));
    QCoreApplication::processEvents();
    QVERIFY(shows(flow, QStringLiteral("0.75")));
    fixture.bench()->document()->undoStack()->undo();
    QCoreApplication::processEvents();
    QVERIFY(!shows(flow, QStringLiteral("0.75")));
}

void TestFlowView::isSavedWithTheDocument()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("flow.attn"));
    FlowChoice choice;
    choice.mass = 0.8;
    choice.layout = FlowLayout::Stacked;
    {
        WindowFixture fixture;
        flowView(fixture);
        choose(fixture, choice);
        QVERIFY(fixture.window.files()->saveTo(path));
    }
    WindowFixture fixture(path);
    QCOMPARE(fixture.bench()->viewState().workspace, QStringLiteral("flow"));
    auto *flow = qobject_cast<FlowView *>(fixture.window.currentWorkspace());
    QVERIFY(flow);
    QCOMPARE(flow->choice(), choice);
}

/// Half of A, half the token itself: "love" takes 0.5 · 0.50 from "prog" and keeps 0.5 + 0.5 · 0.15.
void TestFlowView::rolloutIsOneOfTheWidths()
{
    WindowFixture fixture(QStringLiteral("example:by-hand"));
    FlowView *flow = flowView(fixture);
    QComboBox *measure = nullptr;
    for (QComboBox *box : flow->findChildren<QComboBox *>())
        if (box->findText(QStringLiteral("rollout")) >= 0)
            measure = box;
    QVERIFY(measure);
    measure->setFocus();
    QTest::keyClick(measure, Qt::Key_End);
    QCoreApplication::processEvents();
    QVERIFY(shows(flow, QStringLiteral("Width: rollout, half A and half the token itself · the only head")));
    QVERIFY(shows(flow, QStringLiteral("this document holds one")));
    const auto nameOf = [flow](const QString &id) {
        for (const SceneShape &shape : flow->view()->scene()->shapes)
            if (shape.id == id)
                return shape.name;
        return QString();
    };
    QCOMPARE(nameOf(QStringLiteral("link:3:1")), QStringLiteral("prog → love: 0.25"));
    QCOMPARE(nameOf(QStringLiteral("link:1:1")), QStringLiteral("love → love: 0.58"));
    QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("rollout.attn"));
    QVERIFY(fixture.window.files()->saveTo(file));
    WindowFixture again(file);
    QVERIFY(shows(flowView(again), QStringLiteral("Width: rollout")));
    FigureChoice figure;
    figure.options.format = FigureOptions::Format::Svg;
    const QString picture = folder.filePath(QStringLiteral("rollout.svg"));
    QVERIFY(again.window.exports()->writeFigures(figure, picture));
    QFile written(picture);
    QVERIFY(written.open(QIODevice::ReadOnly));
    QVERIFY(written.readAll().contains("Width: rollout"));
    // Of two different sequences there is none, and the picture says so.
    WindowFixture cross(QStringLiteral("example:cross"));
    FlowView *crossFlow = flowView(cross);
    FlowChoice choice;
    choice.measure = FlowMeasure::Rollout;
    choose(cross, choice);
    QVERIFY(shows(crossFlow, QStringLiteral("This flow cannot be drawn")));
    QVERIFY(shows(crossFlow, QStringLiteral("Rollout follows the tokens of one sequence")));
}

void TestFlowView::keysGoFromTokenToRibbon()
{
    WindowFixture fixture(QStringLiteral("example:by-hand"));
    FlowView *flow = flowView(fixture);
    SceneView *view = flow->view();
    view->setFocus();
    QSignalSpy told(flow, &SceneWorkspace::textHovered);
    QTest::keyClick(view, Qt::Key_Down);
    QVERIFY(view->focusedShape());
    QCOMPARE(view->focusedShape()->id, QStringLiteral("from:0"));
    QVERIFY(told.last().at(0).toString().startsWith(QStringLiteral("I gives ")));
    QTest::keyClick(view, Qt::Key_End);
    QCOMPARE(view->focusedShape()->id, QStringLiteral("from:3"));
    QCoreApplication::processEvents();
    QVERIFY(told.last().at(0).toString().startsWith(QStringLiteral("prog gives ")));
    QVERIFY(shows(flow, QStringLiteral("“prog” alone: hands out")));
    // Across are the ribbons of this token only, and going to one selects its cell.
    QTest::keyClick(view, Qt::Key_Right);
    QVERIFY(view->focusedShape()->id.startsWith(QStringLiteral("link:3:")));
    QCoreApplication::processEvents();
    QVERIFY(shows(flow, QStringLiteral("“prog” alone")));
    QCOMPARE(fixture.bench()->selection()->stage(), Stage::A);
    QCOMPARE(fixture.bench()->selection()->cell().col, Index(3));
    QTest::keyClick(view, Qt::Key_Home);
    QCOMPARE(fixture.bench()->selection()->cell(), (CellIndex{0, 0, 3}));
    QTest::keyClick(view, Qt::Key_Right);
    QVERIFY(view->focusedShape()->id.startsWith(QStringLiteral("to:")));
    QTest::keyClick(view, Qt::Key_Return);
    QCOMPARE(flow->choice().alone, FlowChoice::Alone::Target);
    QTest::keyClick(view, Qt::Key_Return);
    QCOMPARE(flow->choice().alone, FlowChoice::Alone::None);
    QTest::keyClick(view, Qt::Key_Escape);
    QVERIFY(!view->focusedShape());
    QCoreApplication::processEvents();
    QVERIFY(!shows(flow, QStringLiteral("alone")));
    // Tab goes through the lists and out.
    for (const char *kind : {"from:", "link:", "to:"}) {
        QTest::keyClick(view, Qt::Key_Tab);
        QVERIFY(view->focusedShape());
        QVERIFY2(view->focusedShape()->id.startsWith(QLatin1String(kind)), kind);
    }
    QTest::keyClick(view, Qt::Key_Tab);
    QVERIFY(!view->hasFocus());
}

void TestFlowView::digitsOnARibbonEditItsCell()
{
    WindowFixture fixture(QStringLiteral("example:by-hand"));
    FlowView *flow = flowView(fixture);
    SceneView *view = flow->view();
    view->setFocus();
    view->focusShape(QStringLiteral("link:3:1"));
    QCoreApplication::processEvents();
    QTest::keyClicks(view, QStringLiteral("0"));
    QWidget *field = QApplication::focusWidget();
    QVERIFY(field && field != view);
    QTest::keyClicks(field, QStringLiteral(".75"));
    QTest::keyClick(field, Qt::Key_Return);
    QCoreApplication::processEvents();
    QCOMPARE(fixture.value(Stage::A, 1, 3), 0.75);
    QVERIFY(view->hasFocus());
    QCOMPARE(view->focusedShape()->name, QStringLiteral("prog → love: 0.75"));
}

void TestFlowView::keysScrollWithoutAChoice()
{
    WindowFixture fixture(QStringLiteral("example:by-hand"));
    fixture.window.resize(900, 560);
    FlowView *flow = flowView(fixture);
    flow->view()->setFocus();
    QScrollBar *bar = flow->view()->verticalScrollBar();
    QVERIFY(bar->maximum() > 0);
    QTest::keyClick(flow->view(), Qt::Key_End);
    QCOMPARE(bar->value(), bar->maximum());
    QTest::keyClick(flow->view(), Qt::Key_PageUp);
    QVERIFY(bar->value() < bar->maximum());
    QTest::keyClick(flow->view(), Qt::Key_Home);
    QCOMPARE(bar->value(), 0);
    QVERIFY(!flow->view()->focusedShape());
}

void TestFlowView::screenReadersFindTokensAndRibbons()
{
    WindowFixture fixture(QStringLiteral("example:by-hand"));
    SceneView *board = fixture.window.currentWorkspace()->view();
    QAccessibleInterface *boardPane = QAccessible::queryAccessibleInterface(board);
    QVERIFY(boardPane->childCount() > 0);
    FlowView *flow = flowView(fixture);
    // Every cell of every workspace that is not on show would be read on the way.
    QCOMPARE(boardPane->childCount(), 0);
    QAccessibleInterface *pane = QAccessible::queryAccessibleInterface(flow->view());
    QStringList names;
    for (int i = 0; i < pane->childCount(); ++i) {
        names.append(pane->child(i)->text(QAccessible::Name));
        QCOMPARE(pane->indexOfChild(pane->child(i)), i);
    }
    QVERIFY(names.contains(QStringLiteral("prog → love: 0.50")));
    QVERIFY(names.contains(QStringLiteral("love gets 1.00")));
    flow->view()->setFocus();
    flow->view()->focusShape(QStringLiteral("to:1"));
    QVERIFY(pane->focusChild());
    QCOMPARE(pane->focusChild()->text(QAccessible::Name), QStringLiteral("love gets 1.00"));
    fixture.window.showWorkspace(QStringLiteral("board"));
    QVERIFY(boardPane->childCount() > 0);
}

void TestFlowView::everyHeadAndOneAreNamed()
{
    WindowFixture fixture(QStringLiteral("example:two-heads"));
    FlowView *flow = flowView(fixture);
    flow->view()->focusShape(QStringLiteral("link:3:1"));
    QCoreApplication::processEvents();
    const double one = fixture.value(Stage::A, 1, 3, 0);
    const double mean = (one + fixture.value(Stage::A, 1, 3, 1)) / 2.0;
    const auto two = [](double value) {
        return QString::number(value, 'f', 2);
    };
    QCOMPARE(flow->view()->focusedShape()->name,
             QStringLiteral("prog → love: %1 (mean of both heads)").arg(two(mean)));
    QVERIFY(shows(flow, QStringLiteral("Selected prog → love: %1 in this picture, mean of both heads; A of "
                                       "head 1 is %2.")
                            .arg(two(mean), two(one))));
}

void TestFlowView::newestTaskWins()
{
    BackgroundTask task;
    std::vector<int> delivered;
    std::atomic<bool> isStarted = false;
    task.start([&](std::stop_token stop) {
        isStarted = true;
        while (!stop.stop_requested())
            std::this_thread::yield();
        return std::function<void()>([&] { delivered.push_back(1); });
    });
    while (!isStarted)
        std::this_thread::yield();
    task.start([&](std::stop_token) { return std::function<void()>([&] { delivered.push_back(2); }); });
    QVERIFY(task.isBusy());
    task.waitUntilIdle();
    QCOMPARE(delivered, std::vector<int>{2});
    QVERIFY(!task.isBusy());
    task.start([&](std::stop_token) { return std::function<void()>([&] { delivered.push_back(3); }); });
    task.cancel();
    task.waitUntilIdle();
    QCOMPARE(delivered, std::vector<int>{2});
}

QTEST_MAIN(TestFlowView)
#include "tst_FlowView.moc"
