#include "widgets/SceneTableAccessible.h"

#include "base/CheckedInt.h"
#include "render/LabelText.h"
#include "widgets/SceneCellAccessible.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace attn {

namespace {

constexpr Index tableWindow = 4096;

QList<int> numbersFrom(Index first, Index last)
{
    QList<int> numbers(qsizetype(last - first + 1));
    std::iota(numbers.begin(), numbers.end(), int(first));
    return numbers;
}

/// Clients take a strip as wide as a scroll bar along the right and lower edge of a table for its frame, and
/// aim at the middle of a cell (of a high one: near its top). Small cells get that strip as room, so that the
/// last ones can be aimed at; not where it would be as large as a cell.
int frameRoom(double cellExtent, double aim)
{
    constexpr double frame = 18.0;
    const double room = frame - (cellExtent - aim);
    return room > 0.0 && room < 0.8 * cellExtent ? int(std::ceil(room)) : 0;
}

} // namespace

SceneTableAccessible::SceneTableAccessible(SceneView *view, const MapKey &key)
    : m_view(view)
    , m_key(key)
{
    update();
}

SceneTableAccessible::~SceneTableAccessible()
{
    dropCells();
}

void SceneTableAccessible::dropCells()
{
    for (const QAccessible::Id id : std::as_const(m_cells))
        QAccessible::deleteAccessibleInterface(id);
    m_cells.clear();
}

bool SceneTableAccessible::update()
{
    const SceneMap *shown = map();
    if (!shown)
        return false;
    GridPosition start;
    if (m_view->currentMap() == shown) {
        start.row = m_view->currentCell().row / tableWindow * tableWindow;
        start.col = m_view->currentCell().col / tableWindow * tableWindow;
    }
    const int rows = int(std::min(mapRows(*shown) - start.row, tableWindow));
    const int cols = int(std::min(mapCols(*shown) - start.col, tableWindow));
    if (rows == m_rows && cols == m_cols && start == m_start)
        return false;
    dropCells();
    m_rows = rows;
    m_cols = cols;
    m_start = start;
    return true;
}

QWindow *SceneTableAccessible::window() const
{
    return m_view ? m_view->window()->windowHandle() : nullptr;
}

QAccessibleInterface *SceneTableAccessible::parent() const
{
    return m_view ? QAccessible::queryAccessibleInterface(m_view) : nullptr;
}

int SceneTableAccessible::rowCount() const
{
    return isValid() ? m_rows : 0;
}

int SceneTableAccessible::columnCount() const
{
    return isValid() ? m_cols : 0;
}

int SceneTableAccessible::childCount() const
{
    return rowCount() * columnCount();
}

QAccessibleInterface *SceneTableAccessible::child(int index) const
{
    return index >= 0 && index < childCount() ? cellAt(index / m_cols, index % m_cols) : nullptr;
}

QAccessibleInterface *SceneTableAccessible::cellAt(int row, int column) const
{
    if (row < 0 || column < 0 || row >= rowCount() || column >= columnCount())
        return nullptr;
    const int index = row * m_cols + column;
    if (const auto found = m_cells.constFind(index); found != m_cells.cend())
        return QAccessible::accessibleInterface(*found);
    auto *cell = new SceneCellAccessible(const_cast<SceneTableAccessible *>(this),
                                         {row + m_start.row, column + m_start.col});
    m_cells.insert(index, QAccessible::registerAccessibleInterface(cell));
    return cell;
}

QAccessibleInterface *SceneTableAccessible::cellOf(GridPosition mapCell)
{
    return cellAt(int(mapCell.row - m_start.row), int(mapCell.col - m_start.col));
}

int SceneTableAccessible::indexOfChild(const QAccessibleInterface *child) const
{
    if (!child || child->parent() != this || child->role() != QAccessible::Cell)
        return -1;
    const auto *cell = static_cast<const SceneCellAccessible *>(child);
    return cell->rowIndex() * m_cols + cell->columnIndex();
}

QAccessibleInterface *SceneTableAccessible::childAt(int x, int y) const
{
    if (!isValid())
        return nullptr;
    const QPoint inViewport = m_view->viewport()->mapFromGlobal(QPoint(x, y));
    const auto hit = hitTest(*m_view->scene(), m_view->toScene(inViewport));
    if (!hit || &m_view->scene()->maps[hit->map] != map())
        return nullptr;
    return cellAt(int(hit->row - m_start.row), int(hit->col - m_start.col));
}

QAccessibleInterface *SceneTableAccessible::focusChild() const
{
    if (!isValid() || m_view->currentMap() != map() || !m_view->hasFocus() || m_view->focusedControl() >= 0)
        return nullptr;
    const GridPosition at = m_view->currentCell();
    return cellAt(int(at.row - m_start.row), int(at.col - m_start.col));
}

QString SceneTableAccessible::text(QAccessible::Text text) const
{
    const SceneMap *shown = map();
    if (!shown)
        return {};
    if (text == QAccessible::Name)
        return shown->name;
    if (text != QAccessible::Description)
        return {};
    const Index rows = mapRows(*shown);
    const Index cols = mapCols(*shown);
    const QString size = QStringLiteral("%1, %2").arg(
        rows == 1 ? SceneView::tr("1 row") : SceneView::tr("%n rows", nullptr, toInt(rows)),
        cols == 1 ? SceneView::tr("1 column") : SceneView::tr("%n columns", nullptr, toInt(cols)));
    return shown->readOnly ? SceneView::tr("%1, read-only").arg(size) : size;
}

