#include "document/Selection.h"

#include <algorithm>

namespace attn {

Selection::Selection(QObject *parent)
    : QObject(parent)
{
}

Index Selection::firstRow() const
{
    return std::min(m_cell.row, m_anchor.row);
}

Index Selection::lastRow() const
{
    return std::max(m_cell.row, m_anchor.row);
}

Index Selection::firstCol() const
{
    return std::min(m_cell.col, m_anchor.col);
}

Index Selection::lastCol() const
{
    return std::max(m_cell.col, m_anchor.col);
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
    if (target == m_target && anchor == m_anchor && cell == m_cell)
        return;
    const Stage stage = target.isLab() ? m_target.stage : target.stage;
    m_target = target;
    m_target.stage = stage;
    m_anchor = anchor;
    m_cell = cell;
    emit changed();
}

} // namespace attn
