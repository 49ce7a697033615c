#include "document/EditCommand.h"

namespace attn {

namespace {

constexpr int gestureCommandId = 1;

/// The first cell that an edit touches; nothing for settings of the whole experiment.
struct EditPlace
{
    std::optional<StageCell> operator()(const SetCells &edit) const { return firstOf(edit); }
    std::optional<StageCell> operator()(const PinCells &edit) const { return firstOf(edit); }
    std::optional<StageCell> operator()(const UnpinCells &edit) const
    {
        return StageCell{edit.stage, edit.cells.empty() ? CellIndex() : edit.cells.front()};
    }
    std::optional<StageCell> operator()(const SetTensor &edit) const { return StageCell{edit.stage, {}}; }
    std::optional<StageCell> operator()(const PinStage &edit) const { return StageCell{edit.stage, {}}; }
    std::optional<StageCell> operator()(const UnpinStage &edit) const { return StageCell{edit.stage, {}}; }
    std::optional<StageCell> operator()(const Compound &edit) const
    {
        return edit.edits.empty() ? std::nullopt : std::visit(*this, edit.edits.front());
    }
    template<typename Other>
    std::optional<StageCell> operator()(const Other &) const
    {
        return {};
    }

private:
    template<typename CellsEdit>
    static StageCell firstOf(const CellsEdit &edit)
    {
        return {edit.stage, edit.cells.empty() ? CellIndex() : edit.cells.front().cell};
    }
};

std::optional<StageCell> placeOf(const Edit &edit)
{
    return std::visit(EditPlace(), edit);
}

} // namespace

EditCommand::EditCommand(Document &document, std::shared_ptr<const Edit> edit, ExperimentPtr after,
                         QStringList notes, int gesture, const std::optional<StageCell> &seenAt)
    : m_document(document)
    , m_edit(std::move(edit))
    , m_before(document.experiment())
    , m_after(std::move(after))
    , m_notes(std::move(notes))
    , m_gesture(gesture)
    , m_seenAt(seenAt)
{
}

DocumentChange EditCommand::change(DocumentChange::Cause cause) const
{
    DocumentChange change;
    change.cause = cause;
    change.text = text();
    change.place = m_seenAt ? m_seenAt : placeOf(*m_edit);
    if (cause == DocumentChange::Cause::Edited) {
        change.edit = m_edit;
        change.gesture = m_gesture;
        change.notes = m_notes;
    }
    return change;
}

void EditCommand::undo()
{
    m_document.setExperiment(m_before, change(DocumentChange::Cause::Undone));
}

void EditCommand::redo()
{
    const DocumentChange::Cause cause =
        m_isFirst ? DocumentChange::Cause::Edited : DocumentChange::Cause::Redone;
    m_isFirst = false;
    m_document.setExperiment(m_after, change(cause));
}

int EditCommand::id() const
{
    return m_gesture > 0 ? gestureCommandId : -1;
}

bool EditCommand::mergeWith(const QUndoCommand *other)
{
    const auto *next = static_cast<const EditCommand *>(other);
    if (next->m_gesture != m_gesture)
        return false;
    m_after = next->m_after;
    if (sameContent(*m_before, *m_after))
        setObsolete(true);
    return true;
}

} // namespace attn
