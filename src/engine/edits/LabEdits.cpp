#include "engine/edits/EditDraft.h"

#include "base/NumberText.h"

#include <cmath>

namespace attn {

std::string labTitle(const std::string &name)
{
    return name == "A" ? "left A" : name == "B" ? "right B" : name;
}

std::string labCellName(const std::string &name, const CellIndex &cell)
{
    return labTitle(name) + "[" + std::to_string(cell.row + 1) + ", " + std::to_string(cell.col + 1) + "]";
}

Result<void> change(EditDraft &draft, const SetLab &edit)
{
    if (edit.name.empty())
        return Error{ErrorCode::BadInput, "a scratch matrix needs a name"};
    if (edit.value.isNull()) {
        draft.experiment.labs.erase(edit.name);
        return {};
    }
    const Shape &shape = edit.value.shape();
    if (shape.heads != 1 || shape.size() == 0)
        return Error{ErrorCode::ShapeMismatch,
                     edit.name + ": expected one matrix with at least one number, found " + shapeText(shape)};
    draft.experiment.labs.insert_or_assign(edit.name, edit.value);
    return {};
}

Result<void> change(EditDraft &draft, const SetLabCells &edit)
{
    const Tensor &matrix = draft.experiment.lab(edit.name);
    if (matrix.isNull())
        return Error{ErrorCode::NotFound, "there is no scratch matrix \"" + edit.name + "\""};
    const Shape &shape = matrix.shape();
    for (const CellValue &value : edit.cells) {
        const CellIndex &cell = value.cell;
        if (cell.head != 0 || cell.row < 0 || cell.col < 0 || cell.row >= shape.rows ||
            cell.col >= shape.cols)
            return Error{ErrorCode::BadInput,
                         labCellName(edit.name, cell) + ": expected a cell of " + shapeText(shape)};
        if (std::isfinite(value.value) && !std::isfinite(matrix.rounded(value.value)))
            return Error{ErrorCode::BadInput, edit.name + " is stored as float32: " +
                                                  shortestText(value.value) + " is beyond its range"};
    }
    draft.experiment.labs.insert_or_assign(edit.name, matrix.withCells(edit.cells));
    return {};
}

} // namespace attn
