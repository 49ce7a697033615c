#pragma once

#include "benchmarks/BenchOptions.h"
#include "engine/Edit.h"

namespace attn::bench {

/// Seeded normal numbers, stored as the precision of the options.
Tensor randomTensor(const Shape &shape, double deviation, unsigned seed, bool isDouble);

/// X, Wq, Wk, Wv, Wo with d_model = heads * dHead; no mask.
Experiment layerOf(Index n, const BenchOptions &options);
/// Q, K, V of one head.
Experiment oneHeadOf(Index n, const BenchOptions &options);

/// A fresh number in a cell of a given matrix; another one at each call.
Edit cellEdit(const Experiment &experiment, Stage stage, Index row, Index col);

Experiment edited(const Experiment &experiment, const Edit &edit);

} // namespace attn::bench
