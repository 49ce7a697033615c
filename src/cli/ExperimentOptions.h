#pragma once

#include "base/Result.h"
#include "cli/CommandLine.h"
#include "engine/Experiment.h"

namespace attn {

/// Changes an experiment by --set, --heads, --scale, --causal, --no-mask, --window, --q-offset, --rope,
/// --precision and --no-pins, each as an edit of the document would. --heads and --kv-heads are left out
/// where `headsAreSet` (an import has used them). Errors name the option.
Result<Experiment> withOptions(const Experiment &experiment, const CommandLine &line, bool headsAreSet);

/// --precision f32 or f64; none when it is not given.
Result<std::optional<Precision>> precisionOption(const CommandLine &line);

} // namespace attn
