#pragma once

#include "engine/Experiment.h"
#include "io/Import.h"

#include <optional>
#include <string>
#include <vector>

namespace attn {

/// Only numbers 0 and 1 (and at least one of them).
bool isZeroOne(const FileTensor &tensor);

/// Row i allows exactly the keys j <= i.
bool isLowerTriangle(const Tensor &mask);

/// Every cell with j > i + offset holds `hidden`, there is such a cell, and not all others do.
bool looksCausal(const Tensor &matrix, Index offset, double hidden);

/// The rotary embedding that turns `plain` ([n, h*d]) into `rotated` ([h, n, d]): both pairings, usual bases.
std::optional<Rotary> findRotary(const Tensor &plain, const Tensor &rotated, Index offset);

/// Whether result = X W + b (false), or X W^T + b (true); nothing when both or neither do.
std::optional<bool> isStoredOutByIn(const Tensor &X, const Tensor &W, const Tensor &bias,
                                    const Tensor &result);

/// What is odd about attention weights as they came: rows that do not sum to 1, columns that do.
std::vector<std::string> weightNotes(const Tensor &A, Dtype storedAs);

/// Rows that a mask of true = may attend (and of true = hidden) leaves without any key, and what follows.
std::vector<std::string> maskPolarityNotes(const std::string &name, const Tensor &mask,
                                           ImportPlan::MaskMeaning meaning);

/// Queries that causal rule, padding and boolean mask together leave without any key, in words.
std::vector<std::string> fullyMaskedNotes(const Experiment &experiment, Index nQ, Index nK);

/// Counts of NaN, -inf and inf cells, in words; -inf is expected in scores.
std::vector<std::string> nonFiniteNotes(const std::string &name, const Tensor &tensor, bool mayBeMinusInf);

} // namespace attn
