#pragma once

#include "engine/Edit.h"
#include "engine/Evaluator.h"

#include <vector>

namespace attn {

/// Three tokens, four features, one head: X, Wq, Wk, Wv given, the rest computed.
inline Experiment smallExperiment()
{
    Experiment experiment;
    experiment.tokens = TokenList({"I", "love", "NLP"});
    const auto counted = [](Index rows, Index cols) {
        std::vector<double> numbers;
        for (Index i = 0; i < rows * cols; ++i)
            numbers.push_back(0.125 * static_cast<double>(i) - 0.3);
        return Tensor::fromDoubles({1, rows, cols}, numbers);
    };
    experiment.given[Stage::X] = counted(3, 4);
    experiment.given[Stage::Wq] = counted(4, 2);
    experiment.given[Stage::Wk] = counted(4, 2);
    experiment.given[Stage::Wv] = counted(4, 2);
    return experiment;
}

inline SnapshotPtr evaluated(const Experiment &experiment, Generation generation = {1})
{
    Evaluator evaluator;
    return evaluator.evaluate(std::make_shared<const Experiment>(experiment), generation);
}

inline Experiment edited(const Experiment &experiment, const Edit &edit)
{
    Result<EditOutcome> outcome = applyEdit(experiment, edit);
    ATTN_ASSERT(outcome.ok(), "the fixture's edit fits");
    return std::move(outcome->experiment);
}

} // namespace attn
