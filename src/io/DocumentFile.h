#pragma once

#include "base/Result.h"
#include "engine/Experiment.h"

#include <QByteArray>
#include <QJsonObject>
#include <QString>

#include <map>

namespace attn {

/// What a `*.attn` file holds.
struct DocumentFileData
{
    Experiment experiment;
    std::map<Stage, Tensor> reference; ///< matrices to compare with
    QJsonObject view;                  ///< what the user looked at; opaque to the file layer
    QString title;                     ///< of an example; may be empty
};

/// `*.attn`: one UTF-8 JSON object {"format": "attnscope", "version": 2, "title", "notes", "precision",
/// "state": document form (StateJson.h), "stated_widths": [d_k, d_v], "decimals", "printed_facts",
/// "reference", "labs": scratch matrices by name (from version 2), "view"}; matrices above 4096 numbers as
/// base64 of little-endian numbers with dtype, shape and CRC-32. Every double comes back bit for bit (of a
/// NaN only that it is one, in matrices written as text). Unknown members are skipped, newer versions refused
/// (TooNew).
QByteArray documentBytes(const DocumentFileData &data);
/// `name` is the file name in errors.
Result<DocumentFileData> parseDocument(const QByteArray &bytes, const QString &name);

/// Reads a whole file, refusing more than `limit` bytes; errors name the file and the reason.
Result<QByteArray> readFile(const QString &path, qint64 limit = qint64(4) << 30);
/// Writes by QSaveFile: the file is either the old or the new one, also when the disk is full. Pipes and
/// devices are written to directly.
Result<void> writeFileAtomically(const QString &path, const QByteArray &bytes);

} // namespace attn
