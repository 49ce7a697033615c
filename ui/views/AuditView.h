#pragma once

#include "document/AuditModel.h"
#include "views/ListPane.h"

namespace attn {

class Workbench;

/// The printed numbers of a document that is kept as its source prints it, beside what their own inputs give;
/// adopts computed numbers.
class AuditView : public ListPane
{
    Q_OBJECT

public:
    explicit AuditView(Workbench *workbench, QWidget *parent = nullptr);

    /// Leaves the selected printed numbers out, as one step.
    void adoptSelected();
    /// The same for every differing number of the stages of the selected entries.
    void adoptStages();

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    AuditView(Workbench *workbench, AuditModel *model, QWidget *parent);
    void refreshAudit();
    /// All columns stay in sight beside a fact of many numbers or a whole sentence; its tip has the rest.
    void layOutColumns();
    void adopt(const std::vector<int> &rows);

    Workbench *m_workbench;
    AuditModel *m_model;
};

} // namespace attn
