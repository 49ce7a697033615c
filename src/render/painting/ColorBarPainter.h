#pragma once

#include "render/Scene.h"
#include "render/cells/CellBlockReader.h"

class QPainter;

namespace attn {

/// Of numbers and note.
QFont legendFont(const Theme &theme);

/// A number of a legend: three significant places of the range, no trailing zeros, a real minus sign.
QString legendText(double value, const ValueRange &range);

/// What a legend says in words: the range note, the pooling, or that there is no data.
QString legendNote(const SceneMap &map, const PoolSize &pool);

/// The bar with the numbers at its ends (and middle), pointed where the range leaves values out, and the
/// note.
void paintColorBar(QPainter &painter, const SceneMap &map, const ScenePaintOptions &options,
                   const PoolSize &pool);

} // namespace attn
