#include "io/DocumentFile.h"

#include <QFile>
#include <QFileInfo>
#include <QSaveFile>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace attn {

namespace {

/// What a pipe or device may deliver; their size is not known beforehand.
constexpr qint64 maxUnsizedBytes = qint64(256) << 20;

Error fileError(ErrorCode code, const QString &path, const QString &message)
{
    return {code, QString(path + u": "_s + message).toStdString()};
}

} // namespace

Result<QByteArray> readFile(const QString &path, qint64 limit)
{
    const QFileInfo info(path);
    if (!info.exists())
        return fileError(ErrorCode::NotFound, path, u"there is no such file"_s);
    if (info.isDir())
        return fileError(ErrorCode::BadInput, path, u"this is a folder, not a file"_s);
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return fileError(ErrorCode::Io, path, u"cannot be opened (%1)"_s.arg(file.errorString()));
    if (!info.isFile())
        limit = std::min(limit, maxUnsizedBytes);
    if (info.size() > limit)
        return fileError(ErrorCode::TooLarge, path,
                         u"%1 bytes are more than the %2 that can be read"_s.arg(info.size()).arg(limit));
    QByteArray bytes = info.isFile() ? file.readAll() : file.read(limit + 1);
    if (file.error() != QFileDevice::NoError)
        return fileError(ErrorCode::Io, path, u"cannot be read (%1)"_s.arg(file.errorString()));
    if (bytes.size() > limit)
        return fileError(ErrorCode::TooLarge, path, u"more than the %1 bytes that can be read"_s.arg(limit));
    return bytes;
}

namespace {

/// For a pipe or device: there is no old content to keep, and it must not be replaced by a file.
Result<void> writeToDevice(const QString &path, const QByteArray &bytes)
{
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly | QIODevice::Unbuffered) || file.write(bytes) != bytes.size())
        return fileError(ErrorCode::Io, path, u"cannot be written (%1)"_s.arg(file.errorString()));
    return {};
}

} // namespace

Result<void> writeFileAtomically(const QString &path, const QByteArray &bytes)
{
    const QFileInfo info(path);
    if (info.exists() && !info.isFile() && !info.isDir())
        return writeToDevice(path, bytes);
    QSaveFile file(path);
    file.setDirectWriteFallback(false);
    if (!file.open(QIODevice::WriteOnly))
        return fileError(ErrorCode::Io, path,
                         u"cannot be written (%1); choose another folder or change its permissions"_s.arg(
                             file.errorString()));
    if (file.write(bytes) != bytes.size() || !file.commit())
        return fileError(ErrorCode::Io, path,
                         u"could not be written completely (%1), what was there before is kept; free some "
                         "space or choose another folder"_s.arg(file.errorString()));
    return {};
}

} // namespace attn
