#pragma once

#include "widgets/CellEditor.h"
#include "widgets/GridMove.h"
#include "widgets/MatrixItemDelegate.h"

#include <QTableView>

namespace attn {

/// A matrix as a spreadsheet, with the keys that spreadsheet users have in their fingers. Works on any table
/// model whose Qt::EditRole is the full text of a number.
///
/// Return goes down, to the column where tabbing began; Tab goes right without opening an editor; both stay
/// inside a selected block. Ctrl+arrows go to the edge; Ctrl+Tab and F6 leave.
class MatrixTableView : public QTableView
{
    Q_OBJECT

public:
    explicit MatrixTableView(QWidget *parent = nullptr);

    void setValueCheck(MatrixItemDelegate::Check check) { m_delegate->setCheck(std::move(check)); }

    /// Selects a block without blockSelected(): for the selection that all views share. current: a cell of
    /// the block; left out: the cell, or the one that is current in the same block.
    void selectBlock(const QModelIndex &anchor, const QModelIndex &cell, const QModelIndex &current = {});
    /// The corner opposite to the current cell.
    QModelIndex anchor() const;

    void setModel(QAbstractItemModel *model) override;
    void reset() override;

    bool isEditingCell() const { return openEditor() != nullptr; }
    void keyboardSearch(const QString &) override {} // a digit must not jump to a cell

public slots:
    /// Why the model refused the text of the open editor: shown there, or at the current cell.
    void showRefusal(const QString &reason);

signals:
    /// The user selected cells, by keys or mouse.
    void blockSelected(const QModelIndex &anchor, const QModelIndex &cell);
    /// Return or Tab went to another cell of the selected block.
    void cellWalked(const QModelIndex &cell);
    /// Ctrl+Return with several cells selected.
    void selectionFilled(double value);
    void deleteRequested();
    void copyRequested();
    void cutRequested();
    void pasteRequested();
    /// Typing or deleting where nothing can be edited.
    void readOnlyHit(const QModelIndex &index);

protected:
    using QTableView::edit;
    bool edit(const QModelIndex &index, EditTrigger trigger, QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void currentChanged(const QModelIndex &current, const QModelIndex &previous) override;
    void selectionChanged(const QItemSelection &selected, const QItemSelection &deselected) override;

private:
    /// As wide as the row labels now need: the header itself looks at them again only when their number
    /// changes.
    void fitHeaders();
    bool leaveByKey(const QKeyEvent &event);
    bool editByKey(const QKeyEvent &event);
    bool moveByKey(const QKeyEvent &event);
    void moveTo(GridPosition cell, bool extend);
    /// A step of Return or Tab: inside the block, or through the table.
    void step(GridMove move);
    void stepInBlock(GridMove move, const QItemSelectionRange &block);
    QItemSelectionRange selectedRange() const;
    CellEditor *openEditor() const { return state() == EditingState ? m_delegate->editor() : nullptr; }
    bool refuseReadOnly();

    void onCommitRequested(CellEditor *editor, CellEditor::Leave leave);

    MatrixItemDelegate *m_delegate;
    QString m_refusal;
    int m_tabColumn = -1; ///< where tabbing began; -1: not tabbing
    bool m_isStepping = false;
    bool m_isSelecting = false;
};

} // namespace attn
