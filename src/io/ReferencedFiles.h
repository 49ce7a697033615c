#pragma once

#include "base/Result.h"
#include "engine/MappedNumbers.h"
#include "io/ByteSource.h"

#include <QString>

#include <map>
#include <string>
#include <vector>

namespace attn {

/// The files in which a document left its large matrices, opened once each.
class ReferencedFiles
{
public:
    /// folder: of the document; a file that is not where it was is looked for there by its name. May be
    /// empty.
    explicit ReferencedFiles(QString folder = {})
        : m_folder(std::move(folder))
    {
    }

    /// Maps the file when it is the one meant: same size, same fingerprint. Errors name the file and say
    /// whether it is missing or has changed.
    Result<MappedBytes> open(const FileOrigin &wanted);

    /// What is odd and did not stop the opening: found elsewhere, saved again since.
    const std::vector<std::string> &notes() const { return m_notes; }

private:
    Result<MappedBytes> openNow(const FileOrigin &wanted);

    QString m_folder;
    std::map<std::string, MappedBytes> m_opened; ///< by path and fingerprint
    std::vector<std::string> m_notes;
};

} // namespace attn
