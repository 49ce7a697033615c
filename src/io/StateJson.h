#pragma once

#include "engine/Edit.h"
#include "engine/Experiment.h"
#include "engine/Snapshot.h"
#include "io/Json.h"
#include "io/TensorJson.h"

namespace attn {

/// The golden JSON form of states, stages and edits (README "Golden form"). A missing field is its default.
/// Matrices: TensorJson.h.

/// "format" of a file in golden form: {"format", "version": 1, "state", "stages", "metrics", "footprints"}.
inline constexpr const char *goldenFormat = "attention-golden";

/// The complete state object, every field present, as golden/README "State" lists them. Pins of stages above
/// a million cells are written as in the document form: {"cells": [n, 4] of head, row, col, value}, or
/// {"whole": matrix, "holes": [n, 3], "cells"}. What golden states do not have (precision, decimals, printed
/// facts, notes, stated widths) is not written.
Json stateToJson(const Experiment &experiment, JsonForm form = JsonForm::Golden);

enum class StateCheck
{
    Shapes, ///< every matrix must have the shape that the others ask for: "state.Wq: expected 6 rows, found
            ///< 5"
    None,   ///< an experiment may contradict itself, as it may while somebody edits it
};
/// Reads either form. files: opens those in which a document left its matrices.
Result<Experiment> experimentFromState(const Json &state, StateCheck check = StateCheck::Shapes,
                                       ReferencedFiles *files = nullptr);

/// The computed and derived stages that have values, by name, in golden shapes. `bias` only when it is not
/// all 0, `A_soft` only when A has pinned cells and is not given.
Json stagesToJson(const Snapshot &snapshot);
/// Golden keys; an empty object when A is not available.
Json metricsToJson(const Snapshot &snapshot);
/// {per_head, per_head_mapped, per_token}; an empty object when A or V is not available.
Json footprintsToJson(const SnapshotPtr &snapshot);
/// How many numbers footprintsToJson would write.
Index footprintNumbers(const Snapshot &snapshot);

/// One edit of a golden `edits` file (op, matrix, row, col, value ...) and back; also the journal's form.
Result<Edit> editFromJson(const Json &json, const Experiment &before);
Json editToJson(const Edit &edit);

} // namespace attn
