#include "document/StageTableModel.h"

#include "base/CheckedInt.h"
#include "base/NumberText.h"
#include "base/VisibleLabel.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>

namespace attn {

namespace {

QString shownLabel(const QString &raw)
{
    return QString::fromStdString(visibleLabel(raw.toStdString()));
}

} // namespace

StageTableModel::StageTableModel(QObject *parent)
    : QAbstractTableModel(parent)
{
}

void StageTableModel::setSnapshot(const SnapshotPtr &snapshot)
{
    if (m_snapshot == snapshot)
        return;
    const SnapshotPtr before = std::exchange(m_snapshot, snapshot);
    const StageValuesPtr valuesBefore = m_values;
    const QString reasonBefore = m_readOnlyReason;
    if (!refresh(true))
        return;
    if (before && valuesBefore && m_readOnlyReason == reasonBefore)
        announceChanges(before, valuesBefore);
    else
        announceAll();
}

void StageTableModel::setTarget(const EditTarget &target, Index head)
{
    if (m_target == target && m_head == head)
        return;
    const bool sameMatrix = m_target == target;
    m_target = target;
    m_head = head;
    if (refresh(sameMatrix))
        announceAll();
}

void StageTableModel::setDecimals(int decimals)
{
    if (m_decimals == decimals)
        return;
    m_decimals = decimals;
    if (m_rows > 0)
        emit dataChanged(index(0, 0), index(m_rows - 1, m_cols - 1), {Qt::DisplayRole});
}

void StageTableModel::setColors(const QColor &pinned, const QColor &muted)
{
    m_pinnedColor = pinned;
    m_mutedColor = muted;
    if (m_rows > 0)
        emit dataChanged(index(0, 0), index(m_rows - 1, m_cols - 1), {Qt::ForegroundRole});
}

/// Whether it has cells and its shape stayed: then what changed is to be announced.
bool StageTableModel::refresh(bool mayKeepShape)
{
    const StageValuesPtr values = m_snapshot ? m_target.values(*m_snapshot) : nullptr;
    const bool shows = values && m_head < values->heads() && values->cols() > 0;
    const int rows = shows ? toInt(values->rows()) : 0;
    const int cols = shows ? toInt(values->cols()) : 0;
    const bool reset = !mayKeepShape || rows != m_rows || cols != m_cols;
    if (reset)
        beginResetModel();
    m_values = shows ? values : nullptr;
    m_rows = rows;
    m_cols = cols;
    m_readOnlyReason = m_snapshot ? m_target.readOnlyReason(m_snapshot->experiment()) : QString();
    if (reset)
        endResetModel();
    return !reset && rows > 0;
}

void StageTableModel::announceAll()
{
    emit dataChanged(index(0, 0), index(m_rows - 1, m_cols - 1));
    announceLabels();
}

void StageTableModel::announceLabels()
{
    emit headerDataChanged(Qt::Horizontal, 0, m_cols - 1);
    emit headerDataChanged(Qt::Vertical, 0, m_rows - 1);
}

/// The rows that may hold other numbers than before.
std::vector<ChangedCells::Lines> StageTableModel::changedRows(const StageValues &valuesBefore) const
{
    const ChangedCells changed = changedCells(valuesBefore, *m_values, m_head);
    if (changed.everywhere || !changed.cols.empty())
        return {{0, m_rows}};
    return changed.rows;
}

/// Where not too many cells may differ to look at each, only the block is repainted that does: an edit is
/// seen in the frame in which all else is repainted too.
void StageTableModel::announceChanges(const SnapshotPtr &before, const StageValuesPtr &valuesBefore)
{
    constexpr Index mostCompared = Index(1) << 16;
    if (!hasSameLabels(before->experiment()))
        announceLabels();
    const Pins *pinsBefore = m_target.isLab() ? nullptr : &before->experiment().pinsOf(m_target.stage);
    const bool havePinsChanged =
        pinsBefore && !pinsBefore->sameBits(m_snapshot->experiment().pinsOf(m_target.stage));
    const bool isComparable = m_head < valuesBefore->heads();
    const std::vector<ChangedCells::Lines> rows = isComparable && !havePinsChanged
                                                      ? changedRows(*valuesBefore)
                                                      : std::vector<ChangedCells::Lines>{{0, m_rows}};
    Index count = 0;
    for (const ChangedCells::Lines &lines : rows)
        count += lines.count * m_cols;
    if (!isComparable || count > mostCompared) {
        emit dataChanged(index(0, 0), index(m_rows - 1, m_cols - 1));
        return;
    }
    std::optional<QModelIndex> first;
    QModelIndex last;
    std::vector<double> now(static_cast<std::size_t>(m_cols));
    std::vector<double> then(now.size());
    const auto isSame = [&](std::size_t col, const CellIndex &cell) {
        return std::bit_cast<std::uint64_t>(now[col]) == std::bit_cast<std::uint64_t>(then[col]) &&
               (!havePinsChanged || isPinned(cell) == pinsBefore->at(cell).has_value());
    };
    for (const ChangedCells::Lines &lines : rows) {
        for (Index row = lines.first; row < lines.first + lines.count; ++row) {
            m_values->readBlock(m_head, row, 0, 1, m_cols, now.data(), m_cols);
            valuesBefore->readBlock(m_head, row, 0, 1, m_cols, then.data(), m_cols);
            for (int col = 0; col < m_cols; ++col) {
                if (isSame(static_cast<std::size_t>(col), {m_head, row, col}))
                    continue;
                const QModelIndex at = index(toInt(row), col);
                first = first ? index(first->row(), std::min(first->column(), col)) : at;
                last = last.isValid() ? index(at.row(), std::max(last.column(), col)) : at;
            }
        }
    }
    if (first)
        emit dataChanged(*first, last);
}

bool StageTableModel::hasSameLabels(const Experiment &before) const
{
    const Experiment &now = m_snapshot->experiment();
    return now.tokens == before.tokens && now.keyTokens() == before.keyTokens() &&
           now.labRowNames == before.labRowNames;
}

CellIndex StageTableModel::cellAt(const QModelIndex &index) const
{
    return {m_head, index.row(), index.column()};
}

int StageTableModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : m_rows;
}

int StageTableModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : std::max(1, m_cols);
}

QString StageTableModel::fullText(const CellIndex &cell) const
{
    const double value = m_values->value(cell.head, cell.row, cell.col);
    return QString::fromStdString(m_values->isSinglePrecision() ? shortestText(static_cast<float>(value))
                                                                : shortestText(value));
}

bool StageTableModel::isPinned(const CellIndex &cell) const
{
    return !m_target.isLab() && m_snapshot->experiment().pinsOf(m_target.stage).at(cell).has_value();
}

QVariant StageTableModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid() || !m_values || index.row() >= m_rows || index.column() >= m_cols)
        return {};
    const CellIndex cell = cellAt(index);
    switch (role) {
    case Qt::DisplayRole:
        return QString::fromStdString(
            withTrueMinus(displayText(m_values->value(cell.head, cell.row, cell.col), m_decimals)));
    case Qt::EditRole:
        return fullText(cell);
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
    case Qt::ForegroundRole:
        if (isPinned(cell) && m_pinnedColor.isValid())
            return m_pinnedColor;
        if (!std::isfinite(m_values->value(cell.head, cell.row, cell.col)) && m_mutedColor.isValid())
            return m_mutedColor;
        return {};
    case Qt::ToolTipRole: {
        const QString name = m_target.cellName(m_snapshot->experiment(), cell);
        const QString pinned = isPinned(cell) ? tr("\nset by hand") : QString();
        const QString reason = m_readOnlyReason.isEmpty() ? QString() : u'\n' + m_readOnlyReason;
        const QString value = QString::fromStdString(withTrueMinus(fullText(cell).toStdString()));
        return QString(name + QStringLiteral(" = ") + value + pinned + reason);
    }
    case Qt::AccessibleTextRole:
        return fullText(cell);
    case Qt::AccessibleDescriptionRole:
        return m_target.cellName(m_snapshot->experiment(), cell);
    case PinnedRole:
        return isPinned(cell);
    default:
        return {};
    }
}

QVariant StageTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (role != Qt::DisplayRole || !m_values || section < 0)
        return {};
    const Experiment &experiment = m_snapshot->experiment();
    if (orientation == Qt::Horizontal)
        return section < m_cols ? shownLabel(m_target.colLabel(experiment, section)) : QString();
    return section < m_rows ? shownLabel(m_target.rowLabel(experiment, section)) : QString();
}

Qt::ItemFlags StageTableModel::flags(const QModelIndex &index) const
{
    if (!index.isValid())
        return Qt::NoItemFlags;
    const Qt::ItemFlags readable = Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemNeverHasChildren;
    return m_readOnlyReason.isEmpty() ? readable | Qt::ItemIsEditable : readable;
}

bool StageTableModel::setData(const QModelIndex &index, const QVariant &value, int role)
{
    if (role != Qt::EditRole || !index.isValid() || !m_values)
        return false;
    if (!m_readOnlyReason.isEmpty()) {
        emit editRefused(m_readOnlyReason);
        return false;
    }
    const QString text = value.toString();
    const CellIndex cell = cellAt(index);
    if (text == fullText(cell))
        return true;
    const auto number = parseNumber(text.toStdString());
    if (!number) {
        emit editRefused(tr("“%1” is not a number.").arg(text));
        return false;
    }
    emit editRequested(m_target, CellValue{cell, *number});
    return true;
}

} // namespace attn
