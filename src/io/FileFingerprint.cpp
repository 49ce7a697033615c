#include "io/FileFingerprint.h"

#include "io/ByteSource.h"

#include <QCryptographicHash>
#include <QDateTime>
#include <QFileInfo>

#include <algorithm>

namespace attn {

namespace {

constexpr std::int64_t fingerprintHead = 64 << 10;
constexpr std::int64_t fingerprintSample = 4 << 10;
constexpr std::int64_t fingerprintSamples = 64;

} // namespace

Result<std::string> fingerprintOf(const ByteSource &source)
{
    QCryptographicHash hash(QCryptographicHash::Sha256);
    const std::int64_t size = source.size();
    hash.addData(QByteArray::number(qlonglong(size)));
    const auto add = [&](std::int64_t offset, std::int64_t count) -> Result<void> {
        const Result<QByteArray> bytes = source.read(offset, std::min(count, size - offset));
        if (!bytes)
            return bytes.error();
        hash.addData(*bytes);
        return {};
    };
    if (const auto head = add(0, fingerprintHead); !head)
        return head.error();
    if (size > fingerprintHead) {
        const std::int64_t last = std::max(fingerprintHead, size - fingerprintSample);
        const std::int64_t step = (last - fingerprintHead) / fingerprintSamples;
        for (std::int64_t i = 0; i < fingerprintSamples; ++i)
            if (const auto sample = add(fingerprintHead + i * step, fingerprintSample); !sample)
                return sample.error();
        if (const auto end = add(last, fingerprintSample); !end)
            return end.error();
    }
    return hash.result().toHex().toStdString();
}

Result<FileOrigin> originOf(const ByteSource &source, const QString &path)
{
    Result<std::string> fingerprint = fingerprintOf(source);
    if (!fingerprint)
        return fingerprint.error();
    const QFileInfo info(path);
    return FileOrigin{info.absoluteFilePath().toStdString(), source.size(),
                      info.lastModified().toMSecsSinceEpoch(), std::move(*fingerprint)};
}

bool isUnchanged(const FileOrigin &origin)
{
    const QFileInfo info(QString::fromStdString(origin.path));
    return info.isFile() && info.size() == origin.bytes &&
           info.lastModified().toMSecsSinceEpoch() == origin.modifiedMs;
}

} // namespace attn
