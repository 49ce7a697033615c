#pragma once

#include "engine/Tensor.h"

#include <QAbstractTableModel>

namespace attn {

/// The upper left corner of one head of a matrix, read-only.
class ImportPreviewModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;

    void setMatrix(const Tensor &matrix, Index head);

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    Tensor m_matrix;
    Index m_head = 0;
};

} // namespace attn
