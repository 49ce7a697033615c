#pragma once

#include "engine/Snapshot.h"

#include <optional>
#include <stop_token>

namespace attn {

/// The next cell after `from` that holds NaN: through its stage in reading order, then through the stages
/// after it in the pipeline, round to where it began. Null: there is none, or it was asked to stop. May run
/// on any thread: large matrices that are computed on demand take seconds.
std::optional<StageCell> nextNan(const Snapshot &snapshot, const StageCell &from,
                                 const std::stop_token &stop = {});

/// How many cells it looks through at most.
Index searchedCells(const Snapshot &snapshot);

} // namespace attn
