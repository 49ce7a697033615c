#include "io/ByteSource.h"

#include "io/FileFingerprint.h"
#include "io/MappingGuard.h"

#include <QFile>
#include <QFileInfo>

#include <mutex>

namespace attn {

namespace {

bool liesInside(std::int64_t offset, std::int64_t count, std::int64_t size)
{
    return offset >= 0 && count >= 0 && offset <= size && count <= size - offset;
}

Error outside(const ByteSource &source, std::int64_t offset, std::int64_t count)
{
    return {ErrorCode::Damaged, source.name() + ": needs " + std::to_string(count) + " bytes at byte " +
                                    std::to_string(offset) + ", the file has " +
                                    std::to_string(source.size())};
}

class MemorySource : public ByteSource
{
public:
    MemorySource(QByteArray bytes, const QString &name)
        : ByteSource(name.toStdString())
        , m_bytes(std::move(bytes))
    {
    }

    std::int64_t size() const override { return m_bytes.size(); }

    Result<QByteArray> read(std::int64_t offset, std::int64_t count) const override
    {
        if (!liesInside(offset, count, size()))
            return outside(*this, offset, count);
        return m_bytes.mid(offset, count);
    }

private:
    QByteArray m_bytes;
};

/// What keeps a file mapped: closing it would end the mapping.
struct FileMapping
{
    std::shared_ptr<QFile> file;
    MappingGuard guard;

    FileMapping(std::shared_ptr<QFile> mappedFile, const std::byte *first, std::int64_t size)
        : file(std::move(mappedFile))
        , guard(first, size)
    {
    }
};

class FileSource : public ByteSource
{
public:
    FileSource(std::shared_ptr<QFile> file, const QString &name)
        : ByteSource(name.toStdString())
        , m_file(std::move(file))
        , m_size(m_file->size())
    {
    }

    std::int64_t size() const override { return m_size; }

    Result<QByteArray> read(std::int64_t offset, std::int64_t count) const override
    {
        if (!liesInside(offset, count, m_size))
            return outside(*this, offset, count);
        const std::lock_guard lock(m_mutex);
        if (!m_file->seek(offset))
            return Error{ErrorCode::Io, name() + ": " + m_file->errorString().toStdString()};
        QByteArray bytes = m_file->read(count);
        if (bytes.size() != count)
            return Error{ErrorCode::Io, name() + ": reading stopped after " + std::to_string(bytes.size()) +
                                            " of " + std::to_string(count) + " bytes at byte " +
                                            std::to_string(offset)};
        return bytes;
    }

    std::optional<MappedBytes> map() const override
    {
        std::call_once(m_mapOnce, [this] { m_map = mapped(); });
        return m_map;
    }

private:
    std::optional<MappedBytes> mapped() const
    {
        auto origin = originOf(*this, m_file->fileName());
        const std::lock_guard lock(m_mutex);
        const uchar *bytes = origin && m_size > 0 ? m_file->map(0, m_size) : nullptr;
        if (!bytes)
            return std::nullopt;
        const auto *first = reinterpret_cast<const std::byte *>(bytes);
        return MappedBytes{std::make_shared<const FileMapping>(m_file, first, m_size), first,
                           std::make_shared<const FileOrigin>(std::move(*origin))};
    }

    mutable std::mutex m_mutex;
    mutable std::once_flag m_mapOnce;
    mutable std::optional<MappedBytes> m_map;
    std::shared_ptr<QFile> m_file;
    std::int64_t m_size;
};

} // namespace

ByteSourcePtr bytesInMemory(QByteArray bytes, const QString &name)
{
    return std::make_shared<const MemorySource>(std::move(bytes), name);
}

Result<ByteSourcePtr> openByteSource(const QString &path)
{
    const QFileInfo info(path);
    const std::string name = info.fileName().toStdString();
    if (!info.exists())
        return Error{ErrorCode::NotFound, path.toStdString() + ": no such file"};
    if (!info.isFile())
        return Error{ErrorCode::BadInput, name + ": is not a regular file"};
    auto file = std::make_shared<QFile>(path);
    if (!file->open(QIODevice::ReadOnly))
        return Error{ErrorCode::Io, name + ": " + file->errorString().toStdString()};
    return ByteSourcePtr(std::make_shared<const FileSource>(std::move(file), info.fileName()));
}

} // namespace attn
