#pragma once

#include "document/ViewState.h"
#include "render/SceneBuilders.h"
#include "views/SceneWorker.h"
#include "widgets/SceneView.h"

#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>

class QHBoxLayout;
class QToolBar;

namespace attn {

class EditController;
class PlaybackBar;
class Workbench;

/// A workspace: builds its scene from the newest snapshot and the view state, shows it, and turns what is
/// done in it into selections and edits. Only the visible workspace builds; several changes in one turn of
/// the event loop build once.
class SceneWorkspace : public QWidget
{
    Q_OBJECT

public:
    SceneWorkspace(Workbench *workbench, EditController *edits, QWidget *parent = nullptr);

    SceneView *view() const { return m_view; }
    /// The bar that walks through the picture; null: it has no steps.
    virtual PlaybackBar *playback() { return nullptr; }
    /// The scene of the newest snapshot with other colours or ranges: for exports.
    Scene sceneWith(const DisplayOptions &display);

signals:
    void cellHovered(attn::Stage stage, const attn::CellIndex &cell);
    void textHovered(const QString &text);
    /// The selected cell is to be edited outside the picture, which has no place for it; `typed` is how the
    /// number begins, empty: its own.
    void editWanted(const QString &typed);
    void hoverLeft();
    void contextMenuWanted(const QPoint &globalPos);

protected:
    virtual Scene buildScene(const SnapshotPtr &snapshot, const DisplayOptions &display) = 0;
    /// The same for a scene that takes more than a few milliseconds, to be called on another thread: until it
    /// is there, the scene before stays and is marked as updating. Empty: buildScene() is quick enough.
    virtual SceneWorker::Build heavyBuild(const SnapshotPtr &, const DisplayOptions &) { return {}; }
    /// A control of the scene was pressed.
    virtual void onControl(const QString &id);
    /// A grip of the scene was moved; all places of one gesture (> 0) are one undo step.
    virtual void onGrip(const QString &id, QPointF pos, GesturePhase phase, int gesture);
    /// The pointer is over a shape with an id; empty: over none.
    virtual void onShapeHovered(const QString &id);
    virtual void onShapeClicked(const QString &id);
    /// Another shape has the keyboard focus; empty: none any more.
    virtual void onShapeFocused(const QString &id);
    /// A number is typed on a shape; empty: its own number is to be edited.
    virtual void onShapeTyped(const QString &id, const QString &text);
    /// A cell of a map that only this workspace has became current.
    virtual void onDerivedSelected(const MapKey &map, Index row, Index col);
    /// Why numbers that only a picture has cannot be edited in it.
    virtual QString whyDerivedStays(const MapKey &map) const;
    /// Bring tool bar widgets in line with the snapshot and the view state.
    virtual void refreshControls() {}
    /// Whether the scene depends on which cell is selected.
    virtual bool dependsOnSelection() const { return false; }

    Workbench *workbench() const { return m_workbench; }
    /// The row of controls above the scene.
    QToolBar *toolBar();
    /// Builds again in the next turn of the event loop.
    void scheduleRebuild();
    /// The scene being built is another page: it is read from its top, wherever the selected cell is.
    void showFromTop() { m_isFromTop = true; }

    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    void rebuild();
    bool isSoonOutdated() const;
    void sayItTakesTime();
    void showPicture(const std::shared_ptr<const Scene> &scene);
    void setScene(std::shared_ptr<const Scene> scene);
    void showChangesSince(const std::shared_ptr<const Scene> &before);
    void onViewStateChanged();
    void onSelectionChanged();
    void showSelection();
    /// The stage whose map stands for this one in the scene.
    Stage shownStage(Stage stage) const;
    void applyTheme();
    void moveFocus();
    void onCellSelected(const MapKey &map, Index row, Index col, bool extend);
    void onCellHovered(const MapKey &map, Index row, Index col);
    void onCellsEdited(const MapBlock &block, double value);
    void onScrubbed(const MapKey &map, Index row, Index col, double value, GesturePhase phase);
    void onGripMoved(const QString &id, QPointF pos, GesturePhase phase);
    void onReadOnlyHit(const MapKey &map);
    void tellShape(const QString &id);
    void tellCursor();
    QString cellText(const SceneMap &map, GridPosition cell) const;

    Workbench *m_workbench;
    EditController *m_edits;
    SceneView *m_view;
    QToolBar *m_toolBar = nullptr;
    SceneWorker m_worker;
    QTimer m_patience;
    std::shared_ptr<AxisLabelCache> m_labels;
    ViewState m_builtFor; ///< with the selection left out
    int m_gesture = 0;
    std::weak_ptr<const Snapshot> m_shown; ///< of the newest picture
    bool m_isDirty = true;
    bool m_isScheduled = false;
    QElapsedTimer m_sinceBuilt;
    bool m_hasPicture = false; ///< what is shown is of this document
    bool m_isFromTop = true;   ///< the next scene is shown from its top
};

} // namespace attn
