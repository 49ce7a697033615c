#include "document/Document.h"

#include "document/EditCommand.h"

#include <QFileInfo>

namespace attn {

namespace {

/// Whether a stage came, went or changed its shape, so that layouts have to be built anew.
bool hasOtherStructure(const Experiment &before, const Experiment &after)
{
    const auto shapes = [](const Experiment &experiment, Stage stage) {
        return experiment.isGiven(stage) ? experiment.matrix(stage).shape()
                                         : expectedShape(experiment, stage);
    };
    if (before.rotary.has_value() != after.rotary.has_value())
        return true;
    for (const StageInfo &info : stageTable())
        if (before.isGiven(info.stage) != after.isGiven(info.stage) ||
            !(shapes(before, info.stage) == shapes(after, info.stage)))
            return true;
    return false;
}

} // namespace

Document::Document(QObject *parent)
    : QObject(parent)
    , m_experiment(std::make_shared<Experiment>())
{
    m_asOpened = m_experiment;
    connect(&m_undoStack, &QUndoStack::cleanChanged, this, &Document::titleChanged);
}

Result<QStringList> Document::apply(const Edit &edit, const QString &text, int gesture,
                                    const std::optional<StageCell> &seenAt)
{
    Result<EditOutcome> outcome = applyEdit(*m_experiment, edit);
    if (!outcome)
        return outcome.error();
    QStringList notes;
    for (const std::string &note : outcome->notes)
        notes.append(QString::fromStdString(note));
    if (sameContent(outcome->experiment, *m_experiment))
        return notes;
    auto after = std::make_shared<const Experiment>(std::move(outcome->experiment));
    auto command = std::make_unique<EditCommand>(*this, std::make_shared<const Edit>(edit), std::move(after),
                                                 notes, gesture, seenAt);
    command->setText(text);
    m_undoStack.push(command.release());
    return notes;
}

void Document::load(ExperimentPtr experiment, ViewState view, const QString &file, const QString &title)
{
    ++m_document;
    m_savings = 0;
    m_isUnsavedUntilWritten = false;
    m_undoStack.clear();
    m_modifiedFromStart = false;
    m_file = file;
    m_title = title;
    m_viewState = std::move(view);
    m_reference.clear();
    m_asOpened = experiment;
    DocumentChange change;
    change.cause = DocumentChange::Cause::Loaded;
    setExperiment(std::move(experiment), change);
    emit titleChanged();
}

Document::Saving Document::beginSaving()
{
    const Saving saving{m_experiment, m_document, isModified()};
    ++m_savings;
    m_isUnsavedUntilWritten = saving.wasModified;
    // From here on undo and redo come back to what is written, whatever is edited until it is.
    m_undoStack.setClean();
    return saving;
}

bool Document::takeSaving(const Saving &saving)
{
    if (saving.document != m_document)
        return false;
    if (--m_savings == 0)
        m_isUnsavedUntilWritten = false;
    return true;
}

bool Document::endSaving(const Saving &saving, const QString &file)
{
    if (!takeSaving(saving))
        return false;
    m_file = file;
    m_asOpened = saving.experiment;
    m_modifiedFromStart = false;
    emit titleChanged();
    return true;
}

void Document::abandonSaving(const Saving &saving)
{
    if (!takeSaving(saving))
        return;
    if (saving.wasModified)
        m_undoStack.resetClean();
    emit titleChanged();
}

void Document::setModifiedFromStart()
{
    m_modifiedFromStart = true;
    emit titleChanged();
}

QString Document::title() const
{
    if (!m_file.isEmpty())
        return QFileInfo(m_file).fileName();
    return m_title.isEmpty() ? tr("untitled") : m_title;
}

bool Document::isModified() const
{
    return m_modifiedFromStart || m_isUnsavedUntilWritten || !m_undoStack.isClean();
}

Differences Document::differences() const
{
    return differencesBetween(*m_asOpened, *m_experiment);
}

void Document::setExperiment(ExperimentPtr experiment, DocumentChange change)
{
    const ExperimentPtr before = m_experiment;
    m_experiment = std::move(experiment);
    m_generation = m_generation.next();
    change.generation = m_generation;
    const bool isLoaded = change.cause == DocumentChange::Cause::Loaded;
    change.tokensChanged =
        isLoaded || !(before->tokens == m_experiment->tokens) || before->tokensKv != m_experiment->tokensKv;
    change.structureChanged = isLoaded || hasOtherStructure(*before, *m_experiment);
    emit changed(change);
}

} // namespace attn
