#pragma once

#include "engine/Snapshot.h"

namespace attn {

/// Fills a snapshot before it is shared; nothing changes it afterwards.
class SnapshotBuilder
{
public:
    SnapshotBuilder(ExperimentPtr experiment, Generation generation, const Sizes &sizes)
        : m_snapshot(std::make_shared<Snapshot>())
    {
        m_snapshot->m_experiment = std::move(experiment);
        m_snapshot->m_generation = generation;
        m_snapshot->m_sizes = sizes;
    }

    void setStage(Stage stage, StageState state)
    {
        m_snapshot->m_stages[static_cast<std::size_t>(stage)] = std::move(state);
    }
    void setProblem(std::string problem) { m_snapshot->m_problem = std::move(problem); }
    void setComplete(bool complete) { m_snapshot->m_isComplete = complete; }
    void setElapsedMs(double milliseconds) { m_snapshot->m_elapsedMs = milliseconds; }

    SnapshotPtr take() { return std::move(m_snapshot); }

private:
    std::shared_ptr<Snapshot> m_snapshot;
};

} // namespace attn
