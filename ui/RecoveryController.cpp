#include "RecoveryController.h"

#include "FileController.h"
#include "MessageBoxWidth.h"
#include "Workbench.h"
#include "dialogs/RestoreDialog.h"

#include <QDir>
#include <QMessageBox>

namespace attn {

RecoveryController::RecoveryController(Workbench *workbench, FileController *files, QWidget *window)
    : QObject(window)
    , m_workbench(workbench)
    , m_files(files)
    , m_window(window)
    , m_autosave(*workbench->document(), folder())
{
    connect(&m_autosave, &Autosave::failed, workbench,
            [workbench](const QString &message) { workbench->say(message, MessageLife::Standing); });
}

QString RecoveryController::folder()
{
    QString state = qEnvironmentVariable("XDG_STATE_HOME");
    if (state.isEmpty())
        state = QDir::homePath() + QStringLiteral("/.local/state");
    return QString(state + QStringLiteral("/attnscope/autosave"));
}

void RecoveryController::offer(bool saysWhenNone)
{
    const std::vector<RecoverableWork> found = recoverableWork(folder());
    if (found.empty()) {
        if (saysWhenNone)
            m_workbench->say(tr("There is no unsaved work to restore."));
        return;
    }
    auto *dialog = new RestoreDialog(found, m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &RestoreDialog::discardWanted, this, &discardWork);
    connect(dialog, &RestoreDialog::restoreWanted, this,
            [this](const RecoverableWork &work) { m_files->afterAsking([this, work] { restore(work); }); });
    dialog->open();
}

void RecoveryController::restore(const RecoverableWork &work)
{
    const Result<QString> rest = restoreWork(work, *m_workbench->document());
    if (!rest.ok()) {
        auto *box = new QMessageBox(QMessageBox::Warning, tr("Restore unsaved work"),
                                    tr("The work could not be restored."), QMessageBox::Ok, m_window);
        box->setInformativeText(QString::fromStdString(rest.error().message));
        widenMessageBox(box);
        box->setAttribute(Qt::WA_DeleteOnClose);
        box->open();
        return;
    }
    // The new autosave protects the restored work from now on.
    discardWork(work);
    QStringList notes;
    if (!rest->isEmpty())
        notes.append(*rest);
    if (const auto left = recoverableWork(folder()).size(); left > 0)
        notes.append(tr("%n more can be restored by “Restore lost work” in the File menu.", nullptr,
                        static_cast<int>(left)));
    if (!notes.isEmpty())
        m_workbench->sayUntilChange(notes.join(u' '));
}

} // namespace attn
