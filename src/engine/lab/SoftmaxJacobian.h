#pragma once

#include "engine/StageValues.h"

#include <vector>

namespace attn {

/// How each weight of a softmax row answers to each score: d a_i / d s_j = sharpness a_i ((i = j) - a_j).
/// Symmetric, its rows and columns add to 0. Computed cell by cell when read, so no size is too large.
///
/// weights: [n], of softmaxSteps()
/// returns: [n, n], row i the weight, column j the score before the sharpness
StageValuesPtr softmaxJacobian(std::vector<double> weights, double sharpness = 1.0);

} // namespace attn
