#pragma once

#include "document/Document.h"

#include <QUndoCommand>

namespace attn {

/// The one undo command: the experiment before and after an edit. Both share what the edit left alone.
class EditCommand : public QUndoCommand
{
public:
    EditCommand(Document &document, std::shared_ptr<const Edit> edit, ExperimentPtr after, QStringList notes,
                int gesture, const std::optional<StageCell> &seenAt);

    void undo() override;
    void redo() override;
    int id() const override;
    bool mergeWith(const QUndoCommand *other) override;

private:
    DocumentChange change(DocumentChange::Cause cause) const;

    Document &m_document;
    std::shared_ptr<const Edit> m_edit;
    ExperimentPtr m_before;
    ExperimentPtr m_after;
    QStringList m_notes;
    int m_gesture;
    std::optional<StageCell> m_seenAt;
    bool m_isFirst = true;
};

} // namespace attn
