#pragma once

#include "engine/evaluation/OutputValues.h"
#include "engine/evaluation/StripWorker.h"

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
    void adopt(const Focus &focus);
    void makeRoom(StripWorker<Scalar> &worker) const;

    /// Weights and biases of all projections.
    void weights(EvaluationCounts &counts);
    /// One block of X or Xkv, where something is computed from it.
    void input(Stage stage, Index block, EvaluationCounts &counts);
    /// Q and Qr.
    void queryStrip(Index head, Index strip, StripWorker<Scalar> &worker);
    /// K and Kr.
    void keyBlock(Index kvHead, Index block, StripWorker<Scalar> &worker);
    void valueBlock(Index kvHead, Index block, StripWorker<Scalar> &worker);
    /// From head_out.
    void concatStrip(Index head, Index strip, EvaluationCounts &counts);
    void outputStrip(Index strip, StripWorker<Scalar> &worker);
    /// Whether the output is large: strips that nobody looks at are left to whoever reads them.
    bool isOutputOnRead() const { return m_isOutputOnRead; }
    bool isOutputLeft(Index strip) const
    {
        return m_isOutputOnRead && m_lookedAt[static_cast<std::size_t>(strip)] == 0;
    }
    /// When anything last changed that a strip of the output is computed from.
    Epoch outputInputsAt(Index strip) const;
    OutputSources<Scalar> outputSources() const;
    const std::shared_ptr<ReadMarks> &outputReads() const { return m_outputReads; }
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
                   StripWorker<Scalar> &worker);
    BlockReference project(Stage stage, Stage source, Stage weight, Stage bias, Index head, Index block,
                           Epoch reusableSince, PanelCache<Scalar> &packedWeights);
    void rotated(Stage stage, Stage split, Angles &angles, Index firstPosition, Epoch anglesAt, Index head,
                 Index block, EvaluationCounts &counts);
    BlockReference outputWithoutWeights(Index strip);
    void adoptAngles(Angles &angles, Stage rotated);
    void adoptOutput(const Focus &focus);

    StageGraph<Scalar> &m_graph;
    Angles m_queryAngles;
    Angles m_keyAngles;
    bool m_isOutputOnRead = false;
    std::shared_ptr<ReadMarks> m_outputReads;
    std::vector<std::uint8_t> m_lookedAt; ///< of each strip of the output: for how many evaluations yet
};

extern template class ProjectionStages<double>;
extern template class ProjectionStages<float>;

} // namespace attn
