#include "document/Selection.h"

#include <algorithm>

namespace attn {

Selection::Selection(QObject *parent)
    : QObject(parent)
{
}

Index Selection::firstRow() const
{
    return std::min(m_corner.row, m_anchor.row);
}

Index Selection::lastRow() const
{
    return std::max(m_corner.row, m_anchor.row);
}

Index Selection::firstCol() const
{
    return std::min(m_corner.col, m_anchor.col);
}

Index Selection::lastCol() const
{
    return std::max(m_corner.col, m_anchor.col);
}

void Selection::setCell(const EditTarget &target, const CellIndex &cell)
{
    setBlock(target, cell, cell);
}

void Selection::extendTo(const CellIndex &cell)
{
    setBlock(m_target, {cell.head, m_anchor.row, m_anchor.col}, cell);
}

void Selection::setBlock(const EditTarget &target, const CellIndex &anchor, const CellIndex &cell)
{
    if (target == m_target && anchor == m_anchor && cell == m_cell && cell == m_corner)
        return;
    const Stage stage = target.isLab() ? m_target.stage : target.stage;
    m_target = target;
    m_target.stage = stage;
    m_anchor = anchor;
    m_cell = cell;
    m_corner = cell;
    emit changed();
}

void Selection::moveInBlock(const CellIndex &cell)
{
    const bool isInside = cell.head == m_anchor.head && cell.row >= firstRow() && cell.row <= lastRow() &&
                          cell.col >= firstCol() && cell.col <= lastCol();
    if (!isInside) {
        setCell(m_target, cell);
        return;
    }
    if (cell == m_cell)
        return;
    m_cell = cell;
    emit changed();
}

} // namespace attn
