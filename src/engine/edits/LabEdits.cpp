#include "engine/edits/EditDraft.h"

#include "base/NumberText.h"

#include <algorithm>
#include <cmath>

namespace attn {

namespace {

/// Only rows that are there have names.
void storeRowNames(EditDraft &draft, const std::string &name, std::vector<std::string> rows)
{
    rows.resize(std::min(rows.size(), static_cast<std::size_t>(draft.experiment.labs.at(name).rows())));
    while (!rows.empty() && rows.back().empty())
        rows.pop_back();
    if (rows.empty())
        draft.experiment.labRowNames.erase(name);
    else
        draft.experiment.labRowNames.insert_or_assign(name, std::move(rows));
}

} // namespace

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
        draft.experiment.labRowNames.erase(edit.name);
        return {};
    }
    const Shape &shape = edit.value.shape();
    if (shape.heads != 1 || shape.size() == 0)
        return Error{ErrorCode::ShapeMismatch,
                     edit.name + ": expected one matrix with at least one number, found " + shapeText(shape)};
    draft.experiment.labs.insert_or_assign(edit.name, edit.value);
    const auto names = draft.experiment.labRowNames.find(edit.name);
    if (names != draft.experiment.labRowNames.end())
        storeRowNames(draft, edit.name, names->second);
    return {};
}

Result<void> change(EditDraft &draft, const SetLabRowNames &edit)
{
    const auto matrix = draft.experiment.labs.find(edit.name);
    if (matrix == draft.experiment.labs.end())
        return Error{ErrorCode::NotFound, "there is no scratch matrix \"" + edit.name + "\" in the document"};
    if (static_cast<Index>(edit.rows.size()) > matrix->second.rows())
        return Error{ErrorCode::ShapeMismatch, edit.name + ": expected at most " +
                                                   countText(matrix->second.rows(), "name") + ", found " +
                                                   std::to_string(edit.rows.size())};
    storeRowNames(draft, edit.name, edit.rows);
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
