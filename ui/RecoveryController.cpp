#include "RecoveryController.h"

#include "Workbench.h"

#include <QDir>
#include <QLocale>
#include <QMessageBox>
#include <QPushButton>

namespace attn {

RecoveryController::RecoveryController(Workbench *workbench, QWidget *window)
    : QObject(window)
    , m_workbench(workbench)
    , m_window(window)
    , m_autosave(*workbench->document(), folder())
{
    connect(&m_autosave, &Autosave::failed, workbench, &Workbench::messageRaised);
}

QString RecoveryController::folder()
{
    QString state = qEnvironmentVariable("XDG_STATE_HOME");
    if (state.isEmpty())
        state = QDir::homePath() + QStringLiteral("/.local/state");
    return QString(state + QStringLiteral("/attnscope/autosave"));
}

void RecoveryController::offer()
{
    const std::vector<RecoverableWork> found = recoverableWork(folder());
    if (found.empty())
        return;
    const RecoverableWork work = found.front();
    const QString title = work.title.isEmpty() ? tr("an untitled document") : work.title;
    auto *box = new QMessageBox(QMessageBox::Question, tr("Restore unsaved work"),
                                tr("The program ended before the changes to %1 of %2 were saved.")
                                    .arg(title, QLocale().toString(work.when, QLocale::ShortFormat)),
                                QMessageBox::NoButton, m_window);
    const QPushButton *restoreButton = box->addButton(tr("&Restore"), QMessageBox::AcceptRole);
    const QPushButton *discardButton = box->addButton(tr("&Discard"), QMessageBox::DestructiveRole);
    box->addButton(tr("Ask &later"), QMessageBox::RejectRole);
    connect(box, &QMessageBox::finished, this, [this, box, work, restoreButton, discardButton] {
        if (box->clickedButton() == restoreButton)
            restore(work);
        else if (box->clickedButton() == discardButton)
            discardWork(work);
    });
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->open();
}

void RecoveryController::restore(const RecoverableWork &work)
{
    const Result<QString> rest = restoreWork(work, *m_workbench->document());
    if (!rest.ok()) {
        auto *box = new QMessageBox(QMessageBox::Warning, tr("Restore unsaved work"),
                                    tr("The work could not be restored."), QMessageBox::Ok, m_window);
        box->setInformativeText(QString::fromStdString(rest.error().message));
        box->setAttribute(Qt::WA_DeleteOnClose);
        box->open();
        return;
    }
    // The new autosave protects the restored work from now on.
    discardWork(work);
    if (!rest->isEmpty())
        m_workbench->say(*rest);
}

} // namespace attn
