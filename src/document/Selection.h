#pragma once

#include "document/EditTarget.h"
#include "engine/Stage.h"
#include "engine/Types.h"

#include <QObject>

namespace attn {

/// The stage (or scratch matrix), cell and block that all views have selected together. The block spans
/// anchor to cell in one head.
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

    Index firstRow() const;
    Index lastRow() const;
    Index firstCol() const;
    Index lastCol() const;
    bool isSingleCell() const { return m_cell == m_anchor; }

    /// Selects one cell.
    void setCell(const EditTarget &target, const CellIndex &cell);
    /// Extends the block of the current matrix and head from the anchor to this cell.
    void extendTo(const CellIndex &cell);
    /// Anchor and cell at once.
    void setBlock(const EditTarget &target, const CellIndex &anchor, const CellIndex &cell);

signals:
    void changed();

private:
    EditTarget m_target;
    CellIndex m_cell;
    CellIndex m_anchor;
};

} // namespace attn
