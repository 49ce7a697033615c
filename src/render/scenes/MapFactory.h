#pragma once

#include "render/SceneBuilders.h"
#include "render/scenes/AxisLabelCache.h"

#include <QStringList>

#include <map>
#include <memory>

namespace attn {

/// Makes the maps of one scene: the values, labels, colours, range and pins of a stage's heads. Labels and
/// colour maps are shared between the maps of the scene. Never reads cells.
class MapFactory
{
public:
    MapFactory(SnapshotPtr snapshot, const DisplayOptions &display);

    const SnapshotPtr &snapshotPtr() const { return m_snapshot; }
    const Snapshot &snapshot() const { return *m_snapshot; }
    const Experiment &experiment() const { return m_snapshot->experiment(); }
    const StageState &state(Stage stage) const { return m_snapshot->stage(stage); }
    const DisplayOptions &display() const { return m_display; }
    const Theme &theme() const { return m_theme; }

    /// One head of a stage that has values, drawn in `rect`. Label room and colour bar are left at zero.
    SceneMap stageMap(Stage stage, Index head, const QRectF &rect) const;
    /// Other values with the colours of a signed or unsigned quantity; read-only, without labels.
    SceneMap valuesMap(const MapKey &key, StageValuesPtr values, const QRectF &rect,
                       const ValueRange &range) const;

    /// The ends of the colour scale of one head under the display options.
    ValueRange range(Stage stage, Index head) const;
    bool hasFixedRange(Stage stage) const;
    /// Whether every head of this stage has a scale of its own.
    bool hasRangePerHead(Stage stage) const;
    /// For the legend: "shared by 8 heads", "per head", "fixed"; empty for one head with an automatic range.
    QString rangeNote(Stage stage) const;

    const QStringList &rowLabels(Stage stage) const;
    const QStringList &colLabels(Stage stage) const;
    /// In place of a list that would be long, which is then empty; else none.
    std::function<QString(Index)> labelSource(Stage stage, bool rows) const;
    /// Room for the widest label in scene units, at most 96; 0 without labels.
    double rowLabelWidth(Stage stage) const;
    double colLabelWidth(Stage stage) const;

    std::shared_ptr<const ColorMap> colorMap(ColorMap::Kind kind) const;
    /// Accessible name: "A, head 1", "X".
    QString mapName(Stage stage, Index head) const;

private:
    const DisplayOptions::Range &rangeOptions(Stage stage) const;
    const AxisLabels &axisLabels(Stage stage, bool rows) const;
    AxisLabels newAxisLabels(Stage stage, bool rows, Index count) const;
    double labelWidth(const QStringList &labels) const;

    SnapshotPtr m_snapshot;
    DisplayOptions m_display;
    Theme m_theme;
    std::shared_ptr<const ColorMap> m_sequential;
    std::shared_ptr<const ColorMap> m_diverging;
    mutable std::map<std::pair<Axis, Index>, AxisLabels> m_labels;
    mutable std::map<Stage, ValueRange> m_sharedRanges;
};

/// Lets the keys be marked that the mask of this snapshot hides, in a map of weights of one head that were
/// computed under it: of the stage, or drawn from it. Any other map is left as it is.
void markMasked(SceneMap &map, const Snapshot &snapshot, Stage weights, Index head);

/// Whether cell (row, col) of the map with this key is pinned, as a function that outlives the factory; empty
/// when nothing of the stage is.
std::function<bool(Index, Index)> pinTest(const SnapshotPtr &snapshot, const MapKey &key);

/// Whether a cell of a map is a printed number that its inputs do not give; empty when none is.
std::function<bool(Index, Index)> contradictionTest(const std::shared_ptr<const Audit> &audit,
                                                    const MapKey &key);

} // namespace attn
