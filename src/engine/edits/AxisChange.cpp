#include "engine/edits/AxisChange.h"

#include "engine/lab/PositionalEncoding.h"

namespace attn {

namespace {

/// The axis along the columns of a stage. Without W^O the output is the concatenated heads, and as wide.
Axis colAxis(const Experiment &experiment, Stage stage)
{
    const Axis axis = stageInfo(stage).cols;
    return axis == Axis::OutputWidth && !experiment.isGiven(Stage::Wo) ? Axis::ConcatWidth : axis;
}

const LineChange *changeOf(const std::map<Axis, LineChange> &axes, Axis axis)
{
    const auto found = axes.find(axis);
    return found == axes.end() ? nullptr : &found->second;
}

Tensor changedLines(const Tensor &matrix, const LineChange *rows, const LineChange *cols,
                    std::span<const double> newRow, double fill)
{
    Tensor changed = matrix;
    if (rows)
        changed = rows->rowsOf(changed, newRow, fill);
    if (cols)
        changed = cols->colsOf(changed, fill);
    return changed;
}

/// E and P lie as X does: each word keeps its embedding, and X stays their sum. A new row of X is all
/// embedding.
void changeSummands(EditDraft &draft, const Experiment &before, const std::map<Axis, LineChange> &axes,
                    std::span<const double> newRow)
{
    const LineChange *rows = changeOf(axes, stageInfo(Stage::X).rows);
    const LineChange *cols = changeOf(axes, stageInfo(Stage::X).cols);
    if (!rows && !cols)
        return;
    for (const char *name : {embeddingLab, positionLab}) {
        const Tensor &kept = before.lab(name);
        if (!kept.isNull() && kept.shape() == before.matrix(Stage::X).shape())
            draft.experiment.labs[name] = changedLines(
                kept, rows, cols, name == embeddingLab ? newRow : std::span<const double>(), 0.0);
    }
}

} // namespace

void changeAxes(EditDraft &draft, const std::map<Axis, LineChange> &axes, const std::string &whyPinsGo,
                Stage rowOwner, std::span<const double> newRow)
{
    const Experiment before = draft.experiment;
    for (const auto &[stage, matrix] : before.given) {
        const LineChange *rows = changeOf(axes, stageInfo(stage).rows);
        const LineChange *cols = changeOf(axes, colAxis(before, stage));
        if (!rows && !cols)
            continue;
        const double fill = stage == Stage::MaskBool || stage == Stage::MaskPadding ? 1.0 : 0.0;
        draft.experiment.given[stage] =
            changedLines(matrix, rows, cols, stage == rowOwner ? newRow : std::span<const double>(), fill);
    }
    changeSummands(draft, before, axes, rowOwner == Stage::X ? newRow : std::span<const double>());
    for (const auto &[stage, pins] : before.pins) {
        const LineChange *rows = changeOf(axes, stageInfo(stage).rows);
        const LineChange *cols = changeOf(axes, colAxis(before, stage));
        if (!rows && !cols)
            continue;
        Pins changed = changedPins(pins, expectedShape(before, stage), rows, cols);
        const Index lost = pins.count() - changed.count();
        if (lost > 0)
            draft.notes.push_back(countText(lost, "pin") + " of " + stageName(stage) +
                                  (lost == 1 ? " was dropped: " : " were dropped: ") + whyPinsGo + ".");
        draft.storePins(stage, std::move(changed));
    }
}

Result<void> checkConsistent(const Experiment &experiment)
{
    const Result<void> valid = validate(experiment);
    if (valid)
        return {};
    return Error{valid.error().code, valid.error().message + "; make the matrices agree first"};
}

} // namespace attn
