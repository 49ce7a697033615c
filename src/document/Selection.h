#pragma once

#include "document/EditTarget.h"
#include "engine/Stage.h"
#include "engine/Types.h"

#include <QObject>

namespace attn {

/// The stage (or scratch matrix), cell and block that all views have selected together. The block spans
/// anchor to corner in one head and holds the cell.
class Selection : public QObject
{
    Q_OBJECT

public:
    explicit Selection(QObject *parent = nullptr);

    /// The stage selected last; the cell lies in it unless target() is a scratch matrix.
    Stage stage() const { return m_target.stage; }
    const EditTarget &target() const { return m_target; }
    const CellIndex &cell() const { return m_cell; }
    const CellIndex &anchor() const { return m_anchor; }
    /// Of the block, opposite to the anchor: the cell itself, unless that walks inside the block.
    const CellIndex &corner() const { return m_corner; }

    Index firstRow() const;
    Index lastRow() const;
    Index firstCol() const;
    Index lastCol() const;
    bool isSingleCell() const { return m_corner == m_anchor; }

    /// Selects one cell.
    void setCell(const EditTarget &target, const CellIndex &cell);
    /// Extends the block of the current matrix and head from the anchor to this cell.
    void extendTo(const CellIndex &cell);
    /// Anchor and cell at once.
    void setBlock(const EditTarget &target, const CellIndex &anchor, const CellIndex &cell);
    /// Makes another cell of the block current; outside of it the cell is selected alone.
    void moveInBlock(const CellIndex &cell);

signals:
    void changed();

private:
    EditTarget m_target;
    CellIndex m_cell;
    CellIndex m_anchor;
    CellIndex m_corner;
};

} // namespace attn
