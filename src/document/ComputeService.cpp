#include "document/ComputeService.h"

#include "base/SystemMemory.h"

#include <QCoreApplication>
#include <QEvent>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <new>
#include <optional>
#include <thread>
#include <utility>

namespace attn {

namespace {

/// Above this an evaluation leaves the GUI thread.
constexpr double inlineLimitMs = 2.0;

/// Above this it shows what is exact while it goes on.
constexpr double progressLimitMs = 8.0;

/// While a number is scrubbed, one edit follows the other within this time. The processor belongs to what is
/// in sight for so long, and what is there by then needs no mark that it is being computed.
constexpr std::chrono::milliseconds nextEditWithin(25);

/// One processor is left to the window.
int workerThreads()
{
    return std::max(1, static_cast<int>(std::thread::hardware_concurrency()) - 1);
}

} // namespace

/// Runs the newest pending request; owns the evaluator, which the GUI thread borrows only while nothing runs.
class ComputeService::Worker
{
public:
    struct Outcome
    {
        SnapshotPtr snapshot;
        Generation generation;
        bool isOutOfMemory = false;
    };

    explicit Worker(ComputeService &service)
        : m_service(service)
        , m_evaluator(workerThreads())
        , m_thread([this](std::stop_token stop) { run(stop); })
    {
    }

    ~Worker() { cancel(); }

    void post(ExperimentPtr experiment, Generation generation)
    {
        const std::scoped_lock lock(m_mutex);
        m_pending = Request{std::move(experiment), generation};
        if (m_isFocusDone)
            m_job.request_stop();
        m_wake.notify_all();
    }

    void setFocus(const Focus &focus)
    {
        const std::scoped_lock lock(m_mutex);
        if (m_focus == focus)
            return;
        m_focus = focus;
        if (!m_isRunning || m_job.stop_requested())
            return;
        // What is computed is kept, so starting again costs little.
        if (!m_pending)
            m_pending = m_current;
        m_job.request_stop();
        m_wake.notify_all();
    }

    /// Forgets what is pending and stops what runs.
    void cancel()
    {
        const std::scoped_lock lock(m_mutex);
        m_pending.reset();
        m_outcome.reset();
        m_job.request_stop();
        m_wake.notify_all();
    }

    /// Computes on the calling thread; false when the worker is busy.
    bool tryInline(const ExperimentPtr &experiment, Generation generation, SnapshotPtr &snapshot)
    {
        {
            const std::scoped_lock lock(m_mutex);
            if (m_isRunning || m_pending)
                return false;
        }
        snapshot = m_evaluator.evaluate(experiment, generation);
        return true;
    }

    /// The newest result that was not taken yet.
    std::optional<Outcome> takeOutcome()
    {
        const std::scoped_lock lock(m_mutex);
        return std::exchange(m_outcome, std::nullopt);
    }

    void waitUntilIdle()
    {
        std::unique_lock lock(m_mutex);
        m_idle.wait(lock, [this] { return !m_isRunning && !m_pending; });
    }

private:
    struct Request
    {
        ExperimentPtr experiment;
        Generation generation;
    };

    void run(const std::stop_token &stop)
    {
        for (;;) {
            Request request;
            std::stop_token job;
            EvaluateOptions options;
            {
                std::unique_lock lock(m_mutex);
                m_isRunning = false;
                m_idle.notify_all();
                if (!m_wake.wait(lock, stop, [this] { return m_pending.has_value(); }))
                    return;
                request = std::move(*m_pending);
                m_pending.reset();
                m_current = request;
                options.focus = m_focus;
                m_isFocusDone = false;
                m_job = std::stop_source();
                job = m_job.get_token();
                m_isRunning = true;
            }
            if (estimatedMs(*request.experiment) >= progressLimitMs) {
                options.publish = [&](SnapshotPtr snapshot) {
                    handOver({std::move(snapshot), request.generation, false}, job);
                };
                options.beforeRest = [&](bool isEdit) {
                    endFocus(isEdit ? nextEditWithin : std::chrono::milliseconds(0), job);
                };
            }
            compute(request, job, options);
        }
    }

    void compute(const Request &request, const std::stop_token &job, const EvaluateOptions &options)
    {
        Outcome outcome;
        outcome.generation = request.generation;
        try {
            outcome.snapshot = m_evaluator.evaluate(request.experiment, request.generation, job, options);
        } catch (const std::bad_alloc &) {
            outcome.isOutOfMemory = true;
        }
        if (outcome.snapshot || outcome.isOutOfMemory)
            handOver(std::move(outcome), job);
    }

