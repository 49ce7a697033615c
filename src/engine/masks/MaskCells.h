#pragma once

#include "engine/Masking.h"
#include "engine/StageValues.h"

#include <array>
#include <stop_token>
#include <vector>

namespace attn {

/// The parts of a mask, in the order in which they are named. ALiBi only adds to scores and hides nothing.
enum class MaskPart
{
    Causal,
    Window,
    Padding,
    Boolean,
    Additive,
    Alibi,
};

inline constexpr int maskPartCount = static_cast<int>(MaskPart::Alibi) + 1;

/// Some of the parts of a mask.
class MaskPartSet
{
public:
    bool has(MaskPart part) const { return (m_bits >> static_cast<unsigned>(part) & 1U) != 0; }
    void add(MaskPart part) { m_bits |= 1U << static_cast<unsigned>(part); }
    bool isEmpty() const { return m_bits == 0; }
    int count() const;
    /// In the order of the enumeration.
    std::vector<MaskPart> parts() const;
    bool operator==(const MaskPartSet &) const = default;

private:
    unsigned m_bits = 0;
};

/// The parts that are set in an experiment, whether or not they hide anything.
MaskPartSet maskPartsSet(const Experiment &experiment);

/// Every part that hides this key from this query; empty: the key is allowed.
MaskPartSet hiddenBy(const MaskParts &mask, const CellIndex &cell);
/// How many of the keys [col, col + count) are hidden from this query.
Index hiddenKeysOf(const MaskParts &mask, Index head, Index row, Index col, Index count);

/// How a cell of hidingPartsOf() is to be read.
struct HidingCode
{
    static constexpr int several = 0; ///< more than one part hides the key
    static constexpr int allowed = maskPartCount;
    static int of(MaskPartSet parts);
    static int of(MaskPart part) { return static_cast<int>(part) + 1; }
};

/// For each head, query and key a HidingCode: why the key is hidden. Computed when read. [h, n_q, n_k]
StageValuesPtr hidingPartsOf(const Experiment &experiment);

/// What the parts of a mask hide in one head.
struct MaskCounts
{
    Index cells = 0;
    Index allowed = 0;
    std::array<Index, maskPartCount> hidden{};      ///< keys that this part hides, alone or with others
    std::array<Index, maskPartCount> hiddenAlone{}; ///< keys that no other part hides
    std::vector<Index> allowedKeys;                 ///< of each query
    std::vector<Index> fullyMasked;                 ///< queries that see no key

    Index hiddenCells() const { return cells - allowed; }
    Index of(MaskPart part) const { return hidden[static_cast<std::size_t>(part)]; }
    Index aloneBy(MaskPart part) const { return hiddenAlone[static_cast<std::size_t>(part)]; }
};

/// stop: the result is then incomplete and is thrown away by the caller
MaskCounts maskCountsOf(const Experiment &experiment, Index head, std::stop_token stop = {});

} // namespace attn
