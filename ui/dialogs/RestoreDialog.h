#pragma once

#include "document/Recovery.h"

#include <QDialog>

class QListWidget;
class QPushButton;

namespace attn {

/// Lists the work that killed runs left behind, newest first, to be restored or discarded one by one. It does
/// neither itself.
class RestoreDialog : public QDialog
{
    Q_OBJECT

public:
    explicit RestoreDialog(const std::vector<RecoverableWork> &works, QWidget *parent = nullptr);

signals:
    /// The dialog closes: a window holds one document.
    void restoreWanted(const attn::RecoverableWork &work);
    /// The dialog stays while there is more.
    void discardWanted(const attn::RecoverableWork &work);

private:
    void restoreSelected();
    void discardSelected();

    std::vector<RecoverableWork> m_works; ///< as listed
    QListWidget *m_list;
};

} // namespace attn
