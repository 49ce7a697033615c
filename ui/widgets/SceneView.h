#pragma once

#include "widgets/CellEditor.h"
#include "widgets/GridMove.h"
#include "widgets/GripGesture.h"
#include "widgets/PaintGesture.h"
#include "widgets/ProfileOverlay.h"
#include "widgets/SceneCanvas.h"
#include "widgets/SceneCells.h"
#include "widgets/SceneStatements.h"
#include "widgets/ScrubGesture.h"

#include <QPointer>

#include <functional>
#include <optional>

namespace attn {

/// A scene in which cells are selected, edited in place and scrubbed with the keys of a spreadsheet, controls
/// are pressed and grips dragged. It changes nothing: it emits what the user asks for.
///
/// All rows and columns are those of the map; stageCell() turns them into cells of its stage. The selection
/// lives outside and comes back by setSelection(). Screen readers see one table per map and one button per
/// control.
class SceneView : public SceneCanvas
{
    Q_OBJECT

public:
    /// Why a value is refused for cells of this map; empty when it is allowed.
    using ValueCheck = std::function<QString(const MapKey &map, double value)>;
    /// The name of a cell, for tool tips and screen readers, where the map's labels do not say enough.
    using CellNamer = std::function<QString(const SceneMap &map, Index row, Index col)>;

    explicit SceneView(QWidget *parent = nullptr);
    ~SceneView() override;

    void setValueCheck(ValueCheck check) { m_check = std::move(check); }
    void setCellNamer(CellNamer namer) { m_namer = std::move(namer); }
    /// Maps whose cells are painted: with a pressed button (left: the brush, right or with Ctrl: the other)
    /// or with Space, K and D. In all others cells are selected.
    using PaintTest = std::function<bool(const MapKey &map)>;
    void setPaintTest(PaintTest test);
    /// Strokes paint the rectangle between their ends, as they do with Shift and where cells are tiny.
    void setPaintsRectangles(bool rectangles) { m_paintsRectangles = rectangles; }
    /// Curves of the current cell's row and column along the edges of the window.
    void setProfilesShown(bool shown);
    /// Zooms until the current cell shows its number, and brings it into the window.
    void zoomToCell();

    /// The selection of all views: draws it, and makes the cell current where a map shows it. `lab`: of this
    /// scratch matrix instead of a stage. corner: of the block, opposite to the anchor; the cell when left
    /// out.
    void setSelection(const QString &lab, const CellIndex &cell, const CellIndex &anchor,
                      const std::optional<CellIndex> &corner = {});
    void setSelection(Stage stage, const CellIndex &cell, const CellIndex &anchor,
                      const std::optional<CellIndex> &corner = {});
    void clearSelection();

    /// The map with the current cell; null when there is none.
    const SceneMap *currentMap() const;
    GridPosition currentCell() const { return m_place ? m_place->cell : GridPosition{}; }
    /// The selected block of the current map.
    std::optional<MapBlock> currentBlock() const;
    /// Makes a cell current as if it had been clicked.
    void selectCell(const MapKey &map, GridPosition cell, bool extend = false);

    const SceneMap *findMap(const MapKey &key) const;
    QString nameOfCell(const SceneMap &map, GridPosition cell) const;
    /// Index in Scene::controls of the control with the keyboard focus; -1: the cells have it.
    int focusedControl() const { return m_focusedControl; }
    void pressControl(int index);
    /// The grip with the keyboard focus; null: none has it.
    const SceneGrip *focusedGrip() const;
    void focusGrip(int index);
    /// Shapes that are pointed at and reached by keyboard: those with an id and a name, each id once.
    int reachableShapeCount() const { return int(m_reachableShapes.size()); }
    const SceneShape *reachableShape(int index) const;
    int reachableIndex(const QString &id) const;
    /// What the scene says in words; for screen readers.
    const std::vector<SceneStatement> &statements() const;
    /// The shape with the keyboard focus; null: none has it.
    const SceneShape *focusedShape() const;
    /// Empty lets go.
    void focusShape(const QString &id);
    /// Writes a value to one cell as if it had been typed; false when it is refused.
    bool writeCell(const MapKey &map, GridPosition cell, double value);

