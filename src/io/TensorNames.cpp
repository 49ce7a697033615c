#include "io/TensorNames.h"

#include <algorithm>
#include <charconv>
#include <initializer_list>
#include <utility>
#include <vector>

namespace attn {

namespace {

using Names = std::initializer_list<std::string_view>;

bool isAmong(std::string_view word, Names names)
{
    return std::find(names.begin(), names.end(), word) != names.end();
}

bool isAsciiUpper(char c)
{
    return c >= 'A' && c <= 'Z';
}

bool isAsciiLower(char c)
{
    return c >= 'a' && c <= 'z';
}

bool isWordCharacter(char c)
{
    return isAsciiLower(c) || isAsciiUpper(c) || (c >= '0' && c <= '9') ||
           (static_cast<unsigned char>(c) & 0x80);
}

/// One word of a name: "SelfAttention.q_proj" has self, attention, q, proj.
struct NameWord
{
    std::string text;     ///< lower case
    bool isUpper = false; ///< was one capital letter
};

std::vector<NameWord> wordsOf(std::string_view name)
{
    std::vector<NameWord> words;
    for (std::size_t i = 0; i < name.size(); ++i) {
        if (!isWordCharacter(name[i]))
            continue;
        const bool continues =
            i > 0 && isWordCharacter(name[i - 1]) && !(isAsciiLower(name[i - 1]) && isAsciiUpper(name[i]));
        if (!continues)
            words.emplace_back();
        NameWord &word = words.back();
        word.isUpper = !continues && isAsciiUpper(name[i]);
        word.text.push_back(isAsciiUpper(name[i]) ? static_cast<char>(name[i] - 'A' + 'a') : name[i]);
    }
    return words;
}

std::optional<Index> numberFrom(std::string_view digits)
{
    Index value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (digits.empty() || error != std::errc() || end != digits.data() + digits.size())
        return std::nullopt;
    return value;
}

/// Words from `begin` to `end` without anything between.
std::string joinedWords(const std::vector<NameWord> &words, std::size_t begin, std::size_t end)
{
    std::string text;
    for (std::size_t i = begin; i < end; ++i)
        text += words[i].text;
    return text;
}

struct StageNames
{
    Stage stage;
    std::vector<std::string_view> names;
};

/// Names of matrices as papers, notebooks and our own exports write them.
const std::vector<StageNames> &plainNames()
{
    static const std::vector<StageNames> table = {
        {Stage::X, {"x", "xnew", "xq", "input", "inputs", "hiddenstates", "hiddenstate"}},
        {Stage::Xkv, {"xkv", "memory", "context", "encoderhiddenstates", "encoderoutput"}},
        {Stage::Wq, {"wq", "w", "wquery", "queryweight", "qweight"}},
        {Stage::Wk, {"wk", "wkey", "keyweight", "kweight"}},
        {Stage::Wv, {"wv", "wvalue", "valueweight", "vweight"}},
        {Stage::Wo, {"wo", "wout", "woutput", "outputweight", "oweight"}},
        {Stage::Bq, {"bq", "querybias", "qbias"}},
        {Stage::Bk, {"bk", "keybias", "kbias"}},
        {Stage::Bv, {"bv", "valuebias", "vbias"}},
        {Stage::Bo, {"bo", "bout", "outputbias", "obias"}},
        {Stage::MaskPadding,
         {"maskkeypadding", "maskpadding", "keykeep", "keypadding", "keymask", "paddingmask", "padmask",
          "keypaddingmask", "srckeypaddingmask", "memorykeypaddingmask"}},
        {Stage::MaskBool,
         {"maskbool", "boolmask", "mask", "attnmask", "attentionmask", "causalmask", "keepmask", "maskkeep",
          "mask01"}},
        {Stage::MaskAdd,
         {"maskadd", "addmask", "additivemask", "bias", "attnbias", "attentionbias", "scorebias",
          "positionbias"}},
        {Stage::MaskAlibi, {"maskalibi", "alibi", "alibislopes", "slopes"}},
        {Stage::Q, {"q", "query", "queries", "qnew"}},
        {Stage::K, {"k", "key", "keys", "knew", "kcache", "keycache"}},
        {Stage::V, {"v", "value", "values", "vnew", "vcache", "valuecache"}},
        {Stage::Qr, {"qr", "qrope", "qrot", "qrotated", "rotq"}},
        {Stage::Kr, {"kr", "krope", "krot", "krotated", "rotk"}},
        {Stage::Scores,
         {"scores", "score", "rawscores", "scoresraw", "qkt", "qk", "attnscores", "attentionscores",
          "attnraw", "logits"}},
        {Stage::Scaled, {"scaled", "scaledscores", "scoresscaled", "attnscaled"}},
        {Stage::Masked, {"masked", "maskedscores", "scoresmasked", "attnmasked"}},
        {Stage::A,
         {"a", "attn", "attention", "attentions", "attnweights", "attentionweights", "attnsoftmax",
          "attentionprobs", "attnprobs", "probs", "pattern", "weights", "softmax"}},
        {Stage::HeadOut, {"headout", "headoutput", "headoutputs", "z"}},
        {Stage::Concat, {"concat", "concatenated"}},
        {Stage::Output, {"output", "out", "attnout", "attnoutput", "attentionoutput"}},
    };
    return table;
}

std::optional<Stage> stageOfPlainName(std::string_view name)
{
    for (const StageNames &entry : plainNames())
        if (std::find(entry.names.begin(), entry.names.end(), name) != entry.names.end())
            return entry.stage;
    return std::nullopt;
}

/// Which projection a layer of a model is; `name` is what stands before "weight" or "bias".
std::optional<Stage> weightOfLayerName(std::string_view name, bool isInAttention)
{
    if (isAmong(name, {"q", "query", "wq", "qproj", "queryproj", "qlin", "linearq", "toq", "wquery"}))
        return Stage::Wq;
    if (isAmong(name, {"k", "key", "wk", "kproj", "keyproj", "klin", "lineark", "tok", "wkey"}))
        return Stage::Wk;
    if (isAmong(name, {"v", "value", "wv", "vproj", "valueproj", "vlin", "linearv", "tov", "wvalue"}))
        return Stage::Wv;
    if (isAmong(name, {"wo", "oproj"}))
        return Stage::Wo;
    if (isInAttention && isAmong(name, {"o", "outproj", "outlin", "linearout", "toout", "toout0", "cproj",
                                        "outputdense", "dense", "proj", "out"}))
        return Stage::Wo;
    return std::nullopt;
}

bool isPackedLayerName(std::string_view name)
{
    return isAmong(name, {"cattn", "qkv", "qkvproj", "inproj", "wqkv", "toqkv", "querykeyvalue"});
}

Stage biasOfWeight(Stage weight)
{
    switch (weight) {
    case Stage::Wq:
        return Stage::Bq;
    case Stage::Wk:
        return Stage::Bk;
    case Stage::Wv:
        return Stage::Bv;
    default:
        return Stage::Bo;
    }
}

/// Reads one name, whose words it holds.
class NameReader
{
public:
    explicit NameReader(std::string_view name)
        : m_words(wordsOf(name))
    {
    }

