// NumPy array format, versions 1.0, 2.0 and 3.0 (numpy.lib.format, NEP 1):
//
//   offset 0   6 bytes  "\x93NUMPY"
//          6   2 bytes  version: major, minor
//          8   2 bytes  length of the header, little-endian (version 1); 4 bytes from version 2 on
//   10 or 12   header   a Python dictionary literal with exactly the keys 'descr', 'fortran_order', 'shape';
//                       Latin-1, from version 3 on UTF-8; filled with blanks, ended with a line break
//              data     elements one after another, row-major, or column-major with fortran_order
#include "io/Npy.h"

#include "io/ByteSource.h"
#include "io/Elements.h"
#include "io/NpyDescription.h"

#include <QFileInfo>

#include <algorithm>
#include <limits>

namespace attn {

namespace {

constexpr std::string_view npyMagic("\x93NUMPY", 6);

Error npyDamaged(std::string message)
{
    return {ErrorCode::Damaged, std::move(message)};
}

bool looksLikeText(std::span<const char> start)
{
    for (const char c : start.first(std::min<std::size_t>(start.size(), 64)))
        if (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\r' && c != '\t')
            return false;
    return true;
}

/// Text elements: fixed width, filled up with zeros.
std::vector<std::string> decodedText(std::span<const char> bytes, const NpyHeader &header)
{
    std::vector<std::string> texts(static_cast<std::size_t>(header.count));
    const auto width = static_cast<std::size_t>(header.itemBytes);
    for (std::size_t i = 0; i < texts.size(); ++i) {
        const std::span<const char> item = bytes.subspan(i * width, width);
        std::vector<std::uint32_t> points;
        for (std::size_t at = 0; at < width; at += header.isByteText ? 1 : 4) {
            std::uint32_t point = 0;
            for (std::size_t byte = 0; byte < (header.isByteText ? 1u : 4u); ++byte) {
                const std::size_t from = header.isByteText    ? at
                                         : header.isBigEndian ? at + byte
                                                              : at + 3 - byte;
                point = point << 8 | static_cast<unsigned char>(item[from]);
            }
            points.push_back(point);
        }
        while (!points.empty() && points.back() == 0)
            points.pop_back();
        for (const std::uint32_t point : points)
            appendUtf8(point, texts[i]);
    }
    return texts;
}

class NpyFile : public TensorFile
{
public:
    NpyFile(ByteSourcePtr source, std::string tensorName, const NpyHeader &header)
        : m_source(std::move(source))
        , m_header(header)
    {
        m_entries.push_back({std::move(tensorName), header.dtype, header.shape, {}});
        const std::int64_t extra = m_source->size() - header.dataOffset - header.dataBytes();
        if (extra > 0)
            notes.push_back(m_source->name() + ": " + std::to_string(extra) +
                            " bytes after the array are ignored");
    }

    const std::vector<FileTensorInfo> &entries() const override { return m_entries; }

    Result<FileTensor> load(std::size_t) const override
    {
        const auto bytes = m_source->read(0, m_source->size());
        if (!bytes)
            return bytes.error();
        auto tensor =
            parseNpy({bytes->constData(), static_cast<std::size_t>(bytes->size())}, m_entries.front().name);
        if (!tensor)
            return Error{tensor.error().code, m_source->name() + ": " + tensor.error().message};
        return tensor;
    }

    std::optional<MappedTensor> map(std::size_t) const override
    {
        const bool isRowMajor = !m_header.isFortranOrder || m_header.shape.size() < 2;
        return isRowMajor && !m_header.isBigEndian
                   ? mappedTensor(*m_source, m_header.dtype, m_header.dataOffset)
                   : std::nullopt;
    }

private:
    ByteSourcePtr m_source;
    NpyHeader m_header;
    std::vector<FileTensorInfo> m_entries;
};

Result<void> checkDataSize(const NpyHeader &header, std::int64_t available)
{
    if (header.count > 0 && header.itemBytes > available / header.count)
        return npyDamaged("shape " + shapeListText(header.shape) + " of " + dtypeName(header.dtype) +
                          " declares " +
                          (header.count > std::numeric_limits<std::int64_t>::max() / header.itemBytes
                               ? std::string("more bytes than can be counted")
                               : std::to_string(header.dataBytes()) + " data bytes") +
                          ", found " + std::to_string(available));
    return {};
}

} // namespace

Result<NpyHeader> parseNpyHeader(std::span<const char> start)
{
    if (start.empty())
        return npyDamaged("the file is empty");
    if (start.size() < npyMagic.size() || std::string_view(start.data(), npyMagic.size()) != npyMagic)
        return npyDamaged(std::string("this is not a .npy array: it does not begin with \\x93NUMPY") +
                          (looksLikeText(start) ? " (it looks like text)" : ""));
    if (start.size() < 10)
        return npyDamaged("byte " + std::to_string(start.size()) + ": the file ends inside the header");
    const int major = static_cast<unsigned char>(start[6]);
    if (major < 1 || major > 3)
        return Error{ErrorCode::Unsupported,
                     "byte 6: .npy version " + std::to_string(major) + " is unknown (1 to 3 are read)"};
    const std::size_t lengthBytes = major == 1 ? 2 : 4;
    if (start.size() < 8 + lengthBytes)
        return npyDamaged("byte " + std::to_string(start.size()) + ": the file ends inside the header");
    std::int64_t length = 0;
    for (std::size_t i = lengthBytes; i-- > 0;)
        length = length << 8 | static_cast<unsigned char>(start[8 + i]);
    const auto offset = static_cast<std::int64_t>(8 + lengthBytes);
    if (length > npyHeaderLimit)
        return npyDamaged("byte 8: a header of " + std::to_string(length) + " bytes is too long");
    if (length > static_cast<std::int64_t>(start.size()) - offset)
        return npyDamaged("byte 8: the header has " + std::to_string(length) + " bytes, the file only " +
                          std::to_string(static_cast<std::int64_t>(start.size()) - offset) + " after it");
    auto header = parseNpyDescription({start.data() + offset, static_cast<std::size_t>(length)},
                                      static_cast<std::size_t>(offset));
    if (!header)
        return header;
    header->dataOffset = offset + length;
    return header;
}

Result<FileTensor> parseNpy(std::span<const char> bytes, const std::string &tensorName)
{
    const auto header = parseNpyHeader(bytes);
    if (!header)
        return header.error();
    const auto available = static_cast<std::int64_t>(bytes.size()) - header->dataOffset;
    if (const auto fits = checkDataSize(*header, available); !fits)
        return fits.error();
    FileTensor tensor{tensorName, header->dtype, header->shape, {}, {}};
    const std::span<const char> data = bytes.subspan(static_cast<std::size_t>(header->dataOffset),
                                                     static_cast<std::size_t>(header->dataBytes()));
    if (header->dtype == Dtype::Text)
        tensor.data = decodedText(data, *header);
    else
        decodeElements(data, header->isBigEndian, tensor);
    if (header->isFortranOrder && tensor.shape.size() > 1)
        makeRowMajor(tensor);
    return tensor;
}

Result<std::unique_ptr<TensorFile>> openNpyFile(ByteSourcePtr source)
{
    const auto start = source->read(0, std::min(source->size(), npyHeaderLimit + 12));
    if (!start)
        return start.error();
    const auto header = parseNpyHeader({start->constData(), static_cast<std::size_t>(start->size())});
    const auto fits =
        header ? checkDataSize(*header, source->size() - header->dataOffset) : Result<void>(header.error());
    if (!fits)
        return Error{fits.error().code, source->name() + ": " + fits.error().message};
    const QString base = QFileInfo(QString::fromStdString(source->name())).completeBaseName();
    return std::unique_ptr<TensorFile>(std::make_unique<NpyFile>(source, base.toStdString(), *header));
}

} // namespace attn
