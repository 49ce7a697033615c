#include "widgets/MatrixItemDelegate.h"

#include "base/NumberText.h"

#include <QApplication>
#include <QStyle>

#include <algorithm>
#include <optional>

namespace attn {

QWidget *MatrixItemDelegate::createEditor(QWidget *parent, const QStyleOptionViewItem &option,
                                          const QModelIndex &index) const
{
    auto *editor = new CellEditor(parent);
    editor->setFont(option.font);
    editor->setAccessibleName(index.data(Qt::AccessibleTextRole).toString());
    if (m_check)
        editor->setCheck([check = m_check, cell = QPersistentModelIndex(index)](double value) {
            return check(cell, value);
        });
    auto *self = const_cast<MatrixItemDelegate *>(this);
    connect(editor, &CellEditor::commitRequested, self,
            [self, editor](CellEditor::Leave leave) { emit self->commitRequested(editor, leave); });
    connect(editor, &CellEditor::dropped, self, [self, editor] { emit self->dropRequested(editor); });
    m_editor = nullptr;
    return editor;
}

void MatrixItemDelegate::setEditorData(QWidget *widget, const QModelIndex &index) const
{
    auto *editor = qobject_cast<CellEditor *>(widget);
    // A recompute behind an open editor must not replace what is being typed.
    if (!editor || m_editor == editor)
        return;
    m_editor = editor;
    editor->begin(index.data(Qt::EditRole).toString(), m_nextOpening);
}

void MatrixItemDelegate::setModelData(QWidget *widget, QAbstractItemModel *model,
                                      const QModelIndex &index) const
{
    m_accepted = true;
    const auto *editor = qobject_cast<CellEditor *>(widget);
    if (editor && editor->isChanged() && editor->number())
        m_accepted = model->setData(index, editor->text().trimmed(), Qt::EditRole);
}

void MatrixItemDelegate::updateEditorGeometry(QWidget *widget, const QStyleOptionViewItem &option,
                                              const QModelIndex &) const
{
    const auto *editor = qobject_cast<CellEditor *>(widget);
    QRect place = option.rect;
    if (editor) {
        const int wanted = editor->fontMetrics().horizontalAdvance(editor->text()) + 24;
        place.setWidth(std::max(place.width(), wanted));
        const int room = widget->parentWidget()->width();
        place.moveLeft(std::max(0, std::min(place.left(), room - place.width())));
    }
    widget->setGeometry(place);
}

bool MatrixItemDelegate::eventFilter(QObject *, QEvent *)
{
    return false; // the editor knows its keys; the base class would open the next cell on Tab
}

void MatrixItemDelegate::initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    constexpr int mostDigits = 4;
    const QStyle *style = option->widget ? option->widget->style() : QApplication::style();
    const int margin = style->pixelMetric(QStyle::PM_FocusFrameHMargin, option, option->widget) + 1;
    const int room = option->rect.width() - 2 * margin;
    const auto fits = [&](const QString &text) {
        return option->fontMetrics.horizontalAdvance(text) <= room;
    };
    if (room <= 0 || fits(option->text))
        return;
    const std::optional<double> number = parseNumber(index.data(Qt::EditRole).toString().toStdString());
    for (int digits = mostDigits; number && digits > 0; --digits) {
        const QString text = QString::fromStdString(withTrueMinus(significantText(*number, digits)));
        if (fits(text)) {
            option->text = text;
            return;
        }
    }
}

} // namespace attn