    TensorRole role()
    {
        takeHead();
        if (m_words.empty())
            return m_role;
        const std::string &last = m_words.back().text;
        const bool isBias = last == "bias";
        if (m_words.size() > 1 && (isBias || last == "weight" || last == "kernel"))
            readLayer(isBias);
        if (!m_role.stage && m_role.packing == TensorRole::Packing::None)
            readPlain();
        return m_role;
    }

private:
    /// Removes "head.3", "head3" or "h3" from the words.
    void takeHead()
    {
        for (std::size_t i = 0; i < m_words.size(); ++i) {
            const std::string &word = m_words[i].text;
            std::size_t used = 1;
            std::optional<Index> head;
            if (word == "head" && i + 1 < m_words.size()) {
                head = numberFrom(m_words[i + 1].text);
                used = 2;
            } else if (word.starts_with("head")) {
                head = numberFrom(std::string_view(word).substr(4));
            } else if (word.starts_with("h")) {
                head = numberFrom(std::string_view(word).substr(1));
            }
            if (!head || m_words.size() == used)
                continue;
            m_role.head = head;
            m_words.erase(m_words.begin() + static_cast<std::ptrdiff_t>(i),
                          m_words.begin() + static_cast<std::ptrdiff_t>(i + used));
            return;
        }
    }

    bool isAttentionWord(std::size_t i) const
    {
        return isAmong(m_words[i].text, {"attn", "attention", "selfattn", "crossattn"});
    }

