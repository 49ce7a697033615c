#include "dialogs/ImportPreview.h"

#include "engine/Derivation.h"
#include "engine/SnapshotBuilder.h"
#include "render/SceneBuilders.h"

#include <QEvent>

#include <algorithm>
#include <numeric>

namespace attn {

namespace {

TokenList previewTokens(const ImportPlan &plan, Index count, bool isKeySide)
{
    std::vector<std::string> labels = plannedLabels(plan, count, isKeySide);
    labels.resize(std::min(labels.size(), static_cast<std::size_t>(count)));
    for (std::size_t i = labels.size(); i < static_cast<std::size_t>(count); ++i)
        labels.push_back(std::to_string(i));
    return labels;
}

/// A snapshot of this one stage: nothing is computed from it.
SnapshotPtr snapshotOfMatrix(const Tensor &matrix, Stage stage, const ImportPlan &plan)
{
    const StageInfo &info = stageInfo(stage);
    auto experiment = std::make_shared<Experiment>();
    experiment->nHeads = std::max<Index>(matrix.heads(), 1);
    experiment->nKvHeads = experiment->nHeads;
    if (info.rows == Axis::Query)
        experiment->tokens = previewTokens(plan, matrix.rows(), false);
    if (info.rows == Axis::Key)
        experiment->tokensKv = previewTokens(plan, matrix.rows(), true);
    if (info.cols == Axis::Key)
        experiment->tokensKv = previewTokens(plan, matrix.cols(), true);
    experiment->given[stage] = matrix;
    SnapshotBuilder builder(experiment, Generation(), sizesOf(*experiment));
    StageState state;
    state.status = StageStatus::Given;
    state.values = valuesOf(matrix);
    builder.setStage(stage, std::move(state));
    return builder.take();
}

} // namespace

ImportPreview::ImportPreview(QWidget *parent)
    : SceneView(parent)
{
    setAccessibleName(tr("Preview of the matrix"));
    setCellNamer([this](const SceneMap &map, Index row, Index col) {
        return QString::fromStdString(
            cellName(m_snapshot->experiment(), m_stage, CellIndex{map.head, row, col}));
    });
    connect(this, &SceneView::cellSelected, this, [this](const MapKey &map, Index row, Index col) {
        setSelection(map.stage, {map.head, row, col}, {map.head, row, col});
    });
    applyTheme();
}

void ImportPreview::setMatrix(const Tensor &matrix, Stage stage, const ImportPlan &plan)
{
    m_snapshot = snapshotOfMatrix(matrix, stage, plan);
    m_stage = stage;
    drawScene();
}

void ImportPreview::drawScene()
{
    DisplayOptions display;
    display.dark = theme().isDark;
    StageSceneOptions options;
    options.heads.resize(
        static_cast<std::size_t>(std::min(m_snapshot->stage(m_stage).values->heads(), mostHeads)));
    std::iota(options.heads.begin(), options.heads.end(), Index(0));
    Scene scene = stageScene(m_snapshot, m_stage, display, options);
    for (SceneMap &map : scene.maps)
        map.readOnly = true;
    setScene(std::make_shared<const Scene>(std::move(scene)));
}

void ImportPreview::changeEvent(QEvent *event)
{
    SceneView::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        applyTheme();
}

void ImportPreview::applyTheme()
{
    setTheme(palette().base().color().lightness() < 128 ? Theme::dark() : Theme::light());
    if (m_snapshot && scene())
        drawScene();
}

} // namespace attn
