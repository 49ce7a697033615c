#include "WindowFixture.h"

#include <QTabWidget>

using namespace attn;

/// A sentence is shown as long as it is true, and nothing moves for it.
class TestMessages : public QObject
{
    Q_OBJECT

private slots:
    void anotherDocumentTakesThemAway();
    void undoTakesThemAway();
    void theNextEditTakesThemAway();
    void movingOnTakesPassingOnesAway();
    void theWorkspaceStaysWhereItIs();
    void standingOnesStay();
};

void TestMessages::anotherDocumentTakesThemAway()
{
    WindowFixture fixture;
    fixture.bench()->sayUntilChange(QStringLiteral("3 cells of the mask were dropped."));
    QVERIFY(fixture.window.messageBar()->isVisible());
    fixture.window.files()->open({QStringLiteral("example:two-heads")});
    QCOMPARE(fixture.window.messageBar()->text(), QString());
}

void TestMessages::undoTakesThemAway()
{
    WindowFixture fixture;
    fixture.bench()->apply(SetCausal{true}, QStringLiteral("Turn causal mask on"));
    fixture.bench()->sayUntilChange(QStringLiteral("The mask hides six keys."));
    fixture.bench()->document()->undoStack()->undo();
    QCOMPARE(fixture.window.messageBar()->text(), QString());
}

void TestMessages::theNextEditTakesThemAway()
{
    WindowFixture fixture;
    QVERIFY(!fixture.window.edits()->setCells(Stage::HeadContribution, {{{0, 0, 0}, 1.0}}));
    QVERIFY(!fixture.window.messageBar()->text().isEmpty());
    QVERIFY(fixture.window.edits()->setCells(Stage::X, {{{0, 0, 0}, 1.5}}));
    QCOMPARE(fixture.window.messageBar()->text(), QString());
}

void TestMessages::movingOnTakesPassingOnesAway()
{
    WindowFixture fixture;
    fixture.bench()->say(QStringLiteral("No token contains “x”."));
    fixture.bench()->select(Stage::X, {0, 2, 2});
    QCOMPARE(fixture.window.messageBar()->text(), QString());
    fixture.bench()->sayUntilChange(QStringLiteral("A: row 1 sums to NaN."));
    fixture.bench()->select(Stage::X, {0, 1, 1});
    QVERIFY(fixture.window.messageBar()->isVisible());
}

void TestMessages::theWorkspaceStaysWhereItIs()
{
    WindowFixture fixture;
    QWidget *board = fixture.window.currentWorkspace();
    const QRect before(board->mapToGlobal(QPoint()), board->size());
    fixture.bench()->say(QStringLiteral("A long sentence about what could not be pasted. ").repeated(8));
    QCoreApplication::processEvents();
    QCOMPARE(QRect(board->mapToGlobal(QPoint()), board->size()), before);
    const MessageBar *bar = fixture.window.messageBar();
    QVERIFY(bar->parentWidget()->rect().contains(bar->geometry()));
    QVERIFY(bar->height() > bar->fontMetrics().lineSpacing() * 2); // wrapped, and all of it in sight
}

void TestMessages::standingOnesStay()
{
    WindowFixture fixture;
    fixture.bench()->say(QStringLiteral("The work is not protected."), MessageLife::Standing);
    fixture.bench()->apply(SetCausal{true}, QStringLiteral("Turn causal mask on"));
    fixture.bench()->select(Stage::X, {0, 2, 2});
    QVERIFY(fixture.window.messageBar()->isVisible());
}

QTEST_MAIN(TestMessages)
#include "tst_Messages.moc"