    bool isEditing() const { return m_editor != nullptr; }
    /// Opens the editor on the current cell with its full value (F2).
    void editCurrentCell();
    /// A sentence at the current cell, for what can not be done there.
    void showReason(const QString &reason);

signals:
    void cellHovered(const attn::MapKey &map, attn::Index row, attn::Index col);
    void hoverLeft();
    /// extend: the block grows from its anchor to this cell; else the cell is the new block.
    void cellSelected(const attn::MapKey &map, attn::Index row, attn::Index col, bool extend);
    /// Return or Tab went to another cell of the selected block.
    void cellWalked(const attn::MapKey &map, attn::Index row, attn::Index col);
    void cellsEdited(const attn::MapBlock &block, double value);
    void deleteRequested(const attn::MapBlock &block);
    void copyRequested(const attn::MapBlock &block);
    void pasteRequested(const attn::MapBlock &block);
    /// One gesture is one undo step.
    void scrubbed(const attn::MapKey &map, attn::Index row, attn::Index col, double value,
                  attn::GesturePhase phase);
    /// Typing, deleting or scrubbing in a map that can not be edited.
    void readOnlyHit(const attn::MapKey &map);
    void controlActivated(const QString &id);
    /// A grip is dragged or moved by keys; one gesture is one undo step.
    void gripMoved(const QString &id, QPointF pos, attn::GesturePhase phase);
    /// A stroke went over these cells; its parts are one undo step.
    void painted(const attn::MapKey &map, const std::vector<attn::GridPosition> &cells, attn::PaintInk ink,
                 attn::GesturePhase phase);
    void blockPainted(const attn::MapBlock &block, attn::PaintInk ink);
    /// The pointer is over a shape with an id; empty: over none any more.
    void shapeHovered(const QString &id);
    /// Clicked, or Return on the one with the keyboard focus.
    void shapeClicked(const QString &id);
    /// Another shape has the keyboard focus; empty: none any more.
    void shapeFocused(const QString &id);
    /// A number is begun on the shape with the keyboard focus; empty: its own is to be edited (F2).
    void shapeTyped(const QString &id, const QString &text);
    /// The context menu of the current cell or, without one, of the scene.
    void contextMenuWanted(const QPoint &globalPos);

protected:
    bool event(QEvent *event) override;
    bool viewportEvent(QEvent *event) override;
    bool focusNextPrevChild(bool next) override;
    void keyPressEvent(QKeyEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    void paintOverlay(QPainter &painter) override;
    void onSceneReplaced(const std::shared_ptr<const Scene> &before) override;
    void onViewMoved() override;
    void showStart() override;

private:
    struct Place
    {
        MapKey map;
        GridPosition cell;
        GridPosition anchor;
        GridPosition corner;
    };

    void setPlace(std::optional<Place> place);
    std::optional<Place> placeOf(const SceneHighlight &selection, const CellIndex &anchor,
                                 const CellIndex &corner) const;
    void applySelection(SceneHighlight next, const CellIndex &anchor, const CellIndex &corner);
    int controlAt(QPointF scenePoint) const;
    void focusControl(int index);
    void hover(QPointF viewportPoint);
    void leaveHover();
    GridPosition nearestCell(const SceneMap &map, QPointF scenePoint) const;
    QString toolTipAt(QPointF scenePoint) const;
    Index rowsOfPage() const;

    bool leaveByKey(const QKeyEvent &event);
    bool pressControlKey(const QKeyEvent &event);
    bool moveByKey(const QKeyEvent &event);
    bool editByKey(const QKeyEvent &event);
    enum class Stops
    {
        Main,
        All, ///< the pieces of a picture as well
    };
    bool travelByKey(const QKeyEvent &event);
    bool goToNeighbour(int step, Stops stops = Stops::Main);

    // SceneViewGrips.cpp
    int gripIndex(const QString &id) const;
    bool pressGrip(QPointF scenePoint);
    bool gripKey(const QKeyEvent &event);
    void hoverShape(QPointF scenePoint);

    // SceneViewShapes.cpp
    void findReachableShapes();
    bool walkShapes(const QKeyEvent &event);
    bool tabThroughShapes(bool next);
    bool scrollByKey(const QKeyEvent &event);
    void paintShapeFocus(QPainter &painter);

    // SceneViewPainting.cpp
    bool isPaintable(const SceneMap &map) const;
    bool paintsRectangles(const SceneMap &map) const;
    bool beginPaint(const QMouseEvent &event, const SceneHit &hit);
    bool movePaint(const QMouseEvent &event);
    void endPaint();
    bool paintByKey(const QKeyEvent &event);

    // SceneViewEditing.cpp
    bool refuseReadOnly();
    void openEditor(CellEditor::Opening opening, const QString &typed);
    void placeEditor();
    void closeEditor();
    void onCommitRequested(CellEditor::Leave leave);
    /// A step of Return or Tab: inside the selected block, or through the map.
    void step(GridMove move);
    bool scrubByWheel(QWheelEvent &event);
    void onScrubbed(double value, GesturePhase phase);

    ValueCheck m_check;
    CellNamer m_namer;
    PaintTest m_isPaintable;
    ProfileOverlay *m_profiles = nullptr; ///< null: not shown
    std::optional<Place> m_place;
    std::optional<Place> m_hovered;
    QPointer<CellEditor> m_editor;
    ScrubGesture m_scrub;
    Place m_scrubPlace;
    GripGesture m_grip;
    PaintGesture m_paint;
    QPointF m_paintedFrom;                  ///< where the map of the stroke lay at its press, in the scene
    std::optional<PaintInk> m_rectangleInk; ///< of a rectangle that is being dragged
    QString m_focusedGrip;
    std::vector<std::size_t> m_reachableShapes;                      ///< indices in Scene::shapes
    mutable std::optional<std::vector<SceneStatement>> m_statements; ///< of this scene, once asked for
    QString m_focusedShape;
    QString m_hoveredShape;
    QString m_pressedShape;
    double m_wheelRest = 0.0;
    int m_focusedControl = -1;
    int m_pressedControl = -1;
    Index m_tabColumn = -1; ///< where tabbing began, to which Return goes back; -1: not tabbing
    bool m_dragging = false;
    bool m_paintsRectangles = false;
    bool m_isStepping = false;
    bool m_cameByKey = false; ///< the keyboard focus
};

} // namespace attn
