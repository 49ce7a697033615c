#pragma once

#include "engine/Evaluator.h"
#include "engine/StripPool.h"
#include "engine/evaluation/LeafAttention.h"
#include "engine/evaluation/ProjectionStages.h"
#include "engine/evaluation/StoredAttention.h"

#include <functional>

namespace attn {

/// Decides in which order the strips of an experiment are brought up to date, and spreads them over threads.
/// Between strips it stops when asked; what is done by then is kept.
template<typename Scalar>
class Computation
{
public:
    Computation(StripPool &threads, const Kernels<Scalar> &kernels);

    /// Takes over an experiment; nothing is computed yet.
    void adopt(ExperimentPtr experiment, const Focus &focus);
    /// Brings what the scores in focus are computed from up to date. False when stopped.
    bool updateScores(const std::stop_token &stop);
    /// Brings what is in focus up to date. False when stopped.
    bool updateFocus(const std::stop_token &stop);
    /// Finds what is up to date as it is, so that a snapshot of now says so; computes nothing.
    void markUnchanged();
    /// Brings everything up to date, the head in focus first. pause: called now and then. False when stopped.
    bool updateAll(const std::stop_token &stop, const std::function<void()> &pause);

    const StageGraph<Scalar> &graph() const { return m_graph; }
    const ProjectionStages<Scalar> &projections() const { return m_projections; }
    const StageStore<Scalar> &rowStatistics() const { return m_leaves.rowStatistics(); }
    bool isLeafWise() const { return m_graph.sizes().nK > mostStoredKeys; }
    /// What was computed since the last call.
    EvaluationCounts takeCounts();

private:
    struct Strips
    {
        Index first = 0;
        Index end = 0;
    };

    Strips allStrips() const;
    Strips focusStrips() const;
    bool sources(const std::stop_token &stop);
    bool keysAndValues(Index head, const std::stop_token &stop);
    /// How far attention() goes.
    enum class Depth
    {
        Weights, ///< where they are not stored: the output would cost as much again
        Output,
    };

    bool attention(Index head, const Strips &strips, Depth depth, const std::stop_token &stop,
                   const std::function<void()> &pause);
    bool outputs(const Strips &strips, const std::stop_token &stop, const std::function<void()> &pause);
    bool flags(const std::stop_token &stop);
    template<typename Work>
    bool spread(Index first, Index end, const std::stop_token &stop, const std::function<void()> &pause,
                const Work &work);

    StripPool &m_threads;
    StageGraph<Scalar> m_graph;
    ProjectionStages<Scalar> m_projections;
    StoredAttention<Scalar> m_stored;
    LeafAttention<Scalar> m_leaves;
    std::vector<StripWorker<Scalar>> m_workers;
    Focus m_focus;
};

extern template class Computation<double>;
extern template class Computation<float>;

} // namespace attn
