#pragma once

#include "engine/Experiment.h"

#include <string_view>

namespace attn {

/// Whether a token label separates: nothing but punctuation or line breaks, or a marker such as [SEP], [CLS],
/// <s>, </s>, <|endoftext|>. Marks of leading blanks ("▁", "Ġ") do not count. UTF-8.
bool isDelimiterLabel(std::string_view label);

/// The tokens with one of these labels, ascending; no labels: those that isDelimiterLabel() says.
std::vector<Index> delimiterTokens(const TokenList &tokens, const std::vector<std::string> &labels = {});

} // namespace attn
