#include "document/Autosave.h"
#include "document/Recovery.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace attn;

namespace {

ExperimentPtr twoTokens()
{
    Experiment experiment;
    experiment.tokens = TokenList({"a", "b"});
    experiment.given[Stage::X] = Tensor::filled({1, 2, 2}, 0.1);
    for (const Stage weight : {Stage::Wq, Stage::Wk, Stage::Wv})
        experiment.given[weight] = Tensor::filled({1, 2, 2}, 0.3);
    return std::make_shared<const Experiment>(std::move(experiment));
}

Edit setX(double value)
{
    return SetCells{Stage::X, {{{0, 1, 1}, value}}};
}

/// Copies an autosave folder as a kill would leave it: the files as they are now, nobody holding the lock.
QString killed(const AutosaveNames &names, const QTemporaryDir &target)
{
    const QDir from(names.folder);
    for (const QString &file : from.entryList(QDir::Files))
        if (!file.endsWith(QLatin1String(".lock")))
            QFile::copy(from.filePath(file), target.filePath(file));
    return target.path();
}

} // namespace

class TestAutosave : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void everyEditSurvivesAKill();
    void undoAndGesturesSurviveAKill();
    void undoBelowTheBaseSurvivesAKill();
    void cutJournalKeepsTheStepsBefore();
    void nothingIsOfferedWithoutUnsavedWork();
    void savedWorkIsNotOffered();
    void runningProgramsAreLeftAlone();
    void orderlyEndLeavesNoFiles();
    void unwritableFolderIsSaid();
    void journalsOfAnotherBaseAreLeftOut();
    void manyBasesHoldNobodyUp();

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<QTemporaryDir> m_after;
    std::unique_ptr<Document> m_document;
    std::unique_ptr<Autosave> m_autosave;

    /// Restores what a kill at this moment would leave.
    ExperimentPtr restored(int expectedSteps = -1);
};

void TestAutosave::init()
{
    m_autosave.reset();
    m_folder = std::make_unique<QTemporaryDir>();
    m_after = std::make_unique<QTemporaryDir>();
    m_document = std::make_unique<Document>();
    m_document->load(twoTokens(), {}, {}, QStringLiteral("two tokens"));
    m_autosave = std::make_unique<Autosave>(*m_document, m_folder->path());
    m_autosave->waitForBase();
}

ExperimentPtr TestAutosave::restored(int expectedSteps)
{
    m_autosave->waitForBase();
    const auto works = recoverableWork(killed(m_autosave->names(), *m_after));
    if (works.size() != 1)
        return nullptr;
    Document document;
    const auto problem = restoreWork(works.front(), document);
    if (!problem || !problem->isEmpty() || !document.isModified())
        return nullptr;
    if (expectedSteps >= 0 && document.undoStack()->index() != expectedSteps)
        return nullptr;
    return document.experiment();
}

void TestAutosave::everyEditSurvivesAKill()
{
    for (const double value : {0.1 + 0.2, 5e-324, -0.0})
        QVERIFY(m_document->apply(setX(value), QStringLiteral("Set X")));
    const ExperimentPtr back = restored(3);
    QVERIFY(back);
    QVERIFY(sameContent(*back, *m_document->experiment()));
}

void TestAutosave::undoAndGesturesSurviveAKill()
{
    const int gesture = m_document->newGesture();
    QVERIFY(m_document->apply(setX(1.0), QStringLiteral("Scrub"), gesture));
    QVERIFY(m_document->apply(setX(2.0), QStringLiteral("Scrub"), gesture));
    QVERIFY(m_document->apply(setX(3.0), QStringLiteral("Set X")));
    m_document->undoStack()->undo();
    const ExperimentPtr back = restored(1);
    QVERIFY(back);
    QCOMPARE(back->matrix(Stage::X).at(1, 1), 2.0);
}

void TestAutosave::undoBelowTheBaseSurvivesAKill()
{
    QVERIFY(m_document->apply(setX(1.0), QStringLiteral("Set X")));
    m_document->setSaved(m_folder->filePath(QStringLiteral("saved.attn")));
    m_document->undoStack()->undo();
    m_document->undoStack()->redo();
    m_document->undoStack()->undo();
    const ExperimentPtr back = restored();
    QVERIFY(back);
    QCOMPARE(back->matrix(Stage::X).at(1, 1), 0.1);
}

