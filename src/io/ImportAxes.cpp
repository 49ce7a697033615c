#include "io/ImportAxes.h"

namespace attn {

namespace {

using Roles = std::vector<AxisRole>;

/// `inner` with as many layer and batch axes in front as the shape has more axes.
AxisGuess withLeadingAxes(const Roles &inner, const std::vector<std::int64_t> &shape,
                          const AxisContext &context)
{
    if (shape.size() < inner.size() || shape.size() > inner.size() + 2)
        return {Roles(shape.size(), AxisRole::Unknown), true};
    AxisGuess guess;
    const std::size_t leading = shape.size() - inner.size();
    if (leading == 2)
        guess.axes = {AxisRole::Layer, AxisRole::Batch};
    if (leading == 1) {
        guess.axes = {context.leadingAxis.value_or(AxisRole::Batch)};
        guess.isUncertain = !context.leadingAxis && !context.batch && shape[0] > 1;
    }
    guess.axes.insert(guess.axes.end(), inner.begin(), inner.end());
    return guess;
}

/// Three axes of which the first is heads or batch entries.
AxisGuess headsOrBatch(const std::vector<std::int64_t> &shape, std::optional<Index> heads,
                       const AxisContext &context)
{
    const Roles asHeads = {AxisRole::Head, AxisRole::Row, AxisRole::Col};
    const Roles asBatch = {AxisRole::Batch, AxisRole::Row, AxisRole::Col};
    const Index first = static_cast<Index>(shape[0]);
    const bool mayBeHeads = !heads || *heads == first;
    const bool mayBeBatch = context.batch ? *context.batch == first : !heads || *heads != first;
    if (context.batch && *context.batch == first)
        return {asBatch, mayBeHeads && heads && first > 1 && context.leadingAxis != AxisRole::Batch};
    if (mayBeHeads)
        return {asHeads, !heads && mayBeBatch && first > 1};
    return {asBatch, false};
}

/// Q, K and V: rows of all heads, or an axis of heads before or behind the tokens.
AxisGuess guessProjected(const std::vector<std::int64_t> &shape, std::optional<Index> heads,
                         const AxisContext &context)
{
    const Roles headFirst = {AxisRole::Head, AxisRole::Row, AxisRole::Col};
    const Roles headSecond = {AxisRole::Row, AxisRole::Head, AxisRole::Col};
    if (shape.size() <= 2)
        return withLeadingAxes({AxisRole::Row, AxisRole::Col}, shape, context);
    if (shape.size() == 3) {
        if (context.width && *context.width == shape[2] && *context.width != shape[0] * shape[2])
            return {{AxisRole::Batch, AxisRole::Row, AxisRole::Col}, false};
        if (heads && shape[1] == *heads && shape[0] != *heads)
            return {headSecond, false};
        return headsOrBatch(shape, heads, context);
    }
    const bool isHeadSecond = heads && shape[shape.size() - 2] == *heads && shape[shape.size() - 3] != *heads;
    return withLeadingAxes(isHeadSecond ? headSecond : headFirst, shape, context);
}

} // namespace

AxisGuess guessAxes(Stage stage, const std::vector<std::int64_t> &shape, const AxisContext &context)
{
    const Roles matrix = {AxisRole::Row, AxisRole::Col};
    const Roles headed = {AxisRole::Head, AxisRole::Row, AxisRole::Col};
    const StageInfo &info = stageInfo(stage);
    if (shape.empty())
        return {{}, false};
    if (info.rows == Axis::One && shape.size() == 1)
        return {{AxisRole::Col}, false};
    switch (stage) {
    case Stage::Q:
        return guessProjected(shape, context.nHeads, context);
    case Stage::K:
    case Stage::V:
        return guessProjected(shape, context.nKvHeads ? context.nKvHeads : context.nHeads, context);
    case Stage::Bq:
    case Stage::Bk:
    case Stage::Bv:
    case Stage::Bo:
        return withLeadingAxes(shape.size() == 2 && shape[0] > 1 ? Roles{AxisRole::Head, AxisRole::Col}
                                                                 : matrix,
                               shape, context);
    case Stage::Wq:
    case Stage::Wk:
    case Stage::Wv:
    case Stage::Wo:
        return withLeadingAxes(shape.size() >= 3 ? headed : matrix, shape, context);
    case Stage::MaskPadding:
        return shape.size() == 2 && shape[0] > 1 ? AxisGuess{{AxisRole::Batch, AxisRole::Col}, false}
                                                 : withLeadingAxes(matrix, shape, context);
    case Stage::MaskBool:
    case Stage::MaskAdd:
        if (shape.size() == 3)
            return headsOrBatch(shape, context.nHeads, context);
        return withLeadingAxes(shape.size() >= 4 ? headed : matrix, shape, context);
    default:
        break;
    }
    if (info.heads == HeadAxis::None || shape.size() == 2)
        return withLeadingAxes(matrix, shape, context);
    if (shape.size() == 3)
        return headsOrBatch(shape, info.heads == HeadAxis::KeyValue ? context.nKvHeads : context.nHeads,
                            context);
    return withLeadingAxes(headed, shape, context);
}

} // namespace attn
