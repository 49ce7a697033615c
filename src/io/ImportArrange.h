#pragma once

#include "base/Result.h"
#include "engine/Tensor.h"
#include "io/Import.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace attn {

/// Brings a tensor of a file into the form of its stage: picks the layer and batch entry, orders head, row
/// and column axes, transposes, cuts a packed part out, and joins or keeps the heads as the stage has them.
///
/// Errors have no file name in front: what was expected of the axes, what was found.
/// missing: value for missing numbers (-inf for scores).
Result<Tensor> arrangedTensor(const FileTensor &tensor, const ImportSlot &slot, Stage stage, Index layer,
                              Index batch, double missing);

/// The same without reading the numbers, where they can be used as they lie in the file; nothing where they
/// must be reordered (a transposed matrix).
/// shape: of the tensor in the file
Result<std::optional<Tensor>> arrangedMapping(const MappedTensor &tensor,
                                              const std::vector<std::int64_t> &shape, const ImportSlot &slot,
                                              Stage stage, Index layer, Index batch);

/// The shape arrangedTensor would give, from the file's shape alone.
Result<Shape> arrangedShape(const std::vector<std::int64_t> &shape, const ImportSlot &slot, Stage stage);

} // namespace attn
