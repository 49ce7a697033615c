#pragma once

#include "render/scenes/lab/LabScenes.h"
#include "views/lab/LabPage.h"

#include <mutex>

class QComboBox;
class QLabel;
class QSlider;
class QSpinBox;

namespace attn {

/// Why scores are divided by the root of d_k, on random vectors.
class ScalingPage : public LabPage
{
    Q_OBJECT

public:
    explicit ScalingPage(Workbench *workbench, QWidget *parent = nullptr);

    Scene buildScene(const SnapshotPtr &snapshot, const DisplayOptions &display, QSizeF room) override;
    /// Drawing the sample takes a fifth of a second.
    SceneWorker::Build heavyBuild(const SnapshotPtr &snapshot, const DisplayOptions &display,
                                  QSizeF room) override;
    void refreshControls() override;

private:
    /// The newest sample, so that the slider draws nothing anew; read and replaced on any thread.
    struct Drawn
    {
        std::mutex mutex;
        std::shared_ptr<const ScalingSample> sample;

        std::shared_ptr<const ScalingSample> of(const ScalingOptions &options);
    };

    ScalingLabOptions labOptions(QSizeF room) const;

    QSlider *m_width;
    QLabel *m_widthText;
    QComboBox *m_entries;
    QSpinBox *m_seed;
    std::shared_ptr<Drawn> m_drawn = std::make_shared<Drawn>();
};

} // namespace attn
