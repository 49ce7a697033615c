#include "widgets/SceneView.h"

#include "widgets/SceneAccessible.h"

#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace attn {

namespace {

bool hasCells(const SceneMap &map)
{
    return mapRows(map) > 0 && mapCols(map) > 0;
}

} // namespace

SceneView::SceneView(QWidget *parent)
    : SceneCanvas(parent)
{
    installSceneAccessibility();
    connect(&m_scrub, &ScrubGesture::scrubbed, this, &SceneView::onScrubbed);
    connect(&m_grip, &GripGesture::moved, this, &SceneView::gripMoved);
    connect(&m_paint, &PaintGesture::painted, this, &SceneView::painted);
}

SceneView::~SceneView()
{
    m_scrub.disconnect(this);
    m_grip.disconnect(this);
    m_paint.disconnect(this);
}

const SceneMap *SceneView::findMap(const MapKey &key) const
{
    if (!scene())
        return nullptr;
    const auto found = std::ranges::find_if(
        scene()->maps, [&key](const SceneMap &map) { return map.key == key && hasCells(map); });
    return found == scene()->maps.end() ? nullptr : &*found;
}

const SceneMap *SceneView::currentMap() const
{
    return m_place ? findMap(m_place->map) : nullptr;
}

std::optional<MapBlock> SceneView::currentBlock() const
{
    if (!m_place)
        return std::nullopt;
    const auto [firstRow, lastRow] = std::minmax(m_place->corner.row, m_place->anchor.row);
    const auto [firstCol, lastCol] = std::minmax(m_place->corner.col, m_place->anchor.col);
    return MapBlock{m_place->map, firstRow, lastRow, firstCol, lastCol};
}

QString SceneView::nameOfCell(const SceneMap &map, GridPosition cell) const
{
    return m_namer ? m_namer(map, cell.row, cell.col) : cellName(map, cell.row, cell.col);
}

std::optional<SceneView::Place> SceneView::placeOf(const SceneHighlight &selection, const CellIndex &anchor,
                                                   const CellIndex &corner) const
{
    const auto shown = [&](const SceneMap &map, const CellIndex &cell) {
        return selection.lab.isEmpty() ? mapCellOf(map, selection.stage, cell)
                                       : mapCellOf(map, selection.lab, cell);
    };
    const SceneMap *best = nullptr;
    if (const SceneMap *current = currentMap(); current && shown(*current, selection.cell))
        best = current;
    if (scene())
        for (const SceneMap &map : scene()->maps)
            if ((!best || (best != currentMap() && best->key.role != MapKey::Role::Stage &&
                           map.key.role == MapKey::Role::Stage)) &&
                shown(map, selection.cell))
                best = &map;
    if (!best)
        return std::nullopt;
    const auto at = shown(*best, selection.cell);
    const auto from = shown(*best, anchor).value_or(*at);
    const auto to = shown(*best, corner).value_or(*at);
    return Place{best->key, {at->first, at->second}, {from.first, from.second}, {to.first, to.second}};
}

void SceneView::setSelection(Stage stage, const CellIndex &cell, const CellIndex &anchor,
                             const std::optional<CellIndex> &corner)
{
    SceneHighlight next = highlight();
    next.stage = stage;
    next.lab.clear();
    next.cell = cell;
    applySelection(next, anchor, corner.value_or(cell));
}

void SceneView::setSelection(const QString &lab, const CellIndex &cell, const CellIndex &anchor,
                             const std::optional<CellIndex> &corner)
{
    SceneHighlight next = highlight();
    next.lab = lab;
    next.cell = cell;
    applySelection(next, anchor, corner.value_or(cell));
}

void SceneView::applySelection(SceneHighlight next, const CellIndex &anchor, const CellIndex &corner)
{
    const SceneHighlight before = highlight();
    next.active = true;
    std::tie(next.firstRow, next.lastRow) = std::minmax(corner.row, anchor.row);
    std::tie(next.firstCol, next.lastCol) = std::minmax(corner.col, anchor.col);
    setHighlight(next);
    const bool same = before.active && before.stage == next.stage && before.lab == next.lab &&
                      before.cell == next.cell && before.firstRow == next.firstRow &&
                      before.lastRow == next.lastRow && before.firstCol == next.firstCol &&
                      before.lastCol == next.lastCol;
    const bool hasOwnPlace = m_place && !isSelectable(m_place->map) && currentMap();
    if (!same || !hasOwnPlace)
        setPlace(placeOf(next, anchor, corner));
}

void SceneView::clearSelection()
{
    SceneHighlight none;
    none.crossHair = highlight().crossHair;
    setHighlight(none);
    setPlace(std::nullopt);
}

