#pragma once

#include "cli/CommandLine.h"
#include "engine/Snapshot.h"
#include "io/OpenInput.h"

namespace attn {

/// An input opened, corrected and changed by the options, and evaluated.
struct ComputedInput
{
    OpenedInput opened; ///< with the options carried out
    SnapshotPtr snapshot;
};

/// Refuses what contradicts itself, with the message of the snapshot.
Result<ComputedInput> computeInput(const CommandLine &line);

/// The corrections of an import: --map, --transpose, --layer, --batch, --labels, --heads, --kv-heads, --mask.
PlanCorrection importOptions(const CommandLine &line);

/// The stage that an option names, which must have values in the snapshot.
Result<Stage> availableStage(const Snapshot &snapshot, const QString &option, const QString &name);

} // namespace attn
