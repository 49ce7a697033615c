#include "io/MappingGuard.h"

#include <QtGlobal>

#if defined(Q_OS_UNIX)

#include <array>
#include <atomic>
#include <csignal>
#include <cstring>
#include <mutex>
#include <sys/mman.h>
#include <unistd.h>

namespace attn {

namespace {

/// A signal handler may read nothing but atomics: the table has a fixed size and is searched without locks.
struct GuardedRange
{
    std::atomic<std::uintptr_t> begin = 0; ///< 0 = free
    std::atomic<std::uintptr_t> end = 0;
};

constexpr std::size_t mostGuarded = 64;
std::array<GuardedRange, mostGuarded> guardedRanges;
std::mutex guardMutex;
std::atomic<std::uintptr_t> guardPageSize = 4096;
struct sigaction actionBefore = {};

bool isGuarded(std::uintptr_t address)
{
    for (const GuardedRange &range : guardedRanges)
        if (range.begin.load() != 0 && address >= range.begin.load() && address < range.end.load())
            return true;
    return false;
}

/// Puts a page of its own in the place of one that the file does not have any more.
void onBusError(int, siginfo_t *info, void *)
{
    const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
    const std::uintptr_t size = guardPageSize.load();
    void *page = reinterpret_cast<void *>(address / size * size);
    if (isGuarded(address) && mmap(page, size, PROT_READ | PROT_WRITE,
                                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED) {
        std::memset(page, 0xff, size);
        return;
    }
    // Not ours: the same access fails again, and whoever was there before sees it.
    sigaction(SIGBUS, &actionBefore, nullptr);
}

void installGuard()
{
    static bool isInstalled = false;
    if (isInstalled)
        return;
    isInstalled = true;
    guardPageSize = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
    struct sigaction action = {};
    action.sa_sigaction = onBusError;
    action.sa_flags = SA_SIGINFO;
    sigemptyset(&action.sa_mask);
    sigaction(SIGBUS, &action, &actionBefore);
}

} // namespace

MappingGuard::MappingGuard(const std::byte *begin, std::int64_t size)
{
    const std::lock_guard lock(guardMutex);
    installGuard();
    for (std::size_t slot = 0; slot < guardedRanges.size(); ++slot) {
        GuardedRange &range = guardedRanges[slot];
        if (range.begin.load() != 0)
            continue;
        const auto first = reinterpret_cast<std::uintptr_t>(begin);
        range.end = first + static_cast<std::uintptr_t>(size);
        range.begin = first;
        m_slot = static_cast<int>(slot);
        return;
    }
}

MappingGuard::~MappingGuard()
{
    if (m_slot >= 0)
        guardedRanges[static_cast<std::size_t>(m_slot)].begin = 0;
}

} // namespace attn

#else

namespace attn {

MappingGuard::MappingGuard(const std::byte *, std::int64_t) {}
MappingGuard::~MappingGuard() = default;

} // namespace attn

#endif
