#pragma once

#include "engine/Snapshot.h"

#include <vector>

namespace attn {

/// Neighbouring rows or columns of a matrix.
struct LineRange
{
    Index first = 0;
    Index count = 0;

    Index last() const { return first + count - 1; }
    bool operator==(const LineRange &) const = default;
};

/// Which lines of the shared matrices belong to one query head. The cut is made in the columns of Q, K and V,
/// after the projection: every row of the weights, that is every input coordinate, belongs to every head.
struct HeadCut
{
    Index head = 0;
    Index kvHead = 0;           ///< the head of K and V that it reads
    LineRange query;            ///< columns of W^Q, b^Q and Q
    LineRange key;              ///< columns of W^K, b^K and K
    LineRange value;            ///< columns of W^V, b^V and V
    LineRange output;           ///< columns of concat, rows of W^O
    std::vector<Index> sharing; ///< the query heads that read the same KV head, itself among them, ascending
};

/// head: 0 <= head < sizes.nHeads, a multiple of sizes.nKvHeads
HeadCut headCut(const Sizes &sizes, Index head);

} // namespace attn
