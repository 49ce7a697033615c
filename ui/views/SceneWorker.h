#pragma once

#include "BackgroundTask.h"
#include "render/Scene.h"

#include <QElapsedTimer>
#include <QTimer>

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>

namespace attn {

/// Builds scenes off the GUI thread, one at a time; a build that waits is replaced by a newer one. What runs
/// may finish, so that a picture still follows a number that is dragged, unless it takes seconds: then it is
/// stopped for the newer one. Lives on the GUI thread.
class SceneWorker : public QObject
{
    Q_OBJECT

public:
    /// Called on another thread: reads only what it owns and immutable snapshots. Stopped: what it returns is
    /// dropped.
    using Build = std::function<Scene(std::stop_token)>;

    explicit SceneWorker(QObject *parent = nullptr);

    void post(Build build);
    /// Forgets what waits, and stops what runs.
    void cancel();
    /// Whether a scene is still to come.
    bool isBusy() const { return m_waiting || m_task.isBusy(); }

signals:
    /// Of the newest build, or of an older one while the newest still runs: then isBusy().
    void built(const std::shared_ptr<const attn::Scene> &scene);

private:
    void start(Build build);
    void startWaiting();

    std::optional<Build> m_waiting;
    QElapsedTimer m_runningFor;
    QTimer m_patience;     ///< with what runs while a newer one waits
    BackgroundTask m_task; ///< last, so that it ends before what it uses
};

} // namespace attn
