#include "engine/edits/EditDraft.h"

#include <algorithm>
#include <iterator>

namespace attn {

namespace {

constexpr Stage keyValueMatrices[] = {Stage::Wk, Stage::Wv, Stage::Bk, Stage::Bv};

Result<void> checkMultiple(const std::string &what, Index found, Index divisor, const std::string &noun)
{
    if (divisor >= 1 && found % divisor == 0)
        return {};
    return Error{ErrorCode::ShapeMismatch,
                 what + ": " + std::to_string(found) + " is not a multiple of " + countText(divisor, noun)};
}

Result<void> checkCounts(const Experiment &experiment, const SetHeads &edit)
{
    for (const auto &[stage, matrix] : experiment.given)
        if (stageInfo(stage).kind == StageKind::Computed && stageInfo(stage).heads != HeadAxis::None)
            return Error{ErrorCode::BadInput, std::string("heads: the given ") + stageName(stage) +
                                                  " fixes their number to " +
                                                  std::to_string(experiment.nHeads)};
    if (edit.nHeads < 1 || edit.nKvHeads < 1)
        return Error{ErrorCode::BadInput, "heads: expected at least 1, found " +
                                              std::to_string(std::min(edit.nHeads, edit.nKvHeads))};
    return checkMultiple("query heads that share key/value heads", edit.nHeads, edit.nKvHeads,
                         "key/value head");
}

Result<void> storeNewMatrices(Experiment &experiment, const std::map<Stage, Tensor> &matrices)
{
    for (const auto &[stage, matrix] : matrices) {
        const std::string name = stageName(stage);
        if (std::find(std::begin(keyValueMatrices), std::end(keyValueMatrices), stage) ==
            std::end(keyValueMatrices))
            return Error{ErrorCode::BadInput,
                         "new matrices of a head count: expected Wk, Wv, bk or bv, found " + name};
        const Tensor &old = experiment.matrix(stage);
        if (old.isNull() || matrix.isNull())
            return Error{ErrorCode::NotFound, "this document has no " + name + " to replace"};
        if (matrix.heads() != 1 || matrix.rows() != old.rows())
            return Error{ErrorCode::ShapeMismatch, "new " + name + ": expected " +
                                                       countText(old.rows(), "row") + ", found " +
                                                       shapeText(matrix.shape())};
        experiment.given[stage] = matrix;
    }
    for (const auto &[bias, weight] : {std::pair(Stage::Bk, Stage::Wk), std::pair(Stage::Bv, Stage::Wv)})
        if (experiment.isGiven(bias) && experiment.isGiven(weight) &&
            experiment.matrix(bias).cols() != experiment.matrix(weight).cols())
            return Error{ErrorCode::ShapeMismatch, std::string(stageName(weight)) + " has " +
                                                       countText(experiment.matrix(weight).cols(), "column") +
                                                       ", " + stageName(bias) + " " +
                                                       std::to_string(experiment.matrix(bias).cols()) +
                                                       ": a new width needs both anew"};
    return {};
}

/// Each matrix that is cut into heads must have a whole number of columns for each.
Result<void> checkWidths(const Experiment &experiment)
{
    const struct
    {
        Stage stage;
        Index heads;
        const char *noun;
    } widths[] = {
        {Stage::Wq, experiment.nHeads, "head"},      {Stage::Q, experiment.nHeads, "head"},
        {Stage::Wk, experiment.nKvHeads, "KV head"}, {Stage::K, experiment.nKvHeads, "KV head"},
        {Stage::Wv, experiment.nKvHeads, "KV head"}, {Stage::V, experiment.nKvHeads, "KV head"},
    };
    for (const auto &width : widths) {
        const Tensor &matrix = experiment.matrix(width.stage);
        if (matrix.isNull())
            continue;
        const Result<void> divides = checkMultiple(std::string("columns of ") + stageName(width.stage),
                                                   matrix.cols(), width.heads, width.noun);
        if (!divides)
            return divides;
    }
    return {};
}

void splitMasksAnew(EditDraft &draft)
{
    Experiment &experiment = draft.experiment;
    for (const Stage stage : {Stage::MaskBool, Stage::MaskAdd}) {
        if (experiment.isGiven(stage) && experiment.matrix(stage).heads() > 1) {
            experiment.given.erase(stage);
            draft.notes.push_back(
                std::string(stageName(stage)) +
                " was dropped: it had one matrix for each head, and the heads are split anew.");
        }
    }
    if (experiment.isGiven(Stage::MaskAlibi))
        experiment.given[Stage::MaskAlibi] = defaultAlibiSlopes(experiment.nHeads);
}

} // namespace

Result<void> change(EditDraft &draft, const SetHeads &edit)
{
    const Experiment before = draft.experiment;
    const Result<void> counts = checkCounts(before, edit);
    if (!counts)
        return counts;
    const Result<void> stored = storeNewMatrices(draft.experiment, edit.newMatrices);
    if (!stored)
        return stored;
    draft.experiment.nHeads = edit.nHeads;
    draft.experiment.nKvHeads = edit.nKvHeads;
    const Result<void> widths = checkWidths(draft.experiment);
    if (!widths)
        return widths;
    splitMasksAnew(draft);
    for (const auto &[stage, pins] : before.pins) {
        const bool isPerHead = stageInfo(stage).heads != HeadAxis::None;
        if (isPerHead || !(expectedShape(before, stage) == expectedShape(draft.experiment, stage)))
            draft.dropPins(stage, "the heads are split anew");
    }
    return {};
}

} // namespace attn
