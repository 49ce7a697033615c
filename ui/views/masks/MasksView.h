#pragma once

#include "BackgroundTask.h"
#include "engine/Evaluator.h"
#include "render/MasksScene.h"
#include "views/SceneWorkspace.h"
#include "views/masks/MaskChoice.h"

#include <functional>

namespace attn {

class MaskControls;

/// The masks workspace: cells of the mask are painted, and its effect on A and on the output is shown.
class MasksView : public SceneWorkspace
{
    Q_OBJECT

public:
    MasksView(Workbench *workbench, EditController *edits, QWidget *parent = nullptr);

    MaskChoice choice() const;
    void setChoice(const MaskChoice &choice);
    /// What the mask is now becomes what later ones are compared with.
    void keepMask();
    bool isBusy() const { return m_evaluation.isBusy() || m_reading.isBusy() || m_painting.isBusy(); }
    /// Tests only.
    void waitUntilIdle();

protected:
    Scene buildScene(const SnapshotPtr &snapshot, const DisplayOptions &display) override;
    SceneWorker::Build heavyBuild(const SnapshotPtr &snapshot, const DisplayOptions &display) override;
    void refreshControls() override;
    void onControl(const QString &id) override;
    bool dependsOnSelection() const override { return true; }
    void resizeEvent(QResizeEvent *event) override;

private:
    using MakeEdit = std::function<Result<Edit>(const Experiment &)>;
    /// What is known of one snapshot beside another.
    struct Reading
    {
        SnapshotPtr after;
        SnapshotPtr before;
        Index head = 0;
        std::shared_ptr<const MaskCounts> counts;
        std::shared_ptr<const MaskEffect> effect;

        bool isFor(const SnapshotPtr &shown, const SnapshotPtr &other, Index shownHead) const
        {
            return after == shown && before == other && head == shownHead;
        }
    };

    void onPainted(const MapKey &map, const std::vector<GridPosition> &cells, PaintInk ink,
                   GesturePhase phase);
    void onBlockPainted(const MapBlock &block, PaintInk ink);
    void paint(const std::vector<MaskRect> &rects, PaintInk ink, int gesture);
    /// Whether every cell of a block is hidden by the mask that is painted.
    bool isHiddenByMask(const MaskRect &rect) const;
    MaskRect painted(const MaskRect &cells) const;
    void sayWhatStaysHidden(const std::vector<MaskRect> &rects);
    /// Makes an edit, in the background when that takes long, and applies it.
    void applyMade(const MakeEdit &make, const QString &text, int gesture = 0);
    void applyEdit(const Result<Edit> &edit, const QString &text, int gesture);

    std::optional<Index> paintedHead() const;
    Index shownHead() const;
    Index selectedQuery() const;
    QString againstName(const MaskChoice &choice) const;
    ExperimentPtr keptMask(const MaskChoice &choice);
    /// The experiment with the mask to compare with; nothing, and why, when there is none.
    Result<Experiment> otherMask(const MaskChoice &choice);
    /// Its snapshot, computed now when it is small, else asked for; null, and maybe why, while there is none.
    SnapshotPtr evaluated(const Experiment &experiment, QString &problem);
    void readInto(MasksOptions &options, const SnapshotPtr &snapshot);
    MasksOptions optionsFor(const SnapshotPtr &snapshot);
    QString nameOfCell(const SceneMap &map, Index row, Index col) const;

    MaskControls *m_controls;
    BackgroundTask m_evaluation;
    BackgroundTask m_reading;
    BackgroundTask m_painting;
    Evaluator m_evaluator; ///< of small documents
    ExperimentPtr m_evaluating;
    SnapshotPtr m_before;
    Reading m_read;
    Reading m_askedFor;
    ExperimentPtr m_kept;
    QString m_keptText; ///< what m_kept was read from
    int m_stroke = 0;   ///< gesture of the stroke that is being painted
    std::vector<MaskRect> m_strokeCells;
};

} // namespace attn
