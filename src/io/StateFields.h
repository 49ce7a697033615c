#pragma once

#include "engine/Experiment.h"
#include "io/JsonFields.h"

#include <array>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

namespace attn {

/// Parts that states, edits and documents share in their JSON form.

/// Sizes and positions beyond this are damage, not data.
inline constexpr Index maxStateInteger = Index(1) << 40;

/// The state's own matrices in the order of golden files, and the keys of its mask matrices.
inline constexpr std::array stateInputs = {Stage::X,  Stage::Xkv, Stage::Wq, Stage::Wk, Stage::Wv,
                                           Stage::Wo, Stage::Bq,  Stage::Bk, Stage::Bv, Stage::Bo};
inline constexpr std::array<std::pair<Stage, const char *>, 4> stateMasks = {
    {{Stage::MaskPadding, "key_padding"},
     {Stage::MaskBool, "bool"},
     {Stage::MaskAdd, "add"},
     {Stage::MaskAlibi, "alibi"}}};

Json integerJson(Index value);

/// {"mode": "interleaved" or "half", "base", "rot_dim"}, or null.
Json rotaryToJson(const std::optional<Rotary> &rotary);
std::optional<Rotary> rotaryField(JsonFields &fields, std::string_view key);

/// [left, right], each a number or null, or null.
Json windowToJson(const std::optional<Window> &window);
std::optional<Window> windowField(JsonFields &fields, std::string_view key);

/// Rows of head, row, col, value.
Json cellTableToJson(const std::vector<CellValue> &cells);
/// Cells from such rows, or from rows of three without value (0); a position is a whole number from 0 on.
std::vector<CellValue> cellTableField(JsonFields &fields, std::string_view key, Index width = 4);

/// "model", "model_kv", "head_key", "head_value", "output": the dimensions that can be inserted and deleted.
const char *dimensionName(Axis axis);
std::optional<Axis> dimensionFromName(std::string_view name);

/// {stage: places after the point}.
Json decimalsToJson(const std::map<Stage, int> &decimals);
std::map<Stage, int> decimalsField(JsonFields &fields, std::string_view key);

/// "float64" or "float32".
const char *precisionName(Precision precision);
std::optional<Precision> precisionFromName(std::string_view name);

} // namespace attn
