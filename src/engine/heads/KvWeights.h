#pragma once

#include "engine/Experiment.h"

#include <map>

namespace attn {

/// New key and value weights (Wk, Wv, bk, bv) for another split into heads, where the present ones do not
/// fit: fewer KV heads are means of those they replace, more are copies, otherwise columns repeat in order.
/// Empty when the present matrices fit, or when the experiment has no such weights.
std::map<Stage, Tensor> kvWeightsFor(const Experiment &experiment, Index nHeads, Index nKvHeads);

} // namespace attn
