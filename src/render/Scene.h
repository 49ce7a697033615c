#pragma once

#include "engine/Stage.h"
#include "engine/StageValues.h"
#include "render/ColorMap.h"
#include "render/SceneShape.h"
#include "render/Theme.h"
#include "render/ValueRange.h"

#include <QPolygonF>
#include <QRectF>
#include <QString>
#include <QStringList>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

class QPainter;

namespace attn {

class HeatmapCache;
struct SceneChanges; ///< render/cells/ChangeMarks.h
class PooledMaps;
class TextCache;     ///< render/painting/TextCache.h
class RestingShapes; ///< render/painting/RestingShapes.h

/// What a picture shows, as plain values: maps of numbers, texts, lines and clickable places, with their
/// rectangles in scene units (1 unit = 1 device-independent pixel at 100 %). Workspaces build scenes; one
/// painter draws them on screen, in PNG, SVG and PDF and on the command line; one widget shows, zooms and
/// edits them.

/// Says what a map of a scene shows, so that selection, editing and accessibility find the numbers again.
struct MapKey
{
    enum class Role
    {
        Stage,           ///< one head of a stage
        FootprintLayer,  ///< one token's layer: read-only
        FootprintColumn, ///< A_i[:, t]: cells are those of A
        FootprintRow,    ///< v_t: cells are those of V
        FootprintSum,
        Derived, ///< follows from stages: read-only, named by `id`
        Lab,     ///< cells of the document's scratch matrix named by `id`: editable like a stage
    };

    Role role = Role::Stage;
    Stage stage = Stage::X; ///< whose cells these are (A and V for footprint factors)
    Index head = 0;         ///< head of `stage`
    Index token = -1;       ///< for footprints
    Index rowOffset = 0;    ///< cell (i, j) of the map is cell (i + rowOffset, j + colOffset) of the stage
    Index colOffset = 0;
    bool transposed = false; ///< cell (i, j) of the map is cell (j + rowOffset, i + colOffset) of the stage
    QString id;              ///< Derived: unique in the scene, "outer:2"; Lab: the matrix

    static MapKey derived(const QString &id)
    {
        MapKey key;
        key.role = Role::Derived;
        key.id = id;
        return key;
    }
    static MapKey lab(const QString &name)
    {
        MapKey key;
        key.role = Role::Lab;
        key.id = name;
        return key;
    }

    bool operator==(const MapKey &) const = default;
};

/// Cells of a map that are marked whatever is selected: what a linked view points at. Never in the accent
/// colour, which is the selection's alone.
struct MapEmphasis
{
    enum class Style
    {
        Framed, ///< a frame in the colour of text
        Soft,   ///< a thin line around the block
        Veiled, ///< fades: what takes no part
    };

    Index firstRow = 0;
    Index lastRow = 0;
    Index firstCol = 0;
    Index lastCol = 0;
    Style style = Style::Framed;

    bool operator==(const MapEmphasis &) const = default;
};

/// One matrix drawn as a heatmap.
struct SceneMap
{
    MapKey key;
    QString name; ///< accessible name: "A, head 1"
    StageValuesPtr values;
    Index head = 0; ///< head of `values` to draw
    StageValuesPtr
        allowed; ///< of the same shape per head; where 0, the cell is marked as masked; may be null
    Index allowedHead = 0;
    std::uint64_t version = 0; ///< of the numbers: differs when they do
    std::uint64_t allowedVersion = 0;
    QRectF rect;           ///< the cells: rows from the top, columns from the left
    QStringList rowLabels; ///< raw text, one per row, or empty: not drawn
    QStringList colLabels;
    std::function<QString(Index)> rowLabelAt; ///< in place of the lists where those would be long
    std::function<QString(Index)> colLabelAt;
    double rowLabelWidth = 0.0;  ///< room left of rect
    double colLabelHeight = 0.0; ///< room above rect
    ValueRange range;
    std::shared_ptr<const ColorMap> colorMap;
    QString rangeNote; ///< on the legend: "shared by 8 heads", "per head"
    QRectF colorBar;   ///< the bar alone, null rect: none; numbers and note need 24 units below a wide bar,
                       ///< 48 units right of a tall one
    Pooling pooling = Pooling::Max;
    bool showNumbers = true; ///< when cells are large enough
    int decimals = 2;
    bool readOnly = false;
    bool isPiece = false; ///< one of many like it: the way from map to map passes it over
    bool isCode = false;  ///< its numbers stand for something that the name of a cell says in words
    std::function<bool(Index row, Index col)> isPinned;       ///< over map cells; empty: nothing pinned
    std::function<bool(Index row, Index col)> isContradicted; ///< a printed number that its inputs do not
                                                              ///< give; empty: none
    bool isUpdating = false;                                  ///< drawn as not yet exact
    std::vector<MapEmphasis> emphasis;                        ///< in order, under the selection
};

struct SceneText
{
    enum class Style
    {
        Title,   ///< a stage's symbol: markup of render/MathText.h ("W^{Q}")
        Heading, ///< of a group or workspace
        Label,
        Muted, ///< shapes, captions, metrics
        Badge, ///< given, computed, pinned
        Warning,
        Formula, ///< small and muted, markup as in Title: on arrows and beside vanishing axes
    };

