#include "engine/lab/TokenOrder.h"

#include "engine/Evaluator.h"
#include "engine/lab/PositionalEncoding.h"

#include <algorithm>
#include <cmath>

namespace attn {

namespace {

/// Only X and the weights: nothing that knows where a token stands.
Experiment withoutPositions(Experiment experiment)
{
    for (const Stage mask : {Stage::MaskPadding, Stage::MaskBool, Stage::MaskAdd, Stage::MaskAlibi})
        experiment.given.erase(mask);
    experiment.causal = false;
    experiment.window.reset();
    experiment.rotary.reset();
    experiment.pins.clear();
    return experiment;
}

Result<Experiment> inputOf(const Experiment &document, const Tensor &P, OrderEffect::Input input)
{
    if (input == OrderEffect::Input::Document)
        return document;
    const Experiment plain = withoutPositions(document);
    const Tensor none = Tensor::zeros(document.matrix(Stage::X).shape());
    const Result<Edit> edit =
        encodingEdit(plain, input == OrderEffect::Input::Sum ? P : none, Staying::Embeddings);
    if (!edit)
        return edit.error();
    Result<EditOutcome> outcome = applyEdit(plain, *edit);
    if (!outcome)
        return outcome.error();
    return std::move(outcome->experiment);
}

Result<StageValuesPtr> evaluatedOutput(const Experiment &experiment)
{
    const SnapshotPtr snapshot = Evaluator().evaluate(std::make_shared<const Experiment>(experiment), {});
    const StageState &output = snapshot->stage(Stage::Output);
    if (!output.hasValues())
        return Error{ErrorCode::NotFound, output.reason};
    return output.values;
}

OrderEffect effectOf(OrderEffect::Input input, const StageValues &before, const StageValues &after, Index i,
                     Index j)
{
    OrderEffect effect;
    effect.input = input;
    for (Index row = 0; row < before.rows(); ++row) {
        const Index moved = row == i ? j : row == j ? i : row;
        double difference = 0.0;
        for (Index col = 0; col < before.cols(); ++col) {
            const double value = before.value(0, row, col);
            difference = std::max(difference, std::abs(after.value(0, moved, col) - value));
            effect.outputSize = std::max(effect.outputSize, std::abs(value));
        }
        effect.differences.push_back(difference);
        effect.largest = std::max(effect.largest, difference);
    }
    return effect;
}

} // namespace

Result<std::vector<OrderEffect>> orderEffects(const ExperimentPtr &experiment, const Tensor &P, Index i,
                                              Index j)
{
    if (experiment->matrix(Stage::X).isNull())
        return Error{ErrorCode::NotFound, "the document has no X of its own"};
    if (experiment->tokens.size() > mostOrderTokens)
        return Error{ErrorCode::BadInput,
                     "it is computed for up to " + std::to_string(mostOrderTokens) + " tokens"};
    std::vector<OrderEffect> effects;
    for (const auto input :
         {OrderEffect::Input::Embeddings, OrderEffect::Input::Sum, OrderEffect::Input::Document}) {
        const Result<Experiment> before = inputOf(*experiment, P, input);
        if (!before)
            return before.error();
        const Result<Edit> swap = swapWordsEdit(*before, i, j);
        if (!swap)
            return swap.error();
        const Result<EditOutcome> after = applyEdit(*before, *swap);
        if (!after)
            return after.error();
        const Result<StageValuesPtr> outputBefore = evaluatedOutput(*before);
        const Result<StageValuesPtr> outputAfter = evaluatedOutput(after->experiment);
        if (!outputBefore || !outputAfter)
            return outputBefore ? outputAfter.error() : outputBefore.error();
        effects.push_back(effectOf(input, **outputBefore, **outputAfter, i, j));
    }
    return effects;
}

} // namespace attn