void SceneView::setPlace(std::optional<Place> place)
{
    const bool moved = m_place.has_value() != place.has_value() ||
                       (place && (place->map != m_place->map || place->cell != m_place->cell));
    m_place = std::move(place);
    SceneHighlight marks = highlight();
    marks.isElsewhere = currentMap() && !isSelectable(m_place->map);
    setHighlight(marks);
    if (!moved)
        return;
    QToolTip::hideText();
    closeEditor();
    m_scrub.finish();
    if (!m_isStepping)
        m_tabColumn = -1;
    if (m_place) {
        m_focusedControl = -1;
        m_focusedGrip.clear();
        focusShape({});
    }
    if (const SceneMap *map = currentMap()) {
        if (!m_dragging || !isFitted())
            ensureVisible(cellRect(*map, m_place->cell.row, m_place->cell.col));
        announceCurrentCell(*this);
    }
}

void SceneView::selectCell(const MapKey &key, GridPosition cell, bool extend)
{
    const SceneMap *map = findMap(key);
    if (!map)
        return;
    cell = movedInGrid(cell, GridMove::None, mapRows(*map), mapCols(*map), 1);
    const bool extends = extend && m_place && m_place->map == key;
    const MapKey selected = map->key; // the scene may be replaced by whoever listens
    m_focusedControl = -1;
    m_focusedGrip.clear();
    setPlace(Place{selected, cell, extends ? m_place->anchor : cell, cell});
    emit cellSelected(selected, cell.row, cell.col, extends);
}

void SceneView::onSceneReplaced(const std::shared_ptr<const Scene> &before)
{
    if (m_place) {
        if (const SceneMap *map = currentMap()) {
            Place kept = *m_place;
            kept.cell = movedInGrid(kept.cell, GridMove::None, mapRows(*map), mapCols(*map), 1);
            kept.anchor = movedInGrid(kept.anchor, GridMove::None, mapRows(*map), mapCols(*map), 1);
            kept.corner = movedInGrid(kept.corner, GridMove::None, mapRows(*map), mapCols(*map), 1);
            setPlace(kept);
        } else {
            setPlace(std::nullopt);
        }
    }
    if (!m_place && highlight().active) {
        const bool isAtTop = fit() == Fit::Width && verticalScrollBar()->value() == 0;
        setPlace(placeOf(highlight(), highlight().cell, highlight().cell));
        // A picture that is read from its top and comes in parts stays there when the selected cell comes.
        if (isAtTop)
            verticalScrollBar()->setValue(0);
    }
    if (m_hovered && !findMap(m_hovered->map))
        leaveHover();
    m_pressedControl = -1;
    if (m_focusedControl >= 0 && (!scene() || m_focusedControl >= int(scene()->controls.size())))
        m_focusedControl = -1;
    findReachableShapes();
    m_statements.reset();
    if (!m_focusedShape.isEmpty() && !focusedShape())
        focusShape({});
    if (gripIndex(m_focusedGrip) < 0) {
        m_focusedGrip.clear();
        m_grip.finish();
    }
    placeEditor();
    announceScene(*this, before);
}

void SceneView::showStart()
{
    SceneCanvas::showStart();
    if (const SceneMap *map = currentMap())
        ensureVisible(cellRect(*map, m_place->cell.row, m_place->cell.col));
}

void SceneView::onViewMoved()
{
    placeEditor();
}

int SceneView::controlAt(QPointF scenePoint) const
{
    if (scene())
        for (std::size_t i = 0; i < scene()->controls.size(); ++i)
            if (scene()->controls[i].enabled && scene()->controls[i].rect.contains(scenePoint))
                return int(i);
    return -1;
}

void SceneView::focusControl(int index)
{
    closeEditor();
    m_scrub.finish();
    m_grip.finish();
    m_paint.finish();
    m_rectangleInk.reset();
    m_focusedGrip.clear();
    focusShape({});
    m_focusedControl = index;
    ensureVisible(scene()->controls[std::size_t(index)].rect);
    viewport()->update();
    announceFocusedControl(*this);
}

void SceneView::pressControl(int index)
{
    if (!scene() || index < 0 || index >= int(scene()->controls.size()))
        return;
    const SceneControl &control = scene()->controls[std::size_t(index)];
    if (control.enabled)
        emit controlActivated(QString(control.id)); // a copy: the scene may be replaced by whoever listens
}

GridPosition SceneView::nearestCell(const SceneMap &map, QPointF scenePoint) const
{
    const QSizeF cell(map.rect.width() / double(mapCols(map)), map.rect.height() / double(mapRows(map)));
    const GridPosition at{Index(std::floor((scenePoint.y() - map.rect.top()) / cell.height())),
                          Index(std::floor((scenePoint.x() - map.rect.left()) / cell.width()))};
    return movedInGrid(at, GridMove::None, mapRows(map), mapCols(map), 1);
}

