#pragma once

#include "base/Result.h"
#include "engine/MappedNumbers.h"

#include <QString>

#include <string>

namespace attn {

class ByteSource;

/// Tells files of any size apart by reading at most 324 KiB: SHA-256 over the size as decimal text, the first
/// 64 KiB (headers), 64 samples of 4 KiB at equal distances and the last 4 KiB; 64 hexadecimal digits.
///
/// A change that leaves size and samples alone is not seen; its date of modification usually tells.
Result<std::string> fingerprintOf(const ByteSource &source);

/// What is known of an open file.
Result<FileOrigin> originOf(const ByteSource &source, const QString &path);

/// Whether the file of that name still has the size and date it had; reads none of it.
bool isUnchanged(const FileOrigin &origin);

} // namespace attn
