#pragma once

#include "base/Result.h"
#include "engine/Experiment.h"

#include <QByteArray>
#include <QJsonObject>
#include <QString>

#include <map>
#include <string>
#include <vector>

namespace attn {

/// What a `*.attn` file holds.
struct DocumentFileData
{
    Experiment experiment;
    std::map<Stage, Tensor> reference;   ///< matrices to compare with
    QJsonObject view;                    ///< what the user looked at; opaque to the file layer
    QString title;                       ///< of an example; may be empty
    std::vector<std::string> notes = {}; ///< what was odd when it was read; not written
};

enum class DocumentNumbers
{
    Referenced, ///< matrices that lie in mapped files stay there: the document says where, and what was
                ///< edited
    Embedded,   ///< every number is in the document
};

/// `*.attn`: one UTF-8 JSON object {"format": "attnscope", "version": 2, "title", "notes", "precision",
/// "state": document form (StateJson.h), "stated_widths": [d_k, d_v], "decimals", "printed_facts",
/// "reference", "labs": scratch matrices by name (from version 2), "lab_row_names": {name: [row names]},
/// "view"}; matrices above 4096 numbers as base64 of little-endian numbers with dtype, shape and CRC-32, or
/// by the file they lie in (TensorJson.h). Every double comes back bit for bit (of a NaN only that it is one,
/// in matrices written as text). Unknown members are skipped, newer versions refused (TooNew).
QByteArray documentBytes(const DocumentFileData &data, DocumentNumbers numbers = DocumentNumbers::Referenced);
/// `name` is the file name in errors; files that the document refers to are also looked for in `folder`.
Result<DocumentFileData> parseDocument(const QByteArray &bytes, const QString &name,
                                       const QString &folder = {});

/// Reads a whole file, refusing more than `limit` bytes; errors name the file and the reason.
Result<QByteArray> readFile(const QString &path, qint64 limit = qint64(4) << 30);
/// Writes by QSaveFile: the file is either the old or the new one, also when the disk is full. Pipes and
/// devices are written to directly.
Result<void> writeFileAtomically(const QString &path, const QByteArray &bytes);

} // namespace attn
