#include "engine/heads/HeadCounts.h"

#include "engine/Edit.h"
#include "engine/Evaluator.h"
#include "engine/heads/KvWeights.h"

#include <cmath>

namespace attn {

std::vector<Index> possibleHeadCounts(const Experiment &experiment)
{
    const Sizes sizes = sizesOf(experiment);
    const Index keyWidth = sizes.nHeads * sizes.dHeadK;
    const Index valueWidth = sizes.nHeads * sizes.dHeadV;
    std::vector<Index> counts;
    for (Index heads = 1; heads <= std::max(keyWidth, sizes.nHeads); ++heads)
        if ((keyWidth > 0 && valueWidth > 0 && keyWidth % heads == 0 && valueWidth % heads == 0) ||
            heads == sizes.nHeads)
            counts.push_back(heads);
    return counts;
}

Result<RecutHeads> withHeadCount(const Experiment &experiment, Index heads)
{
    if (heads == experiment.nHeads && experiment.nKvHeads == heads)
        return RecutHeads{experiment, {}};
    Result<EditOutcome> outcome =
        applyEdit(experiment, SetHeads{heads, heads, kvWeightsFor(experiment, heads, heads)});
    if (!outcome)
        return outcome.error();
    const Result<void> consistent = validate(outcome->experiment);
    if (!consistent)
        return consistent.error();
    return RecutHeads{std::move(outcome->experiment), std::move(outcome->notes)};
}

Result<RecutSnapshot> evaluatedWithHeadCount(const Experiment &experiment, Index heads, std::stop_token stop,
                                             double mostMs)
{
    Result<RecutHeads> recut = withHeadCount(experiment, heads);
    if (!recut)
        return recut.error();
    const double milliseconds = estimatedMs(recut->experiment);
    if (milliseconds > mostMs)
        return Error{ErrorCode::TooLarge, "computing it with other heads would take about " +
                                              std::to_string(std::lround(milliseconds / 1000.0)) +
                                              " s; it is not done here"};
    Evaluator evaluator;
    RecutSnapshot result;
    result.notes = std::move(recut->notes);
    result.snapshot = evaluator.evaluate(std::make_shared<const Experiment>(std::move(recut->experiment)),
                                         Generation{1}, stop);
    return result;
}

} // namespace attn
