#include "engine/StripPool.h"

#include <utility>

namespace attn {

StripPool::StripPool(int threads)
{
    for (int worker = 1; worker < threads; ++worker)
        m_threads.emplace_back([this, worker](const std::stop_token &end) { serve(end, worker); });
}

StripPool::~StripPool()
{
    for (std::jthread &thread : m_threads)
        thread.request_stop();
}

bool StripPool::runCall(Index count, const std::stop_token &stop, const Call &call)
{
    if (count <= 1 || m_threads.empty()) {
        Index item = 0;
        for (; item < count && !stop.stop_requested(); ++item)
            call.invoke(call.callable, item, 0);
        return item == count;
    }
    {
        const std::scoped_lock lock(m_mutex);
        m_call = call;
        m_stop = stop;
        m_count = count;
        m_next = 0;
        ++m_round;
        m_busy = static_cast<int>(m_threads.size());
        m_wake.notify_all();
    }
    takeItems(0);
    std::unique_lock lock(m_mutex);
    m_done.wait(lock, [this] { return m_busy == 0; });
    m_stop = {};
    if (m_failure)
        std::rethrow_exception(std::exchange(m_failure, nullptr));
    return m_next >= count;
}

void StripPool::serve(const std::stop_token &end, int worker)
{
    std::size_t served = 0;
    for (;;) {
        {
            std::unique_lock lock(m_mutex);
            if (!m_wake.wait(lock, end, [&] { return m_round != served; }))
                return;
            served = m_round;
        }
        takeItems(worker);
        const std::scoped_lock lock(m_mutex);
        if (--m_busy == 0)
            m_done.notify_one();
    }
}

void StripPool::takeItems(int worker)
{
    while (!m_stop.stop_requested()) {
        const Index item = m_next.fetch_add(1);
        if (item >= m_count)
            return;
        try {
            m_call.invoke(m_call.callable, item, worker);
        } catch (...) {
            const std::scoped_lock lock(m_mutex);
            m_failure = std::current_exception();
            m_next = m_count;
        }
    }
}

} // namespace attn
