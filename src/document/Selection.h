#pragma once

#include "engine/Stage.h"
#include "engine/Types.h"

#include <QObject>

namespace attn {

/// The stage, cell and block that all views have selected together. The block spans anchor to cell in one
/// head.
class Selection : public QObject
{
    Q_OBJECT

public:
    explicit Selection(QObject *parent = nullptr);

    Stage stage() const { return m_stage; }
    const CellIndex &cell() const { return m_cell; }
    const CellIndex &anchor() const { return m_anchor; }

    Index firstRow() const;
    Index lastRow() const;
    Index firstCol() const;
    Index lastCol() const;
    bool isSingleCell() const { return m_cell == m_anchor; }

    /// Selects one cell.
    void setCell(Stage stage, const CellIndex &cell);
    /// Extends the block of the current stage and head from the anchor to this cell.
    void extendTo(const CellIndex &cell);
    /// Anchor and cell at once.
    void setBlock(Stage stage, const CellIndex &anchor, const CellIndex &cell);

signals:
    void changed();

private:
    Stage m_stage = Stage::X;
    CellIndex m_cell;
    CellIndex m_anchor;
};

} // namespace attn
