#pragma once

#include "engine/EvaluationPlan.h"
#include "engine/evaluation/StageStore.h"

namespace attn {

/// Up to this many keys the scores and weights are stored as whole matrices; above, they are computed on
/// demand. The same bound on rows decides whether the heads' contributions are stored.
constexpr Index mostStoredKeys = 256;
/// Up to this many keys the partial outputs of the leaves are kept.
constexpr Index mostKeysWithPartials = 16384;

/// Keys of one leaf of the softmax: the whole row, or pieces whose width depends on the number of keys alone.
constexpr Index leafKeysOf(Index nKeys)
{
    return nKeys <= mostStoredKeys ? nKeys : nKeys <= mostKeysWithPartials ? 256 : 1024;
}

/// Leaves that are combined with each other before their groups are: many leaves come in about as many groups
/// as a group has leaves, so that an edit of one leaf combines few numbers.
constexpr Index leavesOfGroup(Index leafCount)
{
    constexpr Index mostWithoutGroups = 8;
    if (leafCount <= mostWithoutGroups)
        return leafCount < 1 ? 1 : leafCount;
    Index leaves = 1;
    while (leaves * leaves < leafCount)
        ++leaves;
    return leaves;
}

/// How a stage lies in blocks.
struct StageLayout
{
    Shape shape;
    Index blockRows = 8;
    HeadsShown heads = HeadsShown::Apart;
    bool isStored = true;
};

/// The layout of a usable stage; it depends on the shapes alone.
StageLayout layoutOf(Stage stage, const EvaluationPlan &plan, const Sizes &sizes);

} // namespace attn
