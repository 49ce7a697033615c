#include "engine/masks/MaskEffect.h"

#include "base/Assert.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace attn {

namespace {

constexpr Stage maskMatrices[] = {Stage::MaskPadding, Stage::MaskBool, Stage::MaskAdd, Stage::MaskAlibi};

/// One row of a stage, and whether it is final.
class StageRow
{
public:
    explicit StageRow(const StageValues &values)
        : m_values(values)
        , m_numbers(static_cast<std::size_t>(values.cols()))
    {
    }

    bool read(Index head, Index row)
    {
        m_values.readBlock(head, row, 0, 1, m_values.cols(), m_numbers.data(), m_values.cols());
        return m_values.blockStatus(head, row, 0, 1, m_values.cols()) == BlockStatus::Exact;
    }
    Index count() const { return m_values.cols(); }
    double at(Index col) const { return m_numbers[static_cast<std::size_t>(col)]; }

private:
    const StageValues &m_values;
    std::vector<double> m_numbers;
};

double lengthOfChange(const StageRow &before, const StageRow &after)
{
    double squares = 0.0;
    for (Index col = 0; col < before.count(); ++col) {
        const double change = after.at(col) - before.at(col);
        squares += change * change;
    }
    return std::sqrt(squares);
}

/// Allowed keys are told by the mask, not by the weights, which may underflow to 0.
MaskRowEffect effectOnRow(const StageRow &before, const StageRow &after, const StageRow &allowedBefore,
                          const StageRow &allowedAfter)
{
    MaskRowEffect effect;
    for (Index key = 0; key < before.count(); ++key) {
        const bool wasAllowed = allowedBefore.at(key) != 0.0;
        const bool isAllowed = allowedAfter.at(key) != 0.0;
        effect.keysBefore += wasAllowed ? 1 : 0;
        effect.keysAfter += isAllowed ? 1 : 0;
        const double change = after.at(key) - before.at(key);
        effect.moved += std::abs(change) / 2.0;
        if (wasAllowed && !isAllowed) {
            effect.removed += before.at(key);
            if (effect.mostRemoved < 0 || before.at(key) > effect.mostRemovedWeight) {
                effect.mostRemoved = key;
                effect.mostRemovedWeight = before.at(key);
            }
        }
        if (!wasAllowed && isAllowed)
            effect.added += after.at(key);
        if (change > effect.mostGain) {
            effect.mostGained = key;
            effect.mostGain = change;
        }
    }
    return effect;
}

} // namespace

Experiment withoutMask(const Experiment &experiment)
{
    Experiment bare = experiment;
    bare.causal = false;
    bare.window.reset();
    for (const Stage stage : maskMatrices)
        bare.given.erase(stage);
    return bare;
}

Experiment withoutMaskPart(const Experiment &experiment, MaskPart part)
{
    Experiment rest = experiment;
    switch (part) {
    case MaskPart::Causal:
        rest.causal = false;
        break;
    case MaskPart::Window:
        rest.window.reset();
        break;
    case MaskPart::Padding:
        rest.given.erase(Stage::MaskPadding);
        break;
    case MaskPart::Boolean:
        rest.given.erase(Stage::MaskBool);
        break;
    case MaskPart::Additive:
        rest.given.erase(Stage::MaskAdd);
        break;
    case MaskPart::Alibi:
        rest.given.erase(Stage::MaskAlibi);
        break;
    }
    return rest;
}

Result<Experiment> withMaskOf(const Experiment &experiment, const Experiment &other)
{
    Experiment changed = withoutMask(experiment);
    changed.causal = other.causal;
    changed.window = other.window;
    changed.qOffset = other.qOffset;
    for (const Stage stage : maskMatrices) {
        const Tensor &matrix = other.matrix(stage);
        if (matrix.isNull())
            continue;
        const Shape expected = expectedShape(experiment, stage);
        const bool isShared = stageInfo(stage).heads == HeadAxis::Optional && matrix.heads() == 1;
        const bool isPerHead =
            stageInfo(stage).heads == HeadAxis::Optional && matrix.heads() == experiment.nHeads;
        const bool fitsHeads = matrix.heads() == expected.heads || isShared || isPerHead;
        if (!fitsHeads || matrix.rows() != expected.rows || matrix.cols() != expected.cols)
            return Error{ErrorCode::ShapeMismatch, std::string(stageName(stage)) + ": expected " +
                                                       shapeText(expected) + ", found " +
                                                       shapeText(matrix.shape())};
        changed.given[stage] = matrix;
    }
    return changed;
}

Experiment maskAlone(const Experiment &experiment)
{
    Experiment mask;
    mask.tokens = experiment.tokens;
    mask.tokensKv = experiment.tokensKv;
    mask.nHeads = experiment.nHeads;
    mask.nKvHeads = experiment.nKvHeads;
    mask.causal = experiment.causal;
    mask.window = experiment.window;
    mask.qOffset = experiment.qOffset;
    for (const Stage stage : maskMatrices)
        if (experiment.isGiven(stage))
            mask.given[stage] = experiment.matrix(stage);
    return mask;
}

MaskEffect maskEffectOf(const Snapshot &before, const Snapshot &after, Index head, std::stop_token stop)
{
    const StageValuesPtr &a = before.stage(Stage::A).values;
    const StageValuesPtr &b = after.stage(Stage::A).values;
    ATTN_ASSERT(a && b && a->shape() == b->shape(), "two matrices of weights of one shape");
    MaskEffect effect;
    StageRow weightsBefore(*a);
    StageRow weightsAfter(*b);
    StageRow allowedBefore(*before.stage(Stage::Allowed).values);
    StageRow allowedAfter(*after.stage(Stage::Allowed).values);
    const StageValuesPtr &outputBefore = before.stage(Stage::Output).values;
    const StageValuesPtr &outputAfter = after.stage(Stage::Output).values;
    effect.hasOutput = outputBefore && outputAfter && outputBefore->shape() == outputAfter->shape();
    std::optional<StageRow> rowBefore;
    std::optional<StageRow> rowAfter;
    if (effect.hasOutput) {
        rowBefore.emplace(*outputBefore);
        rowAfter.emplace(*outputAfter);
    }
    for (Index row = 0; row < a->rows() && !stop.stop_requested(); ++row) {
        bool isExact = weightsBefore.read(head, row);
        isExact = weightsAfter.read(head, row) && isExact;
        allowedBefore.read(head, row);
        allowedAfter.read(head, row);
        MaskRowEffect change = effectOnRow(weightsBefore, weightsAfter, allowedBefore, allowedAfter);
        if (effect.hasOutput) {
            isExact = rowBefore->read(0, row) && isExact;
            isExact = rowAfter->read(0, row) && isExact;
            change.outputChange = lengthOfChange(*rowBefore, *rowAfter);
        }
        effect.isExact = effect.isExact && isExact;
        effect.removed += change.removed;
        effect.moved += change.moved;
        effect.rows.push_back(change);
    }
    return effect;
}

} // namespace attn
