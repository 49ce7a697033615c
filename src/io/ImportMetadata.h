#pragma once

#include "engine/Experiment.h"
#include "io/Import.h"

#include <map>
#include <optional>
#include <string>

namespace attn {

/// What the metadata of a file says about its tensors.
struct ImportFacts
{
    std::optional<Index> nHeads;
    std::optional<Index> nKvHeads;
    std::optional<double> scale;
    std::optional<Index> qOffset;
    std::optional<bool> causal;
    std::optional<Rotary> rotary;
    std::optional<AxisRole> leadingAxis; ///< Layer or Batch
    std::optional<ImportPlan::MaskMeaning> mask;
    std::optional<bool> weightsAreOutByIn;
    std::optional<bool> scoresAreScaled;
    std::vector<std::string> tokens;
    std::vector<std::string> tokensKv;
};

/// Reads the usual keys: n_heads, n_kv_heads, scale ("1/8"), query_offset, causal, rope, axes, mask, layout,
/// tokens (a JSON list) and their other spellings. What it does not understand is left out.
ImportFacts factsFromMetadata(const std::map<std::string, std::string> &metadata);

} // namespace attn
