#include "cli/Verbs.h"

#include "io/DocumentFile.h"
#include "io/ExportMetadata.h"
#include "io/Labels.h"
#include "io/OpenInput.h"
#include "io/StageExport.h"
#include "io/TensorWriters.h"

#include <QDir>
#include <QSet>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace attn {

namespace {

/// Everything that goes over, in memory.
struct Content
{
    std::vector<FileTensor> tensors;
    std::vector<std::string> rowLabels;
    std::vector<std::string> colLabels;
    std::map<std::string, std::string> metadata;
    std::string settings; ///< of a document: exportMetadata
    std::vector<std::string> notes;
};

FileTensor fileTensor(Stage stage, const Tensor &matrix)
{
    FileTensor tensor;
    tensor.name = stageName(stage);
    const Shape &shape = matrix.shape();
    tensor.shape = {shape.rows, shape.cols};
    if (stageInfo(stage).rows == Axis::One)
        tensor.shape = {shape.cols};
    else if (shape.heads > 1 || stageInfo(stage).heads == HeadAxis::Query)
        tensor.shape = {shape.heads, shape.rows, shape.cols};
    std::vector<double> numbers = matrix.toDoubles();
    if (stage == Stage::MaskBool || stage == Stage::MaskPadding) {
        tensor.dtype = Dtype::Bool;
        tensor.data = std::vector<std::int64_t>(numbers.begin(), numbers.end());
    } else if (matrix.storage() == Tensor::Storage::Float32) {
        tensor.dtype = Dtype::F32;
        std::vector<float> floats;
        for (const double number : numbers)
            floats.push_back(static_cast<float>(number));
        tensor.data = std::move(floats);
    } else {
        tensor.dtype = Dtype::F64;
        tensor.data = std::move(numbers);
    }
    return tensor;
}

Content contentOf(const OpenedInput &opened)
{
    Content content;
    for (const auto &[stage, matrix] : opened.experiment.given)
        content.tensors.push_back(fileTensor(stage, matrix));
    content.rowLabels = opened.experiment.tokens.labels();
    if (opened.experiment.tokensKv)
        content.colLabels = opened.experiment.tokensKv->labels();
    content.settings = exportMetadata(opened.experiment);
    content.notes = opened.notes;
    return content;
}

Result<Content> contentOf(const TensorFile &file)
{
    Content content;
    for (std::size_t i = 0; i < file.entries().size(); ++i) {
        const FileTensorInfo &entry = file.entries()[i];
        if (!entry.unsupported.empty()) {
            content.notes.push_back(entry.name + " is left out: " + entry.unsupported);
            continue;
        }
        Result<FileTensor> tensor = file.load(i);
        if (!tensor)
            return tensor.error();
        content.tensors.push_back(std::move(*tensor));
    }
    content.rowLabels = file.rowLabels;
    content.colLabels = file.colLabels;
    content.metadata = file.metadata;
    content.notes.insert(content.notes.end(), file.notes.begin(), file.notes.end());
    return content;
}

Result<Content> readContent(const QStringList &inputs)
{
    const Result<InputKind> kind = inputKind(inputs);
    if (!kind)
        return kind.error();
    if (*kind != InputKind::Tensors) {
        const Result<OpenedInput> opened = openInput(inputs);
        if (!opened)
            return opened.error();
        return contentOf(*opened);
    }
    const Result<std::unique_ptr<TensorFile>> file = openTensorFiles(inputs);
    if (!file)
        return file.error();
    return contentOf(**file);
}

bool holdsTensor(const Content &content, const std::string &name)
{
    return std::any_of(content.tensors.begin(), content.tensors.end(),
                       [&](const FileTensor &tensor) { return tensor.name == name; });
}

/// Labels and settings as text tensors, for formats that have no other place for them.
std::vector<FileTensor> withTexts(const Content &content)
{
    std::vector<FileTensor> tensors = content.tensors;
    const auto add = [&](const char *name, const std::vector<std::string> &texts,
                         std::vector<std::int64_t> shape) {
        if (texts.empty() || holdsTensor(content, name))
            return;
        FileTensor tensor{name, Dtype::Text, std::move(shape), {}, {}};
        tensor.data = texts;
        tensors.push_back(std::move(tensor));
    };
    if (!content.settings.empty())
        add(exportMetadataMember, {content.settings}, {});
    add("tokens", content.rowLabels, {static_cast<std::int64_t>(content.rowLabels.size())});
    add("tokens_kv", content.colLabels, {static_cast<std::int64_t>(content.colLabels.size())});
    return tensors;
}

Result<QByteArray> safetensorsOf(const Content &content)
{
    std::map<std::string, std::string> metadata = content.metadata;
    if (!content.settings.empty())
        metadata[exportMetadataKey] = content.settings;
    Content plain = content;
    plain.settings.clear();
    return safetensorsBytes(withTexts(plain), std::move(metadata));
}

Result<DataFormat> fileFormat(const QString &out)
{
    const Result<DataFormat> format = dataFormatFromSuffix(out);
    if (!format || *format == DataFormat::Npy || *format == DataFormat::Csv)
        return usageError(u"convert: expected a .npz, .safetensors or .json file, or --format npy or csv "
                          u"for a folder; found \"%1\""_s.arg(out));
    return format;
}

Result<QByteArray> fileOf(const Content &content, DataFormat format)
{
    if (format == DataFormat::Npz)
        return npzBytes(withTexts(content));
    if (format == DataFormat::Safetensors)
        return safetensorsOf(content);
    return writeJson(tensorsToJson(content.tensors, content.rowLabels, content.colLabels));
}

QStringList textList(const std::vector<std::string> &texts)
{
    QStringList list;
    for (const std::string &text : texts)
        list.append(QString::fromStdString(text));
    return list;
}

std::vector<NamedBytes> filesOf(const Content &content, bool asCsv)
{
    std::vector<NamedBytes> files;
    for (const FileTensor &tensor : asCsv ? content.tensors : withTexts(content)) {
        if (!asCsv) {
            files.push_back({safeFileName(tensor.name) + u".npy"_s, npyBytes(tensor)});
            continue;
        }
        for (NamedBytes &table :
             csvFiles(tensor, textList(content.rowLabels), textList(content.colLabels), {}))
            files.push_back(std::move(table));
    }
    return files;
}

Result<void> writeFolder(const std::vector<NamedBytes> &files, const QString &folder)
{
    QSet<QString> names;
    for (const NamedBytes &file : files) {
        // Some file systems do not tell a from A.
        if (names.contains(file.name.toCaseFolded()))
            return Error{ErrorCode::BadInput, folder.toStdString() + ": two tensors would be written to " +
                                                  file.name.toStdString()};
        names.insert(file.name.toCaseFolded());
    }
    if (!QDir().mkpath(folder))
        return Error{ErrorCode::Io, folder.toStdString() + ": the folder cannot be made"};
    for (const NamedBytes &file : files) {
        const Result<void> written = writeFileAtomically(QDir(folder).filePath(file.name), file.bytes);
        if (!written)
            return written;
    }
    return {};
}

} // namespace

