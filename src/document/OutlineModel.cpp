#include "document/OutlineModel.h"

#include "base/CheckedInt.h"

#include <algorithm>

namespace attn {

QString stageStateText(const Snapshot &snapshot, Stage stage)
{
    const StageState &state = snapshot.stage(stage);
    if (state.status == StageStatus::NotAvailable)
        return OutlineModel::tr("not available");
    if (state.isPinnedWhole)
        return OutlineModel::tr("pinned");
    if (state.pinnedCount > 0)
        return state.pinnedCount == 1 ? OutlineModel::tr("1 pin")
                                      : OutlineModel::tr("%1 pins").arg(state.pinnedCount);
    if (state.status == StageStatus::Given)
        return OutlineModel::tr("given");
    if (stageInfo(stage).kind == StageKind::Derived)
        return OutlineModel::tr("derived");
    return OutlineModel::tr("computed");
}

OutlineModel::OutlineModel(QObject *parent)
    : QAbstractTableModel(parent)
{
}

OutlineModel::Row OutlineModel::rowFor(const Snapshot &snapshot, Stage stage)
{
    const StageState &state = snapshot.stage(stage);
    Row row{stage, {}, stageStateText(snapshot, stage), {}, state.hasValues()};
    row.shape = state.hasValues() ? QString::fromStdString(shapeText(state.values->shape())) : QString();
    row.toolTip = state.hasValues()
                      ? tr("%1, %2, %3").arg(QString::fromUtf8(stageName(stage)), row.shape, row.state)
                      : QString::fromStdString(state.reason);
    return row;
}

void OutlineModel::setSnapshot(const SnapshotPtr &snapshot)
{
    std::vector<Row> rows;
    if (snapshot) {
        for (const StageInfo &info : stageTable()) {
            if (snapshot->stage(info.stage).status != StageStatus::Absent)
                rows.push_back(rowFor(*snapshot, info.stage));
        }
    }
    const bool sameStages = std::equal(rows.begin(), rows.end(), m_rows.begin(), m_rows.end(),
                                       [](const Row &a, const Row &b) { return a.stage == b.stage; });
    if (!sameStages) {
        beginResetModel();
        m_rows = std::move(rows);
        endResetModel();
        return;
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows[i] == m_rows[i])
            continue;
        m_rows[i] = rows[i];
        const int row = static_cast<int>(i);
        emit dataChanged(index(row, 0), index(row, StateColumn));
    }
}

int OutlineModel::rowOf(Stage stage) const
{
    const auto found =
        std::find_if(m_rows.begin(), m_rows.end(), [stage](const Row &row) { return row.stage == stage; });
    return found == m_rows.end() ? -1 : static_cast<int>(found - m_rows.begin());
}

int OutlineModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int OutlineModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : StateColumn + 1;
}

QVariant OutlineModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const Row &row = m_rows[static_cast<std::size_t>(index.row())];
    if (role == Qt::ToolTipRole)
        return row.toolTip;
    if (role != Qt::DisplayRole && role != Qt::AccessibleTextRole)
        return {};
    switch (index.column()) {
    case NameColumn:
        return QString::fromUtf8(stageName(row.stage));
    case ShapeColumn:
        return row.shape;
    default:
        if (role == Qt::DisplayRole && !row.isAvailable)
            return tr("none"); // why, the tip says
        // What is nothing special is said in the tip and aloud only, so that the rest stands out and the
        // names have room.
        return role == Qt::DisplayRole && (row.state == tr("computed") || row.state == tr("derived"))
                   ? QString()
                   : row.state;
    }
}

QVariant OutlineModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (role != Qt::DisplayRole || orientation != Qt::Horizontal)
        return {};
    switch (section) {
    case NameColumn:
        return tr("Stage");
    case ShapeColumn:
        return tr("Shape");
    case StateColumn:
        return tr("State");
    default:
        return {};
    }
}

} // namespace attn
