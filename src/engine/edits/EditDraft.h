#pragma once

#include "engine/Edit.h"

namespace attn {

/// The experiment an edit is working on; thrown away when the edit fails.
struct EditDraft
{
    Experiment experiment;
    std::vector<std::string> notes;
    /// A whole matrix was replaced by one of another shape: contradicting shapes are then a state that the
    /// evaluator shows, and no reason to refuse.
    bool shapesMayConflict = false;

    /// Removes every pin of a stage and notes why: "3 pins of scores were dropped: the heads are split anew".
    void dropPins(Stage stage, const std::string &why);
    /// Stores the pins, or removes the entry when none is left.
    void storePins(Stage stage, Pins pins);
};

/// One function for each kind of edit, changing the draft. They check their own input; whether the result
/// still fits together is checked once, by applyEdit.
Result<void> change(EditDraft &draft, const SetCells &edit);
Result<void> change(EditDraft &draft, const SetTensor &edit);
Result<void> change(EditDraft &draft, const PinCells &edit);
Result<void> change(EditDraft &draft, const UnpinCells &edit);
Result<void> change(EditDraft &draft, const PinStage &edit);
Result<void> change(EditDraft &draft, const UnpinStage &edit);
Result<void> change(EditDraft &draft, const SetHeads &edit);
Result<void> change(EditDraft &draft, const SetScale &edit);
Result<void> change(EditDraft &draft, const SetQOffset &edit);
Result<void> change(EditDraft &draft, const SetRotary &edit);
Result<void> change(EditDraft &draft, const SetCausal &edit);
Result<void> change(EditDraft &draft, const SetWindow &edit);
Result<void> change(EditDraft &draft, const SetPrecision &edit);
Result<void> change(EditDraft &draft, const InsertToken &edit);
Result<void> change(EditDraft &draft, const DeleteToken &edit);
Result<void> change(EditDraft &draft, const RenameToken &edit);
Result<void> change(EditDraft &draft, const MoveToken &edit);
Result<void> change(EditDraft &draft, const SetTokens &edit);
Result<void> change(EditDraft &draft, const InsertDimension &edit);
Result<void> change(EditDraft &draft, const DeleteDimension &edit);
Result<void> change(EditDraft &draft, const SetNotes &edit);
Result<void> change(EditDraft &draft, const SetLab &edit);
Result<void> change(EditDraft &draft, const SetLabRowNames &edit);
Result<void> change(EditDraft &draft, const SetLabCells &edit);
Result<void> change(EditDraft &draft, const Compound &edit);

/// "1 pin", "3 pins".
std::string countText(Index count, const std::string &noun);
/// An error unless 0 <= index < size: "token 7: expected 0 to 3".
Result<void> checkIndex(const std::string &what, Index index, Index size);
/// An error unless the cell lies inside the shape; names the stage, the cell and the shape.
Result<void> checkCell(Stage stage, const CellIndex &cell, const Shape &shape);
/// Refuses numbers other than 0 and 1 for boolean masks, and non-finite slopes.
Result<void> checkValue(Stage stage, double value);

/// The mask matrix that changes nothing: all allowed, 0, real, slope 0.
Tensor neutralMask(const Experiment &experiment, Stage stage);

} // namespace attn
