#pragma once

#include "engine/Types.h"

#include <atomic>
#include <cstdint>
#include <vector>

namespace attn {

/// Which strips of a stage anybody has read, whatever snapshot they were read from. Any thread.
class ReadMarks
{
public:
    explicit ReadMarks(Index strips)
        : m_marks(static_cast<std::size_t>(strips))
    {
    }

    Index strips() const { return static_cast<Index>(m_marks.size()); }
    void note(Index strip) { m_marks[static_cast<std::size_t>(strip)].store(1, std::memory_order_relaxed); }
    /// Whether the strip was read since the last call.
    bool take(Index strip)
    {
        return m_marks[static_cast<std::size_t>(strip)].exchange(0, std::memory_order_relaxed) != 0;
    }

private:
    std::vector<std::atomic<std::uint8_t>> m_marks;
};

} // namespace attn
