#pragma once

#include "base/Result.h"
#include "engine/MappedNumbers.h"

#include <QByteArray>
#include <QString>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace attn {

/// A file in the address space: its pages are read when they are touched. Where the file becomes shorter
/// while it is mapped, its bytes read as 0xff (NaN).
struct MappedBytes
{
    std::shared_ptr<const void> mapping; ///< keeps `bytes` readable
    const std::byte *bytes = nullptr;
    std::shared_ptr<const FileOrigin> origin;
};

/// Bytes that a reader picks from by position: a file that stays on disk, or a byte array. The readers never
/// open files themselves. Reading is thread-safe.
class ByteSource
{
public:
    virtual ~ByteSource() = default;

    virtual std::int64_t size() const = 0;
    /// Exactly `count` bytes from `offset`; Damaged when they do not lie inside, Io when reading fails.
    virtual Result<QByteArray> read(std::int64_t offset, std::int64_t count) const = 0;

    /// The whole file mapped, the same each time; nothing for bytes in memory, empty files and what the
    /// system cannot map.
    virtual std::optional<MappedBytes> map() const { return std::nullopt; }

    /// File name (without folder) for messages, UTF-8.
    const std::string &name() const { return m_name; }

protected:
    explicit ByteSource(std::string name)
        : m_name(std::move(name))
    {
    }

private:
    std::string m_name;
};

using ByteSourcePtr = std::shared_ptr<const ByteSource>;

ByteSourcePtr bytesInMemory(QByteArray bytes, const QString &name);

/// Opens a regular file; errors name the file and the system's reason.
Result<ByteSourcePtr> openByteSource(const QString &path);

} // namespace attn
