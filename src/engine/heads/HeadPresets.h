#pragma once

#include "engine/Edit.h"
#include "engine/heads/HeadPatterns.h"

#include <array>
#include <span>

namespace attn {

/// More weights of a head are not set by hand.
inline constexpr Index mostPresetWeights = Index(1) << 18;

/// The weights of one head in a pattern: [n_q, n_k], row-major. Each row adds to 1 over the keys that the
/// mask allows; a row in which the pattern has no allowed key is spread evenly over them; a fully masked row
/// is 0. Sink: on the first allowed key. An error says why there are none: no A, too many, no delimiter.
Result<std::vector<double>> patternWeights(const Snapshot &snapshot, Index head, HeadPattern pattern,
                                           const PatternQuestion &question = {});

/// Sets A of one head to a pattern by hand, as one edit. Sink also sets the values it looks at to 0, for
/// every head that reads them: weights add to 1, so that a head does nothing only if what it reads is
/// nothing.
Result<Edit> patternEdit(const Snapshot &snapshot, Index head, HeadPattern pattern,
                         const PatternQuestion &question = {});

/// A row of weights over four keys that the source writes out. The three belong to different examples: none
/// is a row of the example's own matrices, and the first is not the mean of the others.
struct WorkedRow
{
    const char *name;
    std::array<double, 4> weights;
};
/// Single head, head A, head B.
std::span<const WorkedRow, 3> workedRows();
/// The mean of the rows of head A and head B.
std::array<double, 4> meanOfWorkedHeads();
/// Sets one row of A of a head to a worked row by hand; needs four keys.
Result<Edit> workedRowEdit(const Snapshot &snapshot, Index head, Index row, std::size_t which);

} // namespace attn
