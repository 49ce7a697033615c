#pragma once

#include "render/scenes/lab/PlaneScenes.h"
#include "views/lab/LabPage.h"

class QComboBox;
class QSpinBox;

namespace attn {

/// The weight matrix of one head through its singular values.
class WeightPage : public LabPage
{
    Q_OBJECT

public:
    explicit WeightPage(Workbench *workbench, QWidget *parent = nullptr);

    Scene buildScene(const SnapshotPtr &snapshot, const DisplayOptions &display, QSizeF room) override;
    SceneWorker::Build heavyBuild(const SnapshotPtr &snapshot, const DisplayOptions &display,
                                  QSizeF room) override;
    void refreshControls() override;
    int stepCount() const override;
    int positionsPerStep() const override;
    int step() const override;
    void setStep(int step) override;

private:
    WeightLabOptions options(QSizeF room) const;

    QComboBox *m_weight;
    QSpinBox *m_head;
    QSpinBox *m_token;
};

} // namespace attn
