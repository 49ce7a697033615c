#pragma once

#include "base/Assert.h"

#include <cstddef>
#include <limits>

namespace attn {

/// An index of the engine as the int that Qt's item models and widgets want. Asserts that it fits.
inline int toInt(std::ptrdiff_t index)
{
    ATTN_ASSERT(index >= std::numeric_limits<int>::min() && index <= std::numeric_limits<int>::max(),
                "index beyond int");
    return static_cast<int>(index);
}

} // namespace attn
