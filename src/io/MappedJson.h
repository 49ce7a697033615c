#pragma once

#include "base/Result.h"
#include "engine/Tensor.h"
#include "io/Json.h"

#include <optional>
#include <string>

namespace attn {

class ReferencedFiles;

/// Members that say where the numbers of a mapped tensor lie, and which cells differ (TensorJson.h, "In a
/// file"). Nothing when the numbers must be written out: they are in memory, their file has changed, or more
/// than a quarter of the cells differ.
std::optional<Json::Object> mappingToJson(const Tensor &tensor);

/// Whether the array is such a reference.
bool isMappingJson(const Json &json);

/// Maps the numbers again. files: null = the file is looked for by its path alone.
Result<Tensor> tensorFromMapping(const Json &json, const Shape &shape, Tensor::Storage storage,
                                 const std::string &where, ReferencedFiles *files);

} // namespace attn
