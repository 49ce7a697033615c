#include "engine/heads/Delimiters.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace attn {

namespace {

constexpr std::array markers = {"[SEP]",
                                "[CLS]",
                                "[BOS]",
                                "[EOS]",
                                "<s>",
                                "</s>",
                                "<bos>",
                                "<eos>",
                                "<|endoftext|>",
                                "<|begin_of_text|>",
                                "<|end_of_text|>",
                                "<|im_start|>",
                                "<|im_end|>",
                                "<0x0A>"};

constexpr std::uint32_t damagedCharacter = 0xFFFD;

/// The next character of UTF-8 text, which becomes shorter.
std::uint32_t takeCharacter(std::string_view &text)
{
    const auto lead = static_cast<unsigned char>(text.front());
    const std::size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    if (length > text.size() || (lead >= 0x80 && lead < 0xC0)) {
        text.remove_prefix(1);
        return damagedCharacter;
    }
    std::uint32_t character = length == 1 ? lead : lead & (0xFFU >> (length + 1));
    for (std::size_t i = 1; i < length; ++i)
        character = character << 6U | (static_cast<unsigned char>(text[i]) & 0x3FU);
    text.remove_prefix(length);
    return character;
}

struct CharacterRange
{
    std::uint32_t first;
    std::uint32_t last;
};

/// Unicode blocks of punctuation, without letters and digits that stand among them.
constexpr std::array separating = {
    CharacterRange{'\n', '\n'},     CharacterRange{'!', '/'},       CharacterRange{':', '@'},
    CharacterRange{'[', '`'},       CharacterRange{'{', '~'},       CharacterRange{0xA1, 0xA1},
    CharacterRange{0xAB, 0xAB},     CharacterRange{0xB7, 0xB7},     CharacterRange{0xBB, 0xBB},
    CharacterRange{0xBF, 0xBF},     CharacterRange{0x2010, 0x2027}, CharacterRange{0x2030, 0x205E},
    CharacterRange{0x3001, 0x3003}, CharacterRange{0x3008, 0x3020}, CharacterRange{0xFE10, 0xFE19},
    CharacterRange{0xFE30, 0xFE4F}, CharacterRange{0xFF01, 0xFF0F}, CharacterRange{0xFF1A, 0xFF20},
    CharacterRange{0xFF3B, 0xFF40}, CharacterRange{0xFF5B, 0xFF65},
};

bool separates(std::uint32_t character)
{
    return std::ranges::any_of(separating, [character](const CharacterRange &range) {
        return character >= range.first && character <= range.last;
    });
}

constexpr bool marksBlank(std::uint32_t character)
{
    return character == 0x2581 || character == 0x0120 || character == ' ';
}

} // namespace

bool isDelimiterLabel(std::string_view label)
{
    for (std::string_view rest = label; !rest.empty() && marksBlank(takeCharacter(rest));)
        label = rest;
    if (label.empty())
        return false;
    if (std::ranges::any_of(markers, [label](const char *marker) { return label == marker; }))
        return true;
    while (!label.empty())
        if (!separates(takeCharacter(label)))
            return false;
    return true;
}

std::vector<Index> delimiterTokens(const TokenList &tokens, const std::vector<std::string> &labels)
{
    std::vector<Index> found;
    for (Index i = 0; i < tokens.size(); ++i) {
        const std::string &label = tokens.at(i);
        const bool isOne =
            labels.empty() ? isDelimiterLabel(label) : std::ranges::find(labels, label) != labels.end();
        if (isOne)
            found.push_back(i);
    }
    return found;
}

} // namespace attn
