#include "widgets/SceneView.h"

#include "widgets/SceneAccessible.h"

#include <QKeyEvent>

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

bool isReachable(const SceneMap &map)
{
    return mapRows(map) > 0 && mapCols(map) > 0;
}

} // namespace

bool SceneView::event(QEvent *event)
{
    if (event->type() == QEvent::ShortcutOverride && (m_place || focusedShape()) && m_focusedControl < 0 &&
        !focusedGrip() && isPrintable(*static_cast<QKeyEvent *>(event))) {
        event->accept();
        return true;
    }
    if (event->type() == QEvent::LanguageChange || event->type() == QEvent::PaletteChange)
        viewport()->update();
    return SceneCanvas::event(event);
}

bool SceneView::focusNextPrevChild(bool next)
{
    const bool isElsewhere = !focusedShape() && (currentMap() || m_focusedControl >= 0 || focusedGrip());
    if (isElsewhere)
        return false; // Tab goes from cell to cell; Ctrl+Tab and F6 leave
    if (tabThroughShapes(next))
        return true;
    // A picture of controls alone: Tab goes to them.
    const auto own = scene();
    if (own && own->maps.empty() && own->grips.empty() && m_reachableShapes.empty() &&
        !own->controls.empty()) {
        focusControl(next ? 0 : int(own->controls.size()) - 1);
        return true;
    }
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
    if (travelByKey(*event))
        return;
    if (focusedGrip()           ? gripKey(*event)
        : m_focusedControl >= 0 ? pressControlKey(*event)
        : focusedShape()        ? walkShapes(*event)
                                : (moveByKey(*event) || paintByKey(*event) || editByKey(*event)))
        return;
    SceneCanvas::keyPressEvent(event);
}

/// From map to map, or through the picture with the selected cell left where it is.
bool SceneView::travelByKey(const QKeyEvent &event)
{
    const Qt::KeyboardModifiers modifiers = event.modifiers() & ~Qt::KeypadModifier;
    if (modifiers == Qt::AltModifier)
        return scrollByKey(event);
    const bool isPage = event.key() == Qt::Key_PageUp || event.key() == Qt::Key_PageDown;
    const bool isAll = modifiers == (Qt::ControlModifier | Qt::AltModifier);
    if (!isPage || (modifiers != Qt::ControlModifier && !isAll))
        return false;
    goToNeighbour(event.key() == Qt::Key_PageUp ? -1 : 1, isAll ? Stops::All : Stops::Main);
    return true;
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

/// Maps in their order, then controls, then grips, then the shapes, round and round. False: there are none.
bool SceneView::goToNeighbour(int step, Stops stops)
{
    if (!scene())
        return false;
    std::vector<const SceneMap *> maps;
    for (const SceneMap &map : scene()->maps)
        if (isReachable(map) && (!map.isPiece || stops == Stops::All || &map == currentMap()))
            maps.push_back(&map);
    const int beforeGrips = int(maps.size() + scene()->controls.size());
    const int beforeShapes = beforeGrips + int(scene()->grips.size());
    const int count = beforeShapes + (m_reachableShapes.empty() ? 0 : 1);
    if (count == 0)
        return false;
    int at = step > 0 ? -1 : 0;
    if (focusedShape())
        at = beforeShapes;
    else if (focusedGrip())
        at = beforeGrips + gripIndex(m_focusedGrip);
    else if (m_focusedControl >= 0)
        at = int(maps.size()) + m_focusedControl;
    else if (const SceneMap *current = currentMap())
        at = int(std::ranges::find(maps, current) - maps.begin());
    at = (at + step + count) % count;
    if (at >= beforeShapes) {
        focusShape(reachableShape(0)->id);
        return true;
    }
    if (at >= beforeGrips) {
        focusGrip(at - beforeGrips);
        return true;
    }
    if (at >= int(maps.size())) {
        focusControl(at - int(maps.size()));
        return true;
    }
    const SceneMap &map = *maps[std::size_t(at)];
    ensureVisible(map.rect);
    const GridPosition start = m_place ? m_place->cell : GridPosition{};
    selectCell(map.key, movedInGrid(start, GridMove::None, mapRows(map), mapCols(map), 1));
    return true;
}

Index SceneView::rowsOfPage() const
{
    const SceneMap *map = currentMap();
    const double rowHeight = map->rect.height() / double(mapRows(*map)) * zoom();
    return Index(std::max(1.0, std::floor(viewport()->height() / std::max(rowHeight, 1e-6)) - 1.0));
}

bool SceneView::moveByKey(const QKeyEvent &event)
{
    const SceneMap *map = currentMap();
    const GridMove move = gridMoveOfKey(event.key(), event.modifiers());
    if (move == GridMove::None)
        return false;
    if (!map)
        return walkShapes(event) || scrollByKey(event) || goToNeighbour(1);
    if (walksInBlock(event.key())) {
        step(move);
        return true;
    }
    const bool extend = event.modifiers() & Qt::ShiftModifier;
    const GridPosition from = extend ? m_place->corner : m_place->cell;
    const MapKey key = map->key;
    selectCell(key, movedInGrid(from, move, mapRows(*map), mapCols(*map), rowsOfPage()), extend);
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

} // namespace attn
