#include "io/ZipWriter.h"

#include <algorithm>
#include <zlib.h>

namespace attn {

namespace {

constexpr std::uint16_t plainVersion = 20;
constexpr std::uint16_t zip64Version = 45;
constexpr std::uint16_t zip64Extra = 1;
constexpr std::uint64_t endRecordRest = 44; ///< of the zip64 end, behind its length field
constexpr std::uint16_t utf8Names = 0x0800;
constexpr std::uint16_t firstOfJanuary1980 = 0x0021;
constexpr std::uint64_t most16 = std::numeric_limits<std::uint16_t>::max();
constexpr std::uint32_t most32 = std::numeric_limits<std::uint32_t>::max();

template<typename Number>
void appendLittleEndian(QByteArray &bytes, Number number)
{
    for (std::size_t i = 0; i < sizeof(Number); ++i)
        bytes.append(static_cast<char>(static_cast<std::uint64_t>(number) >> (8 * i) & 0xff));
}

void appendShorts(QByteArray &bytes, std::initializer_list<std::uint16_t> numbers)
{
    for (const std::uint16_t number : numbers)
        appendLittleEndian(bytes, number);
}

/// The extra field that continues the 32-bit fields which say so; nothing without any.
QByteArray zip64Field(const std::vector<std::uint64_t> &fields)
{
    QByteArray extra;
    if (fields.empty())
        return extra;
    appendShorts(extra, {zip64Extra, static_cast<std::uint16_t>(8 * fields.size())});
    for (const std::uint64_t field : fields)
        appendLittleEndian(extra, field);
    return extra;
}

} // namespace

std::uint32_t ZipWriter::field32(std::uint64_t field) const
{
    return needs64(field) ? most32 : static_cast<std::uint32_t>(field);
}

Result<void> ZipWriter::add(const std::string &name, const QByteArray &bytes)
{
    if (name.size() > most16)
        return Error{ErrorCode::TooLarge, "a name in an npz file has at most 65535 bytes, this one has " +
                                              std::to_string(name.size())};
    Member member{name, 0, static_cast<std::uint64_t>(bytes.size()),
                  static_cast<std::uint64_t>(m_archive.size())};
    member.crc = static_cast<std::uint32_t>(
        crc32_z(0, reinterpret_cast<const Bytef *>(bytes.constData()), static_cast<z_size_t>(bytes.size())));
    const QByteArray extra = zip64Field(needs64(member.size) ? std::vector<std::uint64_t>(2, member.size)
                                                             : std::vector<std::uint64_t>());
    m_archive.append("PK\3\4", 4);
    appendShorts(m_archive,
                 {extra.isEmpty() ? plainVersion : zip64Version, utf8Names, 0, 0, firstOfJanuary1980});
    for (const std::uint32_t field : {member.crc, field32(member.size), field32(member.size)})
        appendLittleEndian(m_archive, field);
    appendShorts(m_archive,
                 {static_cast<std::uint16_t>(name.size()), static_cast<std::uint16_t>(extra.size())});
    m_archive.append(name.data(), static_cast<qsizetype>(name.size())).append(extra).append(bytes);
    m_members.push_back(std::move(member));
    return {};
}

void ZipWriter::appendDirectoryEntry(const Member &member)
{
    std::vector<std::uint64_t> wide;
    if (needs64(member.size))
        wide.assign(2, member.size);
    if (needs64(member.headerOffset))
        wide.push_back(member.headerOffset);
    const QByteArray extra = zip64Field(wide);
    const std::uint16_t version = extra.isEmpty() ? plainVersion : zip64Version;
    m_archive.append("PK\1\2", 4);
    appendShorts(m_archive, {version, version, utf8Names, 0, 0, firstOfJanuary1980});
    for (const std::uint32_t field : {member.crc, field32(member.size), field32(member.size)})
        appendLittleEndian(m_archive, field);
    appendShorts(m_archive,
                 {static_cast<std::uint16_t>(member.name.size()), static_cast<std::uint16_t>(extra.size())});
    m_archive.append(10, '\0'); // comment length, disk, attributes
    appendLittleEndian(m_archive, field32(member.headerOffset));
    m_archive.append(member.name.data(), static_cast<qsizetype>(member.name.size())).append(extra);
}

void ZipWriter::appendEnd(std::uint64_t directoryOffset, std::uint64_t directorySize)
{
    const auto count = static_cast<std::uint64_t>(m_members.size());
    const bool isWide =
        needs64(directoryOffset) || needs64(directorySize) || needs64(count) || count >= most16;
    if (isWide) {
        const auto endOffset = static_cast<std::uint64_t>(m_archive.size());
        m_archive.append("PK\6\6", 4);
        appendLittleEndian(m_archive, endRecordRest);
        appendShorts(m_archive, {zip64Version, zip64Version});
        m_archive.append(8, '\0'); // disks
        for (const std::uint64_t field : {count, count, directorySize, directoryOffset})
            appendLittleEndian(m_archive, field);
        m_archive.append("PK\6\7", 4).append(4, '\0');
        appendLittleEndian(m_archive, endOffset);
        appendLittleEndian(m_archive, std::uint32_t(1));
    }
    m_archive.append("PK\5\6", 4).append(4, '\0');
    const auto count16 = static_cast<std::uint16_t>(needs64(count) ? most16 : std::min(count, most16));
    appendShorts(m_archive, {count16, count16});
    for (const std::uint64_t field : {directorySize, directoryOffset})
        appendLittleEndian(m_archive, field32(field));
    appendLittleEndian(m_archive, std::uint16_t(0));
}

QByteArray ZipWriter::finish()
{
    const auto directoryOffset = static_cast<std::uint64_t>(m_archive.size());
    for (const Member &member : m_members)
        appendDirectoryEntry(member);
    appendEnd(directoryOffset, static_cast<std::uint64_t>(m_archive.size()) - directoryOffset);
    return std::move(m_archive);
}

} // namespace attn