    /// The words up to the attention block, or all before the role.
    std::string blockBefore(std::size_t roleBegin) const
    {
        std::size_t end = roleBegin;
        for (std::size_t i = 0; i < roleBegin; ++i) {
            if (isAttentionWord(i)) {
                end = i + 1;
                break;
            }
        }
        std::string block;
        for (std::size_t i = 0; i < end; ++i)
            block += (block.empty() ? "" : ".") + m_words[i].text;
        return block;
    }

    /// A layer of a model: "….q_proj.weight".
    void readLayer(bool isBias)
    {
        const std::size_t end = m_words.size() - 1;
        bool isInAttention = false;
        for (std::size_t i = 0; i < end; ++i) {
            if (isAmong(m_words[i].text, {"norm", "layernorm", "rmsnorm", "ln", "mlp", "ffn", "ff", "feed",
                                          "lora", "intermediate", "embeddings", "embedding"}))
                return;
            isInAttention = isInAttention || isAttentionWord(i) || m_words[i].text == "attend";
        }
        for (std::size_t count = std::min<std::size_t>(3, end); count > 0; --count) {
            const std::string layer = joinedWords(m_words, end - count, end);
            const auto weight = weightOfLayerName(layer, isInAttention);
            if (!weight && !isPackedLayerName(layer))
                continue;
            if (weight) {
                m_role.stage = isBias ? biasOfWeight(*weight) : *weight;
            } else {
                m_role.packing = TensorRole::Packing::Qkv;
                m_role.isPackedBias = isBias;
                m_role.isPackedByHead = layer == "querykeyvalue";
            }
            m_role.isModelWeight = true;
            m_role.block = blockBefore(end - count);
            return;
        }
    }

    /// A matrix named for itself: "Q_rope", "blocks.0.attn.hook_pattern", "long512-A".
    void readPlain()
    {
        const std::size_t end = m_words.size();
        for (std::size_t count = end; count > 0; --count) {
            const std::size_t begin = end - count;
            const std::string name = joinedWords(m_words, begin, end);
            const auto stage = stageOfPlainName(name);
            if (!stage || (begin > 0 && !isPath(begin)))
                continue;
            if (name == "w" && begin > 0)
                continue;
            setPlain(*stage, name, begin);
            return;
        }
        if (isPartOfModel())
            return;
        for (std::size_t i = 0; i < end; ++i) {
            const std::string &word = m_words[i].text;
            const bool isLetter =
                word.size() == 1 && m_words[i].isUpper && isAmong(word, {"a", "q", "k", "v", "x"});
            if (!isLetter && !isAmong(word, {"attention", "attn", "wq", "wk", "wv", "wo"}))
                continue;
            setPlain(*stageOfPlainName(word), word, i);
            m_role.block.clear();
            m_role.isWordAmongOthers = true;
            return;
        }
    }

    /// A layer of a checkpoint other than the projections: "attention_norm.weight".
    bool isPartOfModel() const { return isAmong(m_words.back().text, {"weight", "bias", "kernel"}); }

    /// Whether the words before the role are the way to it: numbers and names of parts of a model.
    bool isPath(std::size_t end) const
    {
        return std::all_of(
            m_words.begin(), m_words.begin() + static_cast<std::ptrdiff_t>(end), [](const NameWord &word) {
                return numberFrom(word.text).has_value() ||
                       isAmong(word.text, {"layer", "layers", "block", "blocks", "h", "attn", "attention",
                                           "self", "cross", "hook", "model", "encoder", "decoder", "enc",
                                           "dec", "transformer", "module", "selfattn", "crossattn"});
            });
    }

    void setPlain(Stage stage, const std::string &name, std::size_t begin)
    {
        m_role.stage = stage;
        m_role.block = begin > 0 ? blockBefore(begin) : std::string();
        m_role.saysRaw = isAmong(name, {"rawscores", "scoresraw", "qkt", "attnraw"});
        // Checkpoints keep the causal rule of a block as "attn.bias".
        const bool isBlockBias = stage == Stage::MaskAdd && begin > 0;
        m_role.isCausalMask = name == "causalmask" || isBlockBias;
        if (isBlockBias)
            m_role.block = blockBefore(m_words.size() - 1);
        m_role.isDropMask = name.ends_with("paddingmask") || name == "padmask";
    }

    std::vector<NameWord> m_words;
    TensorRole m_role;
};

} // namespace

TensorRole roleFromName(std::string_view name)
{
    return NameReader(name).role();
}

} // namespace attn
