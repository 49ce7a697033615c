#pragma once

#include "engine/Snapshot.h"

#include <array>
#include <functional>
#include <memory>
#include <set>
#include <stop_token>

namespace attn {

/// What is on the screen, and so computed first.
struct Focus
{
    Stage stage = Stage::A;
    Index head = 0;
    Index firstRow = 0;
    Index rowCount = 64;

    bool operator==(const Focus &) const = default;
};

struct EvaluateOptions
{
    Focus focus;
    /// Called on the evaluating thread with snapshots that are not complete yet: one of a new large map's
    /// scores, one as soon as the focus is exact, then at most every 30 ms. Empty: only the complete one is
    /// made.
    std::function<void(SnapshotPtr)> publish;
    /// Called once what is in focus is exact and published, before all the rest is computed. isEdit: of what
    /// was computed before.
    std::function<void(bool isEdit)> beforeRest;
};

/// How much one evaluation computed; what it found unchanged does not count.
struct EvaluationCounts
{
    std::array<Index, static_cast<std::size_t>(stageCount)> blocks{}; ///< strips of each computed stage
    Index leaves = 0;   ///< pieces of rows of the softmax (above 256 keys)
    Index partials = 0; ///< their outputs

    Index of(Stage stage) const { return blocks[static_cast<std::size_t>(stage)]; }
    void add(const EvaluationCounts &other);
};

struct KernelTable;

/// Computes experiments; the only door to the numerics.
///
/// Keeps the last experiment and everything computed for it: the next one costs what differs. The result
/// depends on the experiment and the instruction set alone, never on the history or the number of threads.
/// Not thread-safe: one Evaluator belongs to one thread at a time. Snapshots may outlive it.
class Evaluator
{
public:
    /// threads: including the caller's; kernels: null = those of this processor
    explicit Evaluator(int threads = 1, const KernelTable *kernels = nullptr);
    ~Evaluator();

    /// Vaswani et al. 2017, eq. (1) and section 3.2.2, with the conventions of README "Conventions".
    /// returns null only when stopped; what is computed by then is kept. Every other outcome, contradicting
    /// shapes included, is a snapshot. Throws bad_alloc when the experiment does not fit into memory.
    SnapshotPtr evaluate(ExperimentPtr experiment, Generation generation, std::stop_token stop = {},
                         const EvaluateOptions &options = {});

    /// The stages of which the last call computed blocks.
    std::set<Stage> recomputed() const;
    const EvaluationCounts &counts() const;
    /// How often memory for blocks was asked of the system.
    std::size_t blockAllocations() const;
    /// Memory of the blocks that this evaluator holds or keeps for reuse.
    std::size_t blockBytes() const;

private:
    class State;
    std::unique_ptr<State> m_state;
};

/// Roughly how long a full evaluation takes here, in milliseconds; decides between inline and worker.
double estimatedMs(const Experiment &experiment);
/// Roughly how much memory the evaluation of this experiment holds, in bytes.
double estimatedBytes(const Experiment &experiment);

} // namespace attn
