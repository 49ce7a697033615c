#pragma once

#include "engine/lab/DirectionSample.h"
#include "views/lab/LabPage.h"

class QLabel;
class QDoubleSpinBox;
class QSlider;
class QSpinBox;

namespace attn {

struct OrthogonalityLabOptions;

/// Nearly orthogonal directions: how near random ones are, and how many fit.
class OrthogonalityPage : public LabPage
{
    Q_OBJECT

public:
    explicit OrthogonalityPage(Workbench *workbench, QWidget *parent = nullptr);

    Scene buildScene(const SnapshotPtr &snapshot, const DisplayOptions &display, QSizeF room) override;
    SceneWorker::Build heavyBuild(const SnapshotPtr &snapshot, const DisplayOptions &display,
                                  QSizeF room) override;
    void refreshControls() override;

private:
    /// The newest sample, shared with the thread that draws a new one.
    class Samples;

    DirectionOptions sampleOptions() const;

    QSlider *m_dimensionSlider;
    QSpinBox *m_dimension;
    QSlider *m_angleSlider;
    QDoubleSpinBox *m_angle;
    QSpinBox *m_tries;
    QSpinBox *m_seed;
    std::shared_ptr<Samples> m_samples;
};

} // namespace attn
