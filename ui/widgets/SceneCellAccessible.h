#pragma once

#include "widgets/SceneTableAccessible.h"

namespace attn {

/// One cell of a map for screen readers: its name with labels and value, the value as text, its state.
class SceneCellAccessible : public QAccessibleInterface,
                            public QAccessibleTableCellInterface,
                            public QAccessibleValueInterface,
                            public QAccessibleActionInterface
{
public:
    /// `cell` counts from the map's first cell.
    SceneCellAccessible(SceneTableAccessible *table, GridPosition cell);

    GridPosition cell() const { return m_cell; }

    bool isValid() const override;
    QObject *object() const override { return nullptr; }
    QWindow *window() const override { return m_table->window(); }
    QAccessibleInterface *parent() const override { return m_table; }
    QAccessibleInterface *child(int) const override { return nullptr; }
    QAccessibleInterface *childAt(int, int) const override { return nullptr; }
    int childCount() const override { return 0; }
    int indexOfChild(const QAccessibleInterface *) const override { return -1; }
    QString text(QAccessible::Text text) const override;
    void setText(QAccessible::Text text, const QString &value) override;
    QRect rect() const override { return m_table->screenRect(m_cell); }
    QAccessible::Role role() const override { return QAccessible::Cell; }
    QAccessible::State state() const override;
    void *interface_cast(QAccessible::InterfaceType type) override;

    bool isSelected() const override;
    QList<QAccessibleInterface *> columnHeaderCells() const override { return {}; }
    QList<QAccessibleInterface *> rowHeaderCells() const override { return {}; }
    int columnIndex() const override { return int(m_cell.col - m_table->windowStart().col); }
    int rowIndex() const override { return int(m_cell.row - m_table->windowStart().row); }
    int columnExtent() const override { return 1; }
    int rowExtent() const override { return 1; }
    QAccessibleInterface *table() const override { return m_table; }

    QVariant currentValue() const override;
    void setCurrentValue(const QVariant &value) override;
    QVariant maximumValue() const override { return {}; }
    QVariant minimumValue() const override { return {}; }
    QVariant minimumStepSize() const override { return {}; }

    QStringList actionNames() const override;
    void doAction(const QString &actionName) override;
    QStringList keyBindingsForAction(const QString &) const override { return {}; }

private:
    SceneTableAccessible *m_table; ///< owns this
    GridPosition m_cell;
};

} // namespace attn
