#include "render/scenes/heads/TakenWeights.h"

#include <QCoreApplication>

namespace attn {

SceneMap weightsAsTaken(const MapFactory &maps, const StageValuesPtr &taken, Index head, const QRectF &cells)
{
    SceneMap map = maps.stageMap(Stage::A, head, cells);
    map.key = MapKey::derived(QStringLiteral("taken:%1").arg(head));
    map.name = QCoreApplication::translate("Scene", "Weight times length of v, head %1").arg(head + 1);
    map.values = taken;
    map.version = 0;
    map.range = automaticRange(taken->statistics(head), ColorMap::Kind::Sequential);
    map.rangeNote.clear();
    map.readOnly = true;
    map.isPinned = {};
    map.isContradicted = {};
    return map;
}

} // namespace attn
