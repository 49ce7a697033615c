#pragma once

#include "engine/BlockPool.h"
#include "engine/kernels/KernelTable.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace attn {

/// Blocks in the order in which products read them (Kernels::packPanels), kept while the same ones are used
/// again: strip after strip is multiplied by the same keys, values or weights. Of one thread.
template<typename Scalar>
class PanelCache
{
public:
    /// Room for `count` blocks of [depth, cols] at most, as far as mostBytes reach.
    void makeRoom(BlockPool &pool, Index count, Index depth, Index cols)
    {
        const auto bytes = static_cast<std::size_t>(packedSize(depth, cols)) * sizeof(Scalar);
        const auto most = static_cast<Index>(mostBytes / std::max<std::size_t>(bytes, 1));
        const auto wanted = static_cast<std::size_t>(std::min(count, std::max<Index>(most, 1)));
        if (bytes == m_bytes && wanted == m_slots.size())
            return;
        m_bytes = bytes;
        m_slots.assign(wanted, {});
        for (Slot &slot : m_slots)
            slot.packed = pool.take(bytes, depth);
    }

    /// What pack(packed) makes of a block, the one with this index of those there is room for. Blocks that
    /// there is no room for share the last place.
    template<typename Pack>
    const Scalar *of(Index index, const BlockReference &block, const Pack &pack)
    {
        Slot &slot = m_slots[std::min(static_cast<std::size_t>(index), m_slots.size() - 1)];
        auto *packed = slot.packed.template as<Scalar>();
        if (slot.holds != block->number()) {
            pack(packed);
            slot.holds = block->number();
        }
        return packed;
    }

private:
    static constexpr std::size_t mostBytes = 8 << 20;

    struct Slot
    {
        std::uint64_t holds = 0; ///< number of the block; 0 = none
        BlockReference packed;
    };

    std::vector<Slot> m_slots;
    std::size_t m_bytes = 0; ///< of each
};

/// What one thread keeps packed.
template<typename Scalar>
struct PackedOperands
{
    PanelCache<Scalar> keys;
    PanelCache<Scalar> values;
    PanelCache<Scalar> weights; ///< of one head of a projection
    PanelCache<Scalar> outputWeights;
};

} // namespace attn
