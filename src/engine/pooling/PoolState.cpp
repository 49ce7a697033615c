#include "engine/pooling/PoolState.h"

#include <algorithm>

namespace attn {

void makeStale(PoolState *states, Index count)
{
    for (Index i = 0; i < count; ++i)
        states[i] = std::min(states[i], PoolState::Stale);
}

PoolState leastSure(const PoolState *states, Index count)
{
    PoolState least = PoolState::Exact;
    for (Index i = 0; i < count; ++i)
        least = std::min(least, states[i]);
    return least;
}

} // namespace attn
