#pragma once

#include "base/Result.h"
#include "io/Json.h"
#include "io/TensorFile.h"

#include <QByteArray>
#include <QString>
#include <QStringList>

#include <map>
#include <string>
#include <vector>

namespace attn {

/// Tensors as files: names, axes and values are kept exactly, types where the format has them. Missing
/// numbers become NaN (integers with missing ones float64), in JSON null.

/// NumPy format 1.0; bfloat16, which NumPy does not have, becomes float32.
QByteArray npyBytes(const FileTensor &tensor);

/// One member NAME.npy per tensor.
Result<QByteArray> npzBytes(const std::vector<FileTensor> &tensors);

/// Text tensors, which the format does not have, become JSON lists in the metadata.
Result<QByteArray> safetensorsBytes(const std::vector<FileTensor> &tensors,
                                    std::map<std::string, std::string> metadata);

/// {"tensors": {name: {"dtype", "shape", "data"}}, "labels"}: integers above 2^53 and non-finite numbers as
/// strings. labels: the row labels, or {"row_labels", "col_labels"} when there are column labels too.
Json tensorsToJson(const std::vector<FileTensor> &tensors, const std::vector<std::string> &rowLabels,
                   const std::vector<std::string> &colLabels);

struct NamedBytes
{
    QString name;
    QByteArray bytes;
};

/// One table per matrix of the tensor: NAME.csv, or NAME-h0.csv, NAME-h1.csv ... where it has more than two
/// axes (NAME-0-h1.csv for more than three). Labels are written where their number fits; one axis is one row.
std::vector<NamedBytes> csvFiles(const FileTensor &tensor, const QStringList &rowLabels,
                                 const QStringList &colLabels, const QString &corner);

/// The name without what a file name cannot hold ('/', NUL, control characters, a leading point).
QString safeFileName(const std::string &name);

} // namespace attn
