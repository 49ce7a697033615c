#include "io/TensorWriters.h"

#include "base/NumberText.h"
#include "io/DelimitedText.h"
#include "io/ElementWriter.h"
#include "io/Elements.h"
#include "io/ZipWriter.h"

#include <QList>

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace Qt::StringLiterals;

namespace attn {

namespace {

const std::vector<std::string> &textsOf(const FileTensor &tensor)
{
    return std::get<std::vector<std::string>>(tensor.data);
}

/// Code points, padded with zeros to the longest text, as numpy's <U.
std::pair<QByteArray, qsizetype> encodedTexts(const FileTensor &tensor)
{
    std::vector<QList<uint>> texts;
    qsizetype longest = 1;
    for (const std::string &text : textsOf(tensor)) {
        texts.push_back(QString::fromStdString(text).toUcs4());
        longest = std::max(longest, texts.back().size());
    }
    QByteArray bytes;
    for (QList<uint> &text : texts) {
        text.resize(longest);
        bytes.append(reinterpret_cast<const char *>(text.constData()), longest * qsizetype(sizeof(uint)));
    }
    return {bytes, longest};
}

const char *npyDescription(Dtype dtype)
{
    switch (dtype) {
    case Dtype::Bool:
        return "|b1";
    case Dtype::I8:
        return "|i1";
    case Dtype::I16:
        return "<i2";
    case Dtype::I32:
        return "<i4";
    case Dtype::I64:
        return "<i8";
    case Dtype::U8:
        return "|u1";
    case Dtype::U16:
        return "<u2";
    case Dtype::U32:
        return "<u4";
    case Dtype::U64:
        return "<u8";
    case Dtype::F16:
        return "<f2";
    case Dtype::BF16:
    case Dtype::F32:
        return "<f4";
    case Dtype::F64:
    case Dtype::Text:
        break;
    }
    return "<f8";
}

QByteArray npyHeader(const QByteArray &description, const std::vector<std::int64_t> &shape)
{
    QByteArray axes;
    for (const std::int64_t length : shape)
        axes += QByteArray::number(qlonglong(length)) + (shape.size() == 1 ? "," : ", ");
    if (axes.endsWith(", "))
        axes.chop(2);
    QByteArray header = "{'descr': '" + description + "', 'fortran_order': False, 'shape': (" + axes + "), }";
    // Magic, version and length take 10 bytes; the data begins at a multiple of 64.
    const qsizetype padding = 63 - (10 + header.size()) % 64;
    header.append(padding, ' ').append('\n');
    const auto size = static_cast<unsigned>(header.size());
    QByteArray start("\x93NUMPY\x01\x00", 8);
    start.append(static_cast<char>(size & 0xff)).append(static_cast<char>(size >> 8));
    return start + header;
}

/// "label" of the index-th matrix of a tensor with more than two axes: "-h3", "-0-h3".
QString matrixSuffix(const std::vector<std::int64_t> &shape, std::int64_t index)
{
    QString suffix;
    for (std::size_t axis = shape.size() - 2; axis-- > 0;) {
        const bool isLast = axis + 3 == shape.size();
        suffix.prepend((isLast ? u"-h"_s : u"-"_s) + QString::number(index % shape[axis]));
        index /= shape[axis];
    }
    return suffix;
}

std::string elementText(const FileTensor &tensor, std::int64_t index)
{
    const auto i = static_cast<std::size_t>(index);
    if (!tensor.missing.empty() && tensor.missing[i])
        return {};
    return std::visit(
        [i](const auto &values) -> std::string {
            using Value = std::decay_t<decltype(values[0])>;
            if constexpr (std::is_same_v<Value, std::string>)
                return values[i];
            else if constexpr (std::is_integral_v<Value>)
                return std::to_string(values[i]);
            else
                return shortestText(values[i]);
        },
        tensor.data);
}

/// Beyond 2^53 doubles, which most JSON readers use, lose the last digits.
template<typename Integer>
Json exactInteger(Integer value)
{
    constexpr auto limit = Integer(1) << 53;
    bool isSafe = value <= limit;
    if constexpr (std::is_signed_v<Integer>)
        isSafe = isSafe && value >= -limit;
    return isSafe ? Json(value) : Json(std::to_string(value));
}

Json elementJson(const FileTensor &tensor, std::size_t i)
{
    if (!tensor.missing.empty() && tensor.missing[i])
        return {};
    return std::visit(
        [i](const auto &values) -> Json {
            using Value = std::decay_t<decltype(values[0])>;
            if constexpr (std::is_same_v<Value, std::string>)
                return values[i];
            else if constexpr (std::is_integral_v<Value>)
                return exactInteger(values[i]);
            else
                return Json::number(static_cast<double>(values[i]));
        },
        tensor.data);
}

Json textList(const std::vector<std::string> &texts)
{
    return Json::Array(texts.begin(), texts.end());
}

Json shapeJson(const std::vector<std::int64_t> &shape)
{
    return Json::Array(shape.begin(), shape.end());
}

} // namespace

QByteArray npyBytes(const FileTensor &given)
{
    if (given.dtype == Dtype::Text) {
        const auto [bytes, length] = encodedTexts(given);
        return npyHeader("<U" + QByteArray::number(length), given.shape) + bytes;
    }
    const FileTensor tensor = withMissingAsNaN(given);
    const Dtype stored = tensor.dtype == Dtype::BF16 ? Dtype::F32 : tensor.dtype;
    return npyHeader(npyDescription(stored), tensor.shape) + encodeElements(tensor, stored);
}

Result<QByteArray> npzBytes(const std::vector<FileTensor> &tensors)
{
    ZipWriter zip;
    for (const FileTensor &tensor : tensors)
        if (const Result<void> added = zip.add(tensor.name + ".npy", npyBytes(tensor)); !added)
            return added.error();
    return zip.finish();
}

Result<QByteArray> safetensorsBytes(const std::vector<FileTensor> &tensors,
                                    std::map<std::string, std::string> metadata)
{
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        if (tensors[i].dtype == Dtype::Text)
            metadata[tensors[i].name] = writeJson(textList(textsOf(tensors[i]))).trimmed().toStdString();
        else
            order.push_back(i);
    }
    // Wide elements first: then every tensor begins at a multiple of its element size.
    std::stable_sort(order.begin(), order.end(), [&tensors](std::size_t a, std::size_t b) {
        return elementBytes(tensors[a].dtype) > elementBytes(tensors[b].dtype);
    });
    Json::Object header;
    if (!metadata.empty()) {
        Json::Object texts;
        for (const auto &[key, value] : metadata)
            texts.emplace_back(key, value);
        header.emplace_back("__metadata__", std::move(texts));
    }
    QByteArray data;
    for (const std::size_t i : order) {
        const FileTensor tensor = withMissingAsNaN(tensors[i]);
        const auto begin = static_cast<std::int64_t>(data.size());
        data += encodeElements(tensor, tensor.dtype);
        header.emplace_back(
            tensor.name,
            Json::Object{{"dtype", dtypeName(tensor.dtype)},
                         {"shape", shapeJson(tensor.shape)},
                         {"data_offsets", Json::Array{begin, static_cast<std::int64_t>(data.size())}}});
    }
    QByteArray text = writeJson(header).trimmed();
    text.append((8 - text.size() % 8) % 8, ' ');
    QByteArray file;
    file.reserve(8 + text.size() + data.size());
    for (int i = 0; i < 8; ++i)
        file.append(static_cast<char>(static_cast<std::uint64_t>(text.size()) >> (8 * i) & 0xff));
    return file.append(text).append(data);
}

