#include "widgets/MatrixTableView.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QScopedValueRollback>
#include <QToolTip>

#include <algorithm>

namespace attn {

namespace {

bool opensByTyping(const QEvent *event)
{
    if (!event || event->type() != QEvent::KeyPress)
        return false;
    const QString text = static_cast<const QKeyEvent *>(event)->text();
    return !text.isEmpty() && text.at(0).isPrint() && !text.at(0).isSpace();
}

} // namespace

MatrixTableView::MatrixTableView(QWidget *parent)
    : QTableView(parent)
    , m_delegate(new MatrixItemDelegate(this))
{
    setItemDelegate(m_delegate);
    setSelectionMode(QAbstractItemView::ContiguousSelection);
    setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed |
                    QAbstractItemView::AnyKeyPressed);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setWordWrap(false);
    connect(m_delegate, &MatrixItemDelegate::commitRequested, this, &MatrixTableView::onCommitRequested);
    connect(m_delegate, &MatrixItemDelegate::dropRequested, this,
            [this](CellEditor *editor) { closeEditor(editor, QAbstractItemDelegate::NoHint); });
}

void MatrixTableView::setModel(QAbstractItemModel *newModel)
{
    if (model())
        disconnect(model(), &QAbstractItemModel::headerDataChanged, this, &MatrixTableView::fitHeaders);
    QTableView::setModel(newModel);
    if (newModel) // after the headers, which listen too
        connect(newModel, &QAbstractItemModel::headerDataChanged, this, &MatrixTableView::fitHeaders);
}

void MatrixTableView::reset()
{
    QTableView::reset();
    fitHeaders();
}

void MatrixTableView::fitHeaders()
{
    for (QHeaderView *header : {horizontalHeader(), verticalHeader()})
        if (header->count() > 0)
            header->headerDataChanged(header->orientation(), 0, header->count() - 1);
    updateGeometries();
}

QItemSelectionRange MatrixTableView::selectedRange() const
{
    const QItemSelection selection = selectionModel() ? selectionModel()->selection() : QItemSelection();
    if (selection.isEmpty())
        return QItemSelectionRange(currentIndex());
    int top = selection.first().top();
    int left = selection.first().left();
    int bottom = selection.first().bottom();
    int right = selection.first().right();
    for (const QItemSelectionRange &range : selection) {
        top = std::min(top, range.top());
        left = std::min(left, range.left());
        bottom = std::max(bottom, range.bottom());
        right = std::max(right, range.right());
    }
    return {model()->index(top, left), model()->index(bottom, right)};
}

QModelIndex MatrixTableView::anchor() const
{
    const QModelIndex current = currentIndex();
    if (!current.isValid())
        return {};
    const QItemSelectionRange range = selectedRange();
    const auto opposite = [](int at, int low, int high) {
        return at == low ? high : (at == high ? low : -1);
    };
    const int row = opposite(current.row(), range.top(), range.bottom());
    const int column = opposite(current.column(), range.left(), range.right());
    return row < 0 || column < 0 ? current : model()->index(row, column);
}

void MatrixTableView::selectBlock(const QModelIndex &anchor, const QModelIndex &cell,
                                  const QModelIndex &current)
{
    if (!cell.isValid())
        return;
    const QModelIndex from = anchor.isValid() ? anchor : cell;
    const QModelIndex topLeft = cell.siblingAtRow(std::min(from.row(), cell.row()))
                                    .siblingAtColumn(std::min(from.column(), cell.column()));
    const QModelIndex bottomRight = cell.siblingAtRow(std::max(from.row(), cell.row()))
                                        .siblingAtColumn(std::max(from.column(), cell.column()));
    const QItemSelectionRange block(topLeft, bottomRight);
    const bool isSame = selectedRange() == block && selectionModel()->isSelected(currentIndex());
    const QModelIndex wanted = current.isValid() ? current : isSame ? currentIndex() : cell;
    if (isSame && currentIndex() == wanted)
        return;
    const QScopedValueRollback guard(m_isSelecting, true);
    selectionModel()->setCurrentIndex(wanted, QItemSelectionModel::NoUpdate);
    if (!isSame)
        selectionModel()->select(QItemSelection(topLeft, bottomRight), QItemSelectionModel::ClearAndSelect);
    scrollTo(wanted);
}

