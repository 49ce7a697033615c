#include "engine/edits/EditDraft.h"

#include "base/NumberText.h"

#include <cmath>

namespace attn {

void EditDraft::dropPins(Stage stage, const std::string &why)
{
    const auto entry = experiment.pins.find(stage);
    if (entry == experiment.pins.end())
        return;
    const Index count = entry->second.count();
    experiment.pins.erase(entry);
    notes.push_back(countText(count, "pin") + " of " + stageName(stage) +
                    (count == 1 ? " was dropped: " : " were dropped: ") + why + ".");
}

void EditDraft::storePins(Stage stage, Pins pins)
{
    if (pins.isEmpty())
        experiment.pins.erase(stage);
    else
        experiment.pins.insert_or_assign(stage, std::move(pins));
}

std::string countText(Index count, const std::string &noun)
{
    return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

Result<void> checkIndex(const std::string &what, Index index, Index size)
{
    if (index >= 0 && index < size)
        return {};
    if (size <= 0)
        return Error{ErrorCode::BadInput, what + " " + std::to_string(index) + ": there is none"};
    return Error{ErrorCode::BadInput, what + " " + std::to_string(index) + ": expected a number from 0 to " +
                                          std::to_string(size - 1)};
}

Result<void> checkCell(Stage stage, const CellIndex &cell, const Shape &shape)
{
    const bool inside = cell.head >= 0 && cell.head < shape.heads && cell.row >= 0 && cell.row < shape.rows &&
                        cell.col >= 0 && cell.col < shape.cols;
    if (inside)
        return {};
    const std::string head = shape.heads > 1 || cell.head != 0 ? std::to_string(cell.head) + "," : "";
    return Error{ErrorCode::BadInput, std::string(stageName(stage)) + "[" + head + std::to_string(cell.row) +
                                          "," + std::to_string(cell.col) + "]: expected a cell of " +
                                          shapeText(shape) + ", counted from 0"};
}

Result<void> checkValue(Stage stage, double value)
{
    const std::string name = stageName(stage);
    const bool isBoolean = stage == Stage::MaskBool || stage == Stage::MaskPadding;
    if (isBoolean && value != 0.0 && value != 1.0)
        return Error{ErrorCode::BadInput, name + ": expected 1 or 0, found " + shortestText(value)};
    if (stage == Stage::MaskAlibi && !std::isfinite(value))
        return Error{ErrorCode::BadInput, name + ": expected a finite slope, found " + shortestText(value)};
    return {};
}

Result<void> change(EditDraft &draft, const Compound &edit)
{
    for (const Edit &part : edit.edits) {
        const Result<void> done = std::visit([&draft](const auto &one) { return change(draft, one); }, part);
        if (!done)
            return done;
    }
    return {};
}

Result<EditOutcome> applyEdit(const Experiment &experiment, const Edit &edit)
{
    EditDraft draft{experiment, {}, false};
    const Result<void> done = std::visit([&draft](const auto &one) { return change(draft, one); }, edit);
    if (!done)
        return done.error();
    // Other numbers in a matrix contradict nothing. What contradicted itself before may go on doing so: the
    // user is on the way out of it.
    const auto *cells = std::get_if<SetCells>(&edit);
    const bool keepsShapes = cells && experiment.isGiven(cells->stage);
    if (!keepsShapes && !draft.shapesMayConflict && validate(experiment).ok()) {
        const Result<void> valid = validate(draft.experiment);
        if (!valid)
            return valid.error();
    }
    return EditOutcome{std::move(draft.experiment), std::move(draft.notes)};
}

} // namespace attn
