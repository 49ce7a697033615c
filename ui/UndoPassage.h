#pragma once

#include <QObject>

namespace attn {

/// Lets Undo and Redo through to the document from a field that has nothing of its own to undo. Qt's fields
/// keep these keys to themselves, so that after a number was chosen in a spin box they did nothing. Editors
/// of cells keep them: what is typed there is not yet the document's. Installed on the application.
class UndoPassage : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
};

} // namespace attn
