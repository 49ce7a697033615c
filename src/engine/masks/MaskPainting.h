#pragma once

#include "engine/Edit.h"

#include <optional>
#include <stop_token>
#include <vector>

namespace attn {

/// Cells of a mask that are painted together.
struct MaskRect
{
    Index row = 0;
    Index col = 0;
    Index rowCount = 1;
    Index colCount = 1;

    Index size() const { return rowCount * colCount; }
    bool operator==(const MaskRect &) const = default;
};

/// What is painted: the boolean mask (1 = allowed), the additive mask, or the padding of keys.
struct MaskBrush
{
    Stage mask = Stage::MaskBool;
    std::optional<Index> head; ///< none = all heads
    double value = 0.0;
};

/// What to write so that a key is hidden or allowed: 0 and 1, or -inf and 0 in the additive mask.
double hidingValue(Stage mask);
double allowingValue(Stage mask);

/// Writes the brush's value into rectangles of a mask; a mask that does not exist is made first. Painting one
/// head of a mask that all heads share gives every head a mask of its own. An error names what lies outside.
Result<Edit> paintedMask(const Experiment &experiment, const MaskBrush &brush,
                         const std::vector<MaskRect> &rects);

/// Cells that stay hidden whatever is painted into `mask`, as another part of the mask hides them; of one
/// head.
Index hiddenByOthers(const Experiment &experiment, Stage mask, Index head,
                     const std::vector<MaskRect> &rects);

/// Patterns that are written into the boolean mask as a whole. p = row + qOffset is a query's position.
struct MaskStamp
{
    enum class Kind
    {
        Keep,   ///< every key
        Drop,   ///< no key
        Causal, ///< keys up to p
        Prefix, ///< keys up to p, and the first `size` keys for every query (prefix-LM; Raffel et al. 2020)
        Block,  ///< keys in p's block of `size` positions
        Band,   ///< keys at most `size` positions away from p
    };

    Kind kind = Kind::Prefix;
    Index size = 1; ///< of Prefix, Block and Band

    /// Whether `size` means something.
    bool hasSize() const { return kind == Kind::Prefix || kind == Kind::Block || kind == Kind::Band; }
    bool allows(Index position, Index key) const;
    bool operator==(const MaskStamp &) const = default;
};

/// Replaces the boolean mask, or that of one head, by a pattern. Causal and Prefix switch the causal setting
/// off, which would hide what the pattern shows; one step.
Result<Edit> stampedMask(const Experiment &experiment, const MaskStamp &stamp, std::optional<Index> head);

/// Swaps allowed and hidden in the boolean mask, or in one head of it: what turns a mask of "true = drop"
/// into one of "true = keep". An error when there is none.
Result<Edit> invertedMask(const Experiment &experiment, std::optional<Index> head = {});

/// The boolean mask written as an additive one (-inf where hidden, added to what is there), or the hiding
/// entries of the additive mask as a boolean one; the mask it came from is removed. One step.
Result<Edit> movedToAdditive(const Experiment &experiment);
Result<Edit> movedToBoolean(const Experiment &experiment);

} // namespace attn
