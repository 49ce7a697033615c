#include "io/StateJson.h"

#include "io/JsonFields.h"
#include "io/StateFields.h"

#include <algorithm>

namespace attn {

namespace {

bool holdsOnlyFlags(const Tensor &matrix)
{
    const std::vector<double> values = matrix.toDoubles();
    return std::all_of(values.begin(), values.end(),
                       [](double value) { return value == 0.0 || value == 1.0; });
}

void readMask(JsonFields &state, Experiment &experiment)
{
    if (!state.has("mask"))
        return;
    JsonFields fields(state.at("mask"), state.fieldName("mask"), state.files());
    experiment.causal = fields.boolean("causal", false);
    experiment.window = windowField(fields, "window");
    for (const auto &[stage, key] : stateMasks) {
        Tensor matrix = fields.tensor(key);
        if (matrix.isNull())
            continue;
        if (stage != Stage::MaskAdd && stage != Stage::MaskAlibi && !holdsOnlyFlags(matrix))
            fields.fail(key, "expected only 0 and 1");
        experiment.given[stage] = std::move(matrix);
    }
    if (!fields.ok())
        state.fail(fields.error());
}

std::optional<Stage> computedStage(const std::string &name)
{
    const std::optional<Stage> stage = stageFromName(name);
    if (!stage || stageInfo(*stage).kind != StageKind::Computed)
        return {};
    return stage;
}

void readGiven(JsonFields &state, Experiment &experiment)
{
    const Json &object = state.object("given");
    if (!object.isObject())
        return;
    JsonFields fields(object, state.fieldName("given"), state.files());
    for (const auto &[name, value] : object.toObject()) {
        const std::optional<Stage> stage = computedStage(name);
        if (!stage || !stageInfo(*stage).canBeGiven)
            fields.fail(name, "this is no stage that can be given");
        else if (Tensor matrix = fields.tensor(name); !matrix.isNull())
            experiment.given[*stage] = std::move(matrix);
    }
    if (!fields.ok())
        state.fail(fields.error());
}

Pins sparsePinsFromJson(JsonFields &fields)
{
    const Tensor whole = fields.tensor("whole");
    Pins pins = whole.isNull() ? Pins() : Pins(whole);
    for (const CellValue &hole : cellTableField(fields, "holes", 3))
        pins.clear(hole.cell);
    for (const CellValue &pin : cellTableField(fields, "cells"))
        pins.set(pin.cell, pin.value);
    return pins;
}

Pins densePinsFromJson(JsonFields &fields)
{
    const Tensor value = fields.tensor("value");
    const Tensor where = fields.tensor("where");
    if (value.isNull() || where.isNull()) {
        fields.fail(value.isNull() ? "value" : "where", "missing");
        return {};
    }
    if (!(value.shape() == where.shape())) {
        fields.fail("where",
                    "expected shape " + shapeText(value.shape()) + ", found " + shapeText(where.shape()));
        return {};
    }
    const std::vector<double> flags = where.toDoubles();
    if (!flags.empty() && std::all_of(flags.begin(), flags.end(), [](double flag) { return flag != 0.0; }))
        return Pins(value);
    Pins pins;
    std::size_t next = 0;
    for (Index head = 0; head < value.heads(); ++head)
        for (Index row = 0; row < value.rows(); ++row)
            for (Index col = 0; col < value.cols(); ++col)
                if (flags[next++] != 0.0)
                    pins.set({head, row, col}, value.at(head, row, col));
    return pins;
}

void readPins(JsonFields &state, Experiment &experiment)
{
    const Json &object = state.object("pins");
    for (const auto &[name, value] : object.toObject()) {
        JsonFields fields(value, state.fieldName("pins") + "." + name, state.files());
        const std::optional<Stage> stage = computedStage(name);
        if (!stage || !stageInfo(*stage).canBePinned) {
            state.fail({ErrorCode::BadInput,
                        state.fieldName("pins") + "." + name + ": this is no stage that can be pinned"});
            return;
        }
        Pins pins = fields.has("value") || fields.has("where") ? densePinsFromJson(fields)
                                                               : sparsePinsFromJson(fields);
        if (!pins.isEmpty())
            experiment.pins[*stage] = std::move(pins);
        if (!fields.ok())
            state.fail(fields.error());
    }
}

/// Rows of the first matrix that tells how many tokens there are.
Index countedTokens(const Experiment &experiment, std::initializer_list<Stage> candidates)
{
    for (const Stage stage : candidates)
        if (experiment.isGiven(stage))
            return experiment.matrix(stage).rows();
    return 0;
}

TokenList numberedTokens(Index count)
{
    std::vector<std::string> labels;
    for (Index i = 0; i < count; ++i)
        labels.push_back(std::to_string(i));
    return labels;
}

void readTokens(JsonFields &state, Experiment &experiment)
{
    if (auto labels = state.texts("tokens"))
        experiment.tokens = TokenList(std::move(*labels));
    else
        experiment.tokens = numberedTokens(
            countedTokens(experiment, {Stage::X, Stage::Q, Stage::Scores, Stage::Scaled, Stage::A}));
    if (auto labels = state.texts("tokens_kv"))
        experiment.tokensKv = TokenList(std::move(*labels));
    else if (experiment.isGiven(Stage::Xkv))
        experiment.tokensKv = numberedTokens(experiment.matrix(Stage::Xkv).rows());
}

/// Without "scale_is_default" a scale that differs from the default is meant.
void readScale(JsonFields &state, Experiment &experiment)
{
    const std::optional<double> scale = state.optionalNumber("scale");
    if (!scale)
        return;
    const bool isDefault = state.has("scale_is_default") ? state.boolean("scale_is_default", true)
                                                         : *scale == sizesOf(experiment).scale;
    if (!isDefault)
        experiment.scale = *scale;
}

/// What the state says, and what its matrices say where it says nothing.
struct StatedWidths
{
    Index dHeadK = 0;
    Index dHeadV = 0;
};

/// Length of an axis, or 0 when nothing tells it.
Index statedLength(const Sizes &sizes, Axis axis, const StatedWidths &stated)
{
    Sizes known = sizes;
    if (stated.dHeadK > 0)
        known.dHeadK = stated.dHeadK;
    if (stated.dHeadV > 0)
        known.dHeadV = stated.dHeadV;
    return known.length(axis);
}

std::string counted(Index count, const char *noun)
{
    return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

/// Compares a matrix of the state with the shape that the tokens, heads and widths ask for.
void checkShape(JsonFields &state, const std::string &name, const StageInfo &info, const Shape &shape,
                const Sizes &sizes, const StatedWidths &stated)
{
    const Index heads = info.heads == HeadAxis::None       ? 1
                        : info.heads == HeadAxis::KeyValue ? sizes.nKvHeads
                                                           : sizes.nHeads;
    const bool mayBeShared = info.heads == HeadAxis::Optional && shape.heads == 1;
    if (shape.heads != heads && !mayBeShared)
        state.fail(name, "expected " + counted(heads, "head") + ", found " + std::to_string(shape.heads),
                   ErrorCode::ShapeMismatch);
    const Index rows = statedLength(sizes, info.rows, stated);
    if (rows > 0 && shape.rows != rows)
        state.fail(name, "expected " + counted(rows, "row") + ", found " + std::to_string(shape.rows),
                   ErrorCode::ShapeMismatch);
    const Index cols = statedLength(sizes, info.cols, stated);
    if (cols > 0 && shape.cols != cols)
        state.fail(name, "expected " + counted(cols, "column") + ", found " + std::to_string(shape.cols),
                   ErrorCode::ShapeMismatch);
}

void checkCount(JsonFields &state, const char *key, Index tokens)
{
    const Index stated = state.integer(key, tokens, 0, maxStateInteger);
    if (stated != tokens)
        state.fail(key,
                   "expected " + std::to_string(tokens) + " as there are tokens, found " +
                       std::to_string(stated),
                   ErrorCode::ShapeMismatch);
}

void checkStateShapes(JsonFields &state, const Experiment &experiment, const StatedWidths &stated)
{
    const Sizes sizes = sizesOf(experiment);
    checkCount(state, "n_q", sizes.nQ);
    checkCount(state, "n_k", sizes.nK);
    if (sizes.nHeads % sizes.nKvHeads != 0)
        state.fail("h_kv",
                   std::to_string(sizes.nKvHeads) + " does not divide h = " + std::to_string(sizes.nHeads),
                   ErrorCode::ShapeMismatch);
    for (const auto &[stage, matrix] : experiment.given) {
        const StageInfo &info = stageInfo(stage);
        const std::string prefix = info.kind == StageKind::Computed ? "given." : "";
        checkShape(state, prefix + info.name, info, matrix.shape(), sizes, stated);
    }
    for (const auto &[stage, pins] : experiment.pins)
        if (!pins.whole().isNull())
            checkShape(state, std::string("pins.") + stageName(stage), stageInfo(stage), pins.whole().shape(),
                       sizes, stated);
    if (!state.ok())
        return;
    if (const Result<void> valid = validate(experiment); !valid)
        state.fail({valid.error().code, "state: " + valid.error().message});
}

} // namespace

Result<Experiment> experimentFromState(const Json &json, StateCheck check, ReferencedFiles *files)
{
    JsonFields state(json, "state", files);
    if (!state.ok())
        return state.error();
    Experiment experiment;
    for (const Stage stage : stateInputs)
        if (Tensor matrix = state.tensor(stageName(stage)); !matrix.isNull())
            experiment.given[stage] = std::move(matrix);
    experiment.nHeads = state.integer("h", 1, 1, maxStateInteger);
    experiment.nKvHeads = state.integer("h_kv", experiment.nHeads, 1, maxStateInteger);
    experiment.qOffset = state.integer("q_offset", 0, -maxStateInteger, maxStateInteger);
    experiment.rotary = rotaryField(state, "rope");
    readMask(state, experiment);
    readGiven(state, experiment);
    readPins(state, experiment);
    readTokens(state, experiment);

    const Index dHeadK = state.integer("d_k", 0, 0, maxStateInteger);
    const Index dHeadV = state.integer("d_v", 0, 0, maxStateInteger);
    const Sizes sizes = sizesOf(experiment);
    if (sizes.dHeadK == 0)
        experiment.statedDHeadK = dHeadK;
    if (sizes.dHeadV == 0)
        experiment.statedDHeadV = dHeadV;
    readScale(state, experiment);
    if (state.ok() && check == StateCheck::Shapes)
        checkStateShapes(state, experiment, {dHeadK, dHeadV});
    if (!state.ok())
        return state.error();
    return experiment;
}

} // namespace attn
