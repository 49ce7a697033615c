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

void Selection::setCell(Stage stage, const CellIndex &cell)
{
    setBlock(stage, cell, cell);
}

void Selection::extendTo(const CellIndex &cell)
{
    setBlock(m_stage, {cell.head, m_anchor.row, m_anchor.col}, cell);
}

void Selection::setBlock(Stage stage, const CellIndex &anchor, const CellIndex &cell)
{
    if (stage == m_stage && anchor == m_anchor && cell == m_cell)
        return;
    m_stage = stage;
    m_anchor = anchor;
    m_cell = cell;
    emit changed();
}

} // namespace attn
