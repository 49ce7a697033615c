#include "views/SceneWorker.h"

#include <utility>

namespace attn {

namespace {

/// A build that took longer than this is stopped for a newer one.
constexpr int longestFollowedMs = 1000;

} // namespace

SceneWorker::SceneWorker(QObject *parent)
    : QObject(parent)
{
    m_patience.setSingleShot(true);
    connect(&m_patience, &QTimer::timeout, this, &SceneWorker::startWaiting);
}

void SceneWorker::post(Build build)
{
    const auto elapsed = m_task.isBusy() ? static_cast<int>(m_runningFor.elapsed()) : longestFollowedMs;
    if (elapsed >= longestFollowedMs) {
        start(std::move(build));
        return;
    }
    m_waiting = std::move(build);
    if (!m_patience.isActive())
        m_patience.start(longestFollowedMs - elapsed);
}

void SceneWorker::cancel()
{
    m_waiting.reset();
    m_patience.stop();
    m_task.cancel();
}

void SceneWorker::startWaiting()
{
    if (m_waiting)
        start(*std::exchange(m_waiting, std::nullopt));
}

void SceneWorker::start(Build build)
{
    m_waiting.reset();
    m_patience.stop();
    m_runningFor.start();
    m_task.start([this, build = std::move(build)](const std::stop_token &stop) -> std::function<void()> {
        auto scene = std::make_shared<const Scene>(build(stop));
        return [this, scene = std::move(scene)] {
            startWaiting();
            emit built(scene);
        };
    });
}

} // namespace attn
