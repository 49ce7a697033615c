// safetensors, format 0.x of the reference library (huggingface/safetensors, README "Format"):
//
//   offset 0   8 bytes   length n of the header, unsigned, little-endian
//          8   n bytes   UTF-8 JSON object, begins with '{', may be filled up with blanks:
//                          name: {"dtype": "F32", "shape": [2, 3], "data_offsets": [begin, end]}
//                          "__metadata__": {text: text}
//      8 + n   data      row-major, little-endian; offsets count from here, cover all of it without overlap
//                        or hole, and end with the file
#include "io/Safetensors.h"

#include "io/ByteSource.h"
#include "io/Elements.h"
#include "io/Json.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace attn {

namespace {

constexpr std::int64_t safetensorsHeaderLimit = 100'000'000; // as in the reference library

struct ByteRange
{
    std::int64_t begin = 0;
    std::int64_t end = 0;
};

struct SafetensorsHeader
{
    std::vector<FileTensorInfo> entries;
    std::vector<ByteRange> ranges;
    std::map<std::string, std::string> metadata;
    std::int64_t dataOffset = 0;
};

Error safetensorsDamaged(std::string message)
{
    return {ErrorCode::Damaged, std::move(message)};
}

std::optional<Dtype> safetensorsDtype(const std::string &name)
{
    for (const Dtype dtype :
         {Dtype::Bool, Dtype::I8, Dtype::I16, Dtype::I32, Dtype::I64, Dtype::U8, Dtype::U16, Dtype::U32,
          Dtype::U64, Dtype::F16, Dtype::BF16, Dtype::F32, Dtype::F64})
        if (name == dtypeName(dtype))
            return dtype;
    return std::nullopt;
}

std::optional<std::vector<std::int64_t>> wholeNumbers(const Json &json)
{
    std::vector<std::int64_t> numbers;
    for (const Json &item : json.toArray()) {
        if (!item.isInteger() || !item.asInteger() || *item.asInteger() < 0)
            return std::nullopt;
        numbers.push_back(*item.asInteger());
    }
    if (!json.isArray())
        return std::nullopt;
    return numbers;
}

/// One tensor of the header: shape, dtype and byte range must agree.
Result<void> readTensorEntry(const std::string &name, const Json &json, SafetensorsHeader &header)
{
    const std::string where = "tensor \"" + name + "\": ";
    const auto shape = wholeNumbers(json["shape"]);
    const auto offsets = wholeNumbers(json["data_offsets"]);
    if (!json["dtype"].isString() || !shape || !offsets || offsets->size() != 2)
        return safetensorsDamaged(where + "expected dtype, shape and two data_offsets");
    const ByteRange range{(*offsets)[0], (*offsets)[1]};
    if (range.end < range.begin)
        return safetensorsDamaged(where + "its data ends (" + std::to_string(range.end) +
                                  ") before it begins (" + std::to_string(range.begin) + ")");
    FileTensorInfo info{name, Dtype::F32, *shape, {}};
    if (const auto dtype = safetensorsDtype(json["dtype"].toString())) {
        info.dtype = *dtype;
        const auto count = elementCount(*shape);
        const std::int64_t width = elementBytes(*dtype);
        const std::int64_t bytes = range.end - range.begin;
        const bool isCountable = count && *count <= std::numeric_limits<std::int64_t>::max() / width;
        if (!isCountable || *count * width != bytes)
            return safetensorsDamaged(
                where + "shape " + shapeListText(*shape) + " of " + dtypeName(*dtype) + " needs " +
                (isCountable ? std::to_string(*count * width) + " bytes" : "more bytes than can be counted") +
                ", its data_offsets hold " + std::to_string(bytes));
    } else {
        info.unsupported = "dtype " + json["dtype"].toString().substr(0, 40) + " is not supported";
    }
    header.entries.push_back(std::move(info));
    header.ranges.push_back(range);
    return {};
}

/// The ranges must cover the data bytes exactly.
Result<void> checkRanges(const SafetensorsHeader &header, std::int64_t dataBytes)
{
    std::vector<std::size_t> order(header.ranges.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return std::pair(header.ranges[a].begin, header.ranges[a].end) <
               std::pair(header.ranges[b].begin, header.ranges[b].end);
    });
    std::int64_t end = 0;
    for (const std::size_t i : order) {
        const ByteRange &range = header.ranges[i];
        const std::string where = "tensor \"" + header.entries[i].name + "\": ";
        if (range.begin < end)
            return safetensorsDamaged(where + "its bytes " + std::to_string(range.begin) + " to " +
                                      std::to_string(range.end) + " overlap those of another tensor");
        if (range.begin > end)
            return safetensorsDamaged(where + "bytes " + std::to_string(end) + " to " +
                                      std::to_string(range.begin) + " before it belong to no tensor");
        if (range.end > dataBytes)
            return safetensorsDamaged(where + "its data ends at byte " + std::to_string(range.end) +
                                      ", the file has only " + std::to_string(dataBytes) + " data bytes");
        end = range.end;
    }
    if (end != dataBytes)
        return safetensorsDamaged("the last tensor ends at byte " + std::to_string(end) +
                                  " of the data, the file has " + std::to_string(dataBytes) + " data bytes");
    return {};
}

