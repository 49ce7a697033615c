#include "engine/edits/EditDraft.h"

namespace attn {

namespace {

/// The shape in which this stage is pinned, or why it cannot be pinned.
Result<Shape> pinShape(const Experiment &experiment, Stage stage)
{
    const std::string name = stageName(stage);
    if (!stageInfo(stage).canBePinned)
        return Error{ErrorCode::BadInput, name + " cannot be pinned"};
    if (experiment.isGiven(stage))
        return experiment.matrix(stage).shape();
    const Shape shape = expectedShape(experiment, stage);
    if (shape.size() == 0)
        return Error{ErrorCode::BadInput, name + " cannot be pinned: its size is not known here"};
    return shape;
}

} // namespace

Result<void> change(EditDraft &draft, const PinCells &edit)
{
    const Result<Shape> shape = pinShape(draft.experiment, edit.stage);
    if (!shape)
        return shape.error();
    Pins pins = draft.experiment.pinsOf(edit.stage);
    for (const CellValue &cell : edit.cells) {
        const Result<void> inside = checkCell(edit.stage, cell.cell, *shape);
        if (!inside)
            return inside;
        pins.set(cell.cell, cell.value);
    }
    draft.storePins(edit.stage, std::move(pins));
    return {};
}

Result<void> change(EditDraft &draft, const UnpinCells &edit)
{
    if (!stageInfo(edit.stage).canBePinned)
        return Error{ErrorCode::BadInput, std::string(stageName(edit.stage)) + " cannot be pinned"};
    const Tensor &given = draft.experiment.matrix(edit.stage);
    const Shape shape = given.isNull() ? expectedShape(draft.experiment, edit.stage) : given.shape();
    Pins pins = draft.experiment.pinsOf(edit.stage);
    for (const CellIndex &cell : edit.cells) {
        // Pins may outlive the size of their stage while matrices contradict each other.
        if (!pins.at(cell)) {
            const Result<void> inside = checkCell(edit.stage, cell, shape);
            if (!inside)
                return inside;
        }
        pins.clear(cell);
    }
    draft.storePins(edit.stage, std::move(pins));
    return {};
}

Result<void> change(EditDraft &draft, const PinStage &edit)
{
    const Result<Shape> shape = pinShape(draft.experiment, edit.stage);
    if (!shape)
        return shape.error();
    if (edit.value.isNull() || !(edit.value.shape() == *shape))
        return Error{ErrorCode::ShapeMismatch,
                     std::string("pins of ") + stageName(edit.stage) + ": expected " + shapeText(*shape) +
                         ", found " + (edit.value.isNull() ? "nothing" : shapeText(edit.value.shape()))};
    draft.storePins(edit.stage, Pins(edit.value));
    return {};
}

Result<void> change(EditDraft &draft, const UnpinStage &edit)
{
    if (!stageInfo(edit.stage).canBePinned)
        return Error{ErrorCode::BadInput, std::string(stageName(edit.stage)) + " cannot be pinned"};
    draft.experiment.pins.erase(edit.stage);
    return {};
}

} // namespace attn
