#pragma once

#include "engine/Snapshot.h"

#include <QSizeF>

namespace attn {

/// Length of `count` cells in scene units: `cell` each while that stays below `soft`, then whole units per
/// cell, never more than `hard` in all.
double axisExtent(Index count, double cell, double soft = 240.0, double hard = 288.0);

/// How large the cells of a pipeline are drawn: one height for every token row, one width for every feature,
/// so that rows and columns of factors and products line up.
class CellSizes
{
public:
    explicit CellSizes(const Snapshot &snapshot);

    /// The cells of one head of a stage.
    QSizeF cells(const Snapshot &snapshot, Stage stage) const;
    /// Height of one token row.
    double tokenRow() const { return m_tokenRow; }

private:
    double rowHeight(Axis axis) const;
    double colWidth(Axis axis, Index count) const;

    double m_tokenRow = 24.0;
    double m_featureRow = 24.0;
    double m_feature = 36.0;
};

/// How the heads of a stage stand side by side: few in one row, many in at most four rows, smaller where
/// they would grow too tall.
struct HeadTiling
{
    int columns = 1;
    int rows = 1;
    double factor = 1.0; ///< of the size of one head
};

HeadTiling headTiling(Index heads, const QSizeF &cells, Index cellRows);

} // namespace attn
