#pragma once

#include "base/Result.h"
#include "document/AutosaveFiles.h"
#include "document/Document.h"

#include <QDateTime>
#include <QString>

#include <vector>

namespace attn {

/// Unsaved work that a killed program left in the autosave folder.
struct RecoverableWork
{
    AutosaveNames names;
    QString title;
    QString file;   ///< where it had been saved before; may be empty
    QDateTime when; ///< of the last change
};

/// What can be offered for restoring: newest first. Work of running programs is left alone; files without
/// unsaved changes are removed.
std::vector<RecoverableWork> recoverableWork(const QString &folder);

/// Loads the work into the document: the base, then the journal through Document::apply, undo and redo, so
/// that its steps can be undone again. The document is modified afterwards; the files stay until discardWork.
/// returns what could not be replayed, if anything.
Result<QString> restoreWork(const RecoverableWork &work, Document &document);
void discardWork(const RecoverableWork &work);

} // namespace attn
