#pragma once

#include "engine/EvaluationPlan.h"
#include "engine/Matrix.h"
#include "engine/StageBlocks.h"

#include <array>
#include <set>
#include <stop_token>

namespace attn {

/// What an evaluation started from, and the numbers it found.
template<typename Scalar>
struct ForwardResult
{
    ExperimentPtr experiment; ///< null: nothing evaluated yet
    Sizes sizes;
    EvaluationPlan plan;
    std::array<StageBlocks<Scalar>, static_cast<std::size_t>(stageCount)> stages;

    const StageBlocks<Scalar> &at(Stage stage) const { return stages[static_cast<std::size_t>(stage)]; }
};

/// One forward pass: computes the stages whose inputs differ from the previous result and takes over the
/// others.
template<typename Scalar>
class ForwardPass
{
public:
    ForwardPass(ExperimentPtr experiment, const ForwardResult<Scalar> &previous, std::stop_token stop);

    /// False when stopped; then the result is of no use.
    bool run();

    ForwardResult<Scalar> takeResult() { return std::move(m_result); }
    /// True when the numbers differ in any bit from the previous result, or there were none.
    bool changed(Stage stage) const { return m_changed[static_cast<std::size_t>(stage)]; }
    /// The computed stages that were computed anew.
    const std::set<Stage> &recomputed() const { return m_recomputed; }

private:
    using Blocks = StageBlocks<Scalar>;

    bool update(Stage stage);
    bool mustRun(Stage stage) const;
    bool inputsChanged(Stage stage) const;
    bool settingsChanged(Stage stage) const;
    bool anyChanged(std::initializer_list<Stage> stages) const;

    const Experiment &experiment() const { return *m_result.experiment; }
    const Blocks &at(Stage stage) const { return m_result.at(stage); }
    const Matrix<Scalar> *optionalMatrix(Stage stage) const;
    Stage keySource() const;
    Stage scoreSource(Stage rotated, Stage split) const;

    Blocks compute(Stage stage) const;
    Blocks projection(Stage source, Stage weight, Stage bias) const;
    Blocks split(Stage whole, Index heads) const;
    Blocks rotated(Stage split, Index firstPosition) const;
    Blocks scores() const;
    Blocks scaled() const;
    Blocks masked() const;
    Blocks fullyMasked() const;
    Blocks softmax() const;
    Blocks headOut() const;
    Blocks output() const;
    Blocks headContributions() const;

    const ForwardResult<Scalar> &m_previous;
    ForwardResult<Scalar> m_result;
    std::stop_token m_stop;
    std::array<bool, static_cast<std::size_t>(stageCount)> m_changed{};
    std::set<Stage> m_recomputed;
};

extern template class ForwardPass<double>;
extern template class ForwardPass<float>;

} // namespace attn