void SceneView::hover(QPointF viewportPoint)
{
    const QPointF point = toScene(viewportPoint);
    hoverShape(point);
    if (!isSpaceHeld()) {
        const bool onGrip = scene() && gripAt(*scene(), point) >= 0;
        const bool presses = controlAt(point) >= 0 || !m_hoveredShape.isEmpty();
        viewport()->setCursor(onGrip    ? Qt::SizeAllCursor
                              : presses ? Qt::PointingHandCursor
                                        : Qt::ArrowCursor);
    }
    const auto hit = scene() ? hitTest(*scene(), point) : std::nullopt;
    if (!hit) {
        leaveHover();
        return;
    }
    const MapKey key = scene()->maps[hit->map].key;
    const GridPosition cell{hit->row, hit->col};
    if (m_hovered && m_hovered->map == key && m_hovered->cell == cell)
        return;
    m_hovered = Place{key, cell, cell, cell};
    emit cellHovered(key, cell.row, cell.col);
}

void SceneView::leaveHover()
{
    if (!m_hovered)
        return;
    m_hovered.reset();
    emit hoverLeft();
}

QString SceneView::toolTipAt(QPointF scenePoint) const
{
    if (const int control = controlAt(scenePoint); control >= 0)
        return scene()->controls[std::size_t(control)].name;
    if (const int grip = scene() ? gripAt(*scene(), scenePoint) : -1; grip >= 0) {
        const SceneGrip &shown = scene()->grips[std::size_t(grip)];
        return tr("%1 = %2").arg(shown.name, shown.value);
    }
    const auto hit = scene() ? hitTest(*scene(), scenePoint) : std::nullopt;
    if (!hit) {
        const SceneShape *shape = scene() ? shapeAt(*scene(), scenePoint) : nullptr;
        return shape ? shape->name : QString();
    }
    const SceneMap &map = scene()->maps[hit->map];
    const QString name = nameOfCell(map, {hit->row, hit->col});
    return map.isCode ? name : tr("%1 = %2").arg(name, tipValueText(map, hit->row, hit->col));
}

bool SceneView::viewportEvent(QEvent *event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto *help = static_cast<QHelpEvent *>(event);
        QToolTip::showText(help->globalPos(), toolTipAt(toScene(help->pos())), viewport());
        return true;
    }
    if (event->type() == QEvent::Leave) {
        leaveHover();
        hoverShape({-1e9, -1e9});
    }
    return SceneCanvas::viewportEvent(event);
}

void SceneView::showEvent(QShowEvent *event)
{
    SceneCanvas::showEvent(event);
    announceShown(*this);
}

void SceneView::hideEvent(QHideEvent *event)
{
    SceneCanvas::hideEvent(event);
    announceShown(*this);
}

void SceneView::focusInEvent(QFocusEvent *event)
{
    SceneCanvas::focusInEvent(event);
    m_cameByKey = event->reason() != Qt::MouseFocusReason && event->reason() != Qt::ActiveWindowFocusReason;
    viewport()->update();
    // Qt tells of the whole widget's focus after this event; the cell's must come last.
    const auto announce = [this] {
        if (!hasFocus())
            return;
        announceCurrentCell(*this);
        announceFocusedShape(*this);
    };
    QMetaObject::invokeMethod(this, announce, Qt::QueuedConnection);
}

void SceneView::focusOutEvent(QFocusEvent *event)
{
    m_scrub.finish();
    m_grip.finish();
    m_paint.finish();
    SceneCanvas::focusOutEvent(event);
}

void SceneView::paintOverlay(QPainter &painter)
{
    if (const SceneMap *map = currentMap(); map && m_profiles)
        m_profiles->paint(
            painter,
            {map, m_place->cell.row, m_place->cell.col, fromScene(map->rect), QRectF(viewport()->rect())},
            theme());
    paintShapeFocus(painter);
    if (focusedShape())
        return;
    QRectF frame;
    if (const SceneGrip *grip = focusedGrip(); grip && hasFocus()) {
        const double r = grip->radius;
        frame = fromScene({grip->pos.x() - r, grip->pos.y() - r, 2 * r, 2 * r}).adjusted(-3, -3, 3, 3);
    } else if (m_focusedControl >= 0 && hasFocus())
        frame = fromScene(scene()->controls[std::size_t(m_focusedControl)].rect).adjusted(-2, -2, 2, 2);
    else if (const SceneMap *map = currentMap(); map && (hasFocus() || !isSelectable(map->key)))
        frame = fromScene(cellRect(*map, m_place->cell.row, m_place->cell.col));
    if (frame.isNull())
        return;
    const QRectF whole = QRectF(frame.toAlignedRect()).adjusted(0, 0, -1, -1);
    painter.setRenderHint(QPainter::Antialiasing, false);
    if (whole.height() >= 28.0) { // a light line inside, where it leaves the number readable
        painter.setPen(QPen(theme().ground, 1.0));
        painter.drawRect(whole.adjusted(2, 2, -2, -2));
    }
    painter.setPen(QPen(theme().accent, 2.0));
    painter.drawRect(whole);
}

} // namespace attn
