#include "BackgroundTask.h"

#include <QCoreApplication>
#include <QEvent>

#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

namespace attn {

class BackgroundTask::Worker
{
public:
    explicit Worker(BackgroundTask &task)
        : m_task(task)
        , m_thread([this](std::stop_token stop) { run(stop); })
    {
    }

    ~Worker() { post(std::nullopt); }

    /// Nothing: only drops what was asked for.
    void post(std::optional<Work> work)
    {
        const std::scoped_lock lock(m_mutex);
        m_job.request_stop();
        m_delivery = nullptr;
        m_pending = std::move(work);
        m_wake.notify_all();
    }

    std::function<void()> takeDelivery()
    {
        const std::scoped_lock lock(m_mutex);
        return std::exchange(m_delivery, nullptr);
    }

    bool isBusy()
    {
        const std::scoped_lock lock(m_mutex);
        return m_pending || m_delivery || (m_isRunning && !m_job.stop_requested());
    }

    void waitUntilIdle()
    {
        std::unique_lock lock(m_mutex);
        m_idle.wait(lock, [this] { return !m_isRunning && !m_pending; });
    }

private:
    void run(const std::stop_token &stop)
    {
        for (;;) {
            Work work;
            std::stop_token job;
            {
                std::unique_lock lock(m_mutex);
                m_isRunning = false;
                m_idle.notify_all();
                if (!m_wake.wait(lock, stop, [this] { return m_pending.has_value(); }))
                    return;
                work = std::move(*m_pending);
                m_pending.reset();
                m_job = std::stop_source();
                job = m_job.get_token();
                m_isRunning = true;
            }
            std::function<void()> delivery = work(job);
            const std::scoped_lock lock(m_mutex);
            if (job.stop_requested())
                continue;
            m_delivery = std::move(delivery);
            // The event only wakes the GUI thread; what it finds is handed over under our own mutex.
            QCoreApplication::postEvent(&m_task, new QEvent(QEvent::User));
        }
    }

    BackgroundTask &m_task;
    std::mutex m_mutex;
    std::condition_variable_any m_wake;
    std::condition_variable m_idle;
    std::optional<Work> m_pending;
    std::function<void()> m_delivery;
    std::stop_source m_job;
    bool m_isRunning = false;
    std::jthread m_thread; ///< last: starts when all else exists, joins before it goes
};

BackgroundTask::BackgroundTask(QObject *parent)
    : QObject(parent)
    , m_worker(std::make_unique<Worker>(*this))
{
}

BackgroundTask::~BackgroundTask() = default;

void BackgroundTask::start(Work work)
{
    m_worker->post(std::move(work));
}

void BackgroundTask::cancel()
{
    m_worker->post(std::nullopt);
}

bool BackgroundTask::isBusy() const
{
    return m_worker->isBusy();
}

void BackgroundTask::waitUntilIdle()
{
    m_worker->waitUntilIdle();
    QCoreApplication::sendPostedEvents(this, QEvent::User);
}

void BackgroundTask::customEvent(QEvent *)
{
    if (const std::function<void()> delivery = m_worker->takeDelivery())
        delivery();
}

} // namespace attn
