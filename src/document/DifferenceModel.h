#pragma once

#include "engine/Difference.h"

#include <QAbstractTableModel>

namespace attn {

/// What differs from the file as opened: one row per cell, matrix, pin or setting.
class DifferenceModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column
    {
        WhatColumn,
        BeforeColumn,
        NowColumn,
    };

    explicit DifferenceModel(QObject *parent = nullptr);

    void setDifferences(Differences differences);
    const Difference &at(int row) const { return m_differences.entries[static_cast<std::size_t>(row)]; }
    /// All differences, also those beyond the rows listed.
    Index total() const { return m_differences.total; }

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    Differences m_differences;
};

} // namespace attn
