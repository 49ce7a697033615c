#pragma once

#include "views/SceneWorkspace.h"

class QComboBox;
class QSlider;
class QSpinBox;

namespace attn {

/// A·V as one layer per token: solo, mute, reorder, and a slider that adds the layers up to the output.
class FootprintsView : public SceneWorkspace
{
    Q_OBJECT

public:
    FootprintsView(Workbench *workbench, EditController *edits, QWidget *parent = nullptr);

protected:
    Scene buildScene(const SnapshotPtr &snapshot, const DisplayOptions &display) override;
    SceneWorker::Build heavyBuild(const SnapshotPtr &snapshot, const DisplayOptions &display) override;
    void onControl(const QString &id) override;
    void refreshControls() override;
    bool dependsOnSelection() const override { return true; }
    void resizeEvent(QResizeEvent *event) override;

private:
    FootprintsOptions options(const Snapshot &snapshot) const;
    void setCount(int count);
    void toggleMute(Index token);
    void moveToken(Index token, int step);
    std::vector<Index> order() const;

    QComboBox *m_target;
    QComboBox *m_head;
    QSlider *m_countSlider;
    QSpinBox *m_countBox;
    Index m_solo = -1;
};

} // namespace attn
