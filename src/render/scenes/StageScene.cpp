#include "render/scenes/StageCard.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace attn {

namespace {

constexpr double stageMargin = 16.0;

QSizeF stageCells(const StageValues &values, double cellSize, std::size_t heads)
{
    const double rows = static_cast<double>(values.rows());
    const double cols = static_cast<double>(values.cols());
    if (cellSize > 0.0)
        return {cols * cellSize, rows * cellSize};
    const double soft = heads > 1 ? 256.0 : 480.0;
    const double hard = heads > 1 ? 320.0 : 600.0;
    const double height = axisExtent(values.rows(), 30.0, soft, hard);
    double width = axisExtent(values.cols(), 44.0, soft, hard);
    // Cells that hold no number are square where the shape allows it.
    const double rowCell = rows > 0.0 ? height / rows : 30.0;
    if (rowCell < 30.0 && cols > 0.0 && width / cols > rowCell)
        width = std::max(cols * rowCell, std::min(width, 96.0));
    return {width, height};
}

} // namespace

Scene stageScene(const SnapshotPtr &snapshot, Stage stage, const DisplayOptions &display,
                 const StageSceneOptions &options)
{
    const MapFactory maps(snapshot, display);
    StageCard::Options card;
    card.framed = false;
    card.title = options.title;
    QSizeF cells;
    if (const StageValuesPtr &values = snapshot->stage(stage).values) {
        if (!options.heads.empty())
            card.heads.clear();
        for (const Index head : options.heads)
            if (head >= 0 && head < values->heads())
                card.heads.push_back(head);
        if (options.heads.empty())
            for (Index head = 1; head < values->heads(); ++head)
                card.heads.push_back(head);
        cells = stageCells(*values, options.cellSize, card.heads.size());
        card.headTitles = values->heads() > 1;
        card.rowLabelWidth = maps.rowLabelWidth(stage);
        card.tileColumns = std::max(1, static_cast<int>(std::ceil(std::sqrt(card.heads.size()))));
    }
    StageCard placed(maps, stage, cells, card);
    placed.placeCells(QPointF(stageMargin, stageMargin) + placed.cellsOffset());
    Scene scene;
    placed.addTo(scene);
    scene.size = placed.size() + QSizeF(2.0 * stageMargin, 2.0 * stageMargin);
    return scene;
}

} // namespace attn
