#pragma once

#include "base/Result.h"

#include <QString>

#include <string>
#include <string_view>
#include <vector>

namespace attn {

/// Token labels of one example: raw UTF-8, in order.
struct LabelSet
{
    std::string name;                  ///< of the example; may be empty
    std::vector<std::string> tokens;   ///< queries, and keys in self attention
    std::vector<std::string> tokensKv; ///< keys, where they are others (a source sentence)
};

/// Labels of one or several examples (batch entries) from a file: a JSON list of texts, an object with
/// "tokens" (or "target" and "source"), a list or an object of such, "tokens" with one list per example; a
/// CSV with a label column; a .npy text array; or a text file with one label a line.
Result<std::vector<LabelSet>> labelsFromFile(const QString &path);

/// A typed line: words divided by blanks, or a JSON list. In "double quotes" a label keeps its blanks; a
/// doubled quotation mark inside is one.
std::vector<std::string> labelsFromLine(std::string_view text);

/// The labels of `sets` for this example that fit `count` rows: the query side first, or the key side. Empty
/// when there is none; the only list when just one is there, whatever its length.
std::vector<std::string> labelsFitting(const std::vector<LabelSet> &sets, std::size_t example,
                                       std::size_t count, bool isKeySide);

} // namespace attn
