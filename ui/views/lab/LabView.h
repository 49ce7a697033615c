#pragma once

#include "views/SceneWorkspace.h"

class QComboBox;
class QStackedWidget;

namespace attn {

class LabPage;
class PlaybackBar;

/// Experiments with the mathematics of attention, one page each.
class LabView : public SceneWorkspace
{
    Q_OBJECT

public:
    LabView(Workbench *workbench, EditController *edits, QWidget *parent = nullptr);

    /// The page that is shown.
    LabPage *page() const;
    /// By id; nothing when there is none.
    void showPage(const QString &id);
    PlaybackBar *playback() override { return m_playback; }

protected:
    Scene buildScene(const SnapshotPtr &snapshot, const DisplayOptions &display) override;
    SceneWorker::Build heavyBuild(const SnapshotPtr &snapshot, const DisplayOptions &display) override;
    void onControl(const QString &id) override;
    void onGrip(const QString &id, QPointF pos, GesturePhase phase, int gesture) override;
    void onShapeHovered(const QString &id) override;
    void onShapeClicked(const QString &id) override;
    void onDerivedSelected(const MapKey &map, Index row, Index col) override;
    QString whyDerivedStays(const MapKey &map) const override;
    void refreshControls() override;
    bool dependsOnSelection() const override;
    /// Scenes are laid out in the room that their view has.
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void addPage(LabPage *page);
    void showControl(const QString &id);
    QSizeF sceneRoom();

    QComboBox *m_choice;
    QStackedWidget *m_pages;
    PlaybackBar *m_playback;
    QString m_builtPage; ///< whose scene is shown
};

} // namespace attn
