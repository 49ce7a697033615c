#include "views/ListPane.h"

#include <QAction>
#include <QHeaderView>
#include <QLabel>
#include <QScrollArea>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>

namespace attn {

namespace {

constexpr int lowestList = 48;

} // namespace

ListPane::ListPane(QAbstractItemModel *model, const QString &name, const QString &emptyText, QWidget *parent)
    : QWidget(parent)
    , m_model(model)
    , m_list(new QTreeView(this))
    , m_note(new QLabel)
    , m_noteArea(new QScrollArea(this))
    , m_side(new QWidget(this))
    , m_buttons(new QHBoxLayout)
    , m_layout(new QBoxLayout(QBoxLayout::TopToBottom, this))
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
    // Low panes scroll: they must not make the window give them more.
    m_list->setMinimumHeight(lowestList);
    m_noteArea->setMinimumHeight(1);
    m_noteArea->setWidget(m_note);
    m_noteArea->setWidgetResizable(true);
    m_noteArea->setFrameShape(QFrame::NoFrame);
    m_noteArea->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_noteArea->setFocusPolicy(Qt::NoFocus);
    m_buttons->setContentsMargins(8, 4, 8, 4);
    m_buttons->addStretch(1);
    auto *sideLayout = new QVBoxLayout(m_side);
    sideLayout->setContentsMargins(0, 0, 0, 0);
    sideLayout->setSpacing(0);
    sideLayout->addWidget(m_noteArea, 1);
    sideLayout->addLayout(m_buttons);
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(0);
    m_layout->addWidget(m_list);
    m_layout->addWidget(m_side);
    connect(model, &QAbstractItemModel::modelReset, this, &ListPane::refresh);
    connect(model, &QAbstractItemModel::rowsInserted, this, &ListPane::refresh);
    connect(model, &QAbstractItemModel::rowsRemoved, this, &ListPane::refresh);
    refresh();
}

QAction *ListPane::addButton(const QString &id, const QString &shortText, const QString &menuText)
{
    auto *action = new QAction(menuText, this);
    action->setObjectName(id);
    action->setIconText(shortText);
    addAction(action);
    auto *button = new QToolButton(m_side);
    button->setToolButtonStyle(Qt::ToolButtonTextOnly);
    button->setDefaultAction(action);
    button->setFocusPolicy(Qt::StrongFocus);
    m_buttons->insertWidget(m_buttons->count() - 1, button);
    refresh();
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
    m_noteArea->setVisible(!m_note->text().isEmpty());
    for (int i = 0; i < m_buttons->count(); ++i)
        if (QWidget *button = m_buttons->itemAt(i)->widget())
            button->setVisible(!isEmpty);
    m_side->setVisible(m_noteArea->isVisibleTo(m_side) || (!isEmpty && m_buttons->count() > 1));
    arrange();
}

/// A wide pane is a low one: what stands below the list would leave it a few lines.
void ListPane::arrange()
{
    constexpr int narrowestWithSide = 560;
    const bool hasBoth = m_model->rowCount() > 0 && m_noteArea->isVisibleTo(m_side);
    const bool isBeside = hasBoth && width() >= narrowestWithSide;
    m_layout->setDirection(isBeside ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
    m_layout->setStretchFactor(m_list, isBeside ? 3 : 1);
    m_layout->setStretchFactor(m_side, isBeside ? 2 : m_model->rowCount() == 0 ? 1 : 0);
    const int lowest = m_note->heightForWidth(std::max(1, width()));
    m_noteArea->setMinimumHeight(hasBoth && !isBeside ? std::min(lowest, height() / 3) : 1);
}

void ListPane::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    arrange();
}

} // namespace attn
