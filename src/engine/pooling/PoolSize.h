#pragma once

#include "engine/Types.h"

namespace attn {

/// How many rows and columns of a matrix share one drawn cell.
struct PoolSize
{
    Index rows = 1;
    Index cols = 1;

    bool isNone() const { return rows == 1 && cols == 1; }
    bool operator==(const PoolSize &) const = default;
};

} // namespace attn
