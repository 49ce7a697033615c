#pragma once

#include "engine/Edit.h"
#include "engine/Experiment.h"

#include <QAbstractTableModel>

#include <vector>

namespace attn {

/// Every number set by hand over a computed one: one row per cell, or per stage pinned as a whole. Lists at
/// most `rowLimit` cells.
class PinModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column
    {
        CellColumn,
        ValueColumn,
    };
    static constexpr int rowLimit = 10000;

    explicit PinModel(QObject *parent = nullptr);

    void setExperiment(const ExperimentPtr &experiment);
    Stage stageAt(int row) const { return m_rows[static_cast<std::size_t>(row)].stage; }
    /// The pinned cell; the first cell for a stage pinned as a whole.
    CellIndex cellAt(int row) const { return m_rows[static_cast<std::size_t>(row)].pin.cell; }
    Edit unpinEdit(int row) const;

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Row
    {
        Stage stage;
        CellValue pin;
        bool isWhole;

        bool isSamePlace(const Row &other) const
        {
            return stage == other.stage && pin.cell == other.pin.cell && isWhole == other.isWhole;
        }
    };
    static std::vector<Row> rowsOf(const Experiment &experiment);

    ExperimentPtr m_experiment;
    std::vector<Row> m_rows;
};

} // namespace attn
