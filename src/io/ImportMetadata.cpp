#include "io/ImportMetadata.h"

#include "base/NumberText.h"
#include "io/Json.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>

namespace attn {

namespace {

using Metadata = std::map<std::string, std::string>;

std::string lowerCase(std::string text)
{
    std::transform(text.begin(), text.end(), text.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return text;
}

bool contains(const std::string &text, std::string_view part)
{
    return text.find(part) != std::string::npos;
}

const std::string *valueOf(const Metadata &metadata, std::initializer_list<const char *> keys)
{
    for (const char *key : keys)
        if (const auto found = metadata.find(key); found != metadata.end())
            return &found->second;
    return nullptr;
}

std::optional<Index> wholeNumberOf(const Metadata &metadata, std::initializer_list<const char *> keys)
{
    const std::string *text = valueOf(metadata, keys);
    const auto value = text ? parseNumber(*text) : std::nullopt;
    if (!value || std::trunc(*value) != *value || std::abs(*value) > 1e9)
        return std::nullopt;
    return static_cast<Index>(*value);
}

/// "0.125", "1/8", "1/sqrt(8)".
std::optional<double> factorOf(const std::string &text)
{
    if (const auto value = parseNumber(text))
        return value;
    const std::size_t slash = text.find('/');
    if (slash == std::string::npos)
        return std::nullopt;
    std::string below = text.substr(slash + 1);
    const bool isRoot = below.starts_with("sqrt(") && below.ends_with(")");
    if (isRoot)
        below = below.substr(5, below.size() - 6);
    const auto above = parseNumber(std::string_view(text).substr(0, slash));
    const auto divisor = parseNumber(below);
    if (!above || !divisor || *divisor <= 0.0)
        return std::nullopt;
    return *above / (isRoot ? std::sqrt(*divisor) : *divisor);
}

/// "neighbouring pairs, base 10000", "half", "rotate_half".
std::optional<Rotary> rotaryOf(const std::string &text)
{
    Rotary rotary;
    if (contains(text, "half") || contains(text, "neox"))
        rotary.pairing = Rotary::Pairing::Half;
    else if (!contains(text, "neighbour") && !contains(text, "neighbor") && !contains(text, "interleav") &&
             !contains(text, "pairs"))
        return std::nullopt;
    if (const std::size_t base = text.find("base"); base != std::string::npos) {
        const std::size_t begin = text.find_first_of("0123456789", base);
        const std::size_t end = text.find_first_not_of("0123456789.", begin);
        if (begin != std::string::npos)
            if (const auto value = parseNumber(std::string_view(text).substr(begin, end - begin)))
                rotary.base = *value;
    }
    return rotary;
}

std::optional<AxisRole> leadingAxisOf(const std::string &text)
{
    const std::size_t batch = text.find("batch");
    const std::size_t layer = text.find("layer");
    if (batch == layer)
        return std::nullopt;
    return batch < layer ? AxisRole::Batch : AxisRole::Layer;
}

std::optional<ImportPlan::MaskMeaning> maskMeaningOf(const std::string &text)
{
    if (contains(text, "add"))
        return ImportPlan::MaskMeaning::Add;
    if (contains(text, "hidden") || contains(text, "drop") || contains(text, "ignore") ||
        contains(text, "masked"))
        return ImportPlan::MaskMeaning::Drop;
    if (contains(text, "keep") || contains(text, "attend") || contains(text, "allowed"))
        return ImportPlan::MaskMeaning::Keep;
    return std::nullopt;
}

std::vector<std::string> labelsOf(const Metadata &metadata, std::initializer_list<const char *> keys)
{
    const std::string *text = valueOf(metadata, keys);
    if (!text || !text->starts_with('['))
        return {};
    return labelsFromLine(*text);
}

} // namespace

ImportFacts factsFromMetadata(const Metadata &metadata)
{
    Metadata lower;
    for (const auto &[key, value] : metadata)
        lower.emplace(lowerCase(key), value);
    ImportFacts facts;
    facts.nHeads =
        wholeNumberOf(lower, {"n_heads", "n_head", "num_heads", "num_attention_heads", "heads", "h"});
    facts.nKvHeads =
        wholeNumberOf(lower, {"n_kv_heads", "num_kv_heads", "num_key_value_heads", "kv_heads", "h_kv"});
    facts.qOffset = wholeNumberOf(lower, {"query_offset", "q_offset", "offset"});
    if (const std::string *scale = valueOf(lower, {"scale"}))
        facts.scale = factorOf(lowerCase(*scale));
    if (const std::string *causal = valueOf(lower, {"causal", "is_causal"}))
        facts.causal = lowerCase(*causal) == "true" || *causal == "1";
    if (const std::string *rope = valueOf(lower, {"rope", "rotary"}))
        facts.rotary = rotaryOf(lowerCase(*rope));
    if (const std::string *axes = valueOf(lower, {"axes"}))
        facts.leadingAxis = leadingAxisOf(lowerCase(*axes));
    if (const std::string *mask = valueOf(lower, {"mask", "mask_meaning"}))
        facts.mask = maskMeaningOf(lowerCase(*mask));
    if (const std::string *layout = valueOf(lower, {"layout", "weight_layout"})) {
        if (contains(*layout, "[out,in]") || contains(*layout, "[out, in]") || contains(*layout, "out x in"))
            facts.weightsAreOutByIn = true;
        else if (contains(*layout, "[in,out]") || contains(*layout, "[in, out]") ||
                 contains(*layout, "in x out"))
            facts.weightsAreOutByIn = false;
    }
    if (const std::string *scores = valueOf(lower, {"scores"}))
        facts.scoresAreScaled =
            !contains(lowerCase(*scores), "raw") && !contains(lowerCase(*scores), "unscaled");
    facts.tokens = labelsOf(lower, {"tokens", "labels"});
    facts.tokensKv = labelsOf(lower, {"tokens_kv", "key_tokens"});
    return facts;
}

} // namespace attn
