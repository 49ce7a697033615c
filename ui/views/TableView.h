#pragma once

#include "engine/Stage.h"

#include <QWidget>

class QLabel;
class QSpinBox;

namespace attn {

class EditController;
class MatrixTableView;
class StageTableModel;
class Workbench;

/// The selected stage as a spreadsheet; one head at a time. Shares the selection of all views.
class TableView : public QWidget
{
    Q_OBJECT

public:
    TableView(Workbench *workbench, EditController *edits, QWidget *parent = nullptr);

    StageTableModel *model() { return m_model; }

signals:
    void contextMenuWanted(const QPoint &globalPos);

private:
    void refresh();
    void showSelection();
    void applyTheme();

    Workbench *m_workbench;
    StageTableModel *m_model;
    MatrixTableView *m_table;
    QLabel *m_title;
    QLabel *m_reason;
    QSpinBox *m_head;
    bool m_following = false; ///< the head box shows the selection
    bool m_selecting = false; ///< the selection comes from the table itself
};

} // namespace attn
