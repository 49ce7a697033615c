#pragma once

#include "engine/Audit.h"
#include "engine/Edit.h"

#include <QAbstractTableModel>

#include <optional>
#include <vector>

namespace attn {

/// The printed numbers that differ from what their own inputs give: one row for each cell, then one for each
/// fact of the prose. Facts that agree are listed too, last.
class AuditModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column
    {
        WhatColumn,
        PrintedColumn,
        ComputedColumn,
        DifferenceColumn,
    };

    explicit AuditModel(QObject *parent = nullptr);

    void setAudit(ExperimentPtr experiment, Audit audit);
    const Audit &audit() const { return m_audit; }
    /// One sentence for each stage: "Q: 21 of 24 printed numbers differ, the largest by 0.14 at Q[GPU, f4]."
    QStringList summaries() const;

    struct Place
    {
        Stage stage;
        CellIndex cell;
    };
    /// Where the number stands; none for facts without a stage.
    std::optional<Place> placeAt(int row) const;
    /// Leaves the printed number out, so that the computed one stands; none for facts.
    std::optional<Edit> adoptEdit(int row) const;

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Row
    {
        const AuditedStage *stage = nullptr; ///< null: a fact
        std::size_t index = 0;               ///< in stage->differing or in m_audit.facts
    };

    const AuditedCell &cellOf(const Row &row) const { return row.stage->differing[row.index]; }
    /// Which keys a row puts first as printed, and which its inputs do.
    QString orderText(Stage stage, const ReorderedRow &row) const;
    const PrintedFact &factOf(const Row &row) const;
    QString cellText(const Row &row, int column) const;
    QString factText(const Row &row, int column) const;
    QString summary(const AuditedStage &stage) const;

    ExperimentPtr m_experiment;
    Audit m_audit;
    std::vector<Row> m_rows;
};

} // namespace attn
