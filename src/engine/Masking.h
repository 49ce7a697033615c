#pragma once

#include "engine/Experiment.h"

namespace attn {

/// Keys [begin, end); may be empty.
struct KeySpan
{
    Index begin = 0;
    Index end = 0;
};

/// The parts of an experiment's mask.
struct MaskParts
{
    bool causal = false;
    std::optional<Window> window;
    Index qOffset = 0;
    Tensor padding; ///< [1, n_k], 0 = hidden; null = all real
    Tensor boolean; ///< [1 or h, n_q, n_k], 0 = hidden; null = all allowed
    Tensor add;     ///< [1 or h, n_q, n_k], -inf = hidden; null = 0
    Tensor alibi;   ///< [1, h], slopes; null = none (Press et al. 2021: -slope |p - j| is added)

    /// Holds for copies of the same tensors; may be false for others with the same numbers.
    bool operator==(const MaskParts &other) const;
    /// True when no part can hide a key.
    bool hidesNothing() const;
    /// The keys that causal mask and window leave to a query, at position row + qOffset. Neither end goes
    /// back as the row goes on.
    KeySpan allowedSpan(Index row, Index nKeys) const;
};

MaskParts maskPartsOf(const Experiment &experiment);

} // namespace attn
