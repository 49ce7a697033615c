#pragma once

#include "engine/Snapshot.h"

#include <stop_token>
#include <vector>

namespace attn {

/// Figures of A after pins; definitions in README "Conventions". NaN where undefined.
struct RowMetrics
{
    Index heads = 0;
    Index rows = 0;
    std::vector<double> entropy;           ///< nats, [h, n_q]
    std::vector<double> entropyNormalised; ///< entropy / ln(allowed keys); NaN below two keys
    std::vector<double> effectiveTokens;   ///< exp(entropy)
    std::vector<Index> argmax;             ///< lowest index on ties
    std::vector<double> meanDistance;      ///< sum of A |j - p|
    std::vector<double> meanSignedOffset;  ///< sum of A (j - p)
};

/// Pattern scores of one head: `all` over rows where the key exists and that are not fully masked; `choice`
/// over those of them with two or more allowed keys.
struct PatternScores
{
    double previousToken;
    double selfToken;
    double back3Token;
    double firstToken;
    double uniformity;
    double deviationFromUniform;
};

struct HeadMetrics
{
    PatternScores all;
    PatternScores choice;
    std::vector<double> attentionReceived; ///< [n_k], column means over live rows
    double contributionNorm;               ///< Frobenius norm of the head's contribution
    double contributionShare;
};

struct Metrics
{
    RowMetrics rows;
    std::vector<HeadMetrics> heads;
};

/// nothing computed (heads == 0) when A is not available, or when stopped. Reads every cell of A. Any thread.
Metrics metricsOf(const Snapshot &snapshot, const std::stop_token &stop = {});

} // namespace attn
