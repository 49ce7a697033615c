#pragma once

#include "render/scenes/lab/PlaneScenes.h"
#include "views/lab/LabPage.h"

#include <memory>

class QComboBox;

namespace attn {

class SourcePicker;

/// Matrices as deformations of the plane: one map, two composed, one taken apart.
class MapsPage : public LabPage
{
    Q_OBJECT

public:
    explicit MapsPage(Workbench *workbench, QWidget *parent = nullptr);

    Scene buildScene(const SnapshotPtr &snapshot, const DisplayOptions &display, QSizeF room) override;
    void refreshControls() override;
    int stepCount() const override;
    int positionsPerStep() const override;
    int step() const override;
    void setStep(int step) override;
    void onGrip(const QString &id, QPointF pos, GesturePhase phase, int gesture) override;

private:
    MapsLabOptions options() const;
    void setMode(int mode);
    void setSource(const VectorSource &source);
    void useExample(int index);
    Result<Edit> editFor(const QString &id, QPointF pos) const;
    Result<Edit> columnEdit(Index column, QPointF point) const;

    SourcePicker *m_picker;
    QComboBox *m_mode;
    QComboBox *m_example;
    std::shared_ptr<const PlaneScene> m_shown; ///< the newest
    std::shared_ptr<const PlaneScene> m_held;  ///< as it was when a grip was taken hold of
};

} // namespace attn
