#pragma once

#include "document/Autosave.h"
#include "document/Recovery.h"

#include <QObject>

class QWidget;

namespace attn {

class Workbench;

/// Protects unsaved work in the user's state folder, and offers at the start what a killed run left there.
class RecoveryController : public QObject
{
    Q_OBJECT

public:
    RecoveryController(Workbench *workbench, QWidget *window);

    /// Asks once whether to restore the newest work, if there is any.
    void offer();

    /// $XDG_STATE_HOME/attnscope/autosave
    static QString folder();

private:
    void restore(const RecoverableWork &work);

    Workbench *m_workbench;
    QWidget *m_window;
    Autosave m_autosave;
};

} // namespace attn
