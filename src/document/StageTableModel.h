#pragma once

#include "document/EditTarget.h"
#include "engine/Snapshot.h"
#include "engine/pooling/ChangedCells.h"

#include <QAbstractTableModel>
#include <QColor>

namespace attn {

/// One head of one stage of a snapshot, or a scratch matrix of its experiment, as a table: rounded to look
/// at, in full precision to edit and copy.
///
/// It never changes a number itself: setData only reads the text and says what was asked for. Without values
/// it has no rows and one column, because accessibility clients crash on tables without columns.
class StageTableModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Role
    {
        PinnedRole = Qt::UserRole + 1, ///< bool: set by hand
    };

    explicit StageTableModel(QObject *parent = nullptr);

    /// Shows the newer snapshot; a model reset only where the shape differs.
    void setSnapshot(const SnapshotPtr &snapshot);
    void setTarget(const EditTarget &target, Index head);
    /// Places after the point of the displayed text.
    void setDecimals(int decimals);
    /// Colours of pinned and of not finite numbers.
    void setColors(const QColor &pinned, const QColor &muted);

    const EditTarget &target() const { return m_target; }
    Index head() const { return m_head; }
    const StageValuesPtr &values() const { return m_values; }
    CellIndex cellAt(const QModelIndex &index) const;

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    Qt::ItemFlags flags(const QModelIndex &index) const override;
    /// Never changes anything here; true when the text is a number (then editRequested was sent, unless the
    /// cell has this very text already).
    bool setData(const QModelIndex &index, const QVariant &value, int role = Qt::EditRole) override;

signals:
    void editRequested(const attn::EditTarget &target, const attn::CellValue &value);
    void editRefused(const QString &reason);

private:
    bool refresh(bool mayKeepShape);
    void announceAll();
    void announceLabels();
    void announceChanges(const SnapshotPtr &before, const StageValuesPtr &valuesBefore);
    std::vector<ChangedCells::Lines> changedRows(const StageValues &valuesBefore) const;
    bool hasSameLabels(const Experiment &before) const;
    QString fullText(const CellIndex &cell) const;
    bool isPinned(const CellIndex &cell) const;

    SnapshotPtr m_snapshot;
    StageValuesPtr m_values;
    QString m_readOnlyReason;
    EditTarget m_target;
    Index m_head = 0;
    int m_rows = 0;
    int m_cols = 0;
    int m_decimals = 2;
    QColor m_pinnedColor;
    QColor m_mutedColor;
};

} // namespace attn
