#pragma once

#include "engine/lab/ScalingSample.h"
#include "views/lab/LabPage.h"

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
    void refreshControls() override;

private:
    ScalingOptions sampleOptions() const;
    Index dHead() const;

    QSlider *m_width;
    QLabel *m_widthText;
    QComboBox *m_entries;
    QSpinBox *m_seed;
    std::shared_ptr<const ScalingSample> m_sample; ///< the newest, so that the slider draws nothing anew
};

} // namespace attn
