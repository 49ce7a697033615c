#include "widgets/SceneView.h"

#include "widgets/SceneAccessible.h"

#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace attn {

namespace {

bool isPrintable(const QKeyEvent &event)
{
    if (event.modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier))
        return false;
    return !event.text().isEmpty() && event.text().at(0).isPrint() && !event.text().at(0).isSpace();
}

bool isModifierKey(int key)
{
    return key == Qt::Key_Shift || key == Qt::Key_Control || key == Qt::Key_Alt || key == Qt::Key_Meta ||
           key == Qt::Key_AltGr;
}

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
}

SceneView::~SceneView()
{
    m_scrub.disconnect(this);
    m_grip.disconnect(this);
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
    const auto [firstRow, lastRow] = std::minmax(m_place->cell.row, m_place->anchor.row);
    const auto [firstCol, lastCol] = std::minmax(m_place->cell.col, m_place->anchor.col);
    return MapBlock{m_place->map, firstRow, lastRow, firstCol, lastCol};
}

QString SceneView::nameOfCell(const SceneMap &map, GridPosition cell) const
{
    return m_namer ? m_namer(map, cell.row, cell.col) : cellName(map, cell.row, cell.col);
}

std::optional<SceneView::Place> SceneView::placeOf(const SceneHighlight &selection,
                                                   const CellIndex &anchor) const
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
    return Place{best->key, {at->first, at->second}, {from.first, from.second}};
}

void SceneView::setSelection(Stage stage, const CellIndex &cell, const CellIndex &anchor)
{
    SceneHighlight next = highlight();
    next.stage = stage;
    next.lab.clear();
    next.cell = cell;
    applySelection(next, anchor);
}

void SceneView::setSelection(const QString &lab, const CellIndex &cell, const CellIndex &anchor)
{
    SceneHighlight next = highlight();
    next.lab = lab;
    next.cell = cell;
    applySelection(next, anchor);
}

