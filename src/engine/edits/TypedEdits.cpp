#include "engine/edits/EditDraft.h"

#include "engine/Derivation.h"
#include "engine/EvaluationPlan.h"

namespace attn {

namespace {

/// Where the numbers of a derived or intermediate stage come from: what to edit in its place.
const char *editInstead(Stage stage)
{
    switch (stage) {
    case Stage::Qh:
        return "Q";
    case Stage::Kh:
        return "K";
    case Stage::Vh:
        return "V";
    case Stage::Allowed:
    case Stage::FullyMasked:
        return "the mask";
    case Stage::Bias:
        return "mask.add or the ALiBi slopes";
    case Stage::ASoft:
        return "scaled or A";
    case Stage::HeadContribution:
        return "concat or Wo";
    default:
        return "what it is computed from";
    }
}

Shape editShape(const Experiment &experiment, Stage stage)
{
    if (experiment.isGiven(stage))
        return experiment.matrix(stage).shape();
    if (stageInfo(stage).kind == StageKind::Mask)
        return neutralMask(experiment, stage).shape();
    return expectedShape(experiment, stage);
}

Error readOnlyError(const std::string &reason)
{
    return {ErrorCode::BadInput, reason};
}

} // namespace

std::string readOnlyReason(const Experiment &experiment, Stage stage)
{
    const StageInfo &info = stageInfo(stage);
    const std::string name = info.name;
    if (experiment.isGiven(stage))
        return {};
    if (info.kind == StageKind::Mask)
        return editShape(experiment, stage).size() > 0 ? "" : name + ": the numbers of tokens are not known";
    if (info.kind == StageKind::Input)
        return "this document has no " + name;
    if (!info.canBePinned)
        return name + " follows from other stages: edit " + editInstead(stage);
    const StagePlan plan = planEvaluation(experiment).at(stage);
    if (plan.status == StageStatus::Absent)
        return name + " is not part of this document";
    if (plan.status == StageStatus::NotAvailable)
        return plan.reason;
    return {};
}

Result<Edit> typedEdit(const Experiment &experiment, Stage stage, std::vector<CellValue> cells)
{
    const std::string reason = readOnlyReason(experiment, stage);
    if (!reason.empty())
        return readOnlyError(reason);
    if (cells.empty())
        return Error{ErrorCode::BadInput, std::string(stageName(stage)) + ": no cells to write"};
    const Shape shape = editShape(experiment, stage);
    const bool isOwn = experiment.isGiven(stage) || stageInfo(stage).kind == StageKind::Mask;
    SetCells set{stage, {}};
    PinCells pin{stage, {}};
    for (CellValue &cell : cells) {
        // A mask shared by all heads is shown with each of them.
        if (stageInfo(stage).heads == HeadAxis::Optional && shape.heads == 1)
            cell.cell.head = 0;
        for (const Result<void> &check : {checkCell(stage, cell.cell, shape), checkValue(stage, cell.value)})
            if (!check)
                return check.error();
        const bool isPinned = experiment.pinsOf(stage).at(cell.cell).has_value();
        if (isOwn && !isPinned)
            set.cells.push_back(cell);
        else
            pin.cells.push_back(cell);
    }
    if (pin.cells.empty())
        return Edit(std::move(set));
    if (set.cells.empty())
        return Edit(std::move(pin));
    return Edit(Compound{{std::move(set), std::move(pin)}});
}

Result<Edit> clearedEdit(const Experiment &experiment, Stage stage, const std::vector<CellIndex> &cells)
{
    const std::string reason = readOnlyReason(experiment, stage);
    if (!reason.empty())
        return readOnlyError(reason);
    const std::string name = stageName(stage);
    if (cells.empty())
        return Error{ErrorCode::BadInput, name + ": no cells to clear"};
    const Shape shape = editShape(experiment, stage);
    UnpinCells unpin{stage, {}};
    SetCells zero{stage, {}};
    for (CellIndex cell : cells) {
        if (stageInfo(stage).heads == HeadAxis::Optional && shape.heads == 1)
            cell.head = 0;
        const Result<void> inside = checkCell(stage, cell, shape);
        if (!inside)
            return inside.error();
        if (experiment.pinsOf(stage).at(cell))
            unpin.cells.push_back(cell);
        else if (experiment.isGiven(stage))
            zero.cells.push_back({cell, 0.0});
    }
    if (unpin.cells.empty() && zero.cells.empty())
        return Error{ErrorCode::BadInput, cells.size() == 1 ? cellName(experiment, stage, cells.front()) +
                                                                  " is computed: there is nothing to clear"
                                                            : "these cells of " + name +
                                                                  " are computed: there is nothing to clear"};
    if (static_cast<Index>(unpin.cells.size()) == shape.size())
        return Edit(UnpinStage{stage});
    if (zero.cells.empty())
        return Edit(std::move(unpin));
    if (unpin.cells.empty())
        return Edit(std::move(zero));
    return Edit(Compound{{std::move(unpin), std::move(zero)}});
}

} // namespace attn
