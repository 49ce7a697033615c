#include "views/AuditView.h"

#include "Workbench.h"

#include <QAction>
#include <QEvent>
#include <QHeaderView>
#include <QTreeView>

#include <algorithm>
#include <set>

namespace attn {

AuditView::AuditView(Workbench *workbench, QWidget *parent)
    : AuditView(workbench, new AuditModel(workbench), parent)
{
}

AuditView::AuditView(Workbench *workbench, AuditModel *model, QWidget *parent)
    : ListPane(model, tr("Audit of printed numbers"), {}, parent)
    , m_workbench(workbench)
    , m_model(model)
{
    list()->setSelectionMode(QAbstractItemView::ExtendedSelection);
    list()->header()->setStretchLastSection(false);
    list()->header()->setSectionResizeMode(QHeaderView::Interactive);
    list()->header()->setSectionResizeMode(AuditModel::WhatColumn, QHeaderView::Stretch);
    list()->setTextElideMode(Qt::ElideRight);
    list()->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    QAction *adoptAction = addButton(QStringLiteral("audit.adopt"), tr("Adopt computed"),
                                     tr("&Adopt computed numbers for those selected in the audit"));
    adoptAction->setToolTip(tr("Leave the printed number out: the computed one stands"));
    connect(adoptAction, &QAction::triggered, this, &AuditView::adoptSelected);
    connect(addButton(QStringLiteral("audit.adoptStages"), tr("Adopt whole stage"),
                      tr("Adopt computed numbers for the whole &stage")),
            &QAction::triggered, this, &AuditView::adoptStages);
    connect(workbench, &Workbench::auditChanged, this, &AuditView::refreshAudit);
    list()->viewport()->installEventFilter(this);
    connect(list(), &QTreeView::activated, this, [this](const QModelIndex &index) {
        if (const std::optional<AuditModel::Place> place = m_model->placeAt(index.row()))
            m_workbench->select(place->stage, place->cell);
    });
    refreshAudit();
}

void AuditView::refreshAudit()
{
    const std::shared_ptr<const Audit> &audit = m_workbench->audit();
    m_model->setAudit(m_workbench->document()->experiment(), audit ? *audit : Audit());
    const QString summaries = m_model->summaries().join(u'\n');
    if (!audit)
        setEmptyText(tr("This document is too large for its printed numbers to be checked at every edit."));
    else if (audit->isEmpty())
        setEmptyText(
            tr("No number of this document is kept as printed. In the examples \"as printed\" every one is, "
               "and is checked here against what its own inputs give."));
    else
        setEmptyText(summaries);
    setNote(summaries);
    layOutColumns();
}

void AuditView::layOutColumns()
{
    const QAbstractItemView *view = list(); // QTreeView hides the hint
    QHeaderView *header = list()->header();
    // What a number is comes first, as far as the heads of the others leave room: rows that read the same say
    // nothing.
    const int width = list()->viewport()->width();
    int heads = 0;
    for (int column = AuditModel::WhatColumn + 1; column < header->count(); ++column)
        heads += header->sectionSizeHint(column);
    const int names = std::max(width / header->count(),
                               std::min(view->sizeHintForColumn(AuditModel::WhatColumn), width - heads));
    const int most = (width - names) / (header->count() - 1);
    for (int column = AuditModel::WhatColumn + 1; column < header->count(); ++column)
        header->resizeSection(column, std::min(most, std::max(header->sectionSizeHint(column),
                                                              view->sizeHintForColumn(column))));
}

bool AuditView::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == list()->viewport() && event->type() == QEvent::Resize)
        layOutColumns();
    return ListPane::eventFilter(watched, event);
}

void AuditView::adoptSelected()
{
    const QList<int> rows = selectedRows();
    adopt({rows.begin(), rows.end()});
}

void AuditView::adoptStages()
{
    std::set<Stage> stages;
    for (const int row : selectedRows())
        if (m_model->adoptEdit(row))
            stages.insert(m_model->placeAt(row)->stage);
    std::vector<int> rows;
    for (int row = 0; row < m_model->rowCount(); ++row)
        if (m_model->adoptEdit(row) && stages.count(m_model->placeAt(row)->stage) > 0)
            rows.push_back(row);
    adopt(rows);
}

void AuditView::adopt(const std::vector<int> &rows)
{
    Compound edit;
    for (const int row : rows)
        if (std::optional<Edit> adoption = m_model->adoptEdit(row))
            edit.edits.push_back(std::move(*adoption));
    if (edit.edits.empty())
        return;
    const auto count = edit.edits.size();
    m_workbench->apply(edit, count == 1 ? tr("Adopt a computed number")
                                        : tr("Adopt %1 computed numbers").arg(count));
}

} // namespace attn
