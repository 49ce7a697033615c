#include "engine/Derivation.h"

#include "base/VisibleLabel.h"

namespace attn {

namespace {

std::string axisLabel(const Experiment &experiment, Axis axis, Index index)
{
    const auto token = [index](const TokenList &tokens) {
        return index >= 0 && index < tokens.size() ? tokens.at(index) : std::to_string(index + 1);
    };
    switch (axis) {
    case Axis::Query:
        return token(experiment.tokens);
    case Axis::Key:
        return token(experiment.keyTokens());
    case Axis::Head:
        return "head " + std::to_string(index + 1);
    case Axis::One:
        return {};
    default:
        return "f" + std::to_string(index + 1);
    }
}

std::string headLabel(const Experiment &experiment, Stage stage, Index head)
{
    switch (stageInfo(stage).heads) {
    case HeadAxis::None:
        return {};
    case HeadAxis::Query:
        return experiment.nHeads > 1 ? "head " + std::to_string(head + 1) : std::string();
    case HeadAxis::KeyValue:
        return experiment.nKvHeads > 1 ? "KV head " + std::to_string(head + 1) : std::string();
    case HeadAxis::Optional:
        return experiment.isGiven(stage) && experiment.matrix(stage).heads() > 1
                   ? "head " + std::to_string(head + 1)
                   : std::string();
    }
    return {};
}

} // namespace

std::string rowLabel(const Experiment &experiment, Stage stage, Index row)
{
    return axisLabel(experiment, stageInfo(stage).rows, row);
}

std::string colLabel(const Experiment &experiment, Stage stage, Index col)
{
    return axisLabel(experiment, stageInfo(stage).cols, col);
}

std::string cellName(const Experiment &experiment, Stage stage, const CellIndex &cell)
{
    const std::string head = headLabel(experiment, stage, cell.head);
    const std::string row = visibleLabel(rowLabel(experiment, stage, cell.row));
    const bool hasRows = stageInfo(stage).rows != Axis::One;
    return std::string(stageName(stage)) + "[" + (head.empty() ? "" : head + ": ") +
           (hasRows ? row + ", " : "") + visibleLabel(colLabel(experiment, stage, cell.col)) + "]";
}

} // namespace attn
