#include "RecoveryController.h"
#include "WindowFixture.h"
#include "dialogs/RestoreDialog.h"

#include <QDir>
#include <QFile>
#include <QListWidget>
#include <QPushButton>
#include <QTemporaryDir>

using namespace attn;

/// Lost work of several killed runs, through the window.
class TestRecoveryController : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void everyLostWorkIsOffered();
    void unsavedWorkIsAskedFor();
    void nothingLostIsSaid();

private:
    void loseWork(const QString &title, double value);
    static void press(RestoreDialog *dialog, const QString &text);

    std::unique_ptr<QTemporaryDir> m_state;
};

void TestRecoveryController::init()
{
    m_state = std::make_unique<QTemporaryDir>();
    qputenv("XDG_STATE_HOME", m_state->path().toUtf8());
    QDir().mkpath(RecoveryController::folder());
}

void TestRecoveryController::cleanup()
{
    m_state.reset();
}

/// What a run leaves that was killed after X[0, 0] had been set.
void TestRecoveryController::loseWork(const QString &title, double value)
{
    const QTemporaryDir running;
    Document document;
    Experiment experiment;
    experiment.tokens = TokenList({"a", "b"});
    experiment.given[Stage::X] = Tensor::fromDoubles({1, 2, 2}, std::vector<double>{1.0, 2.0, 3.0, 4.0});
    document.load(std::make_shared<const Experiment>(experiment), {}, {}, title);
    Autosave autosave(document, running.path());
    QVERIFY(document.apply(SetCells{Stage::X, {{{0, 0, 0}, value}}}, QStringLiteral("Set X")).ok());
    autosave.waitForBase();
    const QDir from(running.path());
    for (const QString &file : from.entryList(QDir::Files))
        if (!file.endsWith(QLatin1String(".lock")))
            QVERIFY(QFile::copy(from.filePath(file), QDir(RecoveryController::folder()).filePath(file)));
}

void TestRecoveryController::press(RestoreDialog *dialog, const QString &text)
{
    for (QPushButton *button : dialog->findChildren<QPushButton *>())
        if (button->text() == text)
            button->click();
}

void TestRecoveryController::everyLostWorkIsOffered()
{
    for (const double value : {10.0, 20.0, 30.0})
        loseWork(QStringLiteral("work %1").arg(value), value);
    WindowFixture fixture;
    RecoveryController recovery(fixture.bench(), fixture.window.files(), &fixture.window);
    recovery.offer();
    auto *dialog = fixture.window.findChild<RestoreDialog *>();
    QVERIFY(dialog);
    auto *list = dialog->findChild<QListWidget *>();
    QCOMPARE(list->count(), 3);
    const auto rowOf = [list](const QString &title) {
        for (int row = 0; row < list->count(); ++row)
            if (list->item(row)->text().startsWith(title))
                return row;
        return -1;
    };
    list->setCurrentRow(rowOf(QStringLiteral("work 10")));
    press(dialog, QStringLiteral("&Discard"));
    QCOMPARE(list->count(), 2); // and the dialog stays
    list->setCurrentRow(rowOf(QStringLiteral("work 20")));
    press(dialog, QStringLiteral("&Restore"));
    QCOMPARE(fixture.bench()->experiment().matrix(Stage::X).at(0, 0), 20.0);
    QVERIFY(fixture.window.isWindowModified());
    QVERIFY(fixture.window.messageBar()->isVisible()); // one more can be restored
    const auto left = recoverableWork(RecoveryController::folder());
    QCOMPARE(left.size(), std::size_t(1));
    QCOMPARE(left.front().title, QStringLiteral("work 30"));
}

void TestRecoveryController::unsavedWorkIsAskedFor()
{
    loseWork(QStringLiteral("lost"), 7.0);
    WindowFixture fixture;
    RecoveryController recovery(fixture.bench(), fixture.window.files(), &fixture.window);
    QVERIFY(fixture.window.edits()->setCells(Stage::X, {{{0, 0, 0}, 5.0}}));
    recovery.offer();
    press(fixture.window.findChild<RestoreDialog *>(), QStringLiteral("&Restore"));
    QCOMPARE(fixture.bench()->experiment().matrix(Stage::X).at(0, 0), 5.0); // a question comes first
    QCOMPARE(recoverableWork(RecoveryController::folder()).size(), std::size_t(1));
}

void TestRecoveryController::nothingLostIsSaid()
{
    WindowFixture fixture;
    RecoveryController recovery(fixture.bench(), fixture.window.files(), &fixture.window);
    recovery.offer();
    QVERIFY(!fixture.window.messageBar()->isVisible()); // at the start: no word
    recovery.offer(true);
    QVERIFY(fixture.window.messageBar()->isVisible());
    QVERIFY(!fixture.window.findChild<RestoreDialog *>());
}

QTEST_MAIN(TestRecoveryController)
#include "tst_RecoveryController.moc"
