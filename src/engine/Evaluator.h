#pragma once

#include "engine/Snapshot.h"

#include <memory>
#include <set>
#include <stop_token>

namespace attn {

/// Computes experiments; the only door to the numerics.
///
/// Keeps the last experiment and snapshot: a stage whose inputs are unchanged keeps its values pointer, a
/// recomputed stage that equals the old one bit for bit too. The result depends on the experiment alone,
/// never on the history. Not thread-safe: one Evaluator belongs to one thread at a time.
class Evaluator
{
public:
    Evaluator();
    ~Evaluator();

    /// Vaswani et al. 2017, eq. (1) and section 3.2.2, with the conventions of README "Conventions".
    /// returns null only when stopped. Every other outcome, contradicting shapes included, is a snapshot.
    SnapshotPtr evaluate(ExperimentPtr experiment, Generation generation, std::stop_token stop = {});

    /// The stages that the last call computed (not those it kept).
    const std::set<Stage> &recomputed() const;

private:
    class State;
    std::unique_ptr<State> m_state;
};

/// Roughly how long a full evaluation takes here, in milliseconds; decides between inline and worker.
double estimatedMs(const Experiment &experiment);

} // namespace attn
