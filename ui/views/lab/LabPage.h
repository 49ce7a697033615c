#pragma once

#include "render/SceneBuilders.h"
#include "render/scenes/lab/LabState.h"
#include "views/SceneWorker.h"
#include "widgets/SceneView.h"

#include <QJsonObject>
#include <QSizeF>
#include <QWidget>

class QHBoxLayout;

namespace attn {

class Workbench;

/// One page of the lab: a scene built from the newest snapshot and the page's own part of the view state.
/// The widget itself is the page's row of controls. A new page is a subclass and one line in LabView.
class LabPage : public QWidget
{
    Q_OBJECT

public:
    /// id: in the view state, "softmax"; title: in the choice of pages
    LabPage(Workbench *workbench, const QString &id, const QString &title, QWidget *parent = nullptr);

    const QString &id() const { return m_id; }
    const QString &title() const { return m_title; }

    /// room: what is seen of the scene without scrolling, in its own units.
    virtual Scene buildScene(const SnapshotPtr &snapshot, const DisplayOptions &display, QSizeF room) = 0;
    /// The same for a scene that takes more than a few milliseconds; see SceneWorkspace.
    virtual SceneWorker::Build heavyBuild(const SnapshotPtr &, const DisplayOptions &, QSizeF) { return {}; }
    /// Bring the controls in line with the document and the view state.
    virtual void refreshControls() {}
    /// How many steps its picture is played in; 0 = none.
    virtual int stepCount() const { return 0; }
    /// So many of them make one step that is told; see PlaybackBar.
    virtual int positionsPerStep() const { return 1; }
    virtual int step() const { return 0; }
    virtual void setStep(int) {}
    virtual bool dependsOnSelection() const { return false; }

    // What is done in the scene; see SceneWorkspace.
    virtual void onControl(const QString &) {}
    virtual void onGrip(const QString &, QPointF, GesturePhase, int) {}
    virtual void onShapeHovered(const QString &) {}
    virtual void onShapeClicked(const QString &) {}
    virtual void onDerivedSelected(const MapKey &, Index, Index) {}
    /// Empty: the usual reason.
    virtual QString whyDerivedStays(const MapKey &) const { return {}; }

signals:
    /// Something the view state does not hold changed: build the scene again.
    void rebuildWanted();

protected:
    Workbench *workbench() const { return m_workbench; }
    /// What is selected, as pages follow it.
    LabSelection selection() const;
    /// The page's object in the view state; empty at first.
    QJsonObject state() const;
    void setState(const QJsonObject &state);
    void setStateValue(const QString &key, const QJsonValue &value);
    /// Appends a control with its label (with a mnemonic) to the row.
    void addControl(const QString &label, QWidget *control);
    QHBoxLayout *row() const;

private:
    Workbench *m_workbench;
    QString m_id;
    QString m_title;
};

} // namespace attn
