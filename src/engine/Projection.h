#pragma once

#include "engine/Types.h"

namespace attn {

/// Grouped queries (Ainslie et al. 2023): the KV head that a query head reads.
constexpr Index kvHeadOf(Index head, Index nHeads, Index nKvHeads)
{
    return head / (nHeads / nKvHeads);
}

} // namespace attn
