#pragma once

#include "base/Result.h"
#include "io/TensorFile.h"

#include <QByteArray>
#include <QString>

#include <memory>

namespace attn {

/// Reads the matrices of a JSON file: nested arrays, objects of named arrays (nested names are joined with
/// dots), and {"shape", "data"} with optional "dtype", also under "tensors".
///
/// Lists named tokens, labels or left_text become row labels, tokens_kv or right_text column labels; plain
/// values beside the arrays become metadata. null is missing. Errors name the place in the file or array.
Result<std::unique_ptr<TensorFile>> parseJsonTensors(const QByteArray &text, const QString &fileName);

} // namespace attn
