// Zip archives (PKWARE APPNOTE 6.3.9), as far as .npz needs them. All numbers are little-endian.
//
//   per member   local header   "PK\3\4", 30 bytes: name length at 26, extra length at 28; then name, extra
//                data           stored (method 0) or raw deflate (method 8); sizes in front may be 0 or
//                2^32-1
//   directory    per member     "PK\1\2", 46 bytes: flags 8, method 10, CRC-32 16, sizes 20 and 24, lengths
//   of
//                               name 28, extra 30, comment 32, offset of the local header 42; then those
//                               texts. A field of 2^32-1 is continued as 64 bit in the extra field with id 1
//                               (zip64).
//   zip64 end    "PK\6\6", 56 bytes or more: entries 32, directory size 40, directory offset 48
//   its locator  "PK\6\7", 20 bytes: offset of the zip64 end 8
//   end          "PK\5\6", 22 bytes: entries 10, directory size 12, directory offset 16, comment length 20
#include "io/ZipArchive.h"

#include <QString>

#include <zlib.h>

#include <algorithm>
#include <numeric>
#include <optional>

namespace attn {

namespace {

constexpr std::int64_t endBytes = 22;
constexpr std::int64_t locatorBytes = 20;
constexpr std::int64_t directoryEntryBytes = 46;
constexpr std::int64_t localHeaderBytes = 30;
/// Deflate cannot shrink better than 1032 : 1; the constant covers empty and tiny members.
constexpr std::int64_t maxDeflateRatio = 1032;
constexpr std::int64_t inflateChunk = std::int64_t(1) << 20;
constexpr std::uint32_t in64 = 0xffffffffu;

std::uint64_t zipNumber(const QByteArray &bytes, std::int64_t at, int width)
{
    std::uint64_t value = 0;
    for (int i = width; i-- > 0;)
        value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
    return value;
}

bool hasSignature(const QByteArray &bytes, std::int64_t at, const char *signature)
{
    return QByteArrayView(bytes).sliced(at, 4) == QByteArrayView(signature, 4);
}

Error zipDamaged(std::string message)
{
    return {ErrorCode::Damaged, std::move(message)};
}

struct ZipDirectory
{
    std::int64_t offset = 0;
    std::int64_t size = 0;
};

/// Finds the directory from the end of the file.
Result<ZipDirectory> findDirectory(const ByteSource &source)
{
    const Error incomplete =
        zipDamaged("the archive is incomplete: its directory, which comes last, is missing or cut off");
    const std::int64_t tailBytes = std::min<std::int64_t>(source.size(), endBytes + 0xffff);
    const auto tail = source.read(source.size() - tailBytes, tailBytes);
    if (!tail)
        return tail.error();
    std::int64_t end = tailBytes - endBytes;
    while (end >= 0 &&
           !(hasSignature(*tail, end, "PK\5\6") &&
             end + endBytes + static_cast<std::int64_t>(zipNumber(*tail, end + 20, 2)) == tailBytes))
        --end;
    if (end < 0)
        return incomplete;
    const std::int64_t endOffset = source.size() - tailBytes + end;
    std::uint64_t size = zipNumber(*tail, end + 12, 4);
    std::uint64_t offset = zipNumber(*tail, end + 16, 4);
    std::int64_t limit = endOffset;
    if (endOffset >= locatorBytes) {
        const auto locator = source.read(endOffset - locatorBytes, locatorBytes);
        if (!locator)
            return locator.error();
        if (hasSignature(*locator, 0, "PK\6\7")) {
            const std::uint64_t at = zipNumber(*locator, 8, 8);
            if (at > static_cast<std::uint64_t>(endOffset - locatorBytes))
                return incomplete;
            const auto end64 = source.read(static_cast<std::int64_t>(at), 56);
            if (!end64 || !hasSignature(*end64, 0, "PK\6\6"))
                return incomplete;
            size = zipNumber(*end64, 40, 8);
            offset = zipNumber(*end64, 48, 8);
            limit = static_cast<std::int64_t>(at);
        }
    }
    if (offset > static_cast<std::uint64_t>(limit) || size > static_cast<std::uint64_t>(limit) - offset)
        return incomplete;
    return ZipDirectory{static_cast<std::int64_t>(offset), static_cast<std::int64_t>(size)};
}

/// Names without the UTF-8 flag are UTF-8 in practice; what is not is read as Latin-1.
std::string zipName(const QByteArray &raw)
{
    const QString utf8 = QString::fromUtf8(raw);
    return utf8.contains(QChar::ReplacementCharacter) ? QString::fromLatin1(raw).toStdString()
                                                      : raw.toStdString();
}

/// Replaces the 32-bit fields that say "see zip64" by those of the extra field.
bool readZip64(const QByteArray &extra, std::uint64_t &size, std::uint64_t &compressed, std::uint64_t &offset)
{
    if (size != in64 && compressed != in64 && offset != in64)
        return true;
    std::int64_t at = 0;
    while (at + 4 <= extra.size()) {
        const auto id = zipNumber(extra, at, 2);
        const auto length = static_cast<std::int64_t>(zipNumber(extra, at + 2, 2));
        at += 4;
        if (length > extra.size() - at)
            return false;
        if (id == 1) {
            const std::int64_t end = at + length;
            for (std::uint64_t *field : {&size, &compressed, &offset}) {
                if (*field != in64)
                    continue;
                if (at + 8 > end)
                    return false;
                *field = zipNumber(extra, at, 8);
                at += 8;
            }
            return true;
        }
        at += length;
    }
    return false;
}

std::string memberProblem(const ZipMember &member, std::uint64_t flags)
{
    if (flags & 1)
        return "it is encrypted";
    if (member.method != 0 && member.method != 8)
        return "compression method " + std::to_string(member.method) +
               (member.method == 12   ? " (bzip2)"
                : member.method == 14 ? " (LZMA)"
                                      : "") +
               " is not supported, only stored and deflated are";
    if (member.method == 0 && member.size != member.compressedSize)
        return "it is stored, but its two sizes differ: " + std::to_string(member.size) + " and " +
               std::to_string(member.compressedSize);
    if (member.method == 8 && member.size / maxDeflateRatio > member.compressedSize + 1)
        return "damaged or too large: " + std::to_string(member.size) + " bytes cannot come from " +
               std::to_string(member.compressedSize) + " compressed ones";
    return {};
}

Result<std::vector<ZipMember>> parseDirectory(const QByteArray &directory, std::int64_t dataLimit)
{
    std::vector<ZipMember> members;
    std::int64_t at = 0;
    while (at < directory.size()) {
        const std::string where = "member " + std::to_string(members.size() + 1) + " of the directory: ";
        if (directory.size() - at < directoryEntryBytes || !hasSignature(directory, at, "PK\1\2"))
            return zipDamaged(where + "no entry where one is expected");
        const auto nameBytes = static_cast<std::int64_t>(zipNumber(directory, at + 28, 2));
        const auto extraBytes = static_cast<std::int64_t>(zipNumber(directory, at + 30, 2));
        const auto commentBytes = static_cast<std::int64_t>(zipNumber(directory, at + 32, 2));
        const std::int64_t texts = at + directoryEntryBytes;
        if (nameBytes + extraBytes + commentBytes > directory.size() - texts)
            return zipDamaged(where + "the directory ends inside it");
        std::uint64_t compressed = zipNumber(directory, at + 20, 4);
        std::uint64_t size = zipNumber(directory, at + 24, 4);
        std::uint64_t offset = zipNumber(directory, at + 42, 4);
        if (!readZip64(directory.mid(texts + nameBytes, extraBytes), size, compressed, offset))
            return zipDamaged(where + "its 64-bit sizes are missing");
        const auto limit = static_cast<std::uint64_t>(dataLimit);
        if (offset > limit || compressed > limit - offset || size > std::uint64_t(1) << 62)
            return zipDamaged(where + "it lies outside the file");
        ZipMember member;
        member.name = zipName(directory.mid(texts, nameBytes));
        member.method = static_cast<std::uint16_t>(zipNumber(directory, at + 10, 2));
        member.crc = static_cast<std::uint32_t>(zipNumber(directory, at + 16, 4));
        member.compressedSize = static_cast<std::int64_t>(compressed);
        member.size = static_cast<std::int64_t>(size);
        member.headerOffset = static_cast<std::int64_t>(offset);
        member.problem = memberProblem(member, zipNumber(directory, at + 8, 2));
        members.push_back(std::move(member));
        at = texts + nameBytes + extraBytes + commentBytes;
    }
    return members;
}

/// Inflates raw deflate data until `limit` bytes are there or the data ends. The output grows with what
/// really comes out, never with what a header claims.
Result<QByteArray> inflated(const QByteArray &data, std::int64_t limit)
{
    z_stream stream = {};
    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK)
        return Error{ErrorCode::TooLarge, "no memory to decompress"};
    QByteArray output;
    std::int64_t fed = 0;
    int status = Z_OK;
    while (status == Z_OK && output.size() < limit) {
        if (stream.avail_in == 0 && fed < data.size()) {
            const std::int64_t count = std::min<std::int64_t>(data.size() - fed, inflateChunk);
            stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(data.constData() + fed));
            stream.avail_in = static_cast<uInt>(count);
            fed += count;
        }
        const std::int64_t before = output.size();
        const std::int64_t room =
            std::min(limit - before, std::max(inflateChunk / 16, std::min(before, 256 * inflateChunk)));
        output.resize(before + room);
        stream.next_out = reinterpret_cast<Bytef *>(output.data() + before);
        stream.avail_out = static_cast<uInt>(room);
        status = inflate(&stream, Z_NO_FLUSH);
        output.resize(output.size() - static_cast<std::int64_t>(stream.avail_out));
    }
    inflateEnd(&stream);
    if (status == Z_DATA_ERROR || status == Z_NEED_DICT)
        return zipDamaged("its compressed data is damaged");
    return output;
}

} // namespace

