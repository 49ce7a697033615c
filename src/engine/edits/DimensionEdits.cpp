#include "engine/edits/AxisChange.h"

namespace attn {

namespace {

/// The position in each of `heads` blocks of `width` columns.
std::vector<Index> inEveryHead(Index heads, Index width, Index index)
{
    std::vector<Index> positions;
    for (Index head = 0; head < heads; ++head)
        positions.push_back(head * width + index);
    return positions;
}

std::string dimensionName(Axis axis)
{
    switch (axis) {
    case Axis::Model:
        return "column of X";
    case Axis::ModelKv:
        return "column of Xkv";
    case Axis::HeadKey:
        return "column of each query and key head";
    case Axis::HeadValue:
        return "column of each value head";
    case Axis::OutputWidth:
        return "column of the output";
    default:
        return "dimension";
    }
}

/// Why this axis has no length that could be changed here; empty when it has.
std::string fixedAxisReason(const Experiment &experiment, Axis axis)
{
    switch (axis) {
    case Axis::Model:
        return experiment.isGiven(Stage::X) ? "" : "this document has no X";
    case Axis::ModelKv:
        return experiment.isGiven(Stage::Xkv) ? "" : "this document has no Xkv";
    case Axis::HeadKey:
        return experiment.isGiven(Stage::Q) || experiment.isGiven(Stage::Wq)
                   ? ""
                   : "this document has neither Wq nor a given Q";
    case Axis::HeadValue:
        return experiment.isGiven(Stage::V) || experiment.isGiven(Stage::Wv)
                   ? ""
                   : "this document has neither Wv nor a given V";
    case Axis::OutputWidth:
        return experiment.isGiven(Stage::Wo) ? "" : "without W^O the output is as wide as the heads together";
    default:
        return "only the columns of X and Xkv, the head widths and the output width can be changed";
    }
}

using MakeChange = LineChange (*)(std::vector<Index>);

std::map<Axis, LineChange> dimensionAxes(const Experiment &experiment, Axis axis, Index index,
                                         MakeChange make)
{
    const Sizes sizes = sizesOf(experiment);
    switch (axis) {
    case Axis::Model:
        // Keys and values are made from X too unless they have a matrix of their own.
        if (experiment.isGiven(Stage::Xkv))
            return {{Axis::Model, make({index})}};
        return {{Axis::Model, make({index})}, {Axis::ModelKv, make({index})}};
    case Axis::HeadKey:
        return {{Axis::HeadKey, make({index})},
                {Axis::QueryWidth, make(inEveryHead(sizes.nHeads, sizes.dHeadK, index))},
                {Axis::KeyWidth, make(inEveryHead(sizes.nKvHeads, sizes.dHeadK, index))}};
    case Axis::HeadValue:
        return {{Axis::HeadValue, make({index})},
                {Axis::ValueWidth, make(inEveryHead(sizes.nKvHeads, sizes.dHeadV, index))},
                {Axis::ConcatWidth, make(inEveryHead(sizes.nHeads, sizes.dHeadV, index))}};
    default:
        return {{axis, make({index})}};
    }
}

Result<void> checkDimension(const Experiment &experiment, Axis axis, Index index, Index extra)
{
    const std::string reason = fixedAxisReason(experiment, axis);
    if (!reason.empty())
        return Error{ErrorCode::BadInput, dimensionName(axis) + ": " + reason};
    const Result<void> consistent = checkConsistent(experiment);
    if (!consistent)
        return consistent;
    return checkIndex(dimensionName(axis), index, sizesOf(experiment).length(axis) + extra);
}

} // namespace

Result<void> change(EditDraft &draft, const InsertDimension &edit)
{
    const Result<void> possible = checkDimension(draft.experiment, edit.axis, edit.index, 1);
    if (!possible)
        return possible;
    changeAxes(draft, dimensionAxes(draft.experiment, edit.axis, edit.index, &LineChange::inserted), {});
    return {};
}

Result<void> change(EditDraft &draft, const DeleteDimension &edit)
{
    const Result<void> possible = checkDimension(draft.experiment, edit.axis, edit.index, 0);
    if (!possible)
        return possible;
    if (sizesOf(draft.experiment).length(edit.axis) == 1)
        return Error{ErrorCode::BadInput, "the only " + dimensionName(edit.axis) + " cannot be deleted"};
    changeAxes(draft, dimensionAxes(draft.experiment, edit.axis, edit.index, &LineChange::removed),
               "the " + dimensionName(edit.axis) + " they stood in was deleted");
    return {};
}

} // namespace attn
