#pragma once

#include <QWidget>

class QAbstractItemModel;
class QAction;
class QBoxLayout;
class QHBoxLayout;
class QLabel;
class QScrollArea;
class QTreeView;

namespace attn {

/// A list with columns, a note and a row of buttons beside it, or below it in a narrow pane; a sentence
/// instead while the list is empty.
class ListPane : public QWidget
{
    Q_OBJECT

public:
    ListPane(QAbstractItemModel *model, const QString &name, const QString &emptyText,
             QWidget *parent = nullptr);

    QTreeView *list() { return m_list; }
    /// A button of the pane, and the action of a menu: its short text stands on the button.
    QAction *addButton(const QString &id, const QString &shortText, const QString &menuText);
    /// Rows of the model that are selected, ascending.
    QList<int> selectedRows() const;
    void setNote(const QString &note);
    /// What stands here while the list is empty.
    void setEmptyText(const QString &text);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void refresh();
    void arrange();

    QAbstractItemModel *m_model;
    QTreeView *m_list;
    QLabel *m_note;
    QScrollArea *m_noteArea;
    QWidget *m_side; ///< the note and the buttons
    QHBoxLayout *m_buttons;
    QBoxLayout *m_layout;
    QString m_emptyText;
    QString m_noteText;
};

} // namespace attn
