#pragma once

#include "engine/Audit.h"
#include "engine/Footprints.h"
#include "engine/Metrics.h"
#include "engine/Snapshot.h"
#include "render/Scene.h"

#include <map>
#include <set>
#include <stop_token>
#include <vector>

namespace attn {

class AxisLabelCache; ///< render/scenes/AxisLabelCache.h

/// How the numbers are shown; the same for screen and export.
struct DisplayOptions
{
    enum class RangeMode
    {
        Shared,
        PerHead,
        Fixed,
    };
    struct Range
    {
        RangeMode mode = RangeMode::Shared;
        double minimum = 0.0;
        double maximum = 1.0;
    };

    int decimals = 2;
    QString sequentialMap = QStringLiteral("viridis");
    QString divergingMap = QStringLiteral("blue-orange");
    bool dark = false;
    Pooling pooling = Pooling::Max;
    std::map<Stage, Range> ranges;
    Range defaultRange;
    bool showLabels = true;    ///< room is left for labels at the edges of maps
    bool showColorBars = true; ///< and for the bars below them
    bool updating = false;     ///< the snapshot is behind the document
    std::shared_ptr<const Audit>
        audit; ///< of the document's printed numbers: marks those that differ; or null
    std::shared_ptr<AxisLabelCache> labels; ///< keeps labels from scene to scene; null = made anew
};

struct BoardOptions
{
    bool tileHeads = true; ///< all heads side by side, else `head` alone with a pager
    Index head = 0;
};

/// The whole pipeline: every stage a card, arrows with shapes, the vanishing axis marked.
Scene boardScene(const SnapshotPtr &snapshot, const DisplayOptions &display, const BoardOptions &board = {});

struct HeadsOptions
{
    Index focus = -1;                       ///< this head large; -1 = grid only
    double width = 1200.0;                  ///< the grid wraps here
    std::shared_ptr<const Metrics> metrics; ///< of this snapshot, to save their time; null = computed here
    QString withoutMetrics;   ///< not empty: the figures are not known; this stands in their place
    bool withLengths = false; ///< beside A what each weight takes along: A times the length of v
};

/// All heads in a grid with metrics, the focused head with head output and contribution.
Scene headsScene(const SnapshotPtr &snapshot, const DisplayOptions &display, const HeadsOptions &heads = {});

struct FootprintsOptions
{
    FootprintTarget target = FootprintTarget::Head;
    Index head = 0;
    std::vector<Index> order; ///< empty = token order
    std::set<Index> muted;
    Index solo = -1;        ///< token shown alone, -1 = none
    Index accumulated = -1; ///< first layers of the order that are summed; -1 = all
    Index row = 0;          ///< query row whose shares are printed
    double width = 1200.0;
};

/// One layer per token with its factors at the edges, their running sum, the residual, and the shares of one
/// row. Stopped: an empty scene.
Scene footprintsScene(const SnapshotPtr &snapshot, const DisplayOptions &display,
                      const FootprintsOptions &footprints = {}, const std::stop_token &stop = {});

struct StageSceneOptions
{
    std::vector<Index> heads; ///< empty = all
    QString title;
    double cellSize = 0.0; ///< 0 = chosen from the shape
};

/// One stage alone, all its heads or some.
Scene stageScene(const SnapshotPtr &snapshot, Stage stage, const DisplayOptions &display,
                 const StageSceneOptions &options = {});

/// A stage's symbol as math markup, whatever the experiment: "W^{Q}".
QString stageSymbol(Stage stage);

} // namespace attn
