#pragma once

#include "base/Generation.h"
#include "base/Result.h"
#include "document/DocumentChange.h"
#include "document/ViewState.h"
#include "engine/Difference.h"
#include "engine/Edit.h"
#include "engine/Experiment.h"

#include <QObject>
#include <QString>
#include <QUndoStack>

namespace attn {

/// One open experiment: its value, its history, its file. The only mutator, and every mutation is an undo
/// command.
///
/// An undo command keeps the experiment before and after; both share every block of numbers the edit left
/// alone, so a step costs what it changes and undo gives back the same bits.
class Document : public QObject
{
    Q_OBJECT

public:
    explicit Document(QObject *parent = nullptr);

    const ExperimentPtr &experiment() const { return m_experiment; }
    Generation generation() const { return m_generation; }
    QUndoStack *undoStack() { return &m_undoStack; }

    /// Carries out the edit as one undo step named `text`. Edits with the same gesture > 0 that follow each
    /// other become one step (scrubbing, dragging); a gesture back at its start leaves none. returns what the
    /// edit had to drop; an error changes nothing. Same content as before: no step. seenAt: where the user
    /// made it, if not in the matrix that it changes.
    Result<QStringList> apply(const Edit &edit, const QString &text, int gesture = 0,
                              const std::optional<StageCell> &seenAt = {});
    /// A number for the next gesture, never used before in this document.
    int newGesture() { return ++m_lastGesture; }

    /// Another experiment altogether (open, new, import, restore): history is cleared. `file` may be empty.
    void load(ExperimentPtr experiment, ViewState view, const QString &file, const QString &title);
    /// A save that is on its way: what of the document is being written.
    struct Saving
    {
        ExperimentPtr experiment;
        int document = 0; ///< which of those loaded
        bool wasModified = false;
    };
    /// The document as it is now is being written. Until the save ends it counts as modified if it does now;
    /// edits meanwhile are edits after the save. Each begin is followed by one end.
    Saving beginSaving();
    /// Written: `file` is the name, "as opened" becomes what was written, and what was edited since then is
    /// all that is modified. False, and nothing, when another document was loaded meanwhile.
    bool endSaving(const Saving &saving, const QString &file);
    /// Not written: what was modified stays so.
    void abandonSaving(const Saving &saving);
    /// Saved as it is, at once.
    void setSaved(const QString &file) { endSaving(beginSaving(), file); }
    /// Restored from autosave: modified although nothing can be undone.
    void setModifiedFromStart();

    const QString &file() const { return m_file; } ///< absolute path, or empty
    QString title() const;                         ///< file name, example name, or "untitled"
    bool isModified() const;

    const ViewState &viewState() const { return m_viewState; }
    void setViewState(ViewState state) { m_viewState = std::move(state); }

    /// What differs from the file as opened (or last saved).
    Differences differences() const;
    const ExperimentPtr &asOpened() const { return m_asOpened; }

    /// Matrices of an imported file to compare with, never part of the computation.
    const std::map<Stage, Tensor> &reference() const { return m_reference; }
    void setReference(std::map<Stage, Tensor> reference) { m_reference = std::move(reference); }

signals:
    void changed(const attn::DocumentChange &change);
    /// File, title or modified mark.
    void titleChanged();

private:
    friend class EditCommand;
    void setExperiment(ExperimentPtr experiment, DocumentChange change);
    /// Whether the save belongs to the document that is open; then it is over.
    bool takeSaving(const Saving &saving);

    ExperimentPtr m_experiment;
    ExperimentPtr m_asOpened;
    Generation m_generation;
    QUndoStack m_undoStack;
    ViewState m_viewState;
    std::map<Stage, Tensor> m_reference;
    QString m_file;
    QString m_title;
    bool m_modifiedFromStart = false;
    int m_document = 0; ///< how many were loaded
    int m_savings = 0;  ///< saves on their way
    bool m_isUnsavedUntilWritten = false;
    int m_lastGesture = 0;
};

} // namespace attn
