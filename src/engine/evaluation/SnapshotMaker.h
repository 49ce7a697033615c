#pragma once

#include "engine/evaluation/Computation.h"
#include "engine/evaluation/OnDemandValues.h"

namespace attn {

/// The stages of the last snapshots, as far as they were exact: what the next snapshot shares.
struct PublishedStages
{
    struct Entry
    {
        StageState state;
        Epoch madeAt = 0;      ///< evaluation of `values` of a computed stage
        ExperimentPtr givenIn; ///< experiment of `values` of a given stage
        bool wasUsable = false;
    };

    std::array<Entry, static_cast<std::size_t>(stageCount)> stages;

    Entry &at(Stage stage) { return stages[static_cast<std::size_t>(stage)]; }
    const Entry &at(Stage stage) const { return stages[static_cast<std::size_t>(stage)]; }
    /// Forgets what an evaluation computed, as another number format begins.
    void forgetComputed();
};

/// Makes one snapshot of a computation. A stage whose numbers did not change keeps its values.
template<typename Scalar>
class SnapshotMaker
{
public:
    SnapshotMaker(const Computation<Scalar> &computation, PublishedStages &published, Generation generation);

    SnapshotPtr make(double elapsedMs);

private:
    using Entry = PublishedStages::Entry;

    StageState given(Stage stage);
    StageState computed(Stage stage);
    StageState stored(Stage stage, Stage holder, HeadsShown heads);
    StageState onDemand(Stage stage);
    StageState contributions();
    StageState largeOutput();
    template<typename Make>
    StageState exact(Stage stage, Epoch changedAt, const Make &make);
    StageState unfinished(StageValuesPtr values);
    StageState blank(Stage stage) const;
    void countPins(Stage stage, StageState &state) const;
    bool isAsPublished(Stage stage) const;
    StageValuesPtr valuesAlike(Stage stage, const StageStore<Scalar> &store) const;

    Epoch scoresChangedAt(Stage stage) const;
    bool isWeightExact() const;
    bool areScoresExact() const;
    std::shared_ptr<const AttentionSnapshot<Scalar>> attention();
    std::vector<std::uint8_t> marks(const StageStore<Scalar> &store) const;

    const Computation<Scalar> &m_computation;
    const StageGraph<Scalar> &m_graph;
    PublishedStages &m_published;
    Generation m_generation;
    std::shared_ptr<const AttentionSnapshot<Scalar>> m_attention;
    bool m_isComplete = true;
};

extern template class SnapshotMaker<double>;
extern template class SnapshotMaker<float>;

} // namespace attn
