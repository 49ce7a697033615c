#pragma once

#include "engine/Types.h"

#include <span>
#include <vector>

namespace attn {

/// The softmax of one row, step by step: sharpen, subtract, exponentiate, add up, divide.
struct SoftmaxSteps
{
    std::vector<double> scores;       ///< sharpness times the row; hidden keys stay -inf
    Index largestAt = -1;             ///< lowest index of the largest score; -1 for a fully masked row
    double shift = 0.0;               ///< what is subtracted: the largest score, or 0
    std::vector<double> shifted;      ///< scores - shift
    std::vector<double> exponentials; ///< exp(shifted); exactly 0 for hidden keys
    double sum = 0.0;                 ///< of the exponentials, added in key order
    std::vector<double> weights;      ///< exponentials / sum; all 0 for a fully masked row
    bool isFullyMasked = false;       ///< nothing but -inf
    Index seenCount = 0;              ///< keys whose score is not -inf: those the row looks at
};

struct SoftmaxOptions
{
    double sharpness = 1.0;      ///< multiplies the row first (beta, an inverse temperature)
    bool subtractLargest = true; ///< false: as textbooks write it; overflows to inf / inf = NaN beyond 709
};

/// row: masked scores, -inf = hidden. A row with +inf or NaN has weights of NaN, as the engine's.
SoftmaxSteps softmaxSteps(std::span<const double> row, const SoftmaxOptions &options = {});

/// - sum a ln a in nats, 0 ln 0 = 0; NaN when a weight is NaN.
double entropyOf(std::span<const double> weights);
/// Nats to bits.
double bitsOf(double nats);

/// The other way to edit one weight: the rest of the row is rescaled so that the row still adds to 1. Where
/// the rest is all 0 it is shared out evenly.
///
/// weights: a row; value: in [0, 1], the new weight of `col`
std::vector<double> redistributedWeights(std::span<const double> weights, Index col, double value);

/// One point of a curve over the sharpness.
struct SharpnessPoint
{
    double sharpness = 0.0;
    double entropy = 0.0; ///< nats
    double largestWeight = 0.0;
};

/// How the row's weights sharpen; entropy never rises with the sharpness (from 0 on).
std::vector<SharpnessPoint> sharpnessCurve(std::span<const double> row, std::span<const double> sharpnesses);

} // namespace attn