void MatrixTableView::showRefusal(const QString &reason)
{
    m_refusal = reason;
    if (CellEditor *editor = openEditor())
        editor->showProblem(reason);
    else
        QToolTip::showText(viewport()->mapToGlobal(visualRect(currentIndex()).bottomLeft()), reason,
                           viewport());
}

bool MatrixTableView::refuseReadOnly()
{
    const QModelIndex current = currentIndex();
    if (!current.isValid() || (model()->flags(current) & Qt::ItemIsEditable))
        return false;
    emit readOnlyHit(current);
    return true;
}

bool MatrixTableView::edit(const QModelIndex &index, EditTrigger trigger, QEvent *event)
{
    const bool byUser = trigger & (DoubleClicked | EditKeyPressed | AnyKeyPressed);
    if (trigger == AnyKeyPressed && !opensByTyping(event))
        return false;
    if (byUser && index.isValid() && !(model()->flags(index) & Qt::ItemIsEditable)) {
        emit readOnlyHit(index);
        return false;
    }
    m_delegate->setNextOpening(trigger == AnyKeyPressed ? CellEditor::Opening::Typing
                                                        : CellEditor::Opening::Editing);
    if (!QTableView::edit(index, trigger, event))
        return false;
    if (CellEditor *editor = openEditor(); editor && trigger != AnyKeyPressed) {
        editor->deselect();
        editor->end(false);
    }
    return true;
}

bool MatrixTableView::leaveByKey(const QKeyEvent &event)
{
    const bool tab = event.key() == Qt::Key_Tab || event.key() == Qt::Key_Backtab;
    if (!(tab && (event.modifiers() & Qt::ControlModifier)) && event.key() != Qt::Key_F6)
        return false;
    const bool back = event.key() == Qt::Key_Backtab || (event.modifiers() & Qt::ShiftModifier);
    if (CellEditor *editor = openEditor()) {
        editor->tryCommit(CellEditor::Leave::Stay);
        if (openEditor()) // refused: the old value stays
            closeEditor(editor, QAbstractItemDelegate::NoHint);
    }
    QWidget::focusNextPrevChild(!back); // the view's own keeps Tab inside
    return true;
}

bool MatrixTableView::editByKey(const QKeyEvent &event)
{
    if (event.matches(QKeySequence::Copy)) {
        emit copyRequested();
        return true;
    }
    const bool cut = event.matches(QKeySequence::Cut);
    const bool paste = event.matches(QKeySequence::Paste);
    if (!cut && !paste && event.key() != Qt::Key_Delete && event.key() != Qt::Key_Backspace)
        return false;
    if (refuseReadOnly())
        return true;
    if (cut)
        emit cutRequested();
    else if (paste)
        emit pasteRequested();
    else
        emit deleteRequested();
    return true;
}

bool MatrixTableView::moveByKey(const QKeyEvent &event)
{
    const GridMove move = gridMoveOfKey(event.key(), event.modifiers());
    if (move == GridMove::None)
        return false;
    if (!currentIndex().isValid()) {
        moveTo({0, 0}, false);
        return true;
    }
    if (!shiftExtends(event.key())) {
        step(move);
        return true;
    }
    const int rowHeight = std::max(1, verticalHeader()->defaultSectionSize());
    const GridPosition from{currentIndex().row(), currentIndex().column()};
    moveTo(movedInGrid(from, move, model()->rowCount(), model()->columnCount(),
                       viewport()->height() / rowHeight - 1),
           event.modifiers() & Qt::ShiftModifier);
    return true;
}