    QRectF rect;
    QString text;
    Style style = Style::Label;
    Qt::Alignment alignment = Qt::AlignLeft | Qt::AlignVCenter;
    bool isHint =
        false; ///< says what to press, drag or type: drawn with the controls only, never in a figure
    bool continues = false; ///< a further line of the sentence before it
    bool hasGround = false; ///< on the colour of cards, so that lines below leave it legible
};

struct SceneLine
{
    QPolygonF points;
    bool arrow = false; ///< head at the last point
    int ticks = 0;      ///< an axis that vanishes in a product: so many short strokes across the middle of
                        ///< the line, the same number on both sides of the product
    bool emphasised = false;
    double width = 0.0; ///< a bar of this thickness; 0 = a thin line
};

/// A rectangle with a ground: card, group.
struct SceneBox
{
    QRectF rect;
    bool filled = true;
    bool dashed = false;
    bool isHint = false; ///< holds controls and hints alone: drawn with the controls only
};

/// A place that can be clicked or reached by keyboard; drawn on screen only.
struct SceneControl
{
    QString id; ///< "head:3", "solo:2", "mute:2", "page:next"
    QRectF rect;
    QString text;
    QString name; ///< accessible name and tip; empty = text
    bool checkable = false;
    bool checked = false;
    bool enabled = true;
};

struct Scene
{
    QSizeF size;
    std::vector<SceneBox> boxes;
    std::vector<SceneLine> lines;
    std::vector<SceneShape> shapes;
    std::size_t resting = 0;     ///< so many of the first shapes stay while others come and go
    double restingOpacity = 1.0; ///< these as a whole: less than 1 when they stand back
    std::vector<SceneMap> maps;
    std::vector<SceneText> texts;
    std::vector<SceneControl> controls;
    std::vector<SceneGrip> grips;
};

/// A cell of a map of the scene.
struct SceneHit
{
    std::size_t map = 0; ///< index in Scene::maps
    Index row = 0;
    Index col = 0;
};

std::optional<SceneHit> hitTest(const Scene &scene, QPointF point);
/// The topmost shape with an id at this point: inside its fill, or within `slack` of its line. Null: none.
const SceneShape *shapeAt(const Scene &scene, QPointF point, double slack = 3.0);
/// Index in Scene::grips of the topmost grip within `slack` of this point; -1: none.
int gripAt(const Scene &scene, QPointF point, double slack = 4.0);
/// The rectangle of one cell in scene units.
QRectF cellRect(const SceneMap &map, Index row, Index col);

/// The raw label of a row or column; nothing when the map has none for it.
std::optional<QString> rowLabelOf(const SceneMap &map, Index row);
std::optional<QString> colLabelOf(const SceneMap &map, Index col);

/// The selection as it is drawn: block and cross-hair in the selected stage, the token's row and column
/// elsewhere.
struct SceneHighlight
{
    bool active = false;
    Stage stage = Stage::X;
    QString lab; ///< not empty: the block lies in this scratch matrix and `stage` means nothing
    CellIndex cell;
    Index firstRow = 0, lastRow = 0, firstCol = 0, lastCol = 0;
    bool crossHair = true;
    bool isElsewhere = false; ///< the cursor is at a number that is no cell of a stage: marked quietly
};

struct ScenePaintOptions
{
    Theme theme = Theme::light();
    double zoom = 1.0; ///< scene to device-independent pixels; decides what fits, not the transform
    bool drawControls = false;
    bool showLabels = true;
    bool showValues = true;
    bool showColorBars = true;
    SceneHighlight highlight;
    QRectF window; ///< what of the scene is on screen: labels of a map stay inside; empty = all of it
    bool vectorCells = false; ///< SVG and PDF: one rectangle per cell up to 64x64 a map
    bool fullLabels = false;  ///< exports: labels without room are set smaller instead of being shortened
    std::shared_ptr<const SceneChanges> changes; ///< marked for a moment after an edit; null = none
    double changeFade = 0.0;                     ///< 1 = just changed, 0 = not marked any more
    HeatmapCache *cache = nullptr;               ///< keeps images between paints; null = made anew
    RestingShapes *resting = nullptr;            ///< keeps their picture; null = drawn anew
    PooledMaps *pooled = nullptr;     ///< reads large maps without waiting for all of them; null = waits
    std::uint64_t pooledRevision = 0; ///< what is newer there is not asked for
    TextCache *texts = nullptr;       ///< keeps shaped texts between paints of pixels; null = shaped anew
};

/// What maps cover, as far as it is much, in whole units of what `fromScene` maps to. Nobody sees what is
/// painted there before them, and to fill it would take as long as the maps.
QRegion hiddenByMaps(const Scene &scene, const ScenePaintOptions &options, const QTransform &fromScene);

/// Draws what meets `exposed` (scene units; empty = all). The painter's transform already maps scene to
/// device (scaling and moving only). The ground behind the scene is the caller's.
void paintScene(QPainter &painter, const Scene &scene, const ScenePaintOptions &options,
                const QRectF &exposed = {});

} // namespace attn
