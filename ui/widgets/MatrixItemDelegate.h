#pragma once

#include "widgets/CellEditor.h"

#include <QPointer>
#include <QStyledItemDelegate>

#include <functional>

namespace attn {

/// Edits numbers of a table as text in full precision (Qt::EditRole). A cell whose text is unchanged, or no
/// number, is never written.
///
/// It neither commits nor closes by itself: the view does, when it is asked to.
class MatrixItemDelegate : public QStyledItemDelegate
{
    Q_OBJECT

public:
    /// Why a value is refused in this cell; empty when it is allowed.
    using Check = std::function<QString(const QModelIndex &index, double value)>;

    using QStyledItemDelegate::QStyledItemDelegate;

    void setCheck(Check check) { m_check = std::move(check); }
    void setNextOpening(CellEditor::Opening opening) { m_nextOpening = opening; }
    /// The editor that was opened last; it may be closed but not deleted yet.
    CellEditor *editor() const { return m_editor; }
    /// Whether the model took the last text.
    bool wasAccepted() const { return m_accepted; }

    QWidget *createEditor(QWidget *parent, const QStyleOptionViewItem &option,
                          const QModelIndex &index) const override;
    void setEditorData(QWidget *editor, const QModelIndex &index) const override;
    void setModelData(QWidget *editor, QAbstractItemModel *model, const QModelIndex &index) const override;
    void updateEditorGeometry(QWidget *editor, const QStyleOptionViewItem &option,
                              const QModelIndex &index) const override;

signals:
    void commitRequested(attn::CellEditor *editor, attn::CellEditor::Leave leave);
    void dropRequested(attn::CellEditor *editor);

protected:
    /// A number that was cut would read as another one: where its digits have no room, fewer are shown.
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    Check m_check;
    CellEditor::Opening m_nextOpening = CellEditor::Opening::Editing;
    mutable QPointer<CellEditor> m_editor;
    mutable bool m_accepted = true;
};

} // namespace attn
