#include "dialogs/ImportPreviewModel.h"

#include "base/NumberText.h"

#include <algorithm>

namespace attn {

namespace {

constexpr Index previewSide = 32;
constexpr int previewDecimals = 4;

} // namespace

void ImportPreviewModel::setMatrix(const Tensor &matrix, Index head)
{
    beginResetModel();
    m_matrix = matrix;
    m_head = head;
    endResetModel();
}

int ImportPreviewModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() || m_matrix.isNull() ? 0
                                                 : static_cast<int>(std::min(m_matrix.rows(), previewSide));
}

int ImportPreviewModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() || m_matrix.isNull() ? 0
                                                 : static_cast<int>(std::min(m_matrix.cols(), previewSide));
}

QVariant ImportPreviewModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const double value = m_matrix.at(m_head, index.row(), index.column());
    switch (role) {
    case Qt::DisplayRole:
        return QString::fromStdString(displayText(value, previewDecimals));
    case Qt::ToolTipRole:
        return QString::fromStdString(m_matrix.storage() == Tensor::Storage::Float32
                                          ? shortestText(static_cast<float>(value))
                                          : shortestText(value));
    case Qt::TextAlignmentRole:
        return static_cast<int>(Qt::AlignRight | Qt::AlignVCenter);
    default:
        return {};
    }
}

QVariant ImportPreviewModel::headerData(int section, Qt::Orientation, int role) const
{
    return role == Qt::DisplayRole ? QVariant(section) : QVariant();
}

} // namespace attn
