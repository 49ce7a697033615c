#pragma once

#include "widgets/SceneView.h"

#include <QAccessible>
#include <QHash>

namespace attn {

/// One map as a table for screen readers: at most 4096 x 4096 cells, around the current cell when the map is
/// larger. Row and column numbers count from the window's first cell.
class SceneTableAccessible : public QAccessibleInterface, public QAccessibleTableInterface
{
public:
    SceneTableAccessible(SceneView *view, const MapKey &key);
    ~SceneTableAccessible() override;

    const MapKey &key() const { return m_key; }
    SceneView *view() const { return m_view; }
    /// Null when the scene does not show the map any more.
    const SceneMap *map() const { return m_view ? m_view->findMap(m_key) : nullptr; }
    GridPosition windowStart() const { return m_start; }
    /// Drops cells when the map's size or the window changed. Returns whether it did.
    bool update();
    QAccessibleInterface *cellOf(GridPosition mapCell);
    QRect screenRect(GridPosition mapCell) const;

    bool isValid() const override { return map() != nullptr; }
    QObject *object() const override { return nullptr; }
    QWindow *window() const override;
    QAccessibleInterface *parent() const override;
    QAccessibleInterface *child(int index) const override;
    QAccessibleInterface *childAt(int x, int y) const override;
    int childCount() const override;
    int indexOfChild(const QAccessibleInterface *child) const override;
    QAccessibleInterface *focusChild() const override;
    QString text(QAccessible::Text text) const override;
    void setText(QAccessible::Text, const QString &) override {}
    QRect rect() const override;
    QAccessible::Role role() const override { return QAccessible::Table; }
    QAccessible::State state() const override;
    void *interface_cast(QAccessible::InterfaceType type) override;

    QAccessibleInterface *caption() const override { return nullptr; }
    QAccessibleInterface *summary() const override { return nullptr; }
    QAccessibleInterface *cellAt(int row, int column) const override;
    int selectedCellCount() const override;
    QList<QAccessibleInterface *> selectedCells() const override;
    QString columnDescription(int column) const override;
    QString rowDescription(int row) const override;
    int selectedColumnCount() const override { return int(selectedColumns().size()); }
    int selectedRowCount() const override { return int(selectedRows().size()); }
    int columnCount() const override;
    int rowCount() const override;
    QList<int> selectedColumns() const override;
    QList<int> selectedRows() const override;
    bool isColumnSelected(int column) const override;
    bool isRowSelected(int row) const override;
    bool selectRow(int row) override;
    bool selectColumn(int column) override;
    bool unselectRow(int) override { return false; }
    bool unselectColumn(int) override { return false; }
    void modelChange(QAccessibleTableModelChangeEvent *event) override;

private:
    /// The selected block cut to the window, as table rows and columns; empty when nothing of it is here.
    std::optional<MapBlock> selectedBlock() const;
    void dropCells();

    QPointer<SceneView> m_view;
    MapKey m_key;
    GridPosition m_start;
    int m_rows = 0;
    int m_cols = 0;
    mutable QHash<int, QAccessible::Id> m_cells; ///< by row * m_cols + column
};

} // namespace attn
