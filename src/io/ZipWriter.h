#pragma once

#include "base/Result.h"

#include <QByteArray>

#include <cstdint>
#include <string>
#include <vector>

namespace attn {

/// Writes a zip archive of stored members (PKWARE APPNOTE 6.3.9, without zip64). Equal members give equal
/// bytes: every date is 1980-01-01.
class ZipWriter
{
public:
    /// name: UTF-8. TooLarge when the archive would pass 4 GB or 65535 members.
    Result<void> add(const std::string &name, const QByteArray &bytes);
    QByteArray finish();

private:
    struct Member
    {
        std::string name;
        std::uint32_t crc = 0;
        std::uint32_t size = 0;
        std::uint32_t headerOffset = 0;
    };

    QByteArray m_archive;
    std::vector<Member> m_members;
};

} // namespace attn
