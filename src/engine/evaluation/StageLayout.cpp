#include "engine/evaluation/StageLayout.h"

#include "engine/kernels/KernelTable.h"

namespace attn {

namespace {

/// Blocks of rows that products read as a whole: keys, values, weights.
Index wideBlockRows(Index rows)
{
    return std::clamp<Index>((rows + 7) / 8 * 8, 8, kernelDepthPanel);
}

/// How many heads lie side by side in Q, K, V or concat; 1 where they cannot be told apart.
Index headsIn(Stage whole, const EvaluationPlan &plan, const Sizes &sizes)
{
    const Index cols = plan.at(whole).shape.cols;
    const Index heads = whole == Stage::K || whole == Stage::V ? sizes.nKvHeads : sizes.nHeads;
    return heads >= 1 && cols % heads == 0 ? heads : 1;
}

/// A weight or bias whose columns belong to the heads of a projection.
StageLayout projectionLayout(Stage stage, Stage projected, const EvaluationPlan &plan, const Sizes &sizes)
{
    const Shape &shape = plan.at(stage).shape;
    const bool fits = plan.at(projected).usable && plan.at(projected).shape.cols == shape.cols;
    const Index heads = fits ? headsIn(projected, plan, sizes) : 1;
    return {{heads, shape.rows, shape.cols / heads}, wideBlockRows(shape.rows), HeadsShown::SideBySide};
}

StageLayout outputWeightLayout(const EvaluationPlan &plan, const Sizes &sizes)
{
    const Shape &shape = plan.at(Stage::Wo).shape;
    const bool fits = plan.at(Stage::Concat).usable && plan.at(Stage::Concat).shape.cols == shape.rows;
    const Index heads = fits ? headsIn(Stage::Concat, plan, sizes) : 1;
    const Index rows = shape.rows / heads;
    return {{heads, rows, shape.cols}, wideBlockRows(rows), HeadsShown::Stacked};
}

} // namespace

StageLayout layoutOf(Stage stage, const EvaluationPlan &plan, const Sizes &sizes)
{
    const Shape &shape = plan.at(stage).shape;
    const Index strip = stripRowsOf(shape.rows);
    const auto sideBySide = [&](Index blockRows) {
        const Index heads = headsIn(stage, plan, sizes);
        return StageLayout{{heads, shape.rows, shape.cols / heads}, blockRows, HeadsShown::SideBySide};
    };
    switch (stage) {
    case Stage::Wq:
    case Stage::Bq:
        return projectionLayout(stage, Stage::Q, plan, sizes);
    case Stage::Wk:
    case Stage::Bk:
        return projectionLayout(stage, Stage::K, plan, sizes);
    case Stage::Wv:
    case Stage::Bv:
        return projectionLayout(stage, Stage::V, plan, sizes);
    case Stage::Wo:
        return outputWeightLayout(plan, sizes);
    case Stage::MaskPadding:
    case Stage::MaskBool:
    case Stage::MaskAdd:
    case Stage::MaskAlibi:
        return {shape, strip, HeadsShown::Apart, false};
    case Stage::Q:
    case Stage::Concat:
        return sideBySide(strip);
    case Stage::K:
    case Stage::V:
        return sideBySide(wideBlockRows(shape.rows));
    case Stage::Kr:
        return {shape, wideBlockRows(shape.rows), HeadsShown::Apart, true};
    case Stage::Scores:
    case Stage::Scaled:
    case Stage::Masked:
    case Stage::A:
    case Stage::Allowed:
    case Stage::Bias:
    case Stage::ASoft:
        return {shape, strip, HeadsShown::Apart, shape.cols <= mostStoredKeys};
    case Stage::HeadContribution:
        return {shape, strip, HeadsShown::Apart, shape.rows <= mostStoredKeys};
    case Stage::Qh:
    case Stage::Kh:
    case Stage::Vh:
        return {{0, 0, 0}, 8, HeadsShown::Apart, false}; // views of Q, K and V
    case Stage::X:
    case Stage::Xkv:
    case Stage::Bo:
    case Stage::Qr:
    case Stage::HeadOut:
    case Stage::Output:
    case Stage::FullyMasked:
        break;
    }
    return {shape, strip, HeadsShown::Apart, true};
}

} // namespace attn
