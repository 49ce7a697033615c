#pragma once

#include "engine/pooling/PoolState.h"

#include <cstdint>
#include <vector>

namespace attn {

/// The pools of an area, kept by their reader from one reading to the next: only what changed in between is
/// read again.
struct PoolReading
{
    std::vector<float> numbers;           ///< rows x cols; NaN = unknown
    std::vector<PoolState> states;        ///< one for each
    std::vector<std::uint8_t> isNew;      ///< whether a row may differ from the reading before
    std::vector<std::uint8_t> isUpdating; ///< rows whose values are not exact yet, whatever their pools are
    std::uint64_t readAt = 0;             ///< by the clock of the reader's maps; 0 = nothing is kept

    void fit(Index rows, Index cols);
};

inline void PoolReading::fit(Index rows, Index cols)
{
    const auto count = static_cast<std::size_t>(rows * cols);
    const auto lines = static_cast<std::size_t>(rows);
    if (readAt == 0 || numbers.size() != count || isNew.size() != lines) {
        readAt = 0;
        numbers.resize(count);
        states.resize(count);
        isUpdating.assign(lines, 0);
    }
    isNew.assign(lines, readAt == 0 ? 1 : 0);
}

} // namespace attn
