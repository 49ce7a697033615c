#pragma once

#include "render/scenes/MapFactory.h"

namespace attn {

/// A head's weights times the length of v as a map beside that of A: same labels and mask marks, a range of
/// its own, read-only, with the id "taken:2".
SceneMap weightsAsTaken(const MapFactory &maps, const StageValuesPtr &taken, Index head, const QRectF &cells);

} // namespace attn
