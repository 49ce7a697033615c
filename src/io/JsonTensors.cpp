// JSON files (RFC 8259) that hold matrices. Read are
//
//   [[1, 2], [3, 4]]                                     one matrix, named after the file
//   {"tokens": ["a", "b"], "Q": [[...]], "K": [[...]]}   named arrays and labels
//   {"tensors": {"Q": {"dtype": "F32", "shape": [2, 2], "data": [...]}}, "labels": [...]}
//   {"attention": [layer][head][query][key], "left_text": [...], "right_text": [...]}
//   {"format": "attention-golden", "state": {...}, "stages": {...}}, or such a state by itself
//
// and arrays inside further objects, whose names are joined with dots.
#include "io/JsonTensors.h"

#include "base/NumberText.h"
#include "io/ExportMetadata.h"
#include "io/GoldenTensors.h"
#include "io/Json.h"
#include "io/JsonArray.h"

#include <QFileInfo>

#include <algorithm>
#include <set>

namespace attn {

namespace {

class JsonTensorFile : public TensorFile
{
public:
    const std::vector<FileTensorInfo> &entries() const override { return m_entries; }
    Result<FileTensor> load(std::size_t index) const override { return m_tensors[index]; }

    void add(FileTensor tensor)
    {
        m_entries.push_back({tensor.name, tensor.dtype, tensor.shape, {}});
        m_tensors.push_back(std::move(tensor));
    }

private:
    std::vector<FileTensorInfo> m_entries;
    std::vector<FileTensor> m_tensors;
};

bool isOneOf(std::string_view name, std::initializer_list<std::string_view> names)
{
    return std::find(names.begin(), names.end(), name) != names.end();
}

std::optional<std::vector<std::string>> listOfStrings(const Json &value)
{
    std::vector<std::string> strings;
    for (const Json &item : value.toArray()) {
        if (!item.isString())
            return std::nullopt;
        strings.push_back(item.toString());
    }
    if (!value.isArray())
        return std::nullopt;
    return strings;
}

/// Walks the objects of a file and collects what they hold.
class JsonTensorReader
{
public:
    explicit JsonTensorReader(JsonTensorFile &file)
        : m_file(file)
    {
    }

    Result<void> readObject(const Json &object, const std::string &prefix)
    {
        for (const auto &[key, value] : object.toObject()) {
            if (prefix.empty() && readLabels(key, value))
                continue;
            const bool isTensorTable = prefix.empty() && key == "tensors" && value.isObject();
            const std::string name = isTensorTable ? std::string() : prefix + key;
            if (const auto read = readValue(value, name, isTensorTable); !read)
                return read;
        }
        return {};
    }

    Result<void> readArrays(const Json &value, const std::string &name)
    {
        return add(tensorFromArrays(value, name, m_file.notes), name);
    }

private:
    Result<void> readValue(const Json &value, const std::string &name, bool isTensorTable)
    {
        if (isShapeAndData(value))
            return add(tensorFromShapeAndData(value, name), name);
        if (value.isArray() && !value.toArray().empty() && value.toArray().front().isObject()) {
            for (std::size_t i = 0; i < value.toArray().size(); ++i)
                if (const auto read = readObject(value.toArray()[i], name + "." + std::to_string(i) + ".");
                    !read)
                    return read;
            return {};
        }
        if (value.isArray())
            return readArrays(value, name);
        if (value.isObject() && isOneOf(name, {"metadata", "attnscope"})) {
            m_file.metadata[name] = writeJson(value).toStdString();
            return {};
        }
        if (value.isObject())
            return readObject(value, isTensorTable ? std::string() : name + ".");
        if (value.isString())
            m_file.metadata[name] = value.toString();
        else if (value.isBool())
            m_file.metadata[name] = value.toBool() ? "true" : "false";
        else if (value.isNumber())
            m_file.metadata[name] = shortestText(value.toDouble());
        return {};
    }

    /// true = the member was a list of labels.
    bool readLabels(const std::string &key, const Json &value)
    {
        if (key == "labels" && value.isObject()) {
            bool any = false;
            for (const auto &[side, list] : value.toObject())
                any = readLabels(side, list) || any;
            return any;
        }
        const bool isRow = isOneOf(key, {"tokens", "labels", "left_text", "row_labels", "rows", "queries"});
        const bool isCol = isOneOf(key, {"tokens_kv", "right_text", "col_labels", "cols", "keys"});
        const auto list = isRow || isCol ? listOfStrings(value) : std::nullopt;
        if (!list)
            return false;
        (isRow ? m_file.rowLabels : m_file.colLabels) = *list;
        return true;
    }

    Result<void> add(Result<FileTensor> tensor, const std::string &name)
    {
        if (!tensor)
            return Error{tensor.error().code, "\"" + name + "\": " + tensor.error().message};
        if (!m_names.insert(tensor->name).second)
            return Error{ErrorCode::Damaged, "the name \"" + name + "\" is there twice"};
        if (tensor->size() == 0)
            m_file.notes.push_back("\"" + name + "\" has no numbers");
        m_file.add(std::move(*tensor));
        return {};
    }

    JsonTensorFile &m_file;
    std::set<std::string> m_names;
};

Result<void> readTopLevel(const Json &json, const std::string &name, JsonTensorFile &file)
{
    JsonTensorReader reader(file);
    if (isGoldenJson(json)) {
        auto golden = goldenTensors(json);
        if (!golden)
            return golden.error();
        file.metadata[exportMetadataKey] = std::move(golden->metadata);
        for (FileTensor &tensor : golden->tensors)
            file.add(std::move(tensor));
        return {};
    }
    if (json.isObject() && isShapeAndData(json)) {
        auto tensor = tensorFromShapeAndData(json, name);
        if (!tensor)
            return tensor.error();
        file.add(std::move(*tensor));
        return {};
    }
    if (json.isObject())
        return reader.readObject(json, {});
    if (!json.isArray())
        return Error{ErrorCode::BadInput, "expected an array or an object"};
    if (!json.toArray().empty() && json.toArray().front().isObject()) {
        for (std::size_t i = 0; i < json.toArray().size(); ++i)
            if (const auto read = reader.readObject(json.toArray()[i], std::to_string(i) + "."); !read)
                return read;
        return {};
    }
    if (const auto labels = listOfStrings(json); labels && !labels->empty())
        file.rowLabels = *labels;
    return reader.readArrays(json, name);
}

} // namespace

Result<std::unique_ptr<TensorFile>> parseJsonTensors(const QByteArray &text, const QString &fileName)
{
    const std::string name = fileName.toStdString();
    const auto json = parseJson(text);
    if (!json)
        return Error{json.error().code, name + ": " + json.error().message};
    auto file = std::make_unique<JsonTensorFile>();
    const std::string base = QFileInfo(fileName).completeBaseName().toStdString();
    if (const auto read = readTopLevel(json->value, base, *file); !read)
        return Error{read.error().code, name + ": " + read.error().message};
    for (std::string &note : file->notes)
        note.insert(0, name + ": ");
    if (json->hadBareNonFinite)
        file->notes.push_back(name + ": line " + std::to_string(json->bareNonFiniteLine) +
                              ": NaN or Infinity, which JSON does not know, is read as a number");
    if (file->entries().empty() && file->rowLabels.empty())
        return Error{ErrorCode::BadInput, name + ": there is no array of numbers in this file"};
    return std::unique_ptr<TensorFile>(std::move(file));
}

} // namespace attn
