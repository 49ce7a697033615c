#include "document/PinModel.h"

#include "base/NumberText.h"
#include "engine/Derivation.h"

#include <algorithm>
#include <utility>

namespace attn {

PinModel::PinModel(QObject *parent)
    : QAbstractTableModel(parent)
{
}

void PinModel::setExperiment(const ExperimentPtr &experiment)
{
    std::vector<Row> rows = experiment ? rowsOf(*experiment) : std::vector<Row>();
    const bool hasSamePlaces = std::ranges::equal(rows, m_rows, &Row::isSamePlace);
    if (!hasSamePlaces)
        beginResetModel();
    m_experiment = experiment;
    m_rows = std::move(rows);
    if (!hasSamePlaces)
        endResetModel();
    else if (!m_rows.empty()) // names of tokens are part of what a row says
        emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

std::vector<PinModel::Row> PinModel::rowsOf(const Experiment &experiment)
{
    std::vector<Row> rows;
    for (const auto &[stage, pins] : experiment.pins) {
        if (!pins.whole().isNull())
            rows.push_back({stage, CellValue{}, true});
        for (const auto &[cell, value] : pins.cells()) {
            if (static_cast<int>(rows.size()) >= rowLimit)
                break;
            rows.push_back({stage, CellValue{cell, value}, false});
        }
    }
    return rows;
}

Edit PinModel::unpinEdit(int row) const
{
    const Row &entry = m_rows[static_cast<std::size_t>(row)];
    if (entry.isWhole)
        return UnpinStage{entry.stage};
    return UnpinCells{entry.stage, {entry.pin.cell}};
}

int PinModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int PinModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : ValueColumn + 1;
}

QVariant PinModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid() || (role != Qt::DisplayRole && role != Qt::ToolTipRole))
        return {};
    const Row &row = m_rows[static_cast<std::size_t>(index.row())];
    if (row.isWhole) {
        const Pins &pins = m_experiment->pinsOf(row.stage);
        if (index.column() == CellColumn)
            return tr("%1, the whole stage").arg(QString::fromUtf8(stageName(row.stage)));
        const auto free = pins.holes().size();
        return free == 0 ? tr("all cells") : tr("all cells, %1 of them free").arg(free);
    }
    if (index.column() == CellColumn)
        return QString::fromStdString(cellName(*m_experiment, row.stage, row.pin.cell));
    return QString::fromStdString(withTrueMinus(shortestText(row.pin.value)));
}

QVariant PinModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (role != Qt::DisplayRole || orientation != Qt::Horizontal)
        return {};
    return section == CellColumn ? tr("Set by hand") : tr("Value");
}

} // namespace attn
