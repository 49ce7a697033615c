#include "widgets/SceneCellAccessible.h"

#include "base/NumberText.h"

namespace attn {

SceneCellAccessible::SceneCellAccessible(SceneTableAccessible *table, GridPosition cell)
    : m_table(table)
    , m_cell(cell)
{
}

bool SceneCellAccessible::isValid() const
{
    const SceneMap *map = m_table->map();
    return map && m_cell.row < mapRows(*map) && m_cell.col < mapCols(*map);
}

QString SceneCellAccessible::text(QAccessible::Text text) const
{
    if (!isValid())
        return {};
    const SceneMap &map = *m_table->map();
    switch (text) {
    case QAccessible::Name:
        if (map.isCode)
            return m_table->view()->nameOfCell(map, m_cell);
        return QStringLiteral("%1, %2").arg(m_table->view()->nameOfCell(map, m_cell),
                                            shownValueText(map, m_cell.row, m_cell.col));
    case QAccessible::Value:
        return map.isCode ? QString() : fullValueText(map, m_cell.row, m_cell.col);
    case QAccessible::Description:
        if (map.isContradicted && map.isContradicted(m_cell.row, m_cell.col))
            return SceneView::tr("Set by hand; its inputs give another number");
        return map.isPinned && map.isPinned(m_cell.row, m_cell.col) ? SceneView::tr("Set by hand")
                                                                    : QString();
    default:
        return {};
    }
}

void SceneCellAccessible::setText(QAccessible::Text text, const QString &value)
{
    if (text == QAccessible::Value)
        setCurrentValue(value);
}

bool SceneCellAccessible::isSelected() const
{
    const auto block = m_table->view() ? m_table->view()->currentBlock() : std::nullopt;
    return block && block->map == m_table->key() && block->contains(m_cell.row, m_cell.col);
}

QAccessible::State SceneCellAccessible::state() const
{
    QAccessible::State state;
    if (!isValid()) {
        state.invalid = true;
        return state;
    }
    const SceneView &view = *m_table->view();
    const bool readOnly = m_table->map()->readOnly;
    const bool isCurrent = view.currentMap() == m_table->map() && view.currentCell() == m_cell;
    state.focusable = true;
    state.selectable = true;
    state.selected = isSelected();
    state.focused = isCurrent && view.hasFocus() && view.focusedControl() < 0;
    state.readOnly = readOnly;
    state.editable = !readOnly;
    state.offscreen = !view.viewport()->rect().intersects(
        view.fromScene(cellRect(*m_table->map(), m_cell.row, m_cell.col)).toAlignedRect());
    state.invisible = !view.isVisible();
    return state;
}

void *SceneCellAccessible::interface_cast(QAccessible::InterfaceType type)
{
    switch (type) {
    case QAccessible::TableCellInterface:
        return static_cast<QAccessibleTableCellInterface *>(this);
    case QAccessible::ValueInterface:
        return static_cast<QAccessibleValueInterface *>(this);
    case QAccessible::ActionInterface:
        return static_cast<QAccessibleActionInterface *>(this);
    default:
        return nullptr;
    }
}

QVariant SceneCellAccessible::currentValue() const
{
    if (!isValid())
        return {};
    const SceneMap &map = *m_table->map();
    return map.values->value(map.head, m_cell.row, m_cell.col);
}

void SceneCellAccessible::setCurrentValue(const QVariant &value)
{
    if (!isValid())
        return;
    const std::optional<double> number = value.typeId() == QMetaType::QString
                                             ? parseNumber(value.toString().toStdString())
                                             : std::optional(value.toDouble());
    if (number)
        m_table->view()->writeCell(m_table->key(), m_cell, *number);
}

QStringList SceneCellAccessible::actionNames() const
{
    QStringList names{setFocusAction()};
    if (isValid() && !m_table->map()->readOnly)
        names.append(pressAction());
    return names;
}

void SceneCellAccessible::doAction(const QString &actionName)
{
    if (!isValid())
        return;
    SceneView *view = m_table->view();
    view->setFocus();
    view->selectCell(m_table->key(), m_cell);
    if (actionName == pressAction())
        view->editCurrentCell();
}

} // namespace attn
