#pragma once

#include "engine/StageValues.h"

#include <span>
#include <vector>

namespace attn {

/// One row of a layer of a rollout: (1 - residual) * row + residual on the token's own place, brought to the
/// sum 1; a row of zeros stays.
///
/// row: mean of the heads' weights, changed in place; own: the place of the row's token, < row.size()
void mixRolloutRow(std::span<double> row, Index own, double residual = 0.5);

/// How much of each input token is left in each token after a stack of layers (Abnar and Zuidema 2020,
/// attention rollout). Of each layer the mean over its heads is mixed with the identity, (1 - residual) * A +
/// residual * I, and each row brought to the sum 1 (a row of zeros stays); layers are multiplied from the
/// left.
///
/// layers: A of each layer, the first layer first, [h, n, n] with the same n
/// residual: in [0, 1]; 0 leaves the residual stream out
/// returns the rollout up to each layer, [1, n, n]
std::vector<Tensor> attentionRollout(const std::vector<StageValuesPtr> &layers, double residual = 0.5);

} // namespace attn
