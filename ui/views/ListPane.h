#pragma once

#include <QWidget>

class QAbstractItemModel;
class QLabel;
class QToolBar;
class QTreeView;

namespace attn {

/// A list with columns and a row of buttons below it; a sentence instead while the list is empty.
class ListPane : public QWidget
{
    Q_OBJECT

public:
    ListPane(QAbstractItemModel *model, const QString &name, const QString &emptyText,
             QWidget *parent = nullptr);

    QTreeView *list() { return m_list; }
    QToolBar *buttons() { return m_buttons; }
    /// Rows of the model that are selected, ascending.
    QList<int> selectedRows() const;
    void setNote(const QString &note);

private:
    void refresh();

    QAbstractItemModel *m_model;
    QTreeView *m_list;
    QLabel *m_note;
    QToolBar *m_buttons;
    QString m_emptyText;
    QString m_noteText;
};

} // namespace attn
