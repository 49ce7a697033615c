#pragma once

#include "engine/Experiment.h"

#include <cstdint>

namespace attn {

/// Multiplications of the products; the exponentials and divisions of the softmax are not counted.
struct DecodeCost
{
    std::int64_t projections = 0; ///< X W of new rows, and turning them (rotary: 2 per turned number)
    std::int64_t scores = 0;      ///< q . k and the scale
    std::int64_t mixing = 0;      ///< A V
    std::int64_t output = 0;      ///< concat W^O

    std::int64_t total() const { return projections + scores + mixing + output; }
    DecodeCost &operator+=(const DecodeCost &other);
    bool operator==(const DecodeCost &) const = default;
};

/// The sizes that decide what a step of decoding costs.
class DecodeCosting
{
public:
    explicit DecodeCosting(const Experiment &experiment);

    /// How many keys stand in the cache when this query row is computed: all up to its position, or, where
    /// the keys come from another sequence and nothing hides later ones, all of them.
    Index keysOfRow(Index row) const;
    /// Whether the cache grows with the rows, rather than being filled once.
    bool isGrowing() const { return m_isGrowing; }

    /// Query rows [firstRow, firstRow + rowCount), with `keyCount` keys computed anew.
    DecodeCost costOf(Index firstRow, Index rowCount, Index keyCount) const;
    /// The same rows with nothing kept: everything from the first token on is computed again.
    DecodeCost costWithoutCache(Index rowsAfter) const;

    /// Bytes of K and V rows kept in the cache for this many keys.
    std::int64_t cacheBytes(Index keys) const;
    /// Bytes of the X rows that must be kept to compute everything again; 0 where Q, K, V are the document's.
    std::int64_t inputBytes(Index rows, Index keys) const;

private:
    Sizes m_sizes;
    Index m_qOffset = 0;
    Index m_rotatedQueryColumns = 0;
    Index m_rotatedKeyColumns = 0;
    Index m_concatWidth = 0;
    bool m_isGrowing = true;
    bool m_hasQuery = false; ///< Q is the document's: no product
    bool m_hasKey = false;
    bool m_hasValue = false;
    bool m_hasOutputWeight = false;
    bool m_isSelf = true;
    std::int64_t m_bytesPerNumber = 8;
};

} // namespace attn
