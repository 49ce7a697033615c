#include "io/ReferencedFiles.h"

#include <QDir>
#include <QFileInfo>
#include <QStringList>

namespace attn {

namespace {

/// What stands at `path` is the file that is meant; else why not.
Result<MappedBytes> mappedIfSame(const QString &path, const FileOrigin &wanted)
{
    const Result<ByteSourcePtr> source = openByteSource(path);
    if (!source)
        return source.error();
    if ((*source)->size() != wanted.bytes)
        return Error{ErrorCode::Damaged,
                     path.toStdString() + ": it has changed: " + std::to_string(wanted.bytes) +
                         " bytes expected, " + std::to_string((*source)->size()) + " found"};
    auto mapped = (*source)->map();
    if (!mapped)
        return Error{ErrorCode::Io, path.toStdString() + ": it cannot be mapped into memory"};
    if (mapped->origin->fingerprint != wanted.fingerprint)
        return Error{ErrorCode::Damaged,
                     path.toStdString() + ": it has changed: its numbers are not those that were opened"};
    return std::move(*mapped);
}

} // namespace

Result<MappedBytes> ReferencedFiles::open(const FileOrigin &wanted)
{
    const std::string key = wanted.path + '\n' + wanted.fingerprint;
    if (const auto opened = m_opened.find(key); opened != m_opened.end())
        return opened->second;
    Result<MappedBytes> file = openNow(wanted);
    if (file)
        m_opened.emplace(key, *file);
    return file;
}

Result<MappedBytes> ReferencedFiles::openNow(const FileOrigin &wanted)
{
    const QString path = QString::fromStdString(wanted.path);
    Result<MappedBytes> file = mappedIfSame(path, wanted);
    if (file) {
        if (file->origin->modifiedMs != wanted.modifiedMs)
            m_notes.push_back(wanted.path + ": it was saved again since; its samples are the same");
        return file;
    }
    if (m_folder.isEmpty())
        return file;
    const QString beside = QDir(m_folder).filePath(QFileInfo(path).fileName());
    if (QFileInfo(beside) == QFileInfo(path) || !QFileInfo::exists(beside))
        return file;
    Result<MappedBytes> other = mappedIfSame(beside, wanted);
    if (!other)
        return file.error().code == ErrorCode::NotFound ? other : file;
    m_notes.push_back(wanted.path + ": taken from the document's folder");
    return other;
}

} // namespace attn