void MatrixTableView::keyPressEvent(QKeyEvent *event)
{
    event->accept();
    if (!model() || model()->rowCount() == 0 || model()->columnCount() == 0) {
        QTableView::keyPressEvent(event);
        return;
    }
    if (leaveByKey(*event) || isEditingCell() || editByKey(*event) || moveByKey(*event))
        return;
    QTableView::keyPressEvent(event);
}

void MatrixTableView::mousePressEvent(QMouseEvent *event)
{
    const QModelIndex index = indexAt(event->position().toPoint());
    // Qt would extend from the cell that was clicked last, not from where the shared selection stands.
    if (event->button() == Qt::LeftButton && (event->modifiers() & Qt::ShiftModifier) && index.isValid() &&
        currentIndex().isValid()) {
        moveTo({index.row(), index.column()}, true);
        event->accept();
        return;
    }
    const bool insideBlock = index.isValid() && selectionModel()->isSelected(index);
    if (event->button() == Qt::RightButton && insideBlock)
        return; // a menu for the block, not for one cell of it
    QTableView::mousePressEvent(event);
}

void MatrixTableView::moveTo(GridPosition cell, bool extend)
{
    const QModelIndex target = model()->index(int(cell.row), int(cell.col));
    const QModelIndex from = extend ? anchor() : target;
    if (!target.isValid() || (target == currentIndex() && from == anchor()))
        return;
    selectBlock(from, target);
    emit blockSelected(from, target);
}

void MatrixTableView::step(GridMove move)
{
    const QItemSelectionRange block = selectedRange();
    if (block.width() * block.height() > 1) {
        stepInBlock(move, block);
        return;
    }
    const QScopedValueRollback guard(m_isStepping, true);
    const GridPosition from{currentIndex().row(), currentIndex().column()};
    GridPosition to = movedInGrid(from, move, model()->rowCount(), model()->columnCount(), 1);
    if (move == GridMove::Left || move == GridMove::Right) {
        if (m_tabColumn < 0)
            m_tabColumn = int(from.col);
    } else {
        if (m_tabColumn >= 0 && m_tabColumn < model()->columnCount())
            to.col = m_tabColumn;
        m_tabColumn = -1;
    }
    moveTo(to, false);
}

void MatrixTableView::stepInBlock(GridMove move, const QItemSelectionRange &block)
{
    const GridPosition to = steppedInBlock({currentIndex().row(), currentIndex().column()}, move,
                                           {block.top(), block.left()}, {block.bottom(), block.right()});
    const QModelIndex next = model()->index(int(to.row), int(to.col));
    selectionModel()->setCurrentIndex(next, QItemSelectionModel::NoUpdate);
    scrollTo(next);
    emit cellWalked(next);
}

void MatrixTableView::currentChanged(const QModelIndex &current, const QModelIndex &previous)
{
    QTableView::currentChanged(current, previous);
    if (!m_isStepping)
        m_tabColumn = -1;
}

void MatrixTableView::selectionChanged(const QItemSelection &selected, const QItemSelection &deselected)
{
    QTableView::selectionChanged(selected, deselected);
    if (!m_isSelecting && currentIndex().isValid())
        emit blockSelected(anchor(), currentIndex());
}

void MatrixTableView::onCommitRequested(CellEditor *editor, CellEditor::Leave leave)
{
    const QPointer<CellEditor> open(editor);
    const QItemSelectionRange block = selectedRange();
    const bool fills = leave == CellEditor::Leave::WholeSelection && block.width() * block.height() > 1;
    const std::optional<double> value = fills ? editor->number() : std::nullopt;
    if (!fills && editor->isChanged()) {
        m_refusal.clear();
        commitData(editor);
        if (!m_delegate->wasAccepted()) {
            if (open)
                editor->showProblem(m_refusal.isEmpty() ? tr("This number is refused here.") : m_refusal);
            return;
        }
    }
    if (open)
        closeEditor(editor, QAbstractItemDelegate::NoHint);
    if (value)
        emit selectionFilled(*value);
    if (const GridMove move = gridMoveOfLeave(leave); move != GridMove::None && currentIndex().isValid())
        step(move);
}

} // namespace attn
