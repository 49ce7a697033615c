#pragma once

#include "render/Scene.h"
#include "render/painting/MapHighlight.h"

class QPainter;

namespace attn {

/// Which labels along an axis are drawn, and how large: all when there is room, else every `step`-th, each at
/// its own row or column.
struct LabelLayout
{
    Index step = 1;
    int pixelSize = 12; ///< scene units; 0 = none
};

/// pitch: distance of two rows in scene units; zoom: scene to device-independent pixels.
LabelLayout labelLayout(double pitch, int wantedSize, double zoom);

/// Whether column labels run along their columns' width; else they are turned to read upwards.
bool columnLabelsLieFlat(const SceneMap &map, const QFont &font, TextCache *texts = nullptr);

/// Row labels left of a map, column labels above it, those of the selection in the accent.
void paintLabels(QPainter &painter, const SceneMap &map, const ScenePaintOptions &options,
                 const MapHighlight &highlight, const QRectF &exposed);

} // namespace attn