QRect SceneTableAccessible::screenRect(GridPosition mapCell) const
{
    const SceneMap *shown = map();
    if (!shown)
        return {};
    const QRect inViewport = m_view->fromScene(cellRect(*shown, mapCell.row, mapCell.col)).toAlignedRect();
    return {m_view->viewport()->mapToGlobal(inViewport.topLeft()), inViewport.size()};
}

QRect SceneTableAccessible::rect() const
{
    const SceneMap *shown = map();
    if (!shown)
        return {};
    const QRectF cells = m_view->fromScene(shown->rect);
    const double width = cells.width() / double(mapCols(*shown));
    const double height = cells.height() / double(mapRows(*shown));
    const QRect inViewport = cells.toAlignedRect().adjusted(0, 0, frameRoom(width, width / 2.0),
                                                            frameRoom(height, std::min(height, 16.0) / 2.0));
    return {m_view->viewport()->mapToGlobal(inViewport.topLeft()), inViewport.size()};
}

QAccessible::State SceneTableAccessible::state() const
{
    QAccessible::State state;
    const SceneMap *shown = map();
    if (!shown) {
        state.invalid = true;
        return state;
    }
    state.readOnly = shown->readOnly;
    state.invisible = !m_view->isVisible();
    return state;
}

void *SceneTableAccessible::interface_cast(QAccessible::InterfaceType type)
{
    return type == QAccessible::TableInterface ? static_cast<QAccessibleTableInterface *>(this) : nullptr;
}

std::optional<MapBlock> SceneTableAccessible::selectedBlock() const
{
    std::optional<MapBlock> block = m_view ? m_view->currentBlock() : std::nullopt;
    if (!block || block->map != m_key || !isValid())
        return std::nullopt;
    block->firstRow = std::max<Index>(block->firstRow - m_start.row, 0);
    block->firstCol = std::max<Index>(block->firstCol - m_start.col, 0);
    block->lastRow = std::min<Index>(block->lastRow - m_start.row, m_rows - 1);
    block->lastCol = std::min<Index>(block->lastCol - m_start.col, m_cols - 1);
    if (block->firstRow > block->lastRow || block->firstCol > block->lastCol)
        return std::nullopt;
    return block;
}

int SceneTableAccessible::selectedCellCount() const
{
    const auto block = selectedBlock();
    return block ? int((block->lastRow - block->firstRow + 1) * (block->lastCol - block->firstCol + 1)) : 0;
}

QList<QAccessibleInterface *> SceneTableAccessible::selectedCells() const
{
    QList<QAccessibleInterface *> cells;
    if (const auto block = selectedBlock())
        for (Index row = block->firstRow; row <= block->lastRow; ++row)
            for (Index col = block->firstCol; col <= block->lastCol; ++col)
                cells.append(cellAt(int(row), int(col)));
    return cells;
}

QString SceneTableAccessible::columnDescription(int column) const
{
    const SceneMap *shown = map();
    const Index index = column + m_start.col;
    const auto label = shown ? colLabelOf(*shown, index) : std::nullopt;
    return label ? visibleLabel(*label) : QString::number(index);
}

QString SceneTableAccessible::rowDescription(int row) const
{
    const SceneMap *shown = map();
    const Index index = row + m_start.row;
    const auto label = shown ? rowLabelOf(*shown, index) : std::nullopt;
    return label ? visibleLabel(*label) : QString::number(index);
}

QList<int> SceneTableAccessible::selectedColumns() const
{
    const auto block = selectedBlock();
    const bool whole = block && block->firstRow == 0 && block->lastRow == m_rows - 1;
    return whole ? numbersFrom(block->firstCol, block->lastCol) : QList<int>();
}

QList<int> SceneTableAccessible::selectedRows() const
{
    const auto block = selectedBlock();
    const bool whole = block && block->firstCol == 0 && block->lastCol == m_cols - 1;
    return whole ? numbersFrom(block->firstRow, block->lastRow) : QList<int>();
}

bool SceneTableAccessible::isColumnSelected(int column) const
{
    return selectedColumns().contains(column);
}

bool SceneTableAccessible::isRowSelected(int row) const
{
    return selectedRows().contains(row);
}

bool SceneTableAccessible::selectRow(int row)
{
    if (row < 0 || row >= rowCount())
        return false;
    m_view->selectCell(m_key, {row + m_start.row, 0});
    m_view->selectCell(m_key, {row + m_start.row, mapCols(*map()) - 1}, true);
    return true;
}

bool SceneTableAccessible::selectColumn(int column)
{
    if (column < 0 || column >= columnCount())
        return false;
    m_view->selectCell(m_key, {0, column + m_start.col});
    m_view->selectCell(m_key, {mapRows(*map()) - 1, column + m_start.col}, true);
    return true;
}

void SceneTableAccessible::modelChange(QAccessibleTableModelChangeEvent *)
{
    dropCells();
}

} // namespace attn
