#pragma once

#include "document/DifferenceModel.h"
#include "views/ListPane.h"

#include <QTimer>

namespace attn {

class Workbench;

/// What differs from the file as opened, with revert for single entries and whole stages.
class DifferencesView : public ListPane
{
    Q_OBJECT

public:
    explicit DifferencesView(Workbench *workbench, QWidget *parent = nullptr);

    /// Puts the selected entries back, as one step.
    void revertSelected();
    /// Puts back everything in the stages of the selected entries.
    void revertStages();

protected:
    void showEvent(QShowEvent *event) override;

private:
    DifferencesView(Workbench *workbench, DifferenceModel *model, QWidget *parent);
    void schedule();
    void refreshNow();

    Workbench *m_workbench;
    DifferenceModel *m_model;
    QTimer m_timer;
};

} // namespace attn
