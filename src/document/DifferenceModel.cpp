#include "document/DifferenceModel.h"

#include "base/NumberText.h"

namespace attn {

namespace {

/// Numbers with a minus; other texts, such as tokens, as they are.
QString shownSide(const std::string &text)
{
    return QString::fromStdString(parseNumber(text) ? withTrueMinus(text) : text);
}

} // namespace

DifferenceModel::DifferenceModel(QObject *parent)
    : QAbstractTableModel(parent)
{
}

void DifferenceModel::setDifferences(Differences differences)
{
    beginResetModel();
    m_differences = std::move(differences);
    endResetModel();
}

int DifferenceModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_differences.entries.size());
}

int DifferenceModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : NowColumn + 1;
}

QVariant DifferenceModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid() || (role != Qt::DisplayRole && role != Qt::ToolTipRole))
        return {};
    const Difference &difference = at(index.row());
    switch (index.column()) {
    case WhatColumn:
        return QString::fromStdString(difference.what);
    case BeforeColumn:
        return shownSide(difference.before);
    default:
        return shownSide(difference.after);
    }
}

QVariant DifferenceModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (role != Qt::DisplayRole || orientation != Qt::Horizontal)
        return {};
    switch (section) {
    case WhatColumn:
        return tr("What");
    case BeforeColumn:
        return tr("As opened");
    case NowColumn:
        return tr("Now");
    default:
        return {};
    }
}

} // namespace attn
