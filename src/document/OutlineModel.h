#pragma once

#include "engine/Snapshot.h"

#include <QAbstractTableModel>

#include <vector>

namespace attn {

/// The stages of an experiment in pipeline order: name, shape, state. Absent stages are left out.
class OutlineModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column
    {
        NameColumn,
        ShapeColumn,
        StateColumn,
    };

    explicit OutlineModel(QObject *parent = nullptr);

    void setSnapshot(const SnapshotPtr &snapshot);
    Stage stageAt(int row) const { return m_rows[static_cast<std::size_t>(row)].stage; }
    /// The row of a stage, or -1.
    int rowOf(Stage stage) const;

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Row
    {
        Stage stage;
        QString shape;
        QString state;
        QString toolTip;
        bool isAvailable;

        bool operator==(const Row &) const = default;
    };
    static Row rowFor(const Snapshot &snapshot, Stage stage);

    std::vector<Row> m_rows;
};

/// "given", "computed", "pinned", "3 pins", "not available", "derived": the state of a stage in a word.
QString stageStateText(const Snapshot &snapshot, Stage stage);

} // namespace attn
