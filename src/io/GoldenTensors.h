#pragma once

#include "base/Result.h"
#include "io/Json.h"
#include "io/TensorFile.h"

#include <string>
#include <vector>

namespace attn {

/// A file in golden form as a set of tensors.
struct GoldenTensors
{
    std::string metadata;            ///< as our own exports have it (ExportMetadata.h)
    std::vector<FileTensor> tensors; ///< the state's matrices, then the stages that it does not give
};

/// {"format": "attention-golden", "state": ..}, or a state by itself.
bool isGoldenJson(const Json &json);

/// Errors name the field: "state.Wq: expected 6 rows, found 5".
Result<GoldenTensors> goldenTensors(const Json &json);

} // namespace attn
