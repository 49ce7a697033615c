#pragma once

#include "engine/Experiment.h"
#include "views/lab/LabPage.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QSlider;

namespace attn {

/// Softmax of one row with numbers: sharpness, Jacobian, and the scores that would give A.
class SoftmaxPage : public LabPage
{
    Q_OBJECT

public:
    explicit SoftmaxPage(Workbench *workbench, QWidget *parent = nullptr);

    Scene buildScene(const SnapshotPtr &snapshot, const DisplayOptions &display, QSizeF room) override;
    void refreshControls() override;
    int stepCount() const override;
    int step() const override;
    void setStep(int step) override;
    bool dependsOnSelection() const override { return true; }
    void onControl(const QString &id) override;
    void onDerivedSelected(const MapKey &map, Index row, Index col) override;

private:
    void addControls();
    void setSharpness(double sharpness);
    void chooseRow(int row);
    void useScores();
    SoftmaxLabOptions options() const;

    QComboBox *m_head;
    QComboBox *m_query;
    QDoubleSpinBox *m_sharpness;
    QSlider *m_sharpnessSlider;
    QCheckBox *m_subtract;
    TokenList m_queryTokens;
};

} // namespace attn
