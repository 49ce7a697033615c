#pragma once

#include <compare>
#include <cstdint>

namespace attn {

/// Counts the accepted changes of a document, undo and redo included; never goes back.
struct Generation
{
    std::uint64_t number = 0;

    Generation next() const { return {number + 1}; }
    auto operator<=>(const Generation &) const = default;
};

} // namespace attn
