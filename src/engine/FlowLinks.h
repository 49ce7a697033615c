#pragma once

#include "engine/Snapshot.h"

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace attn {

/// What the strength of a link from a key token to a query token stands for.
enum class FlowMeasure
{
    Weight,            ///< A_h[i, j]; the mean over several heads
    WeightTimesLength, ///< A_h[i, j] * |v_j|, Euclidean; the mean over several heads
    Contribution,      ///< A_h[i, j] * (v_j W^O_h) . direction, signed; the sum over several heads
    Rollout, ///< half the mean of A over the heads, half the token itself: one layer of attentionRollout()
};

/// Which links are asked for.
struct FlowQuestion
{
    FlowMeasure measure = FlowMeasure::Weight;
    std::vector<Index> heads;        ///< empty = all
    std::vector<double> direction;   ///< for Contribution: [d_out]; a unit vector asks for one output column
    std::optional<Index> onlySource; ///< the links of this key token alone
    std::optional<Index> onlyTarget; ///< the links of this query token alone; wins over onlySource
};

/// Which of them are kept. Every rule counts |strength|.
struct FlowFilter
{
    double mass = 1.0; ///< of each target (of the source, when it is alone) the strongest links until they
                       ///< hold this share of its strength
    double threshold = 0.0; ///< weaker links are left out
    Index mostLinks = 600;  ///< of all that remain, the strongest
};

struct FlowLink
{
    Index source = 0;
    Index target = 0;
    double strength = 0.0;

    bool operator==(const FlowLink &) const = default;
};

/// The links that passed a filter, and what all links together hold.
struct FlowLinks
{
    Index sources = 0;
    Index targets = 0;
    std::vector<FlowLink> links;      ///< strongest first; equal ones by target, then source
    std::vector<double> sourceTotals; ///< per source: sum of |strength| of all its links
    std::vector<double> targetTotals;
    std::vector<double> targetSums; ///< per target: signed sum of all its links
    double total = 0.0;             ///< sum of |strength| of all links
    Index count = 0;                ///< links that are not zero, kept or not
    Index notFinite = 0;            ///< NaN and infinite ones: in no sum, never kept
    bool isCut = false;             ///< more links passed than mostLinks
    bool isExact = true;            ///< false: some weights were not computed yet

    /// Share of the total that the kept links do not carry, 0 to 1; 0 when there is nothing at all.
    double hiddenShare() const;
};

/// Why the question has no answer here: one sentence; empty when it has one.
std::string flowProblem(const Snapshot &snapshot, const FlowQuestion &question);

/// The links from key tokens (sources) to query tokens (targets). The weights are read strip by strip and no
/// more than mostLinks are held, so any number of tokens will do. Needs flowProblem() to be empty.
///
/// stop: the result is then incomplete and is thrown away by the caller
FlowLinks flowLinks(const Snapshot &snapshot, const FlowQuestion &question, const FlowFilter &filter,
                    std::stop_token stop = {});

/// What each weight of a head is multiplied by to give a strength: [heads asked for][n_k]. With one head and
/// FlowMeasure::Weight these are ones.
std::vector<std::vector<double>> flowFactors(const Snapshot &snapshot, const FlowQuestion &question);

/// The direction of one output column: [d_out].
std::vector<double> outputColumnDirection(const Snapshot &snapshot, Index column);
/// The direction of an output row, of length 1: [d_out]. Empty when the row is zero or not finite.
std::vector<double> outputRowDirection(const Snapshot &snapshot, Index row);

} // namespace attn