bool ZipArchive::isZip(const QByteArray &start)
{
    return start.size() >= 4 && (hasSignature(start, 0, "PK\3\4") || hasSignature(start, 0, "PK\5\6"));
}

Result<ZipArchive> ZipArchive::open(ByteSourcePtr source)
{
    const auto directory = findDirectory(*source);
    if (!directory)
        return directory.error();
    const auto bytes = source->read(directory->offset, directory->size);
    if (!bytes)
        return bytes.error();
    auto members = parseDirectory(*bytes, directory->offset);
    if (!members)
        return members.error();
    ZipArchive archive(std::move(source));
    archive.m_members = std::move(*members);
    if (const auto located = archive.locateData(); !located)
        return located.error();
    return archive;
}

/// Reads the local headers, whose lengths may differ from the directory's, and refuses overlapping members.
Result<void> ZipArchive::locateData()
{
    std::vector<std::size_t> order(m_members.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::sort(order.begin(), order.end(), [this](std::size_t a, std::size_t b) {
        return m_members[a].headerOffset < m_members[b].headerOffset;
    });
    std::int64_t end = 0;
    for (const std::size_t i : order) {
        ZipMember &member = m_members[i];
        const std::string where = "member \"" + member.name + "\": ";
        if (member.headerOffset < end)
            return zipDamaged(where + "it overlaps another member");
        const auto header = m_source->read(member.headerOffset, localHeaderBytes);
        if (!header || !hasSignature(*header, 0, "PK\3\4"))
            return zipDamaged(where + "no local header at byte " + std::to_string(member.headerOffset));
        member.dataOffset = member.headerOffset + localHeaderBytes +
                            static_cast<std::int64_t>(zipNumber(*header, 26, 2) + zipNumber(*header, 28, 2));
        end = member.dataOffset + member.compressedSize;
        if (end > m_source->size())
            return zipDamaged(where + "it lies outside the file");
    }
    return {};
}

Result<QByteArray> ZipArchive::readStart(const ZipMember &member, std::int64_t count) const
{
    if (!member.problem.empty())
        return Error{ErrorCode::Unsupported, member.problem};
    const std::int64_t wanted = std::min(count, member.size);
    if (member.method == 0)
        return m_source->read(member.dataOffset, wanted);
    // Stored blocks add 5 bytes per 64 KiB; nothing else makes deflate longer than its content by more.
    const std::int64_t enough = std::min(member.compressedSize, 2 * wanted + 4096);
    const auto data = m_source->read(member.dataOffset, enough);
    return data ? inflated(*data, wanted) : data;
}

Result<QByteArray> ZipArchive::read(const ZipMember &member) const
{
    if (!member.problem.empty())
        return Error{ErrorCode::Unsupported, member.problem};
    auto bytes = m_source->read(member.dataOffset, member.compressedSize);
    if (bytes && member.method == 8)
        bytes = inflated(*bytes, member.size);
    if (!bytes)
        return bytes;
    if (bytes->size() != member.size)
        return zipDamaged("it is declared with " + std::to_string(member.size) + " bytes, " +
                          std::to_string(bytes->size()) + " came out");
    uLong crc = crc32(0, nullptr, 0);
    for (std::int64_t at = 0; at < bytes->size(); at += inflateChunk)
        crc = crc32(crc, reinterpret_cast<const Bytef *>(bytes->constData() + at),
                    static_cast<uInt>(std::min<std::int64_t>(bytes->size() - at, inflateChunk)));
    if (crc != member.crc)
        return zipDamaged("it is damaged: its CRC-32 checksum does not match");
    return bytes;
}

} // namespace attn
