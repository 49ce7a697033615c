#include "views/ListPane.h"

#include <QHeaderView>
#include <QLabel>
#include <QToolBar>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>

namespace attn {

ListPane::ListPane(QAbstractItemModel *model, const QString &name, const QString &emptyText, QWidget *parent)
    : QWidget(parent)
    , m_model(model)
    , m_list(new QTreeView(this))
    , m_note(new QLabel(this))
    , m_buttons(new QToolBar(this))
    , m_emptyText(emptyText)
{
    m_list->setModel(model);
    m_list->setAccessibleName(name);
    m_list->setRootIsDecorated(false);
    m_list->setUniformRowHeights(true);
    m_list->setAlternatingRowColors(false);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_list->setTabKeyNavigation(false);
    m_list->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_list->header()->setStretchLastSection(true);
    m_note->setWordWrap(true);
    m_note->setTextFormat(Qt::PlainText);
    m_note->setContentsMargins(8, 8, 8, 8);
    m_note->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_buttons->setToolButtonStyle(Qt::ToolButtonTextOnly);
    m_buttons->hide();

    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_list, 1);
    layout->addWidget(m_note, 0);
    layout->addWidget(m_buttons);
    connect(model, &QAbstractItemModel::modelReset, this, &ListPane::refresh);
    connect(model, &QAbstractItemModel::rowsInserted, this, &ListPane::refresh);
    connect(model, &QAbstractItemModel::rowsRemoved, this, &ListPane::refresh);
    refresh();
}

QAction *ListPane::addButton(const QString &id, const QString &shortText, const QString &menuText)
{
    QAction *action = m_buttons->addAction(menuText);
    action->setObjectName(id);
    action->setIconText(shortText);
    return action;
}

QList<int> ListPane::selectedRows() const
{
    QList<int> rows;
    for (const QModelIndex &index : m_list->selectionModel()->selectedRows())
        rows.append(index.row());
    std::sort(rows.begin(), rows.end());
    return rows;
}

void ListPane::setNote(const QString &note)
{
    m_noteText = note;
    refresh();
}

void ListPane::setEmptyText(const QString &text)
{
    m_emptyText = text;
    refresh();
}

void ListPane::refresh()
{
    const bool isEmpty = m_model->rowCount() == 0;
    m_list->setVisible(!isEmpty);
    m_note->setText(isEmpty ? m_emptyText : m_noteText);
    m_note->setVisible(!m_note->text().isEmpty());
    m_note->setSizePolicy(QSizePolicy::Preferred, isEmpty ? QSizePolicy::Expanding : QSizePolicy::Preferred);
    m_buttons->setVisible(!isEmpty && !m_buttons->actions().isEmpty());
}

} // namespace attn
