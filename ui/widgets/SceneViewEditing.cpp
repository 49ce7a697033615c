#include "widgets/SceneView.h"

#include "widgets/SceneAccessible.h"

#include <QScopedValueRollback>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace attn {

namespace {

double scrubStepIn(const MapKey &map, double value)
{
    const bool yesOrNo = map.stage == Stage::MaskBool || map.stage == Stage::MaskPadding;
    return yesOrNo ? 1.0 : scrubStepOf(value);
}

} // namespace

bool SceneView::refuseReadOnly()
{
    const SceneMap *map = currentMap();
    if (!map || !map->readOnly)
        return false;
    emit readOnlyHit(MapKey(map->key));
    return true;
}

void SceneView::editCurrentCell()
{
    openEditor(CellEditor::Opening::Editing, {});
}

void SceneView::openEditor(CellEditor::Opening opening, const QString &typed)
{
    const SceneMap *map = currentMap();
    if (!map || refuseReadOnly())
        return;
    closeEditor();
    m_scrub.finish();
    ensureVisible(cellRect(*map, m_place->cell.row, m_place->cell.col));
    m_editor = new CellEditor(viewport());
    m_editor->setFont(theme().numberFont);
    m_editor->setAccessibleName(nameOfCell(*map, m_place->cell));
    m_editor->setCheck(
        [this, key = map->key](double value) { return m_check ? m_check(key, value) : QString(); });
    connect(m_editor, &CellEditor::commitRequested, this, &SceneView::onCommitRequested);
    connect(m_editor, &CellEditor::dropped, this, &SceneView::closeEditor);
    m_editor->begin(fullValueText(*map, m_place->cell.row, m_place->cell.col), opening, typed);
    placeEditor();
    connect(m_editor, &QLineEdit::textChanged, this, &SceneView::placeEditor);
    m_editor->show();
    m_editor->setFocus();
}

void SceneView::placeEditor()
{
    const SceneMap *map = currentMap();
    if (!m_editor || !map)
        return;
    const QRect cell = fromScene(cellRect(*map, m_place->cell.row, m_place->cell.col)).toAlignedRect();
    const QFontMetrics metrics(m_editor->font());
    // As wide as its text, so that the neighbours stay in sight; longer texts scroll inside of the map's
    // width.
    constexpr int margins = 14;
    constexpr int narrowest = 56;
    const int mapWidth = fromScene(map->rect).toAlignedRect().width();
    const int wanted = metrics.horizontalAdvance(m_editor->text()) + margins;
    QRect place(0, 0, std::clamp(wanted, std::max(cell.width(), narrowest), std::max(mapWidth, narrowest)),
                std::max(cell.height(), metrics.height() + 4));
    place.moveCenter(cell.center());
    place.moveLeft(std::clamp(place.left(), 0, std::max(0, viewport()->width() - place.width())));
    place.moveTop(std::clamp(place.top(), 0, std::max(0, viewport()->height() - place.height())));
    m_editor->setGeometry(place);
}

void SceneView::closeEditor()
{
    if (!m_editor)
        return;
    CellEditor *editor = m_editor;
    m_editor = nullptr;
    editor->disconnect(this);
    editor->showProblem({});
    if (editor->hasFocus())
        setFocus();
    editor->hide();
    editor->deleteLater();
}

void SceneView::onCommitRequested(CellEditor::Leave leave)
{
    MapBlock block = *currentBlock();
    const GridPosition cell = m_place->cell;
    if (leave != CellEditor::Leave::WholeSelection)
        block = {block.map, cell.row, cell.row, cell.col, cell.col};
    std::optional<double> value;
    if (m_editor->isChanged() || !block.isSingleCell())
        value = m_editor->number();
    closeEditor();
    if (value)
        emit cellsEdited(block, *value);
    if (const GridMove move = gridMoveOfLeave(leave); move != GridMove::None && m_place)
        step(move);
}

void SceneView::step(GridMove move)
{
    const SceneMap *map = currentMap();
    if (!map)
        return;
    const MapKey key = map->key;
    const MapBlock block = *currentBlock();
    if (!block.isSingleCell()) {
        Place next = *m_place;
        next.cell =
            steppedInBlock(next.cell, move, {block.firstRow, block.firstCol}, {block.lastRow, block.lastCol});
        setPlace(next);
        emit cellWalked(key, next.cell.row, next.cell.col);
        return;
    }
    const QScopedValueRollback stepping(m_isStepping, true);
    GridPosition to = movedInGrid(m_place->cell, move, mapRows(*map), mapCols(*map), 1);
    if (move == GridMove::Left || move == GridMove::Right) {
        m_tabColumn = m_tabColumn < 0 ? m_place->cell.col : m_tabColumn;
    } else {
        if (m_tabColumn >= 0 && m_tabColumn < mapCols(*map))
            to.col = m_tabColumn;
        m_tabColumn = -1;
    }
    selectCell(key, to);
}

bool SceneView::writeCell(const MapKey &key, GridPosition cell, double value)
{
    const SceneMap *map = findMap(key);
    if (!map || cell.row < 0 || cell.col < 0 || cell.row >= mapRows(*map) || cell.col >= mapCols(*map))
        return false;
    if (map->readOnly) {
        emit readOnlyHit(MapKey(map->key));
        return false;
    }
    if (m_check && !m_check(key, value).isEmpty())
        return false;
    emit cellsEdited(MapBlock{map->key, cell.row, cell.row, cell.col, cell.col}, value);
    return true;
}

void SceneView::showReason(const QString &reason)
{
    QRect place(viewport()->rect().center(), QSize(1, 1));
    if (const SceneMap *map = currentMap())
        place = fromScene(cellRect(*map, m_place->cell.row, m_place->cell.col)).toAlignedRect();
    // It speaks of this cell: it goes when the pointer or the cursor does.
    QToolTip::showText(viewport()->mapToGlobal(place.bottomLeft()), reason, viewport(), place);
}

bool SceneView::scrubByWheel(QWheelEvent &event)
{
    const SceneMap *map = currentMap();
    if (!map || m_editor)
        return false;
    const QRectF cell = cellRect(*map, m_place->cell.row, m_place->cell.col);
    if (!hasFocus() && !cell.contains(toScene(event.position())))
        return false;
    const double value = map->values->value(map->head, m_place->cell.row, m_place->cell.col);
    if (refuseReadOnly() || !std::isfinite(value))
        return true;
    const QPoint delta = event.angleDelta();
    m_wheelRest += double(delta.y() != 0 ? delta.y() : delta.x()) / 120.0;
    const double notches = std::trunc(m_wheelRest);
    m_wheelRest -= notches;
    if (!m_scrub.isActive()) {
        m_scrubPlace = *m_place;
        m_scrub.start(value, scrubStepIn(map->key, value));
    }
    const double steps = notches * (event.modifiers() & Qt::ControlModifier ? 10.0 : 1.0);
    const QString problem = m_check ? m_check(m_scrubPlace.map, m_scrub.valueAfter(steps)) : QString();
    if (problem.isEmpty())
        m_scrub.advance(steps);
    else
        showReason(problem);
    m_scrub.endAfterPause();
    return true;
}

void SceneView::onScrubbed(double value, GesturePhase phase)
{
    emit scrubbed(MapKey(m_scrubPlace.map), m_scrubPlace.cell.row, m_scrubPlace.cell.col, value, phase);
}

} // namespace attn
