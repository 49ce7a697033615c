#pragma once

#include <QWidget>

class QAbstractItemModel;
class QAction;
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
    /// A button below the list, and the action of a menu: its short text stands on the button.
    QAction *addButton(const QString &id, const QString &shortText, const QString &menuText);
    /// Rows of the model that are selected, ascending.
    QList<int> selectedRows() const;
    void setNote(const QString &note);
    /// What stands here while the list is empty.
    void setEmptyText(const QString &text);

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
