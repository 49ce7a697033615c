#pragma once

#include "base/Result.h"
#include "engine/Snapshot.h"
#include "engine/masks/MaskCells.h"

#include <stop_token>
#include <vector>

namespace attn {

/// The same experiment without any part of a mask. Positions (qOffset) stay, as a rotation needs them.
Experiment withoutMask(const Experiment &experiment);
/// The same experiment without one part.
Experiment withoutMaskPart(const Experiment &experiment, MaskPart part);
/// The same experiment with every part and qOffset of another one's mask; an error when its matrices do not
/// fit: other numbers of tokens or heads.
Result<Experiment> withMaskOf(const Experiment &experiment, const Experiment &other);
/// Nothing but tokens, heads and the mask: what has to be kept of a state to compare masks with it.
Experiment maskAlone(const Experiment &experiment);

/// What another mask does to one row of A and of the output.
struct MaskRowEffect
{
    Index keysBefore = 0;   ///< allowed
    Index keysAfter = 0;    ///< allowed
    double removed = 0.0;   ///< weight before on keys that are hidden after
    double added = 0.0;     ///< weight after on keys that were hidden before
    double moved = 0.0;     ///< half the sum of |after - before|: weight that lies elsewhere now
    Index mostRemoved = -1; ///< of the keys hidden after, that with the most weight before; -1 = none
    double mostRemovedWeight = 0.0;
    Index mostGained = -1; ///< the key whose weight grew most; -1 = none grew
    double mostGain = 0.0;
    double outputChange = 0.0; ///< length of the change of the output row; all heads
    /// after / before of the keys that are left when nothing but hiding changed: 1 / (1 - removed)
    double growth() const { return removed < 1.0 ? 1.0 / (1.0 - removed) : 0.0; }
};

/// What the mask of `after` does to one head, compared with `before`: the same experiment with another mask.
struct MaskEffect
{
    std::vector<MaskRowEffect> rows;
    double removed = 0.0; ///< sums over the rows
    double moved = 0.0;
    bool hasOutput = false;
    bool isExact = true; ///< false: some numbers were not computed yet
};

/// Both snapshots have A, of the same shape.
///
/// stop: the result is then incomplete and is thrown away by the caller
MaskEffect maskEffectOf(const Snapshot &before, const Snapshot &after, Index head, std::stop_token stop = {});

} // namespace attn
