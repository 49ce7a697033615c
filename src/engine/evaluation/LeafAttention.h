#pragma once

#include "engine/evaluation/StripWorker.h"

namespace attn {

/// Computes the statistics of the softmax and head_out where the weights are not stored: above mostStoredKeys
/// keys. A row is a list of leaves: each has its own greatest score, sum and partial output. They are
/// combined in order, many of them in groups first; an edit computes the leaves that it touches and combines
/// their groups and the whole. Strips of the same head may run on different threads, after prepare() of that
/// head.
template<typename Scalar>
class LeafAttention
{
public:
    explicit LeafAttention(StageGraph<Scalar> &graph);

    /// Makes room for what the adopted experiment needs. focusHead: keeps its partial outputs before others.
    void adopt(Index focusHead);
    void makeRoom(StripWorker<Scalar> &worker) const;
    /// Finds out what of the keys and values of a head changed. They must be up to date.
    void prepare(Index head);

    /// Whether the weights of these strips are up to date long before head_out can be: a few leaves changed,
    /// but every partial output has to be made again.
    bool areStatisticsFirst(Index head, Index firstStrip, Index endStrip) const;
    /// To be called after StageGraph::setOnlyMarking().
    void followMarking() { m_rows.onlyExactAt = m_graph.isOnlyMarking() ? m_graph.epoch() : 0; }
    /// Statistics and head_out.
    void strip(Index head, Index strip, StripWorker<Scalar> &worker);
    /// Only what the weights need.
    void statistics(Index head, Index strip, StripWorker<Scalar> &worker);
    /// fully_masked of some heads, whose statistics must be up to date.
    void fullyMasked(Index block, EvaluationCounts &counts);

    /// [h, n_q, 3]: RowStatistics of each row of weights.
    const StageStore<Scalar> &rowStatistics() const { return m_rows; }

private:
    struct Leaf
    {
        std::size_t index = 0;
        Index number = 0;
        TileArea area;
    };

    /// Whether an edit finds the partial outputs of this head's leaves again.
    bool keepsPartials(Index head) const;
    bool areLeavesFresh(Index head, Index strip) const;
    void leaves(Index head, Index strip, bool wantsPartials, StripWorker<Scalar> &worker);
    void weightsOf(const Leaf &leaf, RowStatistics<Scalar> *statistics, StripWorker<Scalar> &worker) const;
    void partialOf(const Leaf &leaf, StripWorker<Scalar> &worker, Scalar *partial) const;
    void addValues(Index head, Index block, Index rows, const Scalar *weights, bool accumulates,
                   StripWorker<Scalar> &worker, Scalar *out, Index stride) const;
    void makeStatistics(std::size_t strip);
    void refreshGroup(std::size_t strip, Index group, Index rows);
    void refreshPartialOfGroup(std::size_t strip, Index group, StripWorker<Scalar> &worker);
    void combineGroup(std::size_t strip, Index group, Index rows, StripWorker<Scalar> &worker, Scalar *out);
    void partialsOfLeaves(Index head, Index strip, StripWorker<Scalar> &worker);
    void refreshRows(Index head, Index strip);
    void headOut(Index head, Index strip, StripWorker<Scalar> &worker);
    BlockReference combinedOutput(Index head, Index strip, StripWorker<Scalar> &worker);
    BlockReference outputOfFinalWeights(Index head, Index strip, StripWorker<Scalar> &worker);

    bool usesFinalWeights(Index head, Index strip) const;
    bool hasScores() const { return m_graph.at(Stage::Masked).exists(); }
    TileArea areaOf(Index head, Index strip) const;
    Leaf leafOf(Index head, Index strip, Index number) const;
    Epoch inputsOf(Stage stage, Index head, Index strip) const;
    Epoch scoresAt(Index head, Index strip) const;
    bool isLeafStale(const Leaf &leaf, Epoch rowsAt) const;
    bool isPartialStale(const Leaf &leaf, Epoch rowsAt) const;
    bool hasGroups() const { return m_groupCount > 1; }
    /// Leaves, and behind them their groups.
    Index slotsOfStrip() const { return m_leafCount + (hasGroups() ? m_groupCount : 0); }
    Index leavesIn(Index group) const;
    /// A slot of the leaves, or of the groups that are combined to whole rows.
    Index firstCombinedSlot() const { return hasGroups() ? m_leafCount : 0; }
    Index combinedCount() const { return hasGroups() ? m_groupCount : m_leafCount; }
    RowStatistics<Scalar> *slotStatistics(std::size_t strip, Index slot) const;
    Scalar *keptPartial(std::size_t strip, Index slot) const;

    StageGraph<Scalar> &m_graph;
    Shape m_shape{0, 0, 0}; ///< of A
    Index m_stripRows = 8;
    Index m_strips = 0;
    Index m_leafKeys = 1;
    Index m_leafCount = 0;
    Index m_groupLeaves = 1;
    Index m_groupCount = 0;
    Index m_valueStride = 8;
    Index m_valueCols = 0;
    Index m_focusHead = 0;
    Index m_keptHeads = 0;
    std::vector<Epoch> m_statisticsAt;      ///< of each leaf: when its statistics were computed
    std::vector<Epoch> m_partialAt;         ///< of each leaf: when its kept partial output was; 0 = not kept
    std::vector<Epoch> m_groupStatisticsAt; ///< of each group
    std::vector<Epoch> m_groupPartialAt;
    std::vector<BlockReference> m_statistics; ///< of each strip: [slots, stripRows]
    std::vector<BlockReference> m_partials;   ///< of each strip: [slots, stripRows, valueStride]
    StageStore<Scalar> m_rows;
    // Of the head that was prepared last, per leaf:
    std::vector<Epoch> m_keysAt;
    std::vector<Epoch> m_valuesAt;
    std::vector<bool> m_isFinite;
};

extern template class LeafAttention<double>;
extern template class LeafAttention<float>;

} // namespace attn
