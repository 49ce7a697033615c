#pragma once

#include "engine/evaluation/StageGraph.h"

namespace attn {

/// Computes the stages before the attention (inputs, projections, rotation) and after it (concat, output,
/// contributions), strip by strip. Functions for different strips may run on different threads; inputs and
/// weights come first.
template<typename Scalar>
class ProjectionStages
{
public:
    explicit ProjectionStages(StageGraph<Scalar> &graph);

    /// Makes room for what the adopted experiment needs.
    void adopt();

    /// Weights and biases of all projections.
    void weights(EvaluationCounts &counts);
    /// One block of X or Xkv, where something is computed from it.
    void input(Stage stage, Index block, EvaluationCounts &counts);
    /// Q and Qr.
    void queryStrip(Index head, Index strip, EvaluationCounts &counts);
    /// K and Kr.
    void keyBlock(Index kvHead, Index block, EvaluationCounts &counts);
    void valueBlock(Index kvHead, Index block, EvaluationCounts &counts);
    /// From head_out.
    void concatStrip(Index head, Index strip, EvaluationCounts &counts);
    void outputStrip(Index strip, EvaluationCounts &counts);
    void contributionStrip(Index head, Index strip, EvaluationCounts &counts);

    /// contribution of one head to rows of the output: [rows, d_out].
    /// concat: [rows, d_v] of this head
    static void contribution(const Kernels<Scalar> &kernels, const StageBlocks<Scalar> *Wo, Index nHeads,
                             Index head, const Scalar *concat, Index stride, Index rows, Index width,
                             Scalar *out, Index outStride);

private:
    struct Angles
    {
        StageBlocks<Scalar> blocks; ///< [1, n, 2 pairs]: cosines, then sines
        std::vector<Epoch> computedAt;
    };

    void projected(Stage stage, Stage source, Stage weight, Stage bias, Index head, Index block,
                   EvaluationCounts &counts);
    BlockReference project(Stage stage, Stage source, Stage weight, Stage bias, Index head, Index block,
                           Epoch reusableSince);
    void rotated(Stage stage, Stage split, Angles &angles, Index firstPosition, Epoch anglesAt, Index head,
                 Index block, EvaluationCounts &counts);
    BlockReference outputWithoutWeights(Index strip);
    void adoptAngles(Angles &angles, Stage rotated);

    StageGraph<Scalar> &m_graph;
    Angles m_queryAngles;
    Angles m_keyAngles;
};

extern template class ProjectionStages<double>;
extern template class ProjectionStages<float>;

} // namespace attn
