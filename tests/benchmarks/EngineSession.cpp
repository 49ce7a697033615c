#include "benchmarks/EngineSession.h"

#include "engine/kernels/KernelTable.h"

#include <algorithm>

namespace attn::bench {

namespace {

bool isExactIn(const Snapshot &snapshot, const Focus &focus)
{
    const StageValues &values = *snapshot.stage(focus.stage).values;
    const Index rows = std::min(focus.rowCount, values.rows() - focus.firstRow);
    return values.blockStatus(focus.head, focus.firstRow, 0, rows, values.cols()) == BlockStatus::Exact;
}

/// The first snapshot in which the focus is exact; the evaluation stops there.
SnapshotPtr visibleSnapshot(Evaluator &evaluator, ExperimentPtr experiment, Generation generation,
                            const Focus &focus)
{
    std::stop_source stop;
    SnapshotPtr first;
    EvaluateOptions options;
    options.focus = focus;
    options.publish = [&](SnapshotPtr snapshot) {
        if (!isExactIn(*snapshot, focus))
            return;
        first = std::move(snapshot);
        stop.request_stop();
    };
    const SnapshotPtr complete =
        evaluator.evaluate(std::move(experiment), generation, stop.get_token(), options);
    return first ? first : complete;
}

} // namespace

EngineSession::EngineSession(Experiment experiment, const BenchOptions &options)
    : m_options(options)
    , m_evaluator(options.threads)
    , m_experiment(std::make_shared<const Experiment>(std::move(experiment)))
{
}

double EngineSession::completeMs(const Edit &edit)
{
    return millisecondsOf([&] {
        m_experiment = std::make_shared<const Experiment>(edited(*m_experiment, edit));
        m_generation = m_generation.next();
        m_snapshot = m_evaluator.evaluate(m_experiment, m_generation, {}, {m_focus, {}, {}});
    });
}

double EngineSession::completeMs(ExperimentPtr experiment)
{
    return millisecondsOf([&] {
        m_experiment = std::move(experiment);
        m_generation = m_generation.next();
        m_snapshot = m_evaluator.evaluate(m_experiment, m_generation, {}, {m_focus, {}, {}});
    });
}

double EngineSession::visibleMs(const std::optional<Edit> &edit)
{
    return millisecondsOf([&] {
        if (edit)
            m_experiment = std::make_shared<const Experiment>(edited(*m_experiment, *edit));
        m_generation = m_generation.next();
        m_snapshot = visibleSnapshot(m_evaluator, m_experiment, m_generation, m_focus);
    });
}

SnapshotPtr EngineSession::freshly(bool wholly) const
{
    Evaluator fresh(m_options.threads);
    return wholly ? fresh.evaluate(m_experiment, m_generation)
                  : visibleSnapshot(fresh, m_experiment, m_generation, m_focus);
}

void EngineSession::report(Report &report, const std::string &what, const Times &times,
                           const std::vector<Stage> &stages, bool wholly)
{
    Measurement m;
    m.what = what;
    m.n = m_snapshot->sizes().nQ;
    m.d = m_snapshot->sizes().dHeadK;
    m.h = m_snapshot->sizes().nHeads;
    m.dtype = m_options.isDouble ? "f64" : "f32";
    m.threads = m_options.threads;
    m.isa = isaName();
    m.medianMs = times.medianMs;
    m.minMs = times.minMs;
    m.peakRssMib = peakRssMib();
    const Index firstRow = wholly ? 0 : m_focus.firstRow;
    const Index rowCount =
        wholly ? m_snapshot->sizes().nQ : std::min(m_focus.rowCount, m_snapshot->sizes().nQ);
    const std::vector<Index> sampled = {firstRow, firstRow + rowCount / 3, firstRow + rowCount - 1};
    m.error = errorOfRows(*m_snapshot, m_focus.head, sampled, wholly && m_experiment->isGiven(Stage::Wo));
    report.add(m, toleranceOf(m_options.isDouble));

    const SnapshotPtr fresh = freshly(wholly);
    for (const Stage stage : stages)
        for (Index head = 0; head < m_snapshot->stage(stage).values->heads(); ++head)
            if ((wholly || head == m_focus.head) &&
                !sameBits(*m_snapshot, *fresh, stage, head, firstRow, rowCount))
                report.fail(what, std::string("other bits than a fresh evaluation in ") + stageName(stage));
}

} // namespace attn::bench
