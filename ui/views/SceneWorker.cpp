#include "views/SceneWorker.h"

#include <QCoreApplication>
#include <QEvent>

#include <utility>

namespace attn {

void SceneWorker::post(Build build)
{
    if (m_isRunning) {
        m_waiting = std::move(build);
        return;
    }
    start(std::move(build));
}

void SceneWorker::cancel()
{
    m_waiting.reset();
    m_stop.request_stop();
    m_stop = {};
    m_isCancelled = m_isRunning;
}

void SceneWorker::start(Build build)
{
    m_isRunning = true;
    m_isCancelled = false;
    m_thread = std::jthread([this, build = std::move(build)] {
        auto scene = std::make_shared<const Scene>(build());
        {
            const std::scoped_lock lock(m_mutex);
            m_result = std::move(scene);
        }
        // The event only wakes the GUI thread; the scene is handed over under our own mutex.
        QCoreApplication::postEvent(this, new QEvent(QEvent::User));
    });
}

void SceneWorker::customEvent(QEvent *)
{
    std::shared_ptr<const Scene> scene;
    {
        const std::scoped_lock lock(m_mutex);
        scene = std::exchange(m_result, nullptr);
    }
    if (!scene)
        return;
    m_isRunning = false;
    const bool wasCancelled = std::exchange(m_isCancelled, false);
    if (m_waiting)
        start(*std::exchange(m_waiting, std::nullopt));
    if (!wasCancelled)
        emit built(scene);
}

} // namespace attn
