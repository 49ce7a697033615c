#pragma once

#include "engine/evaluation/StageGraph.h"

namespace attn {

/// Computes from scores to head_out where the whole matrices are stored: up to mostStoredKeys keys. Strips of
/// the same head may run on different threads, after prepare() of that head.
template<typename Scalar>
class StoredAttention
{
public:
    explicit StoredAttention(StageGraph<Scalar> &graph);

    /// Finds out whether the keys and values of a head changed. They must be up to date.
    void prepare(Index head);
    void strip(Index head, Index strip, EvaluationCounts &counts);
    /// fully_masked of some heads, whose strips must be up to date.
    void fullyMasked(Index block, EvaluationCounts &counts);

private:
    void scores(Index head, Index strip, EvaluationCounts &counts);
    void mask(Index head, Index strip, EvaluationCounts &counts);
    void weights(Index head, Index strip, EvaluationCounts &counts);
    void headOut(Index head, Index strip, EvaluationCounts &counts);
    TileArea areaOf(Index head, Index strip) const;

    StageGraph<Scalar> &m_graph;
    Epoch m_keysAt = 0; ///< of the head that was prepared last
    Epoch m_valuesAt = 0;
};

extern template class StoredAttention<double>;
extern template class StoredAttention<float>;

} // namespace attn
