#pragma once

#include "engine/Experiment.h"
#include "io/JsonFields.h"

#include <string_view>
#include <vector>

namespace attn {

/// [{"name", "values", "decimals", "source"?: {"quantity", "stage", "cell": [head, row, col], "along",
/// "basis"}}]
Json printedFactsToJson(const std::vector<PrintedFact> &facts);

/// A missing member gives no facts; a wrong one is kept as `parent`'s error.
std::vector<PrintedFact> printedFactsField(JsonFields &parent, std::string_view key);

} // namespace attn
