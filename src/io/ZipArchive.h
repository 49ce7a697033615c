#pragma once

#include "io/ByteSource.h"

#include <cstdint>
#include <string>
#include <vector>

namespace attn {

/// One member of a zip archive, as the central directory lists it.
struct ZipMember
{
    std::string name; ///< UTF-8
    std::uint16_t method = 0;
    std::uint32_t crc = 0;
    std::int64_t compressedSize = 0;
    std::int64_t size = 0;
    std::int64_t headerOffset = 0;
    std::int64_t dataOffset = 0;
    std::string problem; ///< why it cannot be read (encrypted, unknown method); empty = it can
};

/// Reads zip archives: stored and deflated members, zip64. Sizes come from the central directory.
///
/// Members whose bytes overlap, lie outside the file or claim more than deflate can hold are refused before
/// anything is allocated.
class ZipArchive
{
public:
    static Result<ZipArchive> open(ByteSourcePtr source);
    static bool isZip(const QByteArray &start);

    const std::vector<ZipMember> &members() const { return m_members; }

    /// The whole member, its length and CRC-32 checked. Errors have no file name in front.
    Result<QByteArray> read(const ZipMember &member) const;
    /// At most `count` bytes from the beginning, unchecked: to look at a header.
    Result<QByteArray> readStart(const ZipMember &member, std::int64_t count) const;

private:
    explicit ZipArchive(ByteSourcePtr source)
        : m_source(std::move(source))
    {
    }
    Result<void> locateData();

    ByteSourcePtr m_source;
    std::vector<ZipMember> m_members;
};

} // namespace attn