void TestAutosave::cutJournalKeepsTheStepsBefore()
{
    QVERIFY(m_document->apply(setX(1.0), QStringLiteral("Set X")));
    const QString path = m_autosave->names().journal(m_autosave->names().journalNumbers().back());
    const qint64 firstFrame = QFile(path).size();
    QVERIFY(m_document->apply(setX(2.0), QStringLiteral("Set X")));
    QFile journal(path);
    QVERIFY(journal.open(QIODevice::ReadOnly));
    const QByteArray whole = journal.readAll();
    for (qint64 size = firstFrame; size < whole.size(); ++size)
        QCOMPARE(readJournal(whole.left(size)).size(), std::size_t(1));
    QCOMPARE(readJournal(whole).size(), std::size_t(2));
}

void TestAutosave::nothingIsOfferedWithoutUnsavedWork()
{
    QVERIFY(recoverableWork(killed(m_autosave->names(), *m_after)).empty());
}

void TestAutosave::savedWorkIsNotOffered()
{
    QVERIFY(m_document->apply(setX(1.0), QStringLiteral("Set X")));
    m_document->setSaved(m_folder->filePath(QStringLiteral("saved.attn")));
    m_autosave->waitForBase();
    QVERIFY(recoverableWork(killed(m_autosave->names(), *m_after)).empty());
}

void TestAutosave::runningProgramsAreLeftAlone()
{
    QVERIFY(m_document->apply(setX(1.0), QStringLiteral("Set X")));
    QVERIFY(recoverableWork(m_folder->path()).empty());
    QVERIFY(!m_autosave->names().journalNumbers().empty());
}

void TestAutosave::orderlyEndLeavesNoFiles()
{
    QVERIFY(m_document->apply(setX(1.0), QStringLiteral("Set X")));
    m_autosave.reset();
    QVERIFY(QDir(m_folder->path()).entryList(QDir::Files).isEmpty());
}

void TestAutosave::unwritableFolderIsSaid()
{
    QString message;
    QFile plain(m_after->filePath(QStringLiteral("plain")));
    QVERIFY(plain.open(QIODevice::WriteOnly));
    Document document;
    Autosave autosave(document, m_after->filePath(QStringLiteral("plain/sub")));
    connect(&autosave, &Autosave::failed, this, [&](const QString &text) { message = text; });
    document.load(twoTokens(), {}, {}, {});
    autosave.waitForBase();
    QCoreApplication::processEvents();
    QVERIFY(!message.isEmpty());
}

void TestAutosave::journalsOfAnotherBaseAreLeftOut()
{
    QVERIFY(m_document->apply(setX(1.0), QStringLiteral("Set X")));
    const AutosaveNames names = m_autosave->names();
    const QString path = killed(names, *m_after);
    const AutosaveNames copy{path, names.id};
    const int last = copy.journalNumbers().back();
    for (const bool continues : {true, false}) {
        // As if the program had died before base last + 1 was complete.
        QFile journal(copy.journal(last + 1));
        QVERIFY(journal.open(QIODevice::WriteOnly));
        DocumentChange change;
        change.edit = std::make_shared<const Edit>(setX(2.0));
        journal.write(journalStartFrame(continues) + journalFrame(change));
        journal.close();
        const auto works = recoverableWork(path);
        QCOMPARE(works.size(), std::size_t(1));
        Document document;
        QVERIFY(restoreWork(works.front(), document));
        QCOMPARE(document.experiment()->matrix(Stage::X).at(1, 1), continues ? 2.0 : 1.0);
    }
}

void TestAutosave::manyBasesHoldNobodyUp()
{
    QVERIFY(m_document->apply(setX(1.0), QStringLiteral("Set X")));
    for (int i = 0; i < 50; ++i) {
        m_document->setSaved(m_folder->filePath(QStringLiteral("saved.attn")));
        QVERIFY(m_document->apply(setX(2.0 + i), QStringLiteral("Set X")));
        m_document->undoStack()->undo();
        m_document->undoStack()->undo();
        m_document->undoStack()->redo();
    }
    QVERIFY(m_document->apply(setX(-1.0), QStringLiteral("Set X")));
    const ExperimentPtr back = restored();
    QVERIFY(back);
    QVERIFY(sameContent(*back, *m_document->experiment()));
    QCOMPARE(m_autosave->names().baseNumbers().size(), std::size_t(1));
}

QTEST_GUILESS_MAIN(TestAutosave)
#include "tst_Autosave.moc"
