#include "document/AuditModel.h"

#include "base/CheckedInt.h"
#include "base/NumberText.h"
#include "base/VisibleLabel.h"
#include "engine/Derivation.h"

#include <algorithm>
#include <cmath>

namespace attn {

namespace {

/// Places that show what a rounded number hides.
constexpr int placesBeyondPrinted = 3;
constexpr std::size_t mostRankedKeys = 6;

QString fixed(double value, int decimals)
{
    return QString::fromStdString(withTrueMinus(displayText(value, decimals)));
}

template<typename Text>
QString joined(const std::vector<AuditedNumber> &numbers, const Text &text)
{
    QStringList texts;
    for (const AuditedNumber &number : numbers)
        texts.append(text(number));
    return texts.join(QStringLiteral(", "));
}

QString printedText(const AuditedNumber &number)
{
    return fixed(number.printed, number.decimals);
}

QString computedText(const AuditedNumber &number)
{
    return fixed(number.computed, number.decimals + placesBeyondPrinted);
}

QString differenceText(const AuditedNumber &number)
{
    return fixed(number.printed - number.computed, number.decimals + placesBeyondPrinted);
}

} // namespace

AuditModel::AuditModel(QObject *parent)
    : QAbstractTableModel(parent)
{
}

void AuditModel::setAudit(ExperimentPtr experiment, Audit audit)
{
    beginResetModel();
    m_experiment = std::move(experiment);
    m_audit = std::move(audit);
    m_rows.clear();
    for (const AuditedStage &stage : m_audit.stages)
        for (std::size_t i = 0; i < stage.differing.size(); ++i)
            m_rows.push_back({&stage, i});
    const auto addFacts = [this](bool agreeing) {
        for (std::size_t i = 0; i < m_audit.facts.size(); ++i)
            if (m_audit.facts[i].agrees() == agreeing)
                m_rows.push_back({nullptr, i});
    };
    addFacts(false);
    addFacts(true);
    endResetModel();
}

QStringList AuditModel::summaries() const
{
    QStringList sentences;
    for (const AuditedStage &stage : m_audit.stages)
        sentences.append(summary(stage));
    return sentences;
}

QString AuditModel::summary(const AuditedStage &stage) const
{
    const QString name = QString::fromUtf8(stageName(stage.stage));
    if (stage.differing.empty())
        return tr("%1: all %2 printed numbers agree.").arg(name).arg(stage.checked);
    const QString place = QString::fromStdString(cellName(*m_experiment, stage.stage, stage.largestAt));
    QString text = tr("%1: %2 of %3 printed numbers differ, the largest by %4 at %5.")
                       .arg(name)
                       .arg(stage.differing.size())
                       .arg(stage.checked)
                       .arg(fixed(stage.largestDifference, stage.decimals + 1), place);
    for (const ReorderedRow &row : stage.reorderedRows)
        text += u' ' + orderText(stage.stage, row);
    return text;
}

QString AuditModel::orderText(Stage stage, const ReorderedRow &row) const
{
    const auto keys = [&](const std::vector<Index> &columns) {
        QStringList names;
        for (std::size_t i = 0; i < std::min(columns.size(), mostRankedKeys); ++i)
            names.append(QString::fromStdString(visibleLabel(colLabel(*m_experiment, stage, columns[i]))));
        if (columns.size() > mostRankedKeys)
            names.append(QStringLiteral("…"));
        return names.join(QStringLiteral(", "));
    };
    const QString name = QString::fromStdString(visibleLabel(rowLabel(*m_experiment, stage, row.row)));
    const QString place = m_experiment->nHeads == 1 ? name : tr("%1 of head %2").arg(name).arg(row.head + 1);
    return tr("Row %1 ranks its keys %2; its inputs give %3.")
        .arg(place, keys(row.printed), keys(row.computed));
}

const PrintedFact &AuditModel::factOf(const Row &row) const
{
    return m_experiment->printedFacts[m_audit.facts[row.index].index];
}

std::optional<AuditModel::Place> AuditModel::placeAt(int row) const
{
    const Row &entry = m_rows[static_cast<std::size_t>(row)];
    if (entry.stage)
        return Place{entry.stage->stage, cellOf(entry).cell};
    const FactSource &source = *factOf(entry).source;
    if (source.quantity == FactSource::Quantity::RootOfWidth)
        return std::nullopt;
    return Place{source.stage, source.cell};
}

std::optional<Edit> AuditModel::adoptEdit(int row) const
{
    const Row &entry = m_rows[static_cast<std::size_t>(row)];
    if (!entry.stage)
        return std::nullopt;
    return UnpinCells{entry.stage->stage, {cellOf(entry).cell}};
}

int AuditModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : toInt(static_cast<Index>(m_rows.size()));
}

int AuditModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : DifferenceColumn + 1;
}

QString AuditModel::cellText(const Row &row, int column) const
{
    const AuditedCell &cell = cellOf(row);
    switch (column) {
    case WhatColumn:
        return QString::fromStdString(cellName(*m_experiment, row.stage->stage, cell.cell));
    case PrintedColumn:
        return printedText(cell.number);
    case ComputedColumn:
        return computedText(cell.number);
    default:
        return differenceText(cell.number);
    }
}

QString AuditModel::factText(const Row &row, int column) const
{
    const AuditedFact &fact = m_audit.facts[row.index];
    switch (column) {
    case WhatColumn:
        return QString::fromStdString(factOf(row).name);
    case PrintedColumn: {
        QStringList texts;
        for (const double value : factOf(row).values)
            texts.append(fixed(value, factOf(row).decimals));
        return texts.join(QStringLiteral(", "));
    }
    case ComputedColumn:
        return fact.problem.empty() ? joined(fact.numbers, computedText)
                                    : QString::fromStdString(fact.problem);
    default:
        return fact.agrees() ? tr("agrees") : joined(fact.numbers, differenceText);
    }
}

QVariant AuditModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid() || (role != Qt::DisplayRole && role != Qt::ToolTipRole))
        return {};
    const Row &row = m_rows[static_cast<std::size_t>(index.row())];
    return row.stage ? cellText(row, index.column()) : factText(row, index.column());
}

QVariant AuditModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (role != Qt::DisplayRole || orientation != Qt::Horizontal)
        return {};
    switch (section) {
    case WhatColumn:
        return tr("Printed number");
    case PrintedColumn:
        return tr("As printed");
    case ComputedColumn:
        return tr("Its inputs give");
    case DifferenceColumn:
        return tr("Difference");
    default:
        return {};
    }
}

} // namespace attn
