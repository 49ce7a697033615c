#pragma once

#include "engine/Types.h"

#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

namespace attn {

/// Our own threads over strips. The caller works too; the number of threads never changes a result.
class StripPool
{
public:
    /// threads: including the caller's, at least 1.
    explicit StripPool(int threads);
    ~StripPool();
    StripPool(const StripPool &) = delete;
    StripPool &operator=(const StripPool &) = delete;

    int threadCount() const { return static_cast<int>(m_threads.size()) + 1; }

    /// Calls work(item, worker) once for each item below count, started in order; worker < threadCount() is
    /// never used twice at a time. Returns when all have ended. False when stopped before the last started.
    /// What work throws is thrown here.
    template<typename Work>
    bool run(Index count, const std::stop_token &stop, const Work &work)
    {
        const Call call{&work, [](const void *callable, Index item, int worker) {
                            (*static_cast<const Work *>(callable))(item, worker);
                        }};
        return runCall(count, stop, call);
    }

private:
    struct Call
    {
        const void *callable = nullptr;
        void (*invoke)(const void *callable, Index item, int worker) = nullptr;
    };

    bool runCall(Index count, const std::stop_token &stop, const Call &call);
    void serve(const std::stop_token &end, int worker);
    void takeItems(int worker);

    std::mutex m_mutex;
    std::condition_variable_any m_wake;
    std::condition_variable m_done;
    Call m_call;
    std::stop_token m_stop;
    Index m_count = 0;
    std::atomic<Index> m_next = 0;
    std::size_t m_round = 0;
    int m_busy = 0;
    std::exception_ptr m_failure;
    std::vector<std::jthread> m_threads; ///< last: starts when all else exists
};

} // namespace attn
