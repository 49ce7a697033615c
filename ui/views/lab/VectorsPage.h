#pragma once

#include "render/scenes/lab/PlaneScenes.h"
#include "views/lab/LabPage.h"

class QComboBox;
class QSpinBox;

namespace attn {

class SourcePicker;

/// Vectors, their combinations, span, independence, bases and coordinates.
class VectorsPage : public LabPage
{
    Q_OBJECT

public:
    explicit VectorsPage(Workbench *workbench, QWidget *parent = nullptr);

    Scene buildScene(const SnapshotPtr &snapshot, const DisplayOptions &display, QSizeF room) override;
    void refreshControls() override;
    int stepCount() const override;
    int positionsPerStep() const override;
    int step() const override;
    void setStep(int step) override;
    void onGrip(const QString &id, QPointF pos, GesturePhase phase, int gesture) override;

private:
    void addControls();
    VectorSource source() const;
    void setSource(const VectorSource &source);
    void useExample(int index);
    void moveVector(Index which, QPointF pos, int gesture);
    void moveTarget(QPointF pos, int gesture);
    void moveCoefficient(Index which, QPointF pos, int gesture);
    void turnView(QPointF pos);
    /// The plane that the picture stays in, as long as the vectors do.
    SmallMatrix keptPlane(const Snapshot &snapshot) const;

    SourcePicker *m_picker;
    QWidget *m_scratchPart;
    QComboBox *m_dimension;
    QSpinBox *m_count;
    QComboBox *m_example;
    std::shared_ptr<const PlaneScene> m_shown; ///< the newest
    std::shared_ptr<const PlaneScene> m_held;  ///< as it was when a grip was taken hold of
    VectorSource m_shownSource;
};

} // namespace attn
