#pragma once

#include "engine/Snapshot.h"
#include "io/Import.h"
#include "widgets/SceneView.h"

namespace attn {

/// Draws a tensor as the stage it is taken for, by the one drawing code: heatmaps of its heads, with the
/// labels that the plan gives its tokens.
class ImportPreview : public SceneView
{
    Q_OBJECT

public:
    /// More heads of a tensor are not drawn.
    static constexpr Index mostHeads = 16;

    explicit ImportPreview(QWidget *parent = nullptr);

    void setMatrix(const Tensor &matrix, Stage stage, const ImportPlan &plan);
    void clear() { setScene(nullptr); }

protected:
    void changeEvent(QEvent *event) override;

private:
    void applyTheme();
    void drawScene();

    SnapshotPtr m_snapshot;
    Stage m_stage = Stage::X;
};

} // namespace attn
