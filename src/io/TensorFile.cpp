#include "io/TensorFile.h"

#include "base/Assert.h"
#include "io/ByteSource.h"
#include "io/Csv.h"
#include "io/Elements.h"
#include "io/JsonTensors.h"
#include "io/Npy.h"
#include "io/Npz.h"
#include "io/Safetensors.h"
#include "io/TensorFileSet.h"
#include "io/ZipArchive.h"

#include <QFileInfo>

#include <bit>
#include <limits>

namespace attn {

namespace {

enum class TensorFormat
{
    Npy,
    Npz,
    Safetensors,
    Csv,
    Json,
};

/// Text files are held in memory several times over while they are read.
constexpr std::int64_t textFileLimit = std::int64_t(1) << 29;

bool isSafetensorsStart(const QByteArray &start, std::int64_t fileSize)
{
    if (start.size() < 9 || start[8] != '{')
        return false;
    std::uint64_t length = 0;
    for (int i = 8; i-- > 0;)
        length = length << 8 | static_cast<unsigned char>(start[i]);
    return length <= static_cast<std::uint64_t>(fileSize);
}

/// What a file is: binary formats by their first bytes, text formats by the suffix or the first character.
TensorFormat formatOf(const QByteArray &start, std::int64_t fileSize, const QString &suffix)
{
    if (start.startsWith("\x93NUMPY"))
        return TensorFormat::Npy;
    if (ZipArchive::isZip(start))
        return TensorFormat::Npz;
    if (isSafetensorsStart(start, fileSize))
        return TensorFormat::Safetensors;
    if (suffix == QLatin1String("npy"))
        return TensorFormat::Npy;
    if (suffix == QLatin1String("npz"))
        return TensorFormat::Npz;
    if (suffix == QLatin1String("safetensors"))
        return TensorFormat::Safetensors;
    if (suffix == QLatin1String("json"))
        return TensorFormat::Json;
    if (suffix == QLatin1String("csv") || suffix == QLatin1String("tsv") || suffix == QLatin1String("txt"))
        return TensorFormat::Csv;
    const QByteArray visible = start.trimmed();
    return visible.startsWith('{') || visible.startsWith('[') ? TensorFormat::Json : TensorFormat::Csv;
}

Result<std::unique_ptr<TensorFile>> openText(const ByteSource &source, const QString &fileName,
                                             TensorFormat format)
{
    if (source.size() > textFileLimit)
        return Error{ErrorCode::TooLarge, source.name() + ": " + std::to_string(source.size()) +
                                              " bytes of text are more than the " +
                                              std::to_string(textFileLimit) + " that are read"};
    const auto bytes = source.read(0, source.size());
    if (!bytes)
        return bytes.error();
    return format == TensorFormat::Json ? parseJsonTensors(*bytes, fileName) : parseCsv(*bytes, fileName);
}

} // namespace

const char *dtypeName(Dtype dtype)
{
    static constexpr const char *names[] = {"BOOL", "I8",  "I16", "I32",  "I64", "U8",  "U16",
                                            "U32",  "U64", "F16", "BF16", "F32", "F64", "TEXT"};
    return names[static_cast<int>(dtype)];
}

std::int64_t FileTensor::size() const
{
    return std::visit([](const auto &values) { return static_cast<std::int64_t>(values.size()); }, data);
}

double FileTensor::number(std::int64_t index) const
{
    const auto i = static_cast<std::size_t>(index);
    if (!missing.empty() && missing[i])
        return std::numeric_limits<double>::quiet_NaN();
    return std::visit(
        [i](const auto &values) -> double {
            if constexpr (std::is_same_v<std::decay_t<decltype(values[0])>, std::string>) {
                ATTN_ASSERT(false, "text is no number");
                return std::numeric_limits<double>::quiet_NaN();
            } else {
                return static_cast<double>(values[i]);
            }
        },
        data);
}

std::optional<MappedTensor> mappedTensor(const ByteSource &source, Dtype dtype, std::int64_t offset)
{
    if ((dtype != Dtype::F32 && dtype != Dtype::F64) || std::endian::native != std::endian::little)
        return std::nullopt;
    auto file = source.map();
    if (!file)
        return std::nullopt;
    return MappedTensor{std::move(*file), offset,
                        dtype == Dtype::F32 ? Tensor::Storage::Float32 : Tensor::Storage::Float64};
}

QStringList TensorFile::fileNames() const
{
    return {QFileInfo(path).fileName()};
}

std::optional<std::size_t> TensorFile::find(std::string_view name) const
{
    std::call_once(m_indexed, [this] {
        for (std::size_t i = 0; i < entries().size(); ++i)
            m_index.emplace(entries()[i].name, i);
    });
    const auto found = m_index.find(name);
    if (found == m_index.end())
        return std::nullopt;
    return found->second;
}

Result<std::unique_ptr<TensorFile>> openTensorSource(const ByteSourcePtr &source, const QString &fileName)
{
    const auto start = source->read(0, std::min<std::int64_t>(source->size(), 256));
    if (!start)
        return start.error();
    if (source->size() == 0)
        return Error{ErrorCode::Damaged, source->name() + ": the file is empty"};
    const TensorFormat format = formatOf(*start, source->size(), QFileInfo(fileName).suffix().toLower());
    switch (format) {
    case TensorFormat::Npy:
        return openNpyFile(source);
    case TensorFormat::Npz:
        return openNpzFile(source);
    case TensorFormat::Safetensors:
        return openSafetensorsFile(source);
    case TensorFormat::Csv:
    case TensorFormat::Json:
        break;
    }
    return openText(*source, fileName, format);
}

Result<std::unique_ptr<TensorFile>> openTensorFile(const QString &path)
{
    const auto source = openByteSource(path);
    if (!source)
        return source.error();
    auto file = openTensorSource(*source, QFileInfo(path).fileName());
    if (file)
        (*file)->path = path;
    return file;
}

Result<std::unique_ptr<TensorFile>> openTensorFiles(const QStringList &paths)
{
    if (paths.size() == 1)
        return openTensorFile(paths.first());
    std::vector<std::unique_ptr<TensorFile>> files;
    for (const QString &path : paths) {
        auto file = openTensorFile(path);
        if (!file)
            return file.error();
        files.push_back(std::move(*file));
    }
    if (files.empty())
        return Error{ErrorCode::BadInput, "no file to open"};
    return joinTensorFiles(std::move(files));
}

} // namespace attn
