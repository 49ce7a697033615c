#pragma once

#include "engine/Snapshot.h"

#include <vector>

namespace attn {

/// What exchanging two words does to the output.
struct OrderEffect
{
    enum class Input
    {
        Embeddings, ///< X = E alone, no mask, no rotary, nothing pinned
        Sum,        ///< X = E + P, otherwise the same
        Document,   ///< as the document is, with its mask, rotary and pins
    };

    Input input = Input::Embeddings;
    /// For each word the largest distance between its output before and after, wherever it stands.
    std::vector<double> differences;
    double largest = 0.0;
    double outputSize = 0.0; ///< largest magnitude of the output before
};

/// Attention without positions and without a mask does not see the order: exchanging two words exchanges
/// their outputs and changes none. Computes the document anew, up to six times: up to 256 tokens, on any
/// thread.
///
/// P: of the shape of X, added to the embeddings in OrderEffect::Input::Sum; i, j: rows of X
Result<std::vector<OrderEffect>> orderEffects(const ExperimentPtr &experiment, const Tensor &P, Index i,
                                              Index j);

inline constexpr Index mostOrderTokens = 256;

} // namespace attn
