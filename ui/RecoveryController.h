#pragma once

#include "document/Autosave.h"
#include "document/Recovery.h"

#include <QObject>

class QWidget;

namespace attn {

class FileController;
class Workbench;

/// Protects unsaved work in the user's state folder, and offers at the start what a killed run left there.
class RecoveryController : public QObject
{
    Q_OBJECT

public:
    RecoveryController(Workbench *workbench, FileController *files, QWidget *window);

    /// Lists all lost work, if there is any, to be restored or discarded.
    void offer(bool saysWhenNone = false);

    /// $XDG_STATE_HOME/attnscope/autosave
    static QString folder();

private:
    void restore(const RecoverableWork &work);

    Workbench *m_workbench;
    FileController *m_files;
    QWidget *m_window;
    Autosave m_autosave;
};

} // namespace attn
