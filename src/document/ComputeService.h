#pragma once

#include "engine/Snapshot.h"

#include <QObject>
#include <QString>

#include <memory>

namespace attn {

/// Turns experiments into snapshots. One pending request, the newest wins.
///
/// Small experiments (below ~2 ms) are computed inline, so the snapshot is there when request() returns;
/// larger ones on a worker thread. Every request ends in a snapshot of that or a newer generation. Lives on
/// the GUI thread.
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
    /// The newest snapshot, or null before the first.
    const SnapshotPtr &snapshot() const { return m_snapshot; }
    /// Whether a newer generation than snapshot() has been asked for.
    bool isBehind() const;
    /// Drops what runs; nothing is delivered for it (document closed).
    void cancel();
    /// Blocks until nothing is pending. Tests and the command line only.
    void waitUntilIdle();

signals:
    void snapshotReady(const attn::SnapshotPtr &snapshot);
    /// isBehind() changed.
    void behindChanged(bool behind);
    /// The newest request could not be computed (out of memory); snapshot() stays what it was.
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
    Generation m_settled; ///< the newest generation that was delivered or failed
    Mode m_mode;
};

} // namespace attn
