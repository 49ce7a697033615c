#include "engine/Masking.h"

#include <algorithm>

namespace attn {

namespace {

/// Far beyond any number of tokens, and sums of a few stay far from overflow.
constexpr Index farAway = Index(1) << 60;

Index clampedPosition(Index number)
{
    return std::clamp(number, -farAway, farAway);
}

} // namespace

bool MaskParts::operator==(const MaskParts &other) const
{
    return causal == other.causal && window == other.window && qOffset == other.qOffset &&
           padding.sameBlocks(other.padding) && boolean.sameBlocks(other.boolean) &&
           add.sameBlocks(other.add) && alibi.sameBlocks(other.alibi);
}

bool MaskParts::hidesNothing() const
{
    return !causal && !window && padding.isNull() && boolean.isNull() && add.isNull();
}

KeySpan MaskParts::allowedSpan(Index row, Index nKeys) const
{
    const Index position = row + clampedPosition(qOffset);
    KeySpan span{0, nKeys};
    if (causal)
        span.end = std::min(span.end, position + 1);
    if (window && window->left)
        span.begin = std::max(span.begin, position - clampedPosition(*window->left));
    if (window && window->right)
        span.end = std::min(span.end, position + clampedPosition(*window->right) + 1);
    span.end = std::clamp<Index>(span.end, 0, nKeys);
    span.begin = std::clamp<Index>(span.begin, 0, nKeys);
    return span;
}

MaskParts maskPartsOf(const Experiment &experiment)
{
    MaskParts parts;
    parts.causal = experiment.causal;
    parts.window = experiment.window;
    parts.qOffset = experiment.qOffset;
    parts.padding = experiment.matrix(Stage::MaskPadding);
    parts.boolean = experiment.matrix(Stage::MaskBool);
    parts.add = experiment.matrix(Stage::MaskAdd);
    parts.alibi = experiment.matrix(Stage::MaskAlibi);
    return parts;
}

} // namespace attn
