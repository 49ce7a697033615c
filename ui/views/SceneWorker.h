#pragma once

#include "render/Scene.h"

#include <QObject>

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>

namespace attn {

/// Builds scenes off the GUI thread, one at a time; a build that waits is replaced by a newer one. Lives on
/// the GUI thread.
class SceneWorker : public QObject
{
    Q_OBJECT

public:
    /// Called on another thread: reads only what it owns and immutable snapshots.
    using Build = std::function<Scene()>;

    using QObject::QObject;
    ~SceneWorker() override { m_stop.request_stop(); }

    void post(Build build);
    /// Forgets what waits and the result of what runs.
    void cancel();
    /// Stopped when what is posted now is not wanted any more: what takes seconds asks it.
    std::stop_token stopToken() const { return m_stop.get_token(); }
    /// Whether a scene is still to come.
    bool isBusy() const { return m_waiting || (m_isRunning && !m_isCancelled); }

signals:
    /// Of the newest build, or of an older one while the newest still runs: then isBusy().
    void built(const std::shared_ptr<const attn::Scene> &scene);

protected:
    void customEvent(QEvent *event) override;

private:
    void start(Build build);

    std::optional<Build> m_waiting;
    bool m_isRunning = false;
    bool m_isCancelled = false;
    std::stop_source m_stop;
    std::mutex m_mutex;
    std::shared_ptr<const Scene> m_result; ///< under m_mutex
    std::jthread m_thread;                 ///< last, so that it ends before what it uses
};

} // namespace attn
