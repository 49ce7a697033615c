#pragma once

#include "engine/Snapshot.h"

#include <array>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace attn {

/// The patterns of weights that depend on places alone.
enum class HeadPattern
{
    First,     ///< on key 0
    Previous,  ///< on key p - 1
    Self,      ///< on key p
    Offset,    ///< on key p - k
    Delimiter, ///< on tokens that separate
    Uniform,   ///< on all allowed keys alike
    Sink,      ///< on a key whose value is short: much weight, little effect
};

inline constexpr std::size_t headPatternCount = 7;
/// In the order of the enumeration.
std::array<HeadPattern, headPatternCount> allHeadPatterns();
/// False where the keys are another sequence's and nothing places the queries among them: key p means nothing
/// then to the query at position p.
bool positionsCorrespond(const Experiment &experiment);
/// Those that mean something here: without Previous, Self and Offset where positions do not correspond.
std::vector<HeadPattern> headPatternsOf(const Experiment &experiment);

struct PatternQuestion
{
    Index offset = 3;                         ///< k of Offset; negative looks ahead
    std::vector<std::string> delimiterLabels; ///< empty = by isDelimiterLabel()

    bool operator==(const PatternQuestion &) const = default;
};

/// Scores of one head, each a mean over its rows; NaN where the pattern exists in no row.
///
/// First, Previous, Self, Offset: the weight at the pattern's key; rows without such a key are left out.
/// Delimiter: the weight of all delimiters; rows that may see none are left out. Uniform: entropy divided by
/// the logarithm of the number of allowed keys; rows with fewer than two are left out. Fully masked rows are
/// left out everywhere.
/// Sink: the largest over keys j of (share of all weight that falls on j) - (share of all weight x |v_j| that
/// does): what a key attracts beyond what it hands out.
struct HeadPatternScores
{
    std::array<double, headPatternCount> scores{};
    Index sinkKey = -1;      ///< the key of the Sink score; lowest on ties; -1 = none
    double sinkWeight = 0.0; ///< share of all weight that falls on it
    double sinkEffect = 0.0; ///< share of all weight x |v|

    double of(HeadPattern pattern) const { return scores[static_cast<std::size_t>(pattern)]; }
    /// The pattern with the highest score; the first on ties. Uniform and the others share one scale.
    HeadPattern strongest(std::span<const HeadPattern> among = allHeadPatterns()) const;
};

struct HeadPatterns
{
    std::vector<Index> delimiters; ///< the keys that counted as such
    std::vector<HeadPatternScores> heads;
};

/// Nothing (no heads) when A is not available.
///
/// stop: the result is then incomplete and is thrown away by the caller
HeadPatterns headPatterns(const Snapshot &snapshot, const PatternQuestion &question = {},
                          std::stop_token stop = {});

/// Heads by a score, highest first; NaN last, equal ones by head.
std::vector<Index> headsByScore(const HeadPatterns &patterns, HeadPattern pattern);

} // namespace attn
