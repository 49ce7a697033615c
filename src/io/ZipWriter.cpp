#include "io/ZipWriter.h"

#include <limits>
#include <zlib.h>

namespace attn {

namespace {

constexpr std::uint16_t zipVersion = 20;
constexpr std::uint16_t utf8Names = 0x0800;
constexpr std::uint16_t firstOfJanuary1980 = 0x0021;
constexpr qsizetype directoryEntrySize = 46;

template<typename Number>
void appendLittleEndian(QByteArray &bytes, Number number)
{
    for (std::size_t i = 0; i < sizeof(Number); ++i)
        bytes.append(static_cast<char>(static_cast<std::uint64_t>(number) >> (8 * i) & 0xff));
}

} // namespace

Result<void> ZipWriter::add(const std::string &name, const QByteArray &bytes)
{
    constexpr qsizetype limit = std::numeric_limits<std::uint32_t>::max();
    const auto nameSize = static_cast<qsizetype>(name.size());
    // Room for this member, its directory entry and those before.
    qsizetype directorySize = directoryEntrySize + nameSize;
    for (const Member &member : m_members)
        directorySize += directoryEntrySize + static_cast<qsizetype>(member.name.size());
    if (m_members.size() >= std::numeric_limits<std::uint16_t>::max() ||
        m_archive.size() + bytes.size() + nameSize + directorySize + 100 > limit)
        return Error{ErrorCode::TooLarge,
                     "an npz file holds at most 4 GB; write one npy file per stage into a folder"};

    Member member{name, 0, static_cast<std::uint32_t>(bytes.size()),
                  static_cast<std::uint32_t>(m_archive.size())};
    member.crc = static_cast<std::uint32_t>(
        crc32_z(0, reinterpret_cast<const Bytef *>(bytes.constData()), static_cast<z_size_t>(bytes.size())));
    m_archive.append("PK\3\4", 4);
    for (const std::uint16_t field :
         {zipVersion, utf8Names, std::uint16_t(0), std::uint16_t(0), firstOfJanuary1980})
        appendLittleEndian(m_archive, field);
    for (const std::uint32_t field : {member.crc, member.size, member.size})
        appendLittleEndian(m_archive, field);
    appendLittleEndian(m_archive, static_cast<std::uint16_t>(nameSize));
    appendLittleEndian(m_archive, std::uint16_t(0));
    m_archive.append(name.data(), nameSize).append(bytes);
    m_members.push_back(std::move(member));
    return {};
}

QByteArray ZipWriter::finish()
{
    const auto directoryOffset = static_cast<std::uint32_t>(m_archive.size());
    for (const Member &member : m_members) {
        m_archive.append("PK\1\2", 4);
        for (const std::uint16_t field :
             {zipVersion, zipVersion, utf8Names, std::uint16_t(0), std::uint16_t(0), firstOfJanuary1980})
            appendLittleEndian(m_archive, field);
        for (const std::uint32_t field : {member.crc, member.size, member.size})
            appendLittleEndian(m_archive, field);
        appendLittleEndian(m_archive, static_cast<std::uint16_t>(member.name.size()));
        m_archive.append(12, '\0'); // extra and comment length, disk, attributes
        appendLittleEndian(m_archive, member.headerOffset);
        m_archive.append(member.name.data(), static_cast<qsizetype>(member.name.size()));
    }
    const auto directorySize = static_cast<std::uint32_t>(m_archive.size()) - directoryOffset;
    m_archive.append("PK\5\6", 4).append(4, '\0');
    for (int i = 0; i < 2; ++i)
        appendLittleEndian(m_archive, static_cast<std::uint16_t>(m_members.size()));
    appendLittleEndian(m_archive, directorySize);
    appendLittleEndian(m_archive, directoryOffset);
    appendLittleEndian(m_archive, std::uint16_t(0));
    return std::move(m_archive);
}

} // namespace attn
