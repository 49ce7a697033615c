#pragma once

#include "MessageLife.h"
#include "document/ComputeService.h"
#include "document/Document.h"
#include "document/Selection.h"
#include "engine/Audit.h"
#include "engine/pooling/PooledMaps.h"

#include <QObject>

#include <chrono>
#include <memory>

namespace attn {

class ThemeController;

/// What the views of one window share: the open document, the selection, the newest snapshot, and how things
/// are shown. The only way in which views ask for edits.
class Workbench : public QObject
{
    Q_OBJECT

public:
    explicit Workbench(ThemeController *theme, ComputeService::Mode mode = ComputeService::Mode::Automatic,
                       QObject *parent = nullptr);

    ~Workbench() override;

    Document *document() { return &m_document; }
    Selection *selection() { return &m_selection; }
    ComputeService *compute() { return &m_compute; }
    ThemeController *theme() { return m_theme; }
    /// Whether maps show the curves of the selected row and column.
    bool areProfilesShown() const { return m_areProfilesShown; }
    void setProfilesShown(bool shown);
    /// What is known of maps that are too large to be read at once.
    /// After an edit nothing else is drawn or refined until its numbers are painted, or for so long.
    static constexpr std::chrono::milliseconds longestFrame{50};
    PooledMaps *pooledMaps() { return &m_pooledMaps; }
    const Experiment &experiment() const { return *m_document.experiment(); }
    /// The newest snapshot, or null before the first.
    const SnapshotPtr &snapshot() const { return m_compute.snapshot(); }

    /// The printed numbers of the document checked against what their inputs give; empty when none is kept as
    /// printed, null when the document is too large to be checked at every edit.
    const std::shared_ptr<const Audit> &audit() const { return m_audit; }

    const ViewState &viewState() const { return m_document.viewState(); }
    /// Replaces the view state and tells the views, unless nothing differs.
    void setViewState(ViewState state);

    /// One undo step. False, and a message, when the edit is refused; what it dropped is said too.
    bool apply(const Edit &edit, const QString &text, int gesture = 0,
               const std::optional<StageCell> &seenAt = {});
    /// Shows a sentence in the window's message bar for as long as it is true.
    void say(const QString &text, MessageLife life = MessageLife::Passing) { emit messageRaised(text, life); }
    void sayUntilChange(const QString &text) { say(text, MessageLife::UntilChange); }

    /// Where the cursor is when it is at a number that is no cell of the document, with that number; empty:
    /// at the selected cell.
    const QString &cursorText() const { return m_cursorText; }
    void setCursorText(const QString &text);

    /// Head of `stage` that the selection or the head in focus points at; always inside the stage.
    Index headFor(Stage stage) const;
    /// Selects a cell, brought inside the stage.
    void select(Stage stage, CellIndex cell);
    /// The same in a scratch matrix; nothing when there is none of that name.
    void selectLab(const QString &name, CellIndex cell);

    /// Whether pictures stand still until somebody moves them.
    bool isMotionReduced() const { return m_motionReduced; }
    void setReducedMotion(bool reduced);

signals:
    void motionChanged();
    /// The document changed; before anything is computed or said of what it is now.
    void documentMoved();
    /// Another document was opened; not another part of the same file.
    void documentOpened();
    /// A snapshot arrived, or whether it is behind the document changed.
    void snapshotChanged();
    void viewStateChanged();
    void cursorTextChanged();
    void auditChanged();
    /// More has become known of large maps: repaint.
    void mapsRefined();
    void profilesShownChanged(bool shown);
    void messageRaised(const QString &text, attn::MessageLife life);

private:
    void onDocumentChanged(const DocumentChange &change);
    void onSelectionChanged();
    void refreshAudit();
    void keepSelectionInside();

    ThemeController *m_theme;
    Document m_document;
    Selection m_selection;
    std::shared_ptr<const Audit> m_audit = std::make_shared<const Audit>();
    ComputeService m_compute;
    QString m_cursorText;
    bool m_motionReduced = false;
    bool m_areProfilesShown = false;
    PooledMaps m_pooledMaps;
};

} // namespace attn
