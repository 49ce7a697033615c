#include "io/Labels.h"

#include "io/ByteSource.h"
#include "io/Json.h"
#include "io/TensorFile.h"

#include <QFileInfo>

#include <algorithm>
#include <optional>

namespace attn {

namespace {

constexpr std::int64_t labelFileLimit = std::int64_t(1) << 28;

std::optional<std::vector<std::string>> labelList(const Json &json)
{
    if (!json.isArray())
        return std::nullopt;
    std::vector<std::string> labels;
    for (const Json &item : json.toArray()) {
        if (!item.isString())
            return std::nullopt;
        labels.push_back(item.toString());
    }
    return labels;
}

/// {"tokens": [...]} or {"target": [...], "source": [...]}.
std::optional<LabelSet> labelSetOf(const Json &json, const std::string &name)
{
    LabelSet set;
    set.name = json["text"].isString() ? json["text"].toString() : name;
    for (const char *key : {"tokens", "target", "labels", "left_text"})
        if (const auto labels = labelList(json[key]); labels && set.tokens.empty())
            set.tokens = *labels;
    for (const char *key : {"tokens_kv", "source", "right_text"})
        if (const auto labels = labelList(json[key]); labels && set.tokensKv.empty())
            set.tokensKv = *labels;
    if (set.tokens.empty() && set.tokensKv.empty())
        return std::nullopt;
    return set;
}

std::vector<LabelSet> labelSetsOf(const Json &json)
{
    if (const auto labels = labelList(json))
        return {{{}, *labels, {}}};
    std::vector<LabelSet> sets;
    const Json &lists = json.isObject() && json["tokens"].isArray() ? json["tokens"] : json;
    if (const auto set = labelSetOf(json, {}))
        return {*set};
    for (const Json &item : lists.toArray()) {
        if (const auto labels = labelList(item))
            sets.push_back({{}, *labels, {}});
        else if (const auto set = labelSetOf(item, {}))
            sets.push_back(*set);
    }
    for (const auto &[name, value] : lists.toObject())
        if (const auto set = labelSetOf(value, name))
            sets.push_back(*set);
    return sets;
}

std::vector<std::string> linesOf(const QByteArray &bytes)
{
    std::vector<std::string> lines;
    for (QByteArray line : bytes.split('\n')) {
        if (line.endsWith('\r'))
            line.chop(1);
        lines.push_back(line.toStdString());
    }
    if (lines.back().empty())
        lines.pop_back();
    return lines;
}

Error noLabels(const std::string &file)
{
    return {ErrorCode::BadInput, file + ": there are no token labels in this file"};
}

/// Label column or text array of a table or tensor file.
Result<std::vector<LabelSet>> labelsFromTensors(const QString &path)
{
    const auto file = openTensorFile(path);
    if (!file)
        return file.error();
    if (!(*file)->rowLabels.empty())
        return std::vector<LabelSet>{{{}, (*file)->rowLabels, (*file)->colLabels}};
    for (std::size_t i = 0; i < (*file)->entries().size(); ++i) {
        if ((*file)->entries()[i].dtype != Dtype::Text)
            continue;
        auto tensor = (*file)->load(i);
        if (!tensor)
            return tensor.error();
        return std::vector<LabelSet>{{{}, std::get<std::vector<std::string>>(std::move(tensor->data)), {}}};
    }
    return noLabels(QFileInfo(path).fileName().toStdString());
}

} // namespace

Result<std::vector<LabelSet>> labelsFromFile(const QString &path)
{
    const auto source = openByteSource(path);
    if (!source)
        return source.error();
    const QString suffix = QFileInfo(path).suffix().toLower();
    const auto start = (*source)->read(0, std::min<std::int64_t>((*source)->size(), 64));
    if (!start)
        return start.error();
    const bool isJson = suffix == QLatin1String("json") || start->trimmed().startsWith('[');
    const bool isText = suffix == QLatin1String("txt") || suffix.isEmpty();
    if (!isJson && !isText)
        return labelsFromTensors(path);
    if ((*source)->size() > labelFileLimit)
        return Error{ErrorCode::TooLarge, (*source)->name() + ": too large for a list of labels"};
    const auto bytes = (*source)->read(0, (*source)->size());
    if (!bytes)
        return bytes.error();
    if (!isJson) {
        const std::vector<std::string> lines = linesOf(*bytes);
        return lines.empty() ? Result<std::vector<LabelSet>>(noLabels((*source)->name()))
                             : std::vector<LabelSet>{{{}, lines, {}}};
    }
    const auto json = parseJson(*bytes);
    if (!json)
        return Error{json.error().code, (*source)->name() + ": " + json.error().message};
    auto sets = labelSetsOf(json->value);
    if (sets.empty())
        return noLabels((*source)->name());
    return sets;
}

std::vector<std::string> labelsFromLine(std::string_view text)
{
    if (const auto json = parseJson(QByteArray(text.data(), static_cast<qsizetype>(text.size()))))
        if (const auto labels = labelList(json->value))
            return *labels;
    std::vector<std::string> labels;
    const auto isBlank = [](char c) {
        return c == ' ' || c == '\t' || c == '\n' || c == '\r';
    };
    for (std::size_t at = 0; at < text.size();) {
        if (isBlank(text[at])) {
            ++at;
            continue;
        }
        std::string label;
        const bool isQuoted = text[at] == '"' && text.find('"', at + 1) != std::string_view::npos;
        if (isQuoted)
            ++at;
        for (; at < text.size() && (isQuoted || !isBlank(text[at])); ++at) {
            if (isQuoted && text[at] == '"') {
                if (text.substr(at + 1, 1) != "\"")
                    break;
                ++at;
            }
            label.push_back(text[at]);
        }
        if (isQuoted)
            ++at;
        labels.push_back(std::move(label));
    }
    return labels;
}

std::vector<std::string> labelsFitting(const std::vector<LabelSet> &sets, std::size_t example,
                                       std::size_t count, bool isKeySide)
{
    if (sets.empty())
        return {};
    const LabelSet &set = sets[std::min(example, sets.size() - 1)];
    const auto &first = isKeySide ? set.tokensKv : set.tokens;
    const auto &second = isKeySide ? set.tokens : set.tokensKv;
    if (first.size() == count)
        return first;
    if (second.size() == count || first.empty())
        return second;
    return first;
}

} // namespace attn