Result<SafetensorsHeader> readHeader(const ByteSource &source)
{
    if (source.size() < 8)
        return safetensorsDamaged("the file is too short: " + std::to_string(source.size()) +
                                  " bytes, the length of the header alone takes 8");
    const auto lengthBytes = source.read(0, 8);
    if (!lengthBytes)
        return lengthBytes.error();
    std::uint64_t length = 0;
    for (int i = 8; i-- > 0;)
        length = length << 8 | static_cast<unsigned char>((*lengthBytes)[i]);
    if (length > static_cast<std::uint64_t>(source.size() - 8))
        return safetensorsDamaged("the header is declared with " + std::to_string(length) +
                                  " bytes, the file has " + std::to_string(source.size()));
    if (length > static_cast<std::uint64_t>(safetensorsHeaderLimit))
        return Error{ErrorCode::TooLarge, "a header of " + std::to_string(length) + " bytes is too long"};
    const auto text = source.read(8, static_cast<std::int64_t>(length));
    if (!text)
        return text.error();
    const auto json = parseJson(*text);
    if (!json)
        return Error{json.error().code, "header, " + json.error().message};
    if (!json->value.isObject())
        return safetensorsDamaged("the header is not a JSON object");
    SafetensorsHeader header;
    header.dataOffset = 8 + static_cast<std::int64_t>(length);
    for (const auto &[name, entry] : json->value.toObject()) {
        if (name == "__metadata__") {
            for (const auto &[key, value] : entry.toObject())
                header.metadata.emplace(key, value.toString());
        } else if (const auto read = readTensorEntry(name, entry, header); !read) {
            return read.error();
        }
    }
    if (const auto covered = checkRanges(header, source.size() - header.dataOffset); !covered)
        return covered.error();
    return header;
}

class SafetensorsFile : public TensorFile
{
public:
    SafetensorsFile(ByteSourcePtr source, SafetensorsHeader header)
        : m_source(std::move(source))
        , m_header(std::move(header))
    {
        metadata = m_header.metadata;
        for (const FileTensorInfo &info : m_header.entries)
            if (!info.unsupported.empty())
                notes.push_back(m_source->name() + ": tensor \"" + info.name + "\": " + info.unsupported);
    }

    const std::vector<FileTensorInfo> &entries() const override { return m_header.entries; }

    Result<FileTensor> load(std::size_t index) const override
    {
        const FileTensorInfo &info = m_header.entries[index];
        if (!info.unsupported.empty())
            return Error{ErrorCode::Unsupported,
                         m_source->name() + ": tensor \"" + info.name + "\": " + info.unsupported};
        const ByteRange &range = m_header.ranges[index];
        const auto bytes = m_source->read(m_header.dataOffset + range.begin, range.end - range.begin);
        if (!bytes)
            return bytes.error();
        FileTensor tensor{info.name, info.dtype, info.shape, {}, {}};
        decodeElements({bytes->constData(), static_cast<std::size_t>(bytes->size())}, false, tensor);
        return tensor;
    }

    std::optional<MappedTensor> map(std::size_t index) const override
    {
        const FileTensorInfo &info = m_header.entries[index];
        return info.unsupported.empty()
                   ? mappedTensor(*m_source, info.dtype, m_header.dataOffset + m_header.ranges[index].begin)
                   : std::nullopt;
    }

private:
    ByteSourcePtr m_source;
    SafetensorsHeader m_header;
};

} // namespace

Result<std::unique_ptr<TensorFile>> openSafetensorsFile(ByteSourcePtr source)
{
    auto header = readHeader(*source);
    if (!header)
        return Error{header.error().code, source->name() + ": " + header.error().message};
    return std::unique_ptr<TensorFile>(std::make_unique<SafetensorsFile>(source, std::move(*header)));
}

} // namespace attn
