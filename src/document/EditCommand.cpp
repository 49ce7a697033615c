#include "document/EditCommand.h"

namespace attn {

namespace {

constexpr int gestureCommandId = 1;

/// The stage and first cell an edit touches; nothing for settings of the whole experiment.
struct EditPlace
{
    std::optional<Stage> stage;
    CellIndex cell;

    void operator()(const SetCells &edit) { setCells(edit.stage, edit.cells); }
    void operator()(const PinCells &edit) { setCells(edit.stage, edit.cells); }
    void operator()(const UnpinCells &edit)
    {
        stage = edit.stage;
        if (!edit.cells.empty())
            cell = edit.cells.front();
    }
    void operator()(const SetTensor &edit) { stage = edit.stage; }
    void operator()(const PinStage &edit) { stage = edit.stage; }
    void operator()(const UnpinStage &edit) { stage = edit.stage; }
    void operator()(const Compound &edit)
    {
        if (!edit.edits.empty())
            std::visit(*this, edit.edits.front());
    }
    template<typename Other>
    void operator()(const Other &)
    {
    }

private:
    void setCells(Stage where, const std::vector<CellValue> &cells)
    {
        stage = where;
        if (!cells.empty())
            cell = cells.front().cell;
    }
};

} // namespace

EditCommand::EditCommand(Document &document, std::shared_ptr<const Edit> edit, ExperimentPtr after,
                         QStringList notes, int gesture)
    : m_document(document)
    , m_edit(std::move(edit))
    , m_before(document.experiment())
    , m_after(std::move(after))
    , m_notes(std::move(notes))
    , m_gesture(gesture)
{
}

DocumentChange EditCommand::change(DocumentChange::Cause cause) const
{
    DocumentChange change;
    change.cause = cause;
    change.text = text();
    EditPlace place;
    std::visit(place, *m_edit);
    change.stage = place.stage;
    change.cell = place.cell;
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