    /// What is in focus is exact: from now on a newer request stops this one, and has so long to come.
    void endFocus(std::chrono::milliseconds patience, const std::stop_token &job)
    {
        std::unique_lock lock(m_mutex);
        m_isFocusDone = true;
        m_wake.wait_for(lock, patience, [&] { return m_pending || job.stop_requested(); });
        if (m_pending)
            m_job.request_stop();
    }

    void handOver(Outcome outcome, const std::stop_token &job)
    {
        {
            const std::scoped_lock lock(m_mutex);
            if (job.stop_requested())
                return;
            m_outcome = std::move(outcome);
        }
        // The event only wakes the GUI thread; what it finds is handed over under our own mutex.
        QCoreApplication::postEvent(&m_service, new QEvent(QEvent::User));
    }

    ComputeService &m_service;
    Evaluator m_evaluator;
    std::mutex m_mutex;
    std::condition_variable_any m_wake;
    std::condition_variable m_idle;
    std::optional<Request> m_pending;
    Request m_current;
    Focus m_focus;
    bool m_isFocusDone = false;
    std::optional<Outcome> m_outcome;
    std::stop_source m_job;
    bool m_isRunning = false;
    std::jthread m_thread; ///< last: starts when all else exists, joins before it goes
};

ComputeService::ComputeService(Mode mode, QObject *parent)
    : QObject(parent)
    , m_worker(std::make_unique<Worker>(*this))
    , m_mode(mode)
    , m_memoryLimit(systemMemoryBytes())
{
    m_late.setSingleShot(true);
    m_late.setInterval(nextEditWithin);
    connect(&m_late, &QTimer::timeout, this, [this] {
        if (isBehind())
            emit behindChanged(true);
    });
}

ComputeService::~ComputeService() = default;

void ComputeService::request(ExperimentPtr experiment, Generation generation)
{
    m_requested = generation;
    if (const double needed = estimatedBytes(*experiment); needed > m_memoryLimit) {
        m_worker->cancel();
        constexpr double gigabyte = 1e9;
        fail(generation, tr("This experiment needs about %1 GB of memory, and this computer has %2 GB.")
                             .arg(needed / gigabyte, 0, 'f', 1)
                             .arg(m_memoryLimit / gigabyte, 0, 'f', 1));
        return;
    }
    const bool wantsInline =
        m_mode == Mode::Inline || (m_mode == Mode::Automatic && estimatedMs(*experiment) < inlineLimitMs);
    if (m_mode == Mode::Inline)
        m_worker->waitUntilIdle();
    SnapshotPtr snapshot;
    if (wantsInline && m_worker->tryInline(experiment, generation, snapshot)) {
        deliver(std::move(snapshot));
        return;
    }
    m_worker->post(std::move(experiment), generation);
    if (!m_late.isActive())
        m_late.start();
}

void ComputeService::setFocus(const Focus &focus)
{
    m_worker->setFocus(focus);
}

bool ComputeService::showsOlder() const
{
    return m_snapshot && m_snapshot->generation() < m_requested && isBehind();
}

bool ComputeService::isBehind() const
{
    return m_settled < m_requested;
}

void ComputeService::cancel()
{
    m_worker->cancel();
    setSettled(m_requested);
}

void ComputeService::waitUntilIdle()
{
    m_worker->waitUntilIdle();
    QCoreApplication::sendPostedEvents(this, QEvent::User);
}

void ComputeService::customEvent(QEvent *)
{
    std::optional<Worker::Outcome> outcome = m_worker->takeOutcome();
    if (!outcome)
        return;
    if (outcome->isOutOfMemory)
        fail(outcome->generation, tr("Not enough memory to compute this experiment."));
    else
        deliver(std::move(outcome->snapshot));
}

void ComputeService::deliver(SnapshotPtr snapshot)
{
    // A cancelled request may have been on its way already, and an older result never replaces a newer one.
    if (snapshot->generation() <= m_settled)
        return;
    const bool isMoreOfTheSame = m_snapshot && m_snapshot->generation() == snapshot->generation();
    m_snapshot = std::move(snapshot);
    if (m_snapshot->isComplete())
        setSettled(m_snapshot->generation());
    if (!showsOlder())
        m_late.stop();
    // To draw more of what a newer edit is about to replace would only delay that.
    if (!isMoreOfTheSame || !isAboutToShowNewer())
        emit snapshotReady(m_snapshot);
}

void ComputeService::fail(Generation generation, const QString &message)
{
    if (generation <= m_settled)
        return;
    setSettled(generation);
    emit failed(message);
}

void ComputeService::setSettled(Generation generation)
{
    const bool wasBehind = isBehind();
    m_settled = generation;
    if (!wasBehind || isBehind())
        return;
    m_late.stop();
    emit behindChanged(false);
}

} // namespace attn
