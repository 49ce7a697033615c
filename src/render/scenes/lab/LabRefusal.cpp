#include "render/scenes/lab/LabRefusal.h"

#include "engine/lab/SmallMatrix.h"
#include "render/scenes/lab/LabTexts.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace attn {

namespace {

constexpr double refusalMargin = 24.0;
constexpr double refusalWidth = 560.0;
constexpr double refusalCellWidth = 52.0;
constexpr double refusalCellHeight = 22.0;

bool isThere(const Experiment &experiment, const LabNumbers &numbers)
{
    const Tensor &matrix = experiment.lab(numbers.lab);
    return !matrix.isNull() && matrix.rows() >= numbers.rows && matrix.cols() >= numbers.cols;
}

} // namespace

bool areFinite(const Experiment &experiment, const LabNumbers &numbers)
{
    if (!isThere(experiment, numbers))
        return false;
    std::vector<double> values(static_cast<std::size_t>(numbers.rows * numbers.cols));
    experiment.lab(numbers.lab).copyBlock(0, 0, 0, numbers.rows, numbers.cols, values.data(), numbers.cols);
    return std::ranges::all_of(values, [](double value) { return std::isfinite(value); });
}

Scene refusedLabScene(const MapFactory &maps, const QString &title, const QString &reason,
                      const std::vector<LabNumbers> &numbers)
{
    SceneDraft draft(maps);
    draft.addText({refusalMargin, refusalMargin, refusalWidth, 22.0}, title, SceneText::Style::Warning);
    double top = draft.addParagraph({refusalMargin, refusalMargin + 28.0}, refusalWidth, reason);
    if (!numbers.empty())
        top = draft.addHint(
            {refusalMargin, top}, refusalWidth,
            QCoreApplication::translate("Scene", "Change what is no plain number: the picture comes back."));
    top += 16.0;
    double left = refusalMargin;
    for (const LabNumbers &block : numbers) {
        if (!isThere(maps.experiment(), block))
            continue;
        const QRectF cells(left, top + 22.0, refusalCellWidth * double(block.cols),
                           refusalCellHeight * double(block.rows));
        draft.addText({left, top, cells.width(), 20.0}, block.symbol, SceneText::Style::Title,
                      Qt::AlignCenter);
        draft.addMap(labCells(draft, block.lab, 0, block.rows, block.cols, cells));
        draft.extendTo(cells.right(), cells.bottom());
        left = cells.right() + 32.0;
    }
    return draft.finished(refusalMargin);
}

} // namespace attn
