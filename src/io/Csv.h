#pragma once

#include "base/Result.h"
#include "io/TensorFile.h"

#include <QByteArray>
#include <QString>

#include <memory>

namespace attn {

/// Reads a table as one matrix of doubles, named after the file, with its labels. Errors give line and
/// column, counted from 1.
///
/// Found out from the content: delimiter (tab, semicolon, comma, blanks), decimal mark (point or comma),
/// label row and label column. Empty cells are missing, and counted in a note.
Result<std::unique_ptr<TensorFile>> parseCsv(const QByteArray &bytes, const QString &fileName);

} // namespace attn
