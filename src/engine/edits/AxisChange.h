#pragma once

#include "engine/edits/EditDraft.h"
#include "engine/edits/LineChange.h"

#include <map>
#include <span>
#include <string>

namespace attn {

/// Changes the lines of every given matrix and every pin along these axes. New mask cells are allowed, 0,
/// real; all other new numbers are 0, but for `newRow`, the numbers of the inserted row of `rowOwner`.
/// Notes which pins went, and why.
void changeAxes(EditDraft &draft, const std::map<Axis, LineChange> &axes, const std::string &whyPinsGo,
                Stage rowOwner = Stage::X, std::span<const double> newRow = {});

/// How many bytes an edit that inserts, deletes or moves tokens reads from mapped files into memory: numbers
/// whose places change stay in no file. 0 when nothing is mapped.
double bytesReadByTokenEdit(const Experiment &experiment, TokenSide side);

/// Refuses with the reason when the experiment contradicts itself: lines can be inserted and removed only
/// where all matrices agree on their number.
Result<void> checkConsistent(const Experiment &experiment);

} // namespace attn