void SceneView::applySelection(SceneHighlight next, const CellIndex &anchor)
{
    const SceneHighlight before = highlight();
    next.active = true;
    std::tie(next.firstRow, next.lastRow) = std::minmax(next.cell.row, anchor.row);
    std::tie(next.firstCol, next.lastCol) = std::minmax(next.cell.col, anchor.col);
    setHighlight(next);
    const bool same = before.active && before.stage == next.stage && before.lab == next.lab &&
                      before.cell == next.cell && before.firstRow == next.firstRow &&
                      before.lastRow == next.lastRow && before.firstCol == next.firstCol &&
                      before.lastCol == next.lastCol;
    const bool hasOwnPlace = m_place && !isSelectable(m_place->map) && currentMap();
    if (!same || !hasOwnPlace)
        setPlace(placeOf(next, anchor));
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
    viewport()->update();
    if (!moved)
        return;
    closeEditor();
    m_scrub.finish();
    if (m_place) {
        m_focusedControl = -1;
        m_focusedGrip.clear();
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
    setPlace(Place{selected, cell, extends ? m_place->anchor : cell});
    emit cellSelected(selected, cell.row, cell.col, extends);
}

void SceneView::onSceneReplaced(const std::shared_ptr<const Scene> &before)
{
    if (m_place) {
        if (const SceneMap *map = currentMap()) {
            Place kept = *m_place;
            kept.cell = movedInGrid(kept.cell, GridMove::None, mapRows(*map), mapCols(*map), 1);
            kept.anchor = movedInGrid(kept.anchor, GridMove::None, mapRows(*map), mapCols(*map), 1);
            setPlace(kept);
        } else {
            setPlace(std::nullopt);
        }
    }
    if (!m_place && highlight().active)
        setPlace(placeOf(highlight(), highlight().cell));
    if (m_hovered && !findMap(m_hovered->map))
        leaveHover();
    m_pressedControl = -1;
    if (m_focusedControl >= 0 && (!scene() || m_focusedControl >= int(scene()->controls.size())))
        m_focusedControl = -1;
    if (gripIndex(m_focusedGrip) < 0) {
        m_focusedGrip.clear();
        m_grip.finish();
    }
    placeEditor();
    announceScene(*this, before);
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
    m_focusedGrip.clear();
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
    m_hovered = Place{key, cell, cell};
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
    return tr("%1 = %2").arg(nameOfCell(map, {hit->row, hit->col}), fullValueText(map, hit->row, hit->col));
}

bool SceneView::event(QEvent *event)
{
    if (event->type() == QEvent::ShortcutOverride && m_place && m_focusedControl < 0 && !focusedGrip() &&
        isPrintable(*static_cast<QKeyEvent *>(event))) {
        event->accept();
        return true;
    }
    if (event->type() == QEvent::LanguageChange || event->type() == QEvent::PaletteChange)
        viewport()->update();
    return SceneCanvas::event(event);
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

bool SceneView::focusNextPrevChild(bool next)
{
    if (currentMap() || m_focusedControl >= 0 || focusedGrip())
        return false; // Tab goes from cell to cell; Ctrl+Tab and F6 leave
    return SceneCanvas::focusNextPrevChild(next);
}

bool SceneView::leaveByKey(const QKeyEvent &event)
{
    const bool tab = event.key() == Qt::Key_Tab || event.key() == Qt::Key_Backtab;
    const bool leaves = (tab && (event.modifiers() & Qt::ControlModifier)) || event.key() == Qt::Key_F6;
    if (!leaves)
        return false;
    const bool back = event.key() == Qt::Key_Backtab || (event.modifiers() & Qt::ShiftModifier);
    if (m_editor && !m_editor->tryCommit(CellEditor::Leave::Stay))
        closeEditor();
    SceneCanvas::focusNextPrevChild(!back);
    return true;
}

void SceneView::keyPressEvent(QKeyEvent *event)
{
    event->accept();
    if (leaveByKey(*event) || m_editor)
        return;
    if (!isModifierKey(event->key()))
        m_scrub.finish();
    const bool page = event->key() == Qt::Key_PageUp || event->key() == Qt::Key_PageDown;
    if (page && event->modifiers() == Qt::ControlModifier) {
        goToNeighbour(event->key() == Qt::Key_PageUp ? -1 : 1);
        return;
    }
    if (focusedGrip()           ? gripKey(*event)
        : m_focusedControl >= 0 ? pressControlKey(*event)
                                : (moveByKey(*event) || editByKey(*event)))
        return;
    SceneCanvas::keyPressEvent(event);
}

bool SceneView::pressControlKey(const QKeyEvent &event)
{
    const int count = int(scene()->controls.size());
    const auto step = [this, count](int by) {
        focusControl((m_focusedControl + by + count) % count);
    };
    switch (event.key()) {
    case Qt::Key_Space:
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Select:
        pressControl(m_focusedControl);
        return true;
    case Qt::Key_Right:
    case Qt::Key_Down:
    case Qt::Key_Tab:
        step(1);
        return true;
    case Qt::Key_Left:
    case Qt::Key_Up:
    case Qt::Key_Backtab:
        step(-1);
        return true;
    case Qt::Key_Escape:
        m_focusedControl = -1;
        viewport()->update();
        announceCurrentCell(*this);
        return true;
    default:
        return false;
    }
}

/// Maps in their order, then controls, then grips, round and round.
void SceneView::goToNeighbour(int step)
{
    if (!scene())
        return;
    std::vector<const SceneMap *> maps;
    for (const SceneMap &map : scene()->maps)
        if (hasCells(map))
            maps.push_back(&map);
    const int beforeGrips = int(maps.size() + scene()->controls.size());
    const int count = beforeGrips + int(scene()->grips.size());
    if (count == 0)
        return;
    int at = step > 0 ? -1 : 0;
    if (focusedGrip())
        at = beforeGrips + gripIndex(m_focusedGrip);
    else if (m_focusedControl >= 0)
        at = int(maps.size()) + m_focusedControl;
    else if (const SceneMap *current = currentMap())
        at = int(std::ranges::find(maps, current) - maps.begin());
    at = (at + step + count) % count;
    if (at >= beforeGrips) {
        focusGrip(at - beforeGrips);
        return;
    }
    if (at >= int(maps.size())) {
        focusControl(at - int(maps.size()));
        return;
    }
    const SceneMap &map = *maps[std::size_t(at)];
    ensureVisible(map.rect);
    const GridPosition start = m_place ? m_place->cell : GridPosition{};
    selectCell(map.key, movedInGrid(start, GridMove::None, mapRows(map), mapCols(map), 1));
}

Index SceneView::rowsOfPage() const
{
    const SceneMap *map = currentMap();
    const double rowHeight = map->rect.height() / double(mapRows(*map)) * zoom();
    return Index(std::max(1.0, std::floor(viewport()->height() / std::max(rowHeight, 1e-6)) - 1.0));
}

bool SceneView::moveByKey(const QKeyEvent &event)
{
    const GridMove move = gridMoveOfKey(event.key(), event.modifiers());
    if (move == GridMove::None)
        return false;
    const SceneMap *map = currentMap();
    if (!map) {
        goToNeighbour(1);
        return true;
    }
    const bool extend = (event.modifiers() & Qt::ShiftModifier) && shiftExtends(event.key());
    const MapKey key = map->key;
    selectCell(key, movedInGrid(m_place->cell, move, mapRows(*map), mapCols(*map), rowsOfPage()), extend);
    return true;
}

bool SceneView::editByKey(const QKeyEvent &event)
{
    const SceneMap *map = currentMap();
    if (!map)
        return false;
    const MapBlock block = *currentBlock();
    if (event.matches(QKeySequence::Copy)) {
        emit copyRequested(block);
    } else if (event.matches(QKeySequence::Paste)) {
        if (!refuseReadOnly())
            emit pasteRequested(block);
    } else if (event.matches(QKeySequence::SelectAll)) {
        const MapKey key = map->key;
        const GridPosition last{mapRows(*map) - 1, mapCols(*map) - 1};
        selectCell(key, {0, 0});
        selectCell(key, last, true);
    } else if (event.key() == Qt::Key_F2) {
        editCurrentCell();
    } else if (event.key() == Qt::Key_Delete || event.key() == Qt::Key_Backspace) {
        if (!refuseReadOnly())
            emit deleteRequested(block);
    } else if (isPrintable(event)) {
        openEditor(CellEditor::Opening::Typing, event.text());
    } else {
        return false;
    }
    return true;
}

void SceneView::focusInEvent(QFocusEvent *event)
{
    SceneCanvas::focusInEvent(event);
    viewport()->update();
    // Qt tells of the whole widget's focus after this event; the cell's must come last.
    const auto announce = [this] {
        if (hasFocus())
            announceCurrentCell(*this);
    };
    QMetaObject::invokeMethod(this, announce, Qt::QueuedConnection);
}

void SceneView::focusOutEvent(QFocusEvent *event)
{
    m_scrub.finish();
    m_grip.finish();
    SceneCanvas::focusOutEvent(event);
}

void SceneView::paintOverlay(QPainter &painter)
{
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
