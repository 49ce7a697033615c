#pragma once

#include "base/Result.h"
#include "engine/Experiment.h"

#include <cstdint>

namespace attn {

/// What a person chooses for a new experiment.
struct NewExperimentOptions
{
    enum class Start
    {
        Tokens, ///< X, Wq, Wk, Wv, Wo
        Qkv,    ///< Q, K, V
    };
    enum class Content
    {
        Blank,  ///< zeros
        Random, ///< seeded normal numbers; weights with deviation 1/sqrt(rows)
        OneHot, ///< X one-hot by token, weights the identity
    };

    std::vector<std::string> tokens;
    std::vector<std::string> tokensKv; ///< empty: self attention
    Start start = Start::Tokens;
    Content content = Content::Random;
    std::uint64_t seed = 1;
    Index dModel = 6;
    Index nHeads = 1;
    Index nKvHeads = 1;
    Index dHeadK = 6;
    Index dHeadV = 6;
    Index dOut = 6; ///< 0: no W^O
    bool causal = false;
    Precision precision = Precision::Float64;
};

/// Splits a sentence at blanks; every CJK character is a token of its own.
std::vector<std::string> tokensOfSentence(const std::string &sentence);

/// Errors: sizes below 1, heads that do not divide, more numbers than `limit` (with how much memory they
/// would need).
Result<Experiment> newExperiment(const NewExperimentOptions &options, Index limit = Index(1) << 28);

} // namespace attn
