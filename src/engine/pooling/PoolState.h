#pragma once

#include "engine/Types.h"

#include <cstdint>

namespace attn {

/// How sure a pool is; the surer, the greater.
enum class PoolState : std::uint8_t
{
    Unknown, ///< no number yet
    Stale,   ///< of an older generation, or from coarser pools
    Exact,
};

/// What was exact until now is of an older generation.
void makeStale(PoolState *states, Index count);

/// Exact where there are none.
PoolState leastSure(const PoolState *states, Index count);

} // namespace attn
