#pragma once

#include "engine/Edit.h"
#include "engine/Experiment.h"
#include "engine/Snapshot.h"
#include "io/Json.h"

namespace attn {

/// The golden JSON form of tensors, states, stages and edits (README "Golden form"): {"shape": [..], "data":
/// [..]} with "dtype" "bool"/"int" where it is not float64, non-finite numbers as strings. A missing field is
/// its default.

Json tensorToJson(const Tensor &tensor);
/// biases and other 1-D arrays become one row. `where` names the field in errors: "state.Wq".
Result<Tensor> tensorFromJson(const Json &json, const std::string &where);

/// The complete state object, every field present, as golden/README "State" lists them.
Json stateToJson(const Experiment &experiment);
Result<Experiment> experimentFromState(const Json &state);

/// Every available stage of a snapshot by name, in golden shapes (vectors 1-D), plus metrics and footprints
/// ({per_head, per_head_mapped, per_token}; only when `withFootprints` or at most 1e6 numbers).
Json stagesToJson(const Snapshot &snapshot);
Json metricsToJson(const Snapshot &snapshot);
Json footprintsToJson(const SnapshotPtr &snapshot);
Index footprintNumbers(const Snapshot &snapshot);

/// One edit of a golden `edits` file (op, matrix, row, col, value ...) and back; also the journal's form.
Result<Edit> editFromJson(const Json &json, const Experiment &before);
Json editToJson(const Edit &edit);

} // namespace attn
