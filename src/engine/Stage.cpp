#include "engine/Stage.h"

#include "base/Assert.h"

#include <algorithm>
#include <array>

namespace attn {

namespace {

constexpr std::array queryInputs = {Stage::X, Stage::Wq, Stage::Bq};
constexpr std::array keyInputs = {Stage::X, Stage::Xkv, Stage::Wk, Stage::Bk};
constexpr std::array valueInputs = {Stage::X, Stage::Xkv, Stage::Wv, Stage::Bv};
constexpr std::array fromQ = {Stage::Q};
constexpr std::array fromK = {Stage::K};
constexpr std::array fromV = {Stage::V};
constexpr std::array scoresInputs = {Stage::Q, Stage::K, Stage::Qr, Stage::Kr};
constexpr std::array fromScores = {Stage::Scores};
constexpr std::array maskedInputs = {Stage::Scaled, Stage::Allowed, Stage::Bias};
constexpr std::array fromMasked = {Stage::Masked};
constexpr std::array headOutInputs = {Stage::A, Stage::V};
constexpr std::array fromHeadOut = {Stage::HeadOut};
constexpr std::array outputInputs = {Stage::Concat, Stage::Wo, Stage::Bo};
constexpr std::array allowedInputs = {Stage::MaskPadding, Stage::MaskBool, Stage::MaskAdd};
constexpr std::array biasInputs = {Stage::MaskAdd, Stage::MaskAlibi, Stage::Allowed};
constexpr std::array contributionInputs = {Stage::Concat, Stage::Wo};

constexpr StageInfo document(Stage stage, const char *name, Axis rows, Axis cols)
{
    return {stage, name, StageKind::Input, HeadAxis::None, rows, cols, true, false, {}};
}

constexpr StageInfo mask(Stage stage, const char *name, HeadAxis heads, Axis rows, Axis cols)
{
    return {stage, name, StageKind::Mask, heads, rows, cols, true, false, {}};
}

constexpr StageInfo computed(Stage stage, const char *name, HeadAxis heads, Axis rows, Axis cols,
                             std::span<const Stage> inputs)
{
    return {stage, name, StageKind::Computed, heads, rows, cols, true, true, inputs};
}

constexpr StageInfo derived(Stage stage, const char *name, HeadAxis heads, Axis rows, Axis cols,
                            std::span<const Stage> inputs)
{
    return {stage, name, StageKind::Derived, heads, rows, cols, false, false, inputs};
}

constexpr std::array<StageInfo, static_cast<std::size_t>(stageCount)> table = {
    document(Stage::X, "X", Axis::Query, Axis::Model),
    document(Stage::Xkv, "Xkv", Axis::Key, Axis::ModelKv),
    document(Stage::Wq, "Wq", Axis::Model, Axis::QueryWidth),
    document(Stage::Bq, "bq", Axis::One, Axis::QueryWidth),
    document(Stage::Wk, "Wk", Axis::ModelKv, Axis::KeyWidth),
    document(Stage::Bk, "bk", Axis::One, Axis::KeyWidth),
    document(Stage::Wv, "Wv", Axis::ModelKv, Axis::ValueWidth),
    document(Stage::Bv, "bv", Axis::One, Axis::ValueWidth),
    document(Stage::Wo, "Wo", Axis::ConcatWidth, Axis::OutputWidth),
    document(Stage::Bo, "bo", Axis::One, Axis::OutputWidth),
    mask(Stage::MaskPadding, "mask.key_padding", HeadAxis::None, Axis::One, Axis::Key),
    mask(Stage::MaskBool, "mask.bool", HeadAxis::Optional, Axis::Query, Axis::Key),
    mask(Stage::MaskAdd, "mask.add", HeadAxis::Optional, Axis::Query, Axis::Key),
    mask(Stage::MaskAlibi, "mask.alibi", HeadAxis::None, Axis::One, Axis::Head),
    computed(Stage::Q, "Q", HeadAxis::None, Axis::Query, Axis::QueryWidth, queryInputs),
    computed(Stage::K, "K", HeadAxis::None, Axis::Key, Axis::KeyWidth, keyInputs),
    computed(Stage::V, "V", HeadAxis::None, Axis::Key, Axis::ValueWidth, valueInputs),
    computed(Stage::Qr, "Qr", HeadAxis::Query, Axis::Query, Axis::HeadKey, fromQ),
    computed(Stage::Kr, "Kr", HeadAxis::KeyValue, Axis::Key, Axis::HeadKey, fromK),
    computed(Stage::Scores, "scores", HeadAxis::Query, Axis::Query, Axis::Key, scoresInputs),
    computed(Stage::Scaled, "scaled", HeadAxis::Query, Axis::Query, Axis::Key, fromScores),
    computed(Stage::Masked, "masked", HeadAxis::Query, Axis::Query, Axis::Key, maskedInputs),
    computed(Stage::A, "A", HeadAxis::Query, Axis::Query, Axis::Key, fromMasked),
    computed(Stage::HeadOut, "head_out", HeadAxis::Query, Axis::Query, Axis::HeadValue, headOutInputs),
    computed(Stage::Concat, "concat", HeadAxis::None, Axis::Query, Axis::ConcatWidth, fromHeadOut),
    computed(Stage::Output, "output", HeadAxis::None, Axis::Query, Axis::OutputWidth, outputInputs),
    derived(Stage::Qh, "Qh", HeadAxis::Query, Axis::Query, Axis::HeadKey, fromQ),
    derived(Stage::Kh, "Kh", HeadAxis::KeyValue, Axis::Key, Axis::HeadKey, fromK),
    derived(Stage::Vh, "Vh", HeadAxis::KeyValue, Axis::Key, Axis::HeadValue, fromV),
    derived(Stage::Allowed, "allowed", HeadAxis::Query, Axis::Query, Axis::Key, allowedInputs),
    derived(Stage::Bias, "bias", HeadAxis::Query, Axis::Query, Axis::Key, biasInputs),
    derived(Stage::FullyMasked, "fully_masked", HeadAxis::None, Axis::Head, Axis::Query, fromMasked),
    derived(Stage::ASoft, "A_soft", HeadAxis::Query, Axis::Query, Axis::Key, fromMasked),
    derived(Stage::HeadContribution, "head_contribution", HeadAxis::Query, Axis::Query, Axis::OutputWidth,
            contributionInputs),
};

constexpr bool tableIsInEnumOrder()
{
    for (std::size_t i = 0; i < table.size(); ++i)
        if (table[i].stage != static_cast<Stage>(i))
            return false;
    return true;
}
static_assert(tableIsInEnumOrder());

} // namespace

std::span<const StageInfo> stageTable()
{
    return table;
}

const StageInfo &stageInfo(Stage stage)
{
    const auto index = static_cast<std::size_t>(stage);
    ATTN_ASSERT(index < table.size(), "no such stage");
    return table[index];
}

const char *stageName(Stage stage)
{
    return stageInfo(stage).name;
}

std::optional<Stage> stageFromName(std::string_view name)
{
    const auto found =
        std::find_if(table.begin(), table.end(), [name](const StageInfo &info) { return name == info.name; });
    if (found == table.end())
        return std::nullopt;
    return found->stage;
}

const char *axisNoun(Axis axis)
{
    switch (axis) {
    case Axis::Query:
    case Axis::Key:
        return "token";
    case Axis::Head:
        return "head";
    case Axis::One:
        return "row";
    case Axis::Model:
    case Axis::ModelKv:
    case Axis::QueryWidth:
    case Axis::KeyWidth:
    case Axis::ValueWidth:
    case Axis::HeadKey:
    case Axis::HeadValue:
    case Axis::ConcatWidth:
    case Axis::OutputWidth:
        break;
    }
    return "feature";
}

} // namespace attn
