#pragma once

#include "engine/Snapshot.h"

#include <stop_token>
#include <vector>

namespace attn {

/// How far the weights of every two heads lie apart.
///
/// Distance of two rows: the square root of the Jensen-Shannon divergence in bits (Lin 1991), 0 for the same
/// weights, 1 for weights that share no key; of two heads: the mean over the rows that neither has fully
/// masked; NaN where there is none.
struct HeadSimilarity
{
    Index heads = 0;
    std::vector<double> distances; ///< [h, h], symmetric, 0 on the diagonal
    Index rowsRead = 0;            ///< evenly spaced; all of them when that costs little
    Index rows = 0;

    double distance(Index one, Index other) const
    {
        return distances[static_cast<std::size_t>(one * heads + other)];
    }
};

/// Nothing (no heads) when A is not available.
///
/// stop: the result is then incomplete and is thrown away by the caller
HeadSimilarity headSimilarity(const Snapshot &snapshot, std::stop_token stop = {});

/// Groups in which no two heads lie further apart than `most`: the two nearest groups are joined again and
/// again (distance of groups: that of their furthest heads; the lowest heads first on ties). Heads ascend in
/// a group, groups by their lowest head, so the order stays as numbers change a little.
std::vector<std::vector<Index>> headGroups(const HeadSimilarity &similarity, double most);

} // namespace attn
