#include "engine/edits/EditDraft.h"

#include "base/NumberText.h"
#include "engine/EvaluationPlan.h"

#include <cmath>

namespace attn {

namespace {

/// Row by row: a mask may be large.
Result<void> checkValues(Stage stage, const Tensor &matrix)
{
    std::vector<double> numbers(static_cast<std::size_t>(matrix.cols()));
    for (Index head = 0; head < matrix.heads(); ++head) {
        for (Index row = 0; row < matrix.rows(); ++row) {
            matrix.copyRows(head, row, 1, numbers.data());
            for (const double number : numbers) {
                if (number == 0.0 || number == 1.0)
                    continue;
                const Result<void> fits = checkValue(stage, number);
                if (!fits)
                    return fits;
            }
        }
    }
    return {};
}

Result<void> checkNewMatrix(const Experiment &experiment, Stage stage, const Tensor &value)
{
    const StageInfo &info = stageInfo(stage);
    const std::string name = info.name;
    const Shape &shape = value.shape();
    if (shape.size() == 0)
        return Error{ErrorCode::ShapeMismatch,
                     name + ": expected at least one number, found " + shapeText(shape)};
    if (info.heads == HeadAxis::None && shape.heads != 1)
        return Error{ErrorCode::ShapeMismatch, name + ": expected one matrix, found " + shapeText(shape)};
    if (info.rows == Axis::One && shape.rows != 1)
        return Error{ErrorCode::ShapeMismatch, name + ": expected one row, found " + shapeText(shape)};
    if (info.kind != StageKind::Mask)
        return {};
    Shape expected = neutralMask(experiment, stage).shape();
    if (info.heads == HeadAxis::Optional && shape.heads == experiment.nHeads)
        expected.heads = shape.heads;
    if (!(shape == expected))
        return Error{ErrorCode::ShapeMismatch,
                     name + ": expected " + shapeText(expected) + ", found " + shapeText(shape)};
    return stage == Stage::MaskAdd ? Result<void>() : checkValues(stage, value);
}

void dropPinsThatNoLongerFit(EditDraft &draft, const Experiment &before, Stage replaced)
{
    std::vector<Stage> pinned;
    for (const auto &[stage, pins] : draft.experiment.pins)
        pinned.push_back(stage);
    for (const Stage stage : pinned) {
        const Shape shape = expectedShape(draft.experiment, stage);
        if (shape.size() > 0 && !(shape == expectedShape(before, stage)))
            draft.dropPins(stage, std::string("with another ") + stageName(replaced) + " its shape is " +
                                      shapeText(shape));
    }
}

} // namespace

Tensor neutralMask(const Experiment &experiment, Stage stage)
{
    const Sizes sizes = sizesOf(experiment);
    switch (stage) {
    case Stage::MaskPadding:
        return Tensor::filled({1, 1, sizes.nK}, 1.0);
    case Stage::MaskBool:
        return Tensor::filled({1, sizes.nQ, sizes.nK}, 1.0);
    case Stage::MaskAdd:
        return Tensor::zeros({1, sizes.nQ, sizes.nK});
    case Stage::MaskAlibi:
        return Tensor::zeros({1, 1, sizes.nHeads});
    default:
        return {};
    }
}

Result<void> change(EditDraft &draft, const SetCells &edit)
{
    Experiment &experiment = draft.experiment;
    const StageInfo &info = stageInfo(edit.stage);
    const std::string name = info.name;
    Tensor matrix = experiment.matrix(edit.stage);
    if (matrix.isNull() && info.kind == StageKind::Mask)
        matrix = neutralMask(experiment, edit.stage);
    if (matrix.isNull()) {
        const bool isComputed = info.kind == StageKind::Computed || info.kind == StageKind::Derived;
        return Error{ErrorCode::NotFound,
                     isComputed ? name + " is computed here, not given" : "this document has no " + name};
    }
    for (const CellValue &cell : edit.cells) {
        const Result<void> inside = checkCell(edit.stage, cell.cell, matrix.shape());
        if (!inside)
            return inside;
        const Result<void> fits = checkValue(edit.stage, cell.value);
        if (!fits)
            return fits;
        if (std::isfinite(cell.value) && !std::isfinite(matrix.rounded(cell.value)))
            return Error{ErrorCode::BadInput, name + " is stored as float32: " + shortestText(cell.value) +
                                                  " is beyond its range"};
    }
    experiment.given.insert_or_assign(edit.stage, matrix.withCells(edit.cells));
    return {};
}

Result<void> change(EditDraft &draft, const SetTensor &edit)
{
    const StageInfo &info = stageInfo(edit.stage);
    const std::string name = info.name;
    const bool isComputed = info.kind == StageKind::Computed || info.kind == StageKind::Derived;
    if (isComputed && !info.canBeGiven)
        return Error{ErrorCode::BadInput, name + " is always computed and cannot be given"};
    const Experiment before = draft.experiment;
    const Tensor &old = before.matrix(edit.stage);
    if (edit.value.isNull()) {
        if (old.isNull())
            return {};
        draft.experiment.given.erase(edit.stage);
        draft.shapesMayConflict = true;
    } else {
        const bool hasSource = planEvaluation(before).at(edit.stage).status == StageStatus::Computed;
        if (isComputed && old.isNull() && hasSource)
            return Error{ErrorCode::BadInput, name + " is computed here: pin it instead of giving it"};
        const Result<void> fits = checkNewMatrix(before, edit.stage, edit.value);
        if (!fits)
            return fits;
        draft.experiment.given.insert_or_assign(edit.stage, edit.value);
        if (old.isNull() || !(old.shape() == edit.value.shape()))
            draft.shapesMayConflict = draft.shapesMayConflict || info.kind != StageKind::Mask;
    }
    dropPinsThatNoLongerFit(draft, before, edit.stage);
    return {};
}

} // namespace attn
