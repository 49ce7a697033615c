#include "engine/BlockPool.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <new>

namespace attn {

namespace {

constexpr std::size_t blockAlignment = 64;

} // namespace

/// Unused memory, by size.
struct BlockPoolShelf
{
    std::mutex mutex;
    std::map<std::size_t, BlockMemory *> unused; ///< lists; views under 0
    std::size_t systemAllocations = 0;
    std::size_t heldBytes = 0;
    std::atomic<std::uint64_t> lastNumber = 0;

    BlockPoolShelf() = default;
    BlockPoolShelf(const BlockPoolShelf &) = delete;
    BlockPoolShelf &operator=(const BlockPoolShelf &) = delete;
    ~BlockPoolShelf() { clear(); }

    BlockMemory *find(std::size_t bytes)
    {
        const std::scoped_lock lock(mutex);
        BlockMemory *&first = unused[bytes];
        if (first) {
            BlockMemory *block = first;
            first = block->m_next;
            return block;
        }
        ++systemAllocations;
        heldBytes += bytes;
        return nullptr;
    }

    void put(BlockMemory *block)
    {
        const std::scoped_lock lock(mutex);
        BlockMemory *&first = unused[block->m_bytes];
        block->m_next = first;
        first = block;
    }

    void clear()
    {
        const std::scoped_lock lock(mutex);
        for (auto &[bytes, first] : unused) {
            while (BlockMemory *block = first) {
                first = block->m_next;
                heldBytes -= block->m_bytes;
                if (block->m_bytes > 0)
                    ::operator delete(block->m_data, std::align_val_t(blockAlignment));
                delete block;
            }
        }
    }
};

/// Whoever comes first keeps it.
void BlockMemory::keepCounted(const void *known, std::size_t bytes) const
{
    Counting none = Counting::None;
    if (m_counting.compare_exchange_strong(none, Counting::BeingKept, std::memory_order_acq_rel)) {
        std::memcpy(m_counted.data(), known, bytes);
        m_counting.store(Counting::Done, std::memory_order_release);
    }
}

void BlockReference::giveBack(BlockMemory *block)
{
    block->m_kept.reset();
    const std::shared_ptr<BlockPoolShelf> shelf = std::move(block->m_shelf);
    shelf->put(block);
}

BlockPool::BlockPool()
    : m_shelf(std::make_shared<BlockPoolShelf>())
{
}

BlockReference BlockPool::take(std::size_t bytes, Index stride)
{
    const std::size_t rounded =
        std::max(blockAlignment, (bytes + blockAlignment - 1) / blockAlignment * blockAlignment);
    BlockMemory *block = m_shelf->find(rounded);
    if (!block) {
        auto fresh = std::make_unique<BlockMemory>();
        fresh->m_data = ::operator new(rounded, std::align_val_t(blockAlignment));
        fresh->m_bytes = rounded;
        block = fresh.release();
    }
    block->m_stride = stride;
    block->m_number = m_shelf->lastNumber.fetch_add(1, std::memory_order_relaxed) + 1;
    block->m_counting.store(BlockMemory::Counting::None, std::memory_order_relaxed);
    block->m_shelf = m_shelf;
    return BlockReference(block);
}

BlockReference BlockPool::view(const void *data, Index stride, std::shared_ptr<const void> kept)
{
    BlockMemory *block = m_shelf->find(0);
    if (!block)
        block = std::make_unique<BlockMemory>().release();
    block->m_data = const_cast<void *>(data);
    block->m_stride = stride;
    block->m_number = m_shelf->lastNumber.fetch_add(1, std::memory_order_relaxed) + 1;
    block->m_counting.store(BlockMemory::Counting::None, std::memory_order_relaxed);
    block->m_kept = std::move(kept);
    block->m_shelf = m_shelf;
    return BlockReference(block);
}

void BlockPool::trim()
{
    m_shelf->clear();
}

std::size_t BlockPool::systemAllocations() const
{
    const std::scoped_lock lock(m_shelf->mutex);
    return m_shelf->systemAllocations;
}

std::size_t BlockPool::heldBytes() const
{
    const std::scoped_lock lock(m_shelf->mutex);
    return m_shelf->heldBytes;
}

} // namespace attn
