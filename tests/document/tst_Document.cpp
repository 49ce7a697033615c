#include "document/Document.h"

#include <QSignalSpy>
#include <QTest>

using namespace attn;

namespace {

ExperimentPtr smallExperiment()
{
    Experiment experiment;
    experiment.tokens = TokenList({"I", "love", "GPU"});
    experiment.given[Stage::X] = Tensor::filled({1, 3, 2}, 0.25);
    for (const Stage weight : {Stage::Wq, Stage::Wk, Stage::Wv})
        experiment.given[weight] = Tensor::filled({1, 2, 2}, 0.5);
    return std::make_shared<const Experiment>(std::move(experiment));
}

Edit setX(Index row, Index col, double value)
{
    return SetCells{Stage::X, {{{0, row, col}, value}}};
}

} // namespace

class TestDocument : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void editRaisesTheGenerationAndUndoGivesTheBitsBack();
    void refusedEditChangesNothing();
    void sameContentIsNoStep();
    void gesturesMergeAndDoNotMergeWithEachOther();
    void gestureBackAtItsStartLeavesNoStep();
    void undoToTheSavedStateIsUnmodified();
    void changeSaysWhereAndWhat();
    void changeSaysWhereItWasSeen();
    void loadClearsTheHistory();
    void restoredDocumentIsModifiedUntilSaved();

private:
    std::unique_ptr<Document> m_document;
};

void TestDocument::init()
{
    m_document = std::make_unique<Document>();
    m_document->load(smallExperiment(), {}, {}, QStringLiteral("small"));
}

void TestDocument::editRaisesTheGenerationAndUndoGivesTheBitsBack()
{
    const ExperimentPtr start = m_document->experiment();
    const Generation before = m_document->generation();
    QVERIFY(m_document->apply(setX(1, 0, 0.7), QStringLiteral("Set X")));
    QVERIFY(m_document->generation() > before);
    QCOMPARE(m_document->experiment()->matrix(Stage::X).at(1, 0), 0.7);
    const Generation edited = m_document->generation();
    m_document->undoStack()->undo();
    QVERIFY(m_document->generation() > edited);
    QVERIFY(sameContent(*m_document->experiment(), *start));
    m_document->undoStack()->redo();
    QCOMPARE(m_document->experiment()->matrix(Stage::X).at(1, 0), 0.7);
}

void TestDocument::refusedEditChangesNothing()
{
    const ExperimentPtr start = m_document->experiment();
    const Generation before = m_document->generation();
    const auto refused = m_document->apply(setX(9, 0, 1.0), QStringLiteral("Set X"));
    QVERIFY(!refused);
    QVERIFY(!refused.error().message.empty());
    QCOMPARE(m_document->experiment(), start);
    QVERIFY(m_document->generation() == before);
    QCOMPARE(m_document->undoStack()->count(), 0);
}

void TestDocument::sameContentIsNoStep()
{
    QVERIFY(m_document->apply(setX(0, 0, 0.25), QStringLiteral("Set X")));
    QCOMPARE(m_document->undoStack()->count(), 0);
    QVERIFY(!m_document->isModified());
}

void TestDocument::gesturesMergeAndDoNotMergeWithEachOther()
{
    const int first = m_document->newGesture();
    for (const double value : {0.3, 0.4, 0.5})
        QVERIFY(m_document->apply(setX(0, 0, value), QStringLiteral("Scrub X"), first));
    QCOMPARE(m_document->undoStack()->count(), 1);
    QVERIFY(m_document->apply(setX(0, 0, 0.6), QStringLiteral("Scrub X"), m_document->newGesture()));
    QCOMPARE(m_document->undoStack()->count(), 2);
    m_document->undoStack()->undo();
    QCOMPARE(m_document->experiment()->matrix(Stage::X).at(0, 0), 0.5);
    m_document->undoStack()->undo();
    QCOMPARE(m_document->experiment()->matrix(Stage::X).at(0, 0), 0.25);
}

