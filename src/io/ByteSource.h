#pragma once

#include "base/Result.h"

#include <QByteArray>
#include <QString>

#include <cstdint>
#include <memory>
#include <string>

namespace attn {

/// Bytes that a reader picks from by position: a file that stays on disk, or a byte array. The readers never
/// open files themselves. Reading is thread-safe.
class ByteSource
{
public:
    virtual ~ByteSource() = default;

    virtual std::int64_t size() const = 0;
    /// Exactly `count` bytes from `offset`; Damaged when they do not lie inside, Io when reading fails.
    virtual Result<QByteArray> read(std::int64_t offset, std::int64_t count) const = 0;

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