Result<VerbResult> runConvert(const CommandLine &line)
{
    if (line.inputs().size() < 2)
        return usageError(u"convert: expected an input and an output"_s);
    const QString out = line.inputs().last();
    const QString format = line.value(u"--format"_s);
    if (line.has(u"--format"_s) && format != "npy"_L1 && format != "csv"_L1)
        return usageError(u"--format: expected npy or csv, found \"%1\""_s.arg(format));
    const bool toFolder = line.has(u"--format"_s);
    const Result<DataFormat> single = toFolder ? Result<DataFormat>(DataFormat::Json) : fileFormat(out);
    if (!single)
        return single.error();
    Result<Content> content = readContent(line.inputs().mid(0, line.inputs().size() - 1));
    if (!content)
        return content.error();
    if (line.has(u"--labels"_s)) {
        const Result<std::vector<LabelSet>> labels = labelsFromFile(line.value(u"--labels"_s));
        if (!labels)
            return labels.error();
        if (!labels->empty()) {
            content->rowLabels = labels->front().tokens;
            content->colLabels = labels->front().tokensKv;
        }
    }
    Result<void> written;
    if (toFolder) {
        written = writeFolder(filesOf(*content, format == "csv"_L1), out);
    } else {
        const Result<QByteArray> bytes = fileOf(*content, *single);
        if (!bytes)
            return bytes.error();
        written = writeFileAtomically(out, *bytes);
    }
    if (!written)
        return written.error();
    return VerbResult{{}, content->notes};
}

} // namespace attn
