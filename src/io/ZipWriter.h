#pragma once

#include "base/Result.h"

#include <QByteArray>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace attn {

/// Writes a zip archive of stored members (PKWARE APPNOTE 6.3.9), with 64-bit fields where the 32-bit ones do
/// not suffice. Equal members give equal bytes: every date is 1980-01-01.
class ZipWriter
{
public:
    /// fieldLimit: sizes, offsets and counts from here on are written as 64 bit; a smaller one tries out the
    /// form of archives above 4 GB.
    explicit ZipWriter(std::uint64_t fieldLimit = std::numeric_limits<std::uint32_t>::max())
        : m_fieldLimit(fieldLimit)
    {
    }

    /// name: UTF-8. TooLarge when the name is longer than 65535 bytes.
    Result<void> add(const std::string &name, const QByteArray &bytes);
    QByteArray finish();

private:
    struct Member
    {
        std::string name;
        std::uint32_t crc = 0;
        std::uint64_t size = 0;
        std::uint64_t headerOffset = 0;
    };

    bool needs64(std::uint64_t field) const { return field >= m_fieldLimit; }
    std::uint32_t field32(std::uint64_t field) const;
    void appendDirectoryEntry(const Member &member);
    void appendEnd(std::uint64_t directoryOffset, std::uint64_t directorySize);

    std::uint64_t m_fieldLimit;
    QByteArray m_archive;
    std::vector<Member> m_members;
};

} // namespace attn
