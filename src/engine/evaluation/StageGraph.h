#pragma once

#include "engine/Evaluator.h"
#include "engine/evaluation/ScoreTiles.h"
#include "engine/evaluation/StageLayout.h"

#include <array>

namespace attn {

/// The stages of one experiment in one number format: their blocks, and what of them is stale.
///
/// adopt() compares an experiment with the one before; after it, refresh() recomputes a block if anything it
/// is computed from has changed since. A recomputed block that equals the old one keeps it, and what comes
/// after stays fresh. refresh() may run for different blocks on different threads.
template<typename Scalar>
class StageGraph
{
public:
    explicit StageGraph(const Kernels<Scalar> &kernels);

    void adopt(ExperimentPtr experiment);

    const ExperimentPtr &experimentPtr() const { return m_experiment; }
    const Experiment &experiment() const { return *m_experiment; }
    const EvaluationPlan &plan() const { return m_plan; }
    const Sizes &sizes() const { return m_sizes; }
    Epoch epoch() const { return m_epoch; }
    BlockPool &pool() { return m_pool; }
    const BlockPool &pool() const { return m_pool; }
    const Kernels<Scalar> &kernels() const { return m_kernels; }
    const ScoreTiles<Scalar> &tiles() const { return m_tiles; }

    StageStore<Scalar> &at(Stage stage) { return m_stages[static_cast<std::size_t>(stage)]; }
    const StageStore<Scalar> &at(Stage stage) const { return m_stages[static_cast<std::size_t>(stage)]; }
    /// The stages that enter the scores: rotated where there are positions.
    Stage queries() const;
    Stage keys() const;
    Stage keySource() const { return m_experiment->isGiven(Stage::Xkv) ? Stage::Xkv : Stage::X; }

    /// When a setting last changed.
    Epoch scaleAt() const { return m_scaleAt; }
    Epoch queryAnglesAt() const { return m_queryAnglesAt; }
    Epoch keyAnglesAt() const { return m_keyAnglesAt; }
    /// When the mask of a strip last changed, other than by the key padding.
    Epoch maskAt(Index head, Index strip) const;
    Epoch biasAt(Index head, Index strip) const;
    Epoch newestMaskChange() const;
    /// When the key padding of keys [first, first + count) last changed.
    Epoch paddingAt(Index first, Index count) const;

    /// Whether a block has to be computed again. inputs: when what it is computed from last changed.
    bool isStale(Stage stage, Index head, Index block, Epoch inputs) const;
    /// fill(): the block without pins; it may be a block that others share.
    template<typename Fill>
    void refresh(Stage stage, Index head, Index block, Epoch inputs, EvaluationCounts &counts,
                 const Fill &fill);
    /// While on, refresh() computes nothing: it finds out which blocks are up to date as they are. The
    /// document's own numbers are read.
    void setOnlyMarking(bool on);
    bool isOnlyMarking() const { return m_isOnlyMarking; }
    BlockReference take(Stage stage) { return takeBlock(m_pool, at(stage).blocks); }

private:
    void adoptStage(Stage stage, const Experiment &next);
    void adoptNumbers(const Experiment &next);
    void adoptSettings(const Experiment &next, const Sizes &sizesBefore);
    void adoptPadding(const Tensor &before, const Tensor &after);
    void connectTiles();
    void markTensor(StageStore<Scalar> &store, const Tensor &next);
    void markPins(StageStore<Scalar> &store, const Pins *next);
    BlockReference mappedBlock(const StageStore<Scalar> &store, const TileArea &area);
    BlockReference fixedBlock(Stage stage, Index head, Index block);
    void setBlock(Stage stage, Index head, Index block, BlockReference fresh);

    const Kernels<Scalar> &m_kernels;
    ExperimentPtr m_experiment;
    EvaluationPlan m_plan;
    Sizes m_sizes;
    Epoch m_epoch = 0;
    BlockPool m_pool;
    std::array<StageStore<Scalar>, static_cast<std::size_t>(stageCount)> m_stages;
    ScoreTiles<Scalar> m_tiles;
    Epoch m_scaleAt = 0;
    Epoch m_queryAnglesAt = 0;
    Epoch m_keyAnglesAt = 0;
    Epoch m_maskAt = 0;
    Epoch m_biasAt = 0;
    std::vector<Epoch> m_paddingAt; ///< per 256 keys
    bool m_isOnlyMarking = false;
};

template<typename Scalar>
template<typename Fill>
void StageGraph<Scalar>::refresh(Stage stage, Index head, Index block, Epoch inputs, EvaluationCounts &counts,
                                 const Fill &fill)
{
    StageStore<Scalar> &store = at(stage);
    const std::size_t index = store.blocks.indexOf(head, block);
    if (isStale(stage, head, block, inputs)) {
        if (m_isOnlyMarking && store.source == StageSource::Computed)
            return;
        setBlock(stage, head, block,
                 store.source == StageSource::Fixed ? fixedBlock(stage, head, block) : fill());
        if (store.source == StageSource::Computed)
            ++counts.blocks[static_cast<std::size_t>(stage)];
    }
    store.exactAt[index] = m_epoch;
}

extern template class StageGraph<double>;
extern template class StageGraph<float>;

} // namespace attn
