#include "engine/edits/AxisChange.h"

#include <algorithm>

namespace attn {

namespace {

/// What a token edit acts on: in self attention both sides are one list.
struct Side
{
    bool isKeyValue;
    std::vector<std::string> labels;
    Stage rowOwner; ///< X or Xkv
};

Side sideOf(const Experiment &experiment, TokenSide side)
{
    const bool isKeyValue = side == TokenSide::KeyValue && !experiment.isSelfAttention();
    return {isKeyValue, isKeyValue ? experiment.tokensKv->labels() : experiment.tokens.labels(),
            isKeyValue ? Stage::Xkv : Stage::X};
}

void storeLabels(Experiment &experiment, const Side &side, std::vector<std::string> labels)
{
    if (side.isKeyValue)
        experiment.tokensKv = TokenList(std::move(labels));
    else
        experiment.tokens = TokenList(std::move(labels));
}

std::map<Axis, LineChange> tokenAxes(const Experiment &experiment, const Side &side, const LineChange &change)
{
    if (experiment.isSelfAttention())
        return {{Axis::Query, change}, {Axis::Key, change}};
    return {{side.isKeyValue ? Axis::Key : Axis::Query, change}};
}

Result<void> checkNewRow(const Experiment &experiment, const Side &side, const std::vector<double> &row)
{
    if (row.empty())
        return {};
    const std::string name = stageName(side.rowOwner);
    const Tensor &matrix = experiment.matrix(side.rowOwner);
    if (matrix.isNull())
        return Error{ErrorCode::ShapeMismatch, "new token: this document has no " + name +
                                                   ", expected no numbers, found " +
                                                   std::to_string(row.size())};
    if (static_cast<Index>(row.size()) != matrix.cols())
        return Error{ErrorCode::ShapeMismatch, "new row of " + name + ": expected " +
                                                   std::to_string(matrix.cols()) + " numbers, found " +
                                                   std::to_string(row.size())};
    return {};
}

} // namespace

double bytesReadByTokenEdit(const Experiment &experiment, TokenSide side)
{
    const std::map<Axis, LineChange> axes =
        tokenAxes(experiment, sideOf(experiment, side), LineChange::removed({}));
    double bytes = 0.0;
    for (const auto &[stage, matrix] : experiment.given) {
        const StageInfo &info = stageInfo(stage);
        if (!matrix.mapping() || (!axes.contains(info.rows) && !axes.contains(info.cols)))
            continue;
        const std::size_t number =
            matrix.storage() == Tensor::Storage::Float64 ? sizeof(double) : sizeof(float);
        bytes += static_cast<double>(matrix.shape().size()) * static_cast<double>(number);
    }
    return bytes;
}

Result<void> change(EditDraft &draft, const InsertToken &edit)
{
    Side side = sideOf(draft.experiment, edit.side);
    const Index count = static_cast<Index>(side.labels.size());
    for (const Result<void> &check :
         {checkIndex("position of the new token", edit.index, count + 1),
          checkNewRow(draft.experiment, side, edit.row), checkConsistent(draft.experiment)})
        if (!check)
            return check;
    const LineChange line = LineChange::inserted({edit.index});
    changeAxes(draft, tokenAxes(draft.experiment, side, line), {}, side.rowOwner, edit.row);
    side.labels.insert(side.labels.begin() + edit.index, edit.label);
    storeLabels(draft.experiment, side, std::move(side.labels));
    return {};
}

Result<void> change(EditDraft &draft, const DeleteToken &edit)
{
    Side side = sideOf(draft.experiment, edit.side);
    const Index count = static_cast<Index>(side.labels.size());
    for (const Result<void> &check :
         {checkIndex("token", edit.index, count), checkConsistent(draft.experiment)})
        if (!check)
            return check;
    if (count == 1)
        return Error{ErrorCode::BadInput, "the only token cannot be deleted"};
    const LineChange line = LineChange::removed({edit.index});
    const std::string label = side.labels[static_cast<std::size_t>(edit.index)];
    changeAxes(draft, tokenAxes(draft.experiment, side, line), "token \"" + label + "\" was deleted");
    side.labels.erase(side.labels.begin() + edit.index);
    storeLabels(draft.experiment, side, std::move(side.labels));
    return {};
}

Result<void> change(EditDraft &draft, const MoveToken &edit)
{
    Side side = sideOf(draft.experiment, edit.side);
    const Index count = static_cast<Index>(side.labels.size());
    for (const Result<void> &check :
         {checkIndex("token", edit.from, count), checkIndex("new position of the token", edit.to, count),
          checkConsistent(draft.experiment)})
        if (!check)
            return check;
    if (edit.from == edit.to)
        return {};
    changeAxes(draft, tokenAxes(draft.experiment, side, LineChange::moved(edit.from, edit.to)), {});
    const auto from = side.labels.begin() + edit.from;
    const auto to = side.labels.begin() + edit.to;
    if (edit.from < edit.to)
        std::rotate(from, from + 1, to + 1);
    else
        std::rotate(to, from, from + 1);
    storeLabels(draft.experiment, side, std::move(side.labels));
    return {};
}

Result<void> change(EditDraft &draft, const RenameToken &edit)
{
    Side side = sideOf(draft.experiment, edit.side);
    const Result<void> inside = checkIndex("token", edit.index, static_cast<Index>(side.labels.size()));
    if (!inside)
        return inside;
    side.labels[static_cast<std::size_t>(edit.index)] = edit.label;
    storeLabels(draft.experiment, side, std::move(side.labels));
    return {};
}

Result<void> change(EditDraft &draft, const SetTokens &edit)
{
    const Side side = sideOf(draft.experiment, edit.side);
    if (edit.labels.size() != side.labels.size())
        return Error{ErrorCode::ShapeMismatch, "token labels: expected " +
                                                   std::to_string(side.labels.size()) + ", found " +
                                                   std::to_string(edit.labels.size())};
    storeLabels(draft.experiment, side, edit.labels);
    return {};
}

} // namespace attn
