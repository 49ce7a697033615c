#pragma once

#include "engine/Stage.h"
#include "io/Import.h"

#include <QString>

#include <vector>

namespace attn {

/// The stages a tensor of a file can be taken for, in the order of the pipeline.
std::vector<Stage> importableStages();
/// "Wq: query weights".
QString importStageText(Stage stage);
/// "head", "row (token)", ...
QString axisRoleText(AxisRole role);
/// "model.npz"; of several files that were opened together "q.npy and 2 more".
QString importTitle(const TensorFile &file);
/// "8 × 16 × 16"; "one number" without axes.
QString fileShapeText(const std::vector<std::int64_t> &shape);

} // namespace attn
