#include "io/StateFields.h"

#include "io/TensorJson.h"

#include <algorithm>
#include <cmath>

namespace attn {

namespace {

constexpr std::array<std::pair<Axis, const char *>, 5> dimensionNames = {{{Axis::Model, "model"},
                                                                          {Axis::ModelKv, "model_kv"},
                                                                          {Axis::HeadKey, "head_key"},
                                                                          {Axis::HeadValue, "head_value"},
                                                                          {Axis::OutputWidth, "output"}}};

bool isPosition(double value)
{
    return value >= 0.0 && value <= static_cast<double>(maxStateInteger) && value == std::floor(value);
}

} // namespace

Json integerJson(Index value)
{
    return static_cast<std::int64_t>(value);
}

Json rotaryToJson(const std::optional<Rotary> &rotary)
{
    if (!rotary)
        return {};
    return Json::Object{{"mode", rotary->pairing == Rotary::Pairing::Half ? "half" : "interleaved"},
                        {"base", Json::number(rotary->base)},
                        {"rot_dim", rotary->rotDim ? integerJson(*rotary->rotDim) : Json()}};
}

std::optional<Rotary> rotaryField(JsonFields &parent, std::string_view key)
{
    if (!parent.has(key))
        return {};
    JsonFields fields(parent.at(key), parent.fieldName(key));
    Rotary rotary;
    const std::string mode = fields.text("mode", "interleaved");
    if (mode != "interleaved" && mode != "half")
        fields.fail("mode", "expected \"interleaved\" or \"half\", found \"" + mode + "\"");
    rotary.pairing = mode == "half" ? Rotary::Pairing::Half : Rotary::Pairing::Interleaved;
    rotary.base = fields.number("base", rotary.base);
    rotary.rotDim = fields.optionalInteger("rot_dim", 0, maxStateInteger);
    if (!fields.ok())
        parent.fail(fields.error());
    return rotary;
}

Json windowToJson(const std::optional<Window> &window)
{
    if (!window)
        return {};
    return Json::Array{window->left ? integerJson(*window->left) : Json(),
                       window->right ? integerJson(*window->right) : Json()};
}

std::optional<Window> windowField(JsonFields &fields, std::string_view key)
{
    if (!fields.has(key))
        return {};
    const Json::Array &ends = fields.at(key).toArray();
    if (ends.size() != 2) {
        fields.fail(key, "expected [left, right]");
        return {};
    }
    const auto end = [&](const Json &value) -> std::optional<Index> {
        if (value.isNull())
            return {};
        const std::int64_t limit = value.toInteger();
        if (!value.asInteger() || limit < -maxStateInteger || limit > maxStateInteger)
            fields.fail(key, "expected whole numbers or null");
        return limit;
    };
    return Window{end(ends[0]), end(ends[1])};
}

Json cellTableToJson(const std::vector<CellValue> &cells)
{
    std::vector<double> numbers;
    for (const CellValue &cell : cells)
        numbers.insert(numbers.end(),
                       {double(cell.cell.head), double(cell.cell.row), double(cell.cell.col), cell.value});
    return arrayToJson(std::array<Index, 2>{Index(cells.size()), 4}, numbers);
}

std::vector<CellValue> cellTableField(JsonFields &fields, std::string_view key, Index width)
{
    const Tensor table = fields.tensor(key);
    std::vector<CellValue> cells;
    if (table.isNull() || table.shape().size() == 0)
        return cells;
    if (table.heads() != 1 || table.cols() != width) {
        fields.fail(key, "expected rows of " + std::to_string(width) + " numbers, found shape " +
                             shapeText(table.shape()));
        return cells;
    }
    for (Index row = 0; row < table.rows(); ++row) {
        for (Index i = 0; i < 3; ++i) {
            if (!isPosition(table.at(row, i))) {
                fields.fail(key, "row " + std::to_string(row) + " names no cell");
                return {};
            }
        }
        cells.push_back({{Index(table.at(row, 0)), Index(table.at(row, 1)), Index(table.at(row, 2))},
                         width > 3 ? table.at(row, 3) : 0.0});
    }
    return cells;
}

const char *dimensionName(Axis axis)
{
    const auto found = std::find_if(dimensionNames.begin(), dimensionNames.end(),
                                    [axis](const auto &entry) { return entry.first == axis; });
    return found == dimensionNames.end() ? "" : found->second;
}

std::optional<Axis> dimensionFromName(std::string_view name)
{
    const auto found = std::find_if(dimensionNames.begin(), dimensionNames.end(),
                                    [name](const auto &entry) { return name == entry.second; });
    if (found == dimensionNames.end())
        return {};
    return found->first;
}

Json decimalsToJson(const std::map<Stage, int> &decimals)
{
    Json::Object object;
    for (const auto &[stage, places] : decimals)
        object.emplace_back(stageName(stage), places);
    return object;
}

std::map<Stage, int> decimalsField(JsonFields &parent, std::string_view key)
{
    std::map<Stage, int> decimals;
    const Json &object = parent.object(key);
    for (const auto &[name, value] : object.toObject()) {
        JsonFields fields(object, parent.fieldName(key));
        const std::optional<Stage> stage = stageFromName(name);
        if (!stage)
            fields.fail(name, "there is no such stage");
        const Index places = fields.integer(name, 0, 0, 17);
        if (!fields.ok()) {
            parent.fail(fields.error());
            break;
        }
        decimals[*stage] = static_cast<int>(places);
    }
    return decimals;
}

const char *precisionName(Precision precision)
{
    return precision == Precision::Float32 ? "float32" : "float64";
}

std::optional<Precision> precisionFromName(std::string_view name)
{
    if (name == "float32")
        return Precision::Float32;
    if (name == "float64")
        return Precision::Float64;
    return {};
}

} // namespace attn