void TestDocument::gestureBackAtItsStartLeavesNoStep()
{
    const int gesture = m_document->newGesture();
    QVERIFY(m_document->apply(setX(0, 0, 0.3), QStringLiteral("Scrub X"), gesture));
    QVERIFY(m_document->apply(setX(0, 0, 0.25), QStringLiteral("Scrub X"), gesture));
    QCOMPARE(m_document->undoStack()->count(), 0);
    QVERIFY(!m_document->isModified());
}

void TestDocument::undoToTheSavedStateIsUnmodified()
{
    QVERIFY(m_document->apply(setX(0, 0, 0.3), QStringLiteral("Set X")));
    m_document->setSaved(QStringLiteral("/nowhere/a.attn"));
    QVERIFY(!m_document->isModified());
    QCOMPARE(m_document->title(), QStringLiteral("a.attn"));
    QSignalSpy spy(m_document.get(), &Document::titleChanged);
    QVERIFY(m_document->apply(setX(0, 0, 0.4), QStringLiteral("Set X")));
    QVERIFY(m_document->isModified());
    QCOMPARE(spy.count(), 1);
    m_document->undoStack()->undo();
    QVERIFY(!m_document->isModified());
    QCOMPARE(spy.count(), 2);
}

/// What was edited in another view than in its own matrix is shown there again when it is undone.
void TestDocument::changeSaysWhereItWasSeen()
{
    std::vector<DocumentChange> changes;
    connect(m_document.get(), &Document::changed, this,
            [&](const DocumentChange &change) { changes.push_back(change); });
    QVERIFY(
        m_document->apply(setX(2, 1, 0.9), QStringLiteral("Paint"), 0, StageCell{Stage::Allowed, {0, 1, 2}}));
    m_document->undoStack()->undo();
    m_document->undoStack()->redo();
    QCOMPARE(changes.size(), std::size_t(3));
    for (const DocumentChange &change : changes) {
        QVERIFY(change.place && change.place->stage == Stage::Allowed);
        QCOMPARE(change.place->cell, (CellIndex{0, 1, 2}));
    }
}

void TestDocument::changeSaysWhereAndWhat()
{
    DocumentChange last;
    connect(m_document.get(), &Document::changed, this, [&](const DocumentChange &change) { last = change; });
    QVERIFY(m_document->apply(setX(2, 1, 0.9), QStringLiteral("Set X[GPU, f2]")));
    QCOMPARE(last.cause, DocumentChange::Cause::Edited);
    QCOMPARE(last.text, QStringLiteral("Set X[GPU, f2]"));
    QVERIFY(last.place && last.place->stage == Stage::X);
    QCOMPARE(last.place->cell.row, Index(2));
    QVERIFY(!last.structureChanged);
    QVERIFY(!last.tokensChanged);
    QVERIFY(
        m_document->apply(InsertToken{TokenSide::Query, 1, "really", {}}, QStringLiteral("Insert token")));
    QVERIFY(last.structureChanged);
    QVERIFY(last.tokensChanged);
    m_document->undoStack()->undo();
    QCOMPARE(last.cause, DocumentChange::Cause::Undone);
    QVERIFY(last.structureChanged);
    disconnect(m_document.get(), nullptr, this, nullptr);
}

void TestDocument::loadClearsTheHistory()
{
    QVERIFY(m_document->apply(setX(0, 0, 0.3), QStringLiteral("Set X")));
    const Generation before = m_document->generation();
    m_document->load(smallExperiment(), {}, {}, {});
    QVERIFY(m_document->generation() > before);
    QVERIFY(!m_document->undoStack()->canUndo());
    QVERIFY(!m_document->isModified());
    QCOMPARE(m_document->differences().total, Index(0));
}

void TestDocument::restoredDocumentIsModifiedUntilSaved()
{
    m_document->setModifiedFromStart();
    QVERIFY(m_document->isModified());
    m_document->setSaved(QStringLiteral("/nowhere/b.attn"));
    QVERIFY(!m_document->isModified());
}

QTEST_GUILESS_MAIN(TestDocument)
#include "tst_Document.moc"
