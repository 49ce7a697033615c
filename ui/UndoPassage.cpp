#include "UndoPassage.h"

#include "widgets/CellEditor.h"

#include <QAbstractSpinBox>
#include <QKeyEvent>
#include <QLineEdit>

namespace attn {

bool UndoPassage::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() != QEvent::ShortcutOverride || !watched->isWidgetType())
        return false;
    const auto *key = static_cast<QKeyEvent *>(event);
    const bool isUndo = key->matches(QKeySequence::Undo);
    if (!isUndo && !key->matches(QKeySequence::Redo))
        return false;
    const auto *box = qobject_cast<QAbstractSpinBox *>(watched);
    const auto *field = box ? box->findChild<QLineEdit *>() : qobject_cast<QLineEdit *>(watched);
    if (!field || qobject_cast<const CellEditor *>(field) ||
        (isUndo ? field->isUndoAvailable() : field->isRedoAvailable()))
        return false;
    event->ignore();
    return true;
}

} // namespace attn
