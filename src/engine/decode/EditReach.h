#pragma once

#include "engine/decode/DecodeCost.h"
#include "engine/decode/RowForward.h"

#include <vector>

namespace attn {

/// One row of X, X_kv, Q, K or V (rotated or not) of which the numbers are thought to be edited.
struct TokenEdit
{
    Stage stage = Stage::X;
    Index row = -1; ///< -1 = none

    bool operator==(const TokenEdit &) const = default;
};

/// What such an edit makes wrong of what decoding has computed so far. Numbers that are given or set by hand
/// stay as they are, and nothing goes through them.
struct EditReach
{
    bool query = false;         ///< the row of Q of the same token
    bool key = false;           ///< the row of K in the cache
    bool value = false;         ///< the row of V in the cache
    bool isSeen = false;        ///< some row that is fed may look at this token as a key
    std::vector<Index> outputs; ///< rows, in order; all heads

    bool operator==(const EditReach &) const = default;
};

/// forward: what decoding computes with; fedRows: rows fed so far. The rows of Q, K and V are computed with
/// other numbers; from there on it is followed which cells are computed from which, so numbers that come out
/// the same by chance (a query of nothing but zeros) count as wrong.
EditReach reachOf(const TokenEdit &edit, const RowForward &forward, const DecodeCosting &costing,
                  Index fedRows);

} // namespace attn