Json tensorsToJson(const std::vector<FileTensor> &tensors, const std::vector<std::string> &rowLabels,
                   const std::vector<std::string> &colLabels)
{
    Json::Object list;
    for (const FileTensor &tensor : tensors) {
        Json::Array data;
        data.reserve(static_cast<std::size_t>(tensor.size()));
        for (std::size_t i = 0; i < static_cast<std::size_t>(tensor.size()); ++i)
            data.push_back(elementJson(tensor, i));
        list.emplace_back(tensor.name, Json::Object{{"dtype", dtypeName(tensor.dtype)},
                                                    {"shape", shapeJson(tensor.shape)},
                                                    {"data", std::move(data)}});
    }
    Json json = Json::Object{{"tensors", std::move(list)}};
    if (!colLabels.empty())
        json.set("labels",
                 Json::Object{{"row_labels", textList(rowLabels)}, {"col_labels", textList(colLabels)}});
    else if (!rowLabels.empty())
        json.set("labels", textList(rowLabels));
    return json;
}

QString safeFileName(const std::string &name)
{
    QString safe = QString::fromStdString(name);
    for (QChar &c : safe)
        if (c == u'/' || c == u'\\' || c == u':' || c < u' ')
            c = u'_';
    if (safe.startsWith(u'.'))
        safe[0] = u'_';
    return safe.isEmpty() ? u"_"_s : safe;
}

std::vector<NamedBytes> csvFiles(const FileTensor &tensor, const QStringList &rowLabels,
                                 const QStringList &colLabels, const QString &corner)
{
    const std::vector<std::int64_t> &shape = tensor.shape;
    const std::int64_t cols = shape.empty() ? 1 : shape.back();
    const std::int64_t rows = shape.size() < 2 ? 1 : shape[shape.size() - 2];
    const std::int64_t count = shape.size() < 3 ? 1
                                                : std::accumulate(shape.begin(), shape.end() - 2,
                                                                  std::int64_t(1), std::multiplies<>());
    std::vector<NamedBytes> files;
    for (std::int64_t matrix = 0; matrix < count; ++matrix) {
        const DelimitedTable table{rows,
                                   cols,
                                   [&tensor, first = matrix * rows * cols, cols](Index row, Index col) {
                                       return elementText(tensor, first + row * cols + col);
                                   },
                                   rowLabels.size() == rows ? rowLabels : QStringList(),
                                   colLabels.size() == cols ? colLabels : QStringList(),
                                   corner};
        const QString suffix = count > 1 ? matrixSuffix(shape, matrix) : QString();
        files.push_back(
            {safeFileName(tensor.name) + suffix + u".csv"_s, delimitedText(table, u',').toUtf8()});
    }
    return files;
}

} // namespace attn
