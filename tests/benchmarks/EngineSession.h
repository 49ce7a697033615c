#pragma once

#include "benchmarks/Checks.h"
#include "benchmarks/Measurement.h"
#include "benchmarks/Workloads.h"
#include "engine/Evaluator.h"

#include <optional>

namespace attn::bench {

/// One evaluator and the experiment it is at: times edits, then proves what they gave.
class EngineSession
{
public:
    EngineSession(Experiment experiment, const BenchOptions &options);

    const Experiment &experiment() const { return *m_experiment; }
    const Snapshot &snapshot() const { return *m_snapshot; }

    void setFocus(const Focus &focus) { m_focus = focus; }
    /// Milliseconds from an edit to the complete snapshot, applying the edit included.
    double completeMs(const Edit &edit);
    /// Milliseconds from an edit to the first snapshot in which the focus is exact; the rest is left undone.
    double visibleMs(const std::optional<Edit> &edit);
    /// Milliseconds from another experiment to the complete snapshot.
    double completeMs(ExperimentPtr experiment);

    /// Adds the measurement after checking the last snapshot: sampled rows against the double reference, all
    /// of `stages` against a fresh evaluation, bit for bit. wholly: the snapshot is a complete one.
    void report(Report &report, const std::string &what, const Times &times, const std::vector<Stage> &stages,
                bool wholly);

private:
    SnapshotPtr freshly(bool wholly) const;

    const BenchOptions &m_options;
    Evaluator m_evaluator;
    ExperimentPtr m_experiment;
    SnapshotPtr m_snapshot;
    Focus m_focus;
    Generation m_generation;
};

} // namespace attn::bench
