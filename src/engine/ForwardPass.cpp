#include "engine/ForwardPass.h"

#include "engine/Masking.h"
#include "engine/Mixing.h"
#include "engine/Projection.h"
#include "engine/Rotation.h"
#include "engine/Softmax.h"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace attn {

namespace {

/// Every stage after those it is computed from.
constexpr std::array computeOrder = {
    Stage::X,           Stage::Xkv,
    Stage::Wq,          Stage::Bq,
    Stage::Wk,          Stage::Bk,
    Stage::Wv,          Stage::Bv,
    Stage::Wo,          Stage::Bo,
    Stage::MaskPadding, Stage::MaskBool,
    Stage::MaskAdd,     Stage::MaskAlibi,
    Stage::Q,           Stage::K,
    Stage::V,           Stage::Qh,
    Stage::Kh,          Stage::Vh,
    Stage::Qr,          Stage::Kr,
    Stage::Scores,      Stage::Scaled,
    Stage::Allowed,     Stage::Bias,
    Stage::Masked,      Stage::FullyMasked,
    Stage::ASoft,       Stage::A,
    Stage::HeadOut,     Stage::Concat,
    Stage::Output,      Stage::HeadContribution,
};
static_assert(computeOrder.size() == static_cast<std::size_t>(stageCount));

bool sameBits(double a, double b)
{
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

} // namespace

template<typename Scalar>
ForwardPass<Scalar>::ForwardPass(ExperimentPtr experiment, const ForwardResult<Scalar> &previous,
                                 std::stop_token stop)
    : m_previous(previous)
    , m_stop(std::move(stop))
{
    m_result.plan = planEvaluation(*experiment);
    m_result.sizes = sizesOf(*experiment);
    m_result.experiment = std::move(experiment);
}

template<typename Scalar>
bool ForwardPass<Scalar>::run()
{
    return std::all_of(computeOrder.begin(), computeOrder.end(),
                       [this](Stage stage) { return update(stage); });
}

/// Brings one stage up to date. False when stopped.
template<typename Scalar>
bool ForwardPass<Scalar>::update(Stage stage)
{
    if (m_stop.stop_requested())
        return false;
    const auto index = static_cast<std::size_t>(stage);
    const StagePlan &plan = m_result.plan.at(stage);
    const bool existed = m_previous.experiment && m_previous.plan.at(stage).usable;
    if (!plan.usable) {
        m_changed[index] = existed;
        return true;
    }
    Blocks &blocks = m_result.stages[index];
    if (existed && !mustRun(stage)) {
        blocks = m_previous.at(stage);
        return true;
    }
    const Pins &pins = experiment().pinsOf(stage);
    const bool allPinned = !pins.whole().isNull() && pins.coversAll(plan.shape);
    if (allPinned)
        blocks = blocksOf<Scalar>(pins.whole());
    else if (plan.status == StageStatus::Given)
        blocks = blocksOf<Scalar>(experiment().matrix(stage));
    else
        blocks = compute(stage);
    if (m_stop.stop_requested())
        return false;
    if (!(allPinned && pins.cells().empty()) && !pins.isEmpty())
        overlayPins(blocks, pins);
    if (plan.status == StageStatus::Computed)
        m_recomputed.insert(stage);
    m_changed[index] = !(existed && adoptEqualBlocks(blocks, m_previous.at(stage)));
    return true;
}

/// Whether the previous numbers of a stage that existed before may differ from what it is now.
template<typename Scalar>
bool ForwardPass<Scalar>::mustRun(Stage stage) const
{
    const Experiment &before = *m_previous.experiment;
    const StagePlan &plan = m_result.plan.at(stage);
    const StagePlan &planBefore = m_previous.plan.at(stage);
    const Pins &pins = experiment().pinsOf(stage);
    if (plan.status != planBefore.status || plan.fromPinsOnly != planBefore.fromPinsOnly ||
        !(plan.shape == planBefore.shape) || !pins.sameBits(before.pinsOf(stage)))
        return true;
    if (pins.coversAll(plan.shape))
        return false;
    if (plan.status == StageStatus::Given)
        return !experiment().matrix(stage).sameBlocks(before.matrix(stage));
    return inputsChanged(stage) || settingsChanged(stage);
}

template<typename Scalar>
bool ForwardPass<Scalar>::anyChanged(std::initializer_list<Stage> stages) const
{
    return std::any_of(stages.begin(), stages.end(), [this](Stage stage) { return changed(stage); });
}

template<typename Scalar>
bool ForwardPass<Scalar>::inputsChanged(Stage stage) const
{
    const auto keyInputsChanged = [this] {
        return changed(Stage::Xkv) || (keySource() == Stage::X && changed(Stage::X));
    };
    switch (stage) {
    case Stage::K:
        return keyInputsChanged() || anyChanged({Stage::Wk, Stage::Bk});
    case Stage::V:
        return keyInputsChanged() || anyChanged({Stage::Wv, Stage::Bv});
    case Stage::Qr:
        return changed(Stage::Qh);
    case Stage::Kr:
        return changed(Stage::Kh);
    case Stage::Scores: {
        const auto sourceChanged = [this](Stage rotated, Stage split) {
            const bool wasRotated = m_previous.plan.at(rotated).status != StageStatus::Absent;
            const Stage source = scoreSource(rotated, split);
            return (source == rotated) != wasRotated || changed(source);
        };
        return sourceChanged(Stage::Qr, Stage::Qh) || sourceChanged(Stage::Kr, Stage::Kh);
    }
    case Stage::A:
        return changed(Stage::ASoft);
    case Stage::HeadOut:
        return anyChanged({Stage::A, Stage::Vh});
    default: {
        const auto inputs = stageInfo(stage).inputs;
        return std::any_of(inputs.begin(), inputs.end(), [this](Stage input) { return changed(input); });
    }
    }
}

template<typename Scalar>
bool ForwardPass<Scalar>::settingsChanged(Stage stage) const
{
    const Experiment &now = experiment();
    const Experiment &before = *m_previous.experiment;
    const bool offsetChanged = now.qOffset != before.qOffset;
    switch (stage) {
    case Stage::Qr:
        return offsetChanged || now.rotary != before.rotary;
    case Stage::Kr:
        return now.rotary != before.rotary;
    case Stage::Scaled:
        return !sameBits(m_result.sizes.scale, m_previous.sizes.scale);
    case Stage::Allowed:
        return now.causal != before.causal || now.window != before.window ||
               (offsetChanged && (now.causal || now.window));
    case Stage::Bias:
        return offsetChanged && now.isGiven(Stage::MaskAlibi);
    default:
        return false;
    }
}

template<typename Scalar>
const Matrix<Scalar> *ForwardPass<Scalar>::optionalMatrix(Stage stage) const
{
    return m_result.plan.at(stage).usable ? at(stage).block(0).get() : nullptr;
}

template<typename Scalar>
Stage ForwardPass<Scalar>::keySource() const
{
    return experiment().isGiven(Stage::Xkv) ? Stage::Xkv : Stage::X;
}

template<typename Scalar>
Stage ForwardPass<Scalar>::scoreSource(Stage rotated, Stage split) const
{
    return m_result.plan.at(rotated).status == StageStatus::Absent ? split : rotated;
}

template<typename Scalar>
StageBlocks<Scalar> ForwardPass<Scalar>::compute(Stage stage) const
{
    const Sizes &sizes = m_result.sizes;
    switch (stage) {
    case Stage::Q:
        return projection(Stage::X, Stage::Wq, Stage::Bq);
    case Stage::K:
        return projection(keySource(), Stage::Wk, Stage::Bk);
    case Stage::V:
        return projection(keySource(), Stage::Wv, Stage::Bv);
    case Stage::Qh:
        return split(Stage::Q, sizes.nHeads);
    case Stage::Kh:
        return split(Stage::K, sizes.nKvHeads);
    case Stage::Vh:
        return split(Stage::V, sizes.nKvHeads);
    case Stage::Qr:
        return rotated(Stage::Qh, experiment().qOffset);
    case Stage::Kr:
        return rotated(Stage::Kh, 0);
    case Stage::Scores:
        return scores();
    case Stage::Scaled:
        return scaled();
    case Stage::Allowed:
        return allowedKeys<Scalar>(maskPartsOf(experiment()), m_result.plan.at(stage).shape);
    case Stage::Bias:
        return maskBias(maskPartsOf(experiment()), at(Stage::Allowed));
    case Stage::Masked:
        return masked();
    case Stage::FullyMasked:
        return fullyMasked();
    case Stage::ASoft:
        return softmax();
    case Stage::A:
        return at(Stage::ASoft);
    case Stage::HeadOut:
        return headOut();
    case Stage::Concat:
        return Blocks(concatHeads(at(Stage::HeadOut)));
    case Stage::Output:
        return output();
    case Stage::HeadContribution:
        return headContributions();
    default:
        break;
    }
    ATTN_ASSERT(false, "only computed stages are computed");
    return Blocks();
}

template<typename Scalar>
StageBlocks<Scalar> ForwardPass<Scalar>::projection(Stage source, Stage weight, Stage bias) const
{
    return Blocks(project(at(source).head(0), at(weight).head(0), optionalMatrix(bias)));
}

template<typename Scalar>
StageBlocks<Scalar> ForwardPass<Scalar>::split(Stage whole, Index heads) const
{
    if (heads == 1)
        return at(whole);
    const Shape &shape = at(whole).shape;
    Blocks blocks(Shape{heads, shape.rows, shape.cols / heads});
    for (Index head = 0; head < heads; ++head)
        blocks.setHead(head, headColumns(at(whole).head(0), heads, head));
    return blocks;
}

template<typename Scalar>
StageBlocks<Scalar> ForwardPass<Scalar>::rotated(Stage split, Index firstPosition) const
{
    Blocks blocks(at(split).shape);
    for (Index head = 0; head < blocks.shape.heads; ++head)
        blocks.setHead(head, rotateHead(at(split).head(head), firstPosition, *experiment().rotary));
    return blocks;
}

template<typename Scalar>
StageBlocks<Scalar> ForwardPass<Scalar>::scores() const
{
    const Blocks &Q = at(scoreSource(Stage::Qr, Stage::Qh));
    const Blocks &K = at(scoreSource(Stage::Kr, Stage::Kh));
    Blocks blocks(Shape{Q.shape.heads, Q.shape.rows, K.shape.rows});
    for (Index head = 0; head < blocks.shape.heads && !m_stop.stop_requested(); ++head)
        blocks.setHead(head, rawScores(Q.head(head), K.head(kvHeadOf(head, Q.shape.heads, K.shape.heads))));
    return blocks;
}

template<typename Scalar>
StageBlocks<Scalar> ForwardPass<Scalar>::scaled() const
{
    const Blocks &S = at(Stage::Scores);
    const auto scale = static_cast<Scalar>(m_result.sizes.scale);
    if (scale == Scalar(1))
        return S;
    Blocks blocks(S.shape);
    for (Index head = 0; head < S.shape.heads && !m_stop.stop_requested(); ++head)
        blocks.setHead(head, S.head(head) * scale);
    return blocks;
}

template<typename Scalar>
StageBlocks<Scalar> ForwardPass<Scalar>::masked() const
{
    const Blocks &S = at(Stage::Scaled);
    const bool hasBias = m_result.plan.at(Stage::Bias).usable;
    if (!hasBias && maskPartsOf(experiment()).hidesNothing())
        return S;
    Blocks blocks(S.shape);
    for (Index head = 0; head < S.shape.heads && !m_stop.stop_requested(); ++head)
        blocks.setHead(head, maskScores(S.head(head), at(Stage::Allowed).head(head),
                                        hasBias ? at(Stage::Bias).block(head).get() : nullptr));
    return blocks;
}

template<typename Scalar>
StageBlocks<Scalar> ForwardPass<Scalar>::fullyMasked() const
{
    const Blocks &S = at(Stage::Masked);
    Matrix<Scalar> flags(S.shape.heads, S.shape.rows);
    for (Index head = 0; head < S.shape.heads; ++head)
        flags.row(head) = fullyMaskedRows(S.head(head));
    return Blocks(std::move(flags));
}

template<typename Scalar>
StageBlocks<Scalar> ForwardPass<Scalar>::softmax() const
{
    const Blocks &S = at(Stage::Masked);
    Blocks blocks(S.shape);
    for (Index head = 0; head < S.shape.heads && !m_stop.stop_requested(); ++head)
        blocks.setHead(head, softmaxRows(S.head(head)));
    return blocks;
}

template<typename Scalar>
StageBlocks<Scalar> ForwardPass<Scalar>::headOut() const
{
    const Blocks &A = at(Stage::A);
    const Blocks &V = at(Stage::Vh);
    Blocks blocks(Shape{A.shape.heads, A.shape.rows, V.shape.cols});
    for (Index head = 0; head < blocks.shape.heads && !m_stop.stop_requested(); ++head)
        blocks.setHead(head, mixValues(A.head(head), V.head(kvHeadOf(head, A.shape.heads, V.shape.heads))));
    return blocks;
}

template<typename Scalar>
StageBlocks<Scalar> ForwardPass<Scalar>::output() const
{
    const Matrix<Scalar> *bias = optionalMatrix(Stage::Bo);
    if (const Matrix<Scalar> *Wo = optionalMatrix(Stage::Wo))
        return Blocks(project(at(Stage::Concat).head(0), *Wo, bias));
    if (!bias)
        return at(Stage::Concat);
    Matrix<Scalar> output = at(Stage::Concat).head(0);
    output.rowwise() += bias->row(0);
    return Blocks(std::move(output));
}

template<typename Scalar>
StageBlocks<Scalar> ForwardPass<Scalar>::headContributions() const
{
    Blocks blocks(m_result.plan.at(Stage::HeadContribution).shape);
    for (Index head = 0; head < blocks.shape.heads && !m_stop.stop_requested(); ++head)
        blocks.setHead(head, headContribution(at(Stage::Concat).head(0), optionalMatrix(Stage::Wo),
                                              blocks.shape.heads, head));
    return blocks;
}

template class ForwardPass<double>;
template class ForwardPass<float>;

} // namespace attn
