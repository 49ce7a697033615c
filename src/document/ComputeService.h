#pragma once

#include "engine/Evaluator.h"

#include <QObject>
#include <QString>
#include <QTimer>

#include <memory>

namespace attn {

/// Turns experiments into snapshots. One pending request, the newest wins.
///
/// Small experiments (below ~2 ms) are computed inline, so the snapshot is there when request() returns;
/// larger ones on a worker with threads of its own, which leaves one processor to the window. The worker
/// delivers what is in focus first, then more and more until all is exact; a newer request lets it finish
/// what is in focus and cancels the rest. Every request ends in a complete snapshot of that or a newer
/// generation, or in failed(). Lives on the GUI thread.
class ComputeService : public QObject
{
    Q_OBJECT

public:
    enum class Mode
    {
        Automatic,
        Inline, ///< tests and the command line
        Worker, ///< always on the worker
    };

    explicit ComputeService(Mode mode = Mode::Automatic, QObject *parent = nullptr);
    ~ComputeService() override;

    void request(ExperimentPtr experiment, Generation generation);
    /// What the user looks at, to be computed first. The work that is under way turns to it.
    void setFocus(const Focus &focus);
    /// Experiments that need more are refused; the machine's memory unless set.
    void setMemoryLimit(double bytes) { m_memoryLimit = bytes; }
    /// The newest snapshot, or null before the first.
    const SnapshotPtr &snapshot() const { return m_snapshot; }
    /// Whether the newest generation asked for is not complete yet.
    bool isBehind() const;
    /// Whether snapshot() is older than the newest generation asked for.
    bool showsOlder() const;
    /// Whether that is about to change: a newer snapshot is on its way, and not late yet.
    bool isAboutToShowNewer() const { return showsOlder() && m_late.isActive(); }
    /// Drops what runs; nothing is delivered for it (document closed).
    void cancel();
    /// Blocks until nothing is pending. Tests and the command line only.
    void waitUntilIdle();

signals:
    void snapshotReady(const attn::SnapshotPtr &snapshot);
    /// isBehind() is over, or lasts so long that it has to be shown: a result comes sooner after most edits,
    /// and drawing twice would only delay it.
    void behindChanged(bool behind);
    /// The newest request could not be computed (too large for the memory); snapshot() stays what it was.
    void failed(const QString &message);

protected:
    /// A result of the worker has arrived.
    void customEvent(QEvent *event) override;

private:
    class Worker;
    void deliver(SnapshotPtr snapshot);
    void fail(Generation generation, const QString &message);
    void setSettled(Generation generation);

    std::unique_ptr<Worker> m_worker;
    SnapshotPtr m_snapshot;
    Generation m_requested;
    Generation m_settled; ///< the newest generation that was delivered complete, or failed
    QTimer m_late;        ///< runs while it is too early to say that something is behind
    Mode m_mode;
    double m_memoryLimit; ///< bytes
};

} // namespace attn
