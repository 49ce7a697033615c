#include "engine/NewExperiment.h"

#include "engine/MatrixFill.h"

#include <algorithm>
#include <cmath>

namespace attn {

namespace {

struct MatrixWish
{
    Stage stage;
    Index rows;
    Index cols;
};

/// The matrices the document will hold, with their shapes.
std::vector<MatrixWish> wishedMatrices(const NewExperimentOptions &options)
{
    const Index nQ = static_cast<Index>(options.tokens.size());
    const Index nK = options.tokensKv.empty() ? nQ : static_cast<Index>(options.tokensKv.size());
    const Index queryWidth = options.nHeads * options.dHeadK;
    const Index keyWidth = options.nKvHeads * options.dHeadK;
    const Index valueWidth = options.nKvHeads * options.dHeadV;
    std::vector<MatrixWish> wishes;
    if (options.start == NewExperimentOptions::Start::Qkv) {
        wishes = {{Stage::Q, nQ, queryWidth}, {Stage::K, nK, keyWidth}, {Stage::V, nK, valueWidth}};
    } else {
        wishes = {{Stage::X, nQ, options.dModel}};
        if (!options.tokensKv.empty())
            wishes.push_back({Stage::Xkv, nK, options.dModel});
        wishes.push_back({Stage::Wq, options.dModel, queryWidth});
        wishes.push_back({Stage::Wk, options.dModel, keyWidth});
        wishes.push_back({Stage::Wv, options.dModel, valueWidth});
    }
    if (options.dOut > 0)
        wishes.push_back({Stage::Wo, options.nHeads * options.dHeadV, options.dOut});
    return wishes;
}

bool isTokenMatrix(Stage stage)
{
    return stage == Stage::X || stage == Stage::Xkv || stage == Stage::Q || stage == Stage::K ||
           stage == Stage::V;
}

MatrixFill fillFor(const NewExperimentOptions &options, const MatrixWish &wish, std::uint64_t number)
{
    MatrixFill fill;
    fill.seed = options.seed * 64 + number; // each matrix its own sequence
    switch (options.content) {
    case NewExperimentOptions::Content::Blank:
        fill.kind = MatrixFill::Kind::Zeros;
        break;
    case NewExperimentOptions::Content::OneHot:
        fill.kind = isTokenMatrix(wish.stage) ? MatrixFill::Kind::OneHot : MatrixFill::Kind::Identity;
        break;
    case NewExperimentOptions::Content::Random:
        fill.kind = MatrixFill::Kind::Normal;
        fill.deviation = isTokenMatrix(wish.stage) ? 1.0 : 1.0 / std::sqrt(static_cast<double>(wish.rows));
        break;
    }
    return fill;
}

Result<void> checked(const NewExperimentOptions &options, Index limit)
{
    if (options.tokens.empty())
        return Error{ErrorCode::BadInput, "A new experiment needs at least one token."};
    const Index smallest =
        std::min({options.dModel, options.nHeads, options.nKvHeads, options.dHeadK, options.dHeadV});
    if (smallest < 1 || options.dOut < 0)
        return Error{ErrorCode::BadInput, "Every size must be at least 1."};
    if (options.nHeads % options.nKvHeads != 0)
        return Error{ErrorCode::ShapeMismatch, std::to_string(options.nHeads) + " heads cannot share " +
                                                   std::to_string(options.nKvHeads) + " key/value heads: " +
                                                   std::to_string(options.nHeads) + " is not a multiple of " +
                                                   std::to_string(options.nKvHeads) + "."};
    Index numbers = 0;
    for (const MatrixWish &wish : wishedMatrices(options))
        numbers += wish.rows * wish.cols;
    if (numbers > limit)
        return Error{ErrorCode::TooLarge, "These sizes need " + std::to_string(numbers) + " numbers (" +
                                              std::to_string(numbers / (1 << 17)) + " MB); at most " +
                                              std::to_string(limit) + " are allowed."};
    return {};
}

/// First code point of the text and its length in bytes; malformed bytes count one.
std::pair<char32_t, std::size_t> firstCodePoint(std::string_view text)
{
    const auto byte = static_cast<unsigned char>(text.front());
    const std::size_t length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1;
    if (length > text.size() || length == 1)
        return {byte, 1};
    char32_t code = byte & (0xFFu >> (length + 1));
    for (std::size_t i = 1; i < length; ++i)
        code = (code << 6) | (static_cast<unsigned char>(text[i]) & 0x3Fu);
    return {code, length};
}

bool isIdeograph(char32_t code)
{
    return (code >= 0x3040 && code <= 0x30FF) || (code >= 0x3400 && code <= 0x9FFF) ||
           (code >= 0xF900 && code <= 0xFAFF) || (code >= 0x20000 && code <= 0x3FFFF);
}

} // namespace

std::vector<std::string> tokensOfSentence(const std::string &sentence)
{
    std::vector<std::string> tokens;
    std::string word;
    const auto finish = [&] {
        if (!word.empty())
            tokens.push_back(std::move(word));
        word.clear();
    };
    for (std::string_view rest = sentence; !rest.empty();) {
        const auto [code, length] = firstCodePoint(rest);
        const bool isBlank = code == ' ' || code == '\t' || code == '\n' || code == '\r' || code == 0x3000;
        if (isBlank || isIdeograph(code))
            finish();
        if (isIdeograph(code))
            tokens.emplace_back(rest.substr(0, length));
        else if (!isBlank)
            word += rest.substr(0, length);
        rest.remove_prefix(length);
    }
    finish();
    return tokens;
}

Result<Experiment> newExperiment(const NewExperimentOptions &options, Index limit)
{
    if (const Result<void> fits = checked(options, limit); !fits)
        return fits.error();
    Experiment experiment;
    experiment.tokens = TokenList(options.tokens);
    if (!options.tokensKv.empty())
        experiment.tokensKv = TokenList(options.tokensKv);
    experiment.nHeads = options.nHeads;
    experiment.nKvHeads = options.nKvHeads;
    experiment.causal = options.causal;
    experiment.precision = options.precision;
    const Tensor::Storage storage =
        options.precision == Precision::Float64 ? Tensor::Storage::Float64 : Tensor::Storage::Float32;
    std::uint64_t number = 0;
    for (const MatrixWish &wish : wishedMatrices(options)) {
        Result<Tensor> tensor =
            filledMatrix(fillFor(options, wish, number++), {1, wish.rows, wish.cols}, storage, {});
        if (!tensor)
            return tensor.error();
        experiment.given[wish.stage] = *std::move(tensor);
    }
    if (const Result<void> valid = validate(experiment); !valid)
        return valid.error();
    return experiment;
}

} // namespace attn
