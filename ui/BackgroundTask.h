#pragma once

#include <QObject>

#include <functional>
#include <memory>
#include <stop_token>

namespace attn {

/// Work for one view that would take too long on the GUI thread. The newest request wins: what runs is asked
/// to stop, and its result is dropped. Lives on the GUI thread.
class BackgroundTask : public QObject
{
    Q_OBJECT

public:
    /// Runs on a thread of the task; returns what is then done on the GUI thread.
    using Work = std::function<std::function<void()>(std::stop_token)>;

    explicit BackgroundTask(QObject *parent = nullptr);
    ~BackgroundTask() override;

    void start(Work work);
    /// Nothing that was asked for is delivered any more.
    void cancel();
    /// Whether something asked for has not been delivered yet.
    bool isBusy() const;
    /// Blocks until the work is done, then delivers it. Tests only.
    void waitUntilIdle();

protected:
    void customEvent(QEvent *event) override;

private:
    class Worker;
    std::unique_ptr<Worker> m_worker;
};

} // namespace attn
