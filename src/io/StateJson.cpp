#include "io/StateJson.h"

#include "io/StateFields.h"

#include <algorithm>
#include <array>

namespace attn {

namespace {

constexpr Index maxDensePins = 1000000;

Json labelsToJson(const TokenList &tokens)
{
    Json::Array labels;
    for (const std::string &label : tokens.labels())
        labels.emplace_back(label);
    return labels;
}

Json sparsePinsToJson(const Pins &pins, Stage stage, JsonForm form)
{
    Json::Object object;
    if (!pins.whole().isNull())
        object.emplace_back("whole", stageTensorToJson(stage, pins.whole(), form));
    if (!pins.holes().empty()) {
        std::vector<double> numbers;
        for (const CellIndex &cell : pins.holes())
            numbers.insert(numbers.end(), {double(cell.head), double(cell.row), double(cell.col)});
        object.emplace_back("holes",
                            arrayToJson(std::array<Index, 2>{Index(pins.holes().size()), 3}, numbers));
    }
    if (!pins.cells().empty()) {
        std::vector<CellValue> cells;
        for (const auto &[cell, value] : pins.cells())
            cells.push_back({cell, value});
        object.emplace_back("cells", cellTableToJson(cells));
    }
    return object;
}

/// {value, where} of the stage's shape; pinned cells outside of it have no place there.
Json densePinsToJson(const Pins &pins, Stage stage, const Shape &shape)
{
    std::vector<CellValue> values;
    std::vector<CellValue> where;
    for (const CellValue &pin : pins.all()) {
        if (pin.cell.head >= shape.heads || pin.cell.row >= shape.rows || pin.cell.col >= shape.cols)
            continue;
        values.push_back(pin);
        where.push_back({pin.cell, 1.0});
    }
    const Tensor zeros = Tensor::zeros(shape);
    Json whereJson = stageTensorToJson(stage, zeros.withCells(where));
    const auto axes = whereJson["shape"];
    Json::Array flags;
    for (const Json &flag : whereJson["data"].toArray())
        flags.emplace_back(flag.toDouble() != 0.0 ? 1 : 0);
    return Json::Object{
        {"value", stageTensorToJson(stage, zeros.withCells(values))},
        {"where", Json::Object{{"dtype", "bool"}, {"shape", axes}, {"data", std::move(flags)}}}};
}

Json pinsToJson(const Experiment &experiment, JsonForm form)
{
    Json::Object object;
    for (const auto &[stage, pins] : experiment.pins) {
        const Shape shape = pins.whole().isNull() ? expectedShape(experiment, stage) : pins.whole().shape();
        const bool isDense = form == JsonForm::Golden && shape.size() <= maxDensePins;
        object.emplace_back(stageName(stage), isDense ? densePinsToJson(pins, stage, shape)
                                                      : sparsePinsToJson(pins, stage, form));
    }
    std::sort(object.begin(), object.end(),
              [](const Json::Member &a, const Json::Member &b) { return a.first < b.first; });
    return object;
}

Json givenToJson(const Experiment &experiment, JsonForm form)
{
    Json::Object object;
    for (const auto &[stage, matrix] : experiment.given)
        if (stageInfo(stage).kind == StageKind::Computed && !matrix.isNull())
            object.emplace_back(stageName(stage), stageTensorToJson(stage, matrix, form));
    std::sort(object.begin(), object.end(),
              [](const Json::Member &a, const Json::Member &b) { return a.first < b.first; });
    return object;
}

Json maskToJson(const Experiment &experiment, JsonForm form)
{
    Json::Object mask = {{"causal", experiment.causal}, {"window", windowToJson(experiment.window)}};
    for (const auto &[stage, key] : stateMasks)
        mask.emplace_back(key, stageTensorToJson(stage, experiment.matrix(stage), form));
    return mask;
}

} // namespace

Json stateToJson(const Experiment &experiment, JsonForm form)
{
    const Sizes sizes = sizesOf(experiment);
    Json::Object state = {{"tokens", labelsToJson(experiment.tokens)},
                          {"tokens_kv", experiment.tokensKv ? labelsToJson(*experiment.tokensKv) : Json()}};
    for (const Stage stage : stateInputs)
        state.emplace_back(stageName(stage), stageTensorToJson(stage, experiment.matrix(stage), form));
    state.insert(state.end(), {{"h", integerJson(experiment.nHeads)},
                               {"h_kv", integerJson(experiment.nKvHeads)},
                               {"d_k", integerJson(sizes.dHeadK)},
                               {"d_v", integerJson(sizes.dHeadV)},
                               {"n_q", integerJson(sizes.nQ)},
                               {"n_k", integerJson(sizes.nK)},
                               {"scale", Json::number(sizes.scale)},
                               {"scale_is_default", !experiment.scale.has_value()},
                               {"q_offset", integerJson(experiment.qOffset)},
                               {"rope", rotaryToJson(experiment.rotary)},
                               {"mask", maskToJson(experiment, form)},
                               {"pins", pinsToJson(experiment, form)},
                               {"given", givenToJson(experiment, form)}});
    return state;
}

} // namespace attn
