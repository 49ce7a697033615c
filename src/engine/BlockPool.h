#pragma once

#include "engine/ValueStatistics.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <type_traits>
#include <utility>

namespace attn {

class BlockPool;
struct BlockPoolShelf;

/// Memory of one block, or a view of memory that somebody else keeps. Written by its only owner, immutable
/// once shared. Returns to its pool when the last reference goes, whichever thread that is.
class BlockMemory
{
public:
    void *data() const { return m_data; }
    /// Elements from one row to the next.
    Index stride() const { return m_stride; }
    /// Tells the numbers apart that blocks of one pool have held: memory that is used again has another one.
    std::uint64_t number() const { return m_number; }
    /// What count() tells of the block, asked once: Known is the same type for one block. Any thread, once
    /// the block is shared.
    template<typename Known, typename Count>
    Known counted(const Count &count) const
    {
        static_assert(std::is_trivially_copyable_v<Known> && sizeof(Known) <= mostCountedBytes);
        Known known;
        if (m_counting.load(std::memory_order_acquire) == Counting::Done) {
            std::memcpy(&known, m_counted.data(), sizeof known);
        } else {
            known = count();
            keepCounted(&known, sizeof known);
        }
        return known;
    }
    /// Of a block of rows x cols numbers.
    template<typename Scalar>
    ValueStatistics statistics(Index rows, Index cols) const
    {
        return counted<ValueStatistics>(
            [&] { return countCells(static_cast<const Scalar *>(m_data), m_stride, rows, cols); });
    }

private:
    friend class BlockPool;
    friend class BlockReference;
    friend struct BlockPoolShelf;

    enum class Counting : unsigned char
    {
        None,
        BeingKept,
        Done,
    };

    static constexpr std::size_t mostCountedBytes = 64;

    void keepCounted(const void *known, std::size_t bytes) const;

    void *m_data = nullptr;
    Index m_stride = 0;
    std::uint64_t m_number = 0;
    mutable std::array<std::byte, mostCountedBytes> m_counted{};
    mutable std::atomic<Counting> m_counting{Counting::None};
    std::size_t m_bytes = 0; ///< 0 for a view
    std::atomic<std::size_t> m_references{0};
    std::shared_ptr<BlockPoolShelf> m_shelf; ///< null while it lies on it
    std::shared_ptr<const void> m_kept;      ///< of a view
    BlockMemory *m_next = nullptr;           ///< on the shelf
};

/// Counted reference to a block.
class BlockReference
{
public:
    BlockReference() = default;
    BlockReference(const BlockReference &other) noexcept
        : m_block(other.m_block)
    {
        if (m_block)
            m_block->m_references.fetch_add(1, std::memory_order_relaxed);
    }
    BlockReference(BlockReference &&other) noexcept
        : m_block(std::exchange(other.m_block, nullptr))
    {
    }
    BlockReference &operator=(BlockReference other) noexcept
    {
        std::swap(m_block, other.m_block);
        return *this;
    }
    ~BlockReference()
    {
        if (m_block && m_block->m_references.fetch_sub(1, std::memory_order_acq_rel) == 1)
            giveBack(m_block);
    }

    explicit operator bool() const { return m_block != nullptr; }
    bool operator==(const BlockReference &other) const { return m_block == other.m_block; }
    const BlockMemory *operator->() const { return m_block; }
    /// Nobody else refers to the block, nor keeps its memory.
    bool isUnique() const
    {
        return m_block && m_block->m_bytes > 0 && m_block->m_references.load(std::memory_order_acquire) == 1;
    }
    template<typename Scalar>
    Scalar *as() const
    {
        return static_cast<Scalar *>(m_block->m_data);
    }

private:
    friend class BlockPool;
    explicit BlockReference(BlockMemory *block)
        : m_block(block)
    {
        m_block->m_references.store(1, std::memory_order_relaxed);
    }
    static void giveBack(BlockMemory *block);

    BlockMemory *m_block = nullptr;
};

/// Hands out memory for blocks and takes it back: an edit reuses what the one before gave up, so in steady
/// state nothing is allocated. May be used from several threads; blocks may outlive their pool.
class BlockPool
{
public:
    BlockPool();

    /// Uninitialised, aligned to 64 bytes. stride: elements from one row to the next. Throws bad_alloc.
    BlockReference take(std::size_t bytes, Index stride);
    /// Memory that `kept` keeps readable.
    BlockReference view(const void *data, Index stride, std::shared_ptr<const void> kept);

    /// Gives memory that nobody uses back to the system.
    void trim();
    /// How often memory was asked of the system.
    std::size_t systemAllocations() const;
    /// Bytes in blocks, used or not.
    std::size_t heldBytes() const;

private:
    std::shared_ptr<BlockPoolShelf> m_shelf;
};

} // namespace attn
