#pragma once

#include "base/Result.h"
#include "io/DocumentFile.h"

#include <vector>

namespace attn {

struct ExampleInfo
{
    const char *name;  ///< as in example:NAME
    const char *title; ///< English, for tr()
};

/// The shipped examples; the first one is what the program opens with.
const std::vector<ExampleInfo> &examples();
Result<DocumentFileData> loadExample(const QString &name);

} // namespace attn
