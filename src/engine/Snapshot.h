#pragma once

#include "base/Generation.h"
#include "engine/Experiment.h"
#include "engine/StageValues.h"

#include <array>
#include <memory>
#include <string>

namespace attn {

enum class StageStatus
{
    Given, ///< the document's own numbers
    Computed,
    NotAvailable, ///< `reason` says why
    Absent,       ///< not part of this experiment (no bias, no rotary, no mask matrix): not drawn
};

/// One stage of a snapshot.
struct StageState
{
    StageStatus status = StageStatus::Absent;
    std::string reason;    ///< for NotAvailable: one sentence
    StageValuesPtr values; ///< null unless Given or Computed
    Generation changedAt;  ///< the generation at which the values last changed
    Index pinnedCount = 0; ///< cells set by hand
    bool isPinnedWhole = false;

    bool hasValues() const { return values != nullptr; }
};

/// The result of one evaluation: immutable, shared, readable from any thread.
///
/// A stage whose inputs did not change keeps the `values` pointer of the snapshot before; same pointer means
/// nothing to repaint.
class Snapshot
{
public:
    Generation generation() const { return m_generation; }
    const Experiment &experiment() const { return *m_experiment; }
    const ExperimentPtr &experimentPtr() const { return m_experiment; }
    const StageState &stage(Stage stage) const { return m_stages[static_cast<std::size_t>(stage)]; }
    const Sizes &sizes() const { return m_sizes; }
    /// What contradicts itself in the experiment; empty when all is well. Shown, not thrown.
    const std::string &problem() const { return m_problem; }
    /// False while some blocks are still from an older generation, or not computed yet: StageValues tells
    /// which. A complete snapshot of the same generation follows, unless a newer one does.
    bool isComplete() const { return m_isComplete; }
    /// How long the evaluation took, in milliseconds.
    double elapsedMs() const { return m_elapsedMs; }

private:
    friend class SnapshotBuilder;
    Generation m_generation;
    ExperimentPtr m_experiment;
    Sizes m_sizes;
    std::string m_problem;
    bool m_isComplete = true;
    double m_elapsedMs = 0.0;
    std::array<StageState, static_cast<std::size_t>(stageCount)> m_stages;
};

using SnapshotPtr = std::shared_ptr<const Snapshot>;

} // namespace attn
