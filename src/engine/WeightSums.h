#pragma once

#include "engine/Snapshot.h"

#include <vector>

namespace attn {

/// A row of A whose weights do not add to 1: no mixture of value rows any more, but a stretched one.
struct UnevenRow
{
    Index row = 0;
    double sum = 0.0;

    bool operator==(const UnevenRow &) const = default;
};

/// What the weights of one row add to, in doubles.
double weightSum(const StageValues &weights, Index head, Index row);

/// Whether a sum is 1 but for what printing with three decimals or storing in 16 bits loses. False for NaN.
bool addsToOne(double sum);

/// The rows of one head of A that do not add to 1, in order. Only numbers that the softmax has not made can
/// do so: pinned cells, and A pinned or given as a whole. Of such a whole with more than a million weights in
/// a head only the rows with single pins are looked at. Empty where A has no values.
std::vector<UnevenRow> unevenRows(const Snapshot &snapshot, Index head);

} // namespace attn
