#include "views/DifferencesView.h"

#include "Workbench.h"

#include <QToolBar>
#include <QTreeView>

#include <chrono>
#include <set>

namespace attn {

DifferencesView::DifferencesView(Workbench *workbench, QWidget *parent)
    : DifferencesView(workbench, new DifferenceModel(workbench), parent)
{
}

DifferencesView::DifferencesView(Workbench *workbench, DifferenceModel *model, QWidget *parent)
    : ListPane(model, tr("Differences"), tr("Nothing differs from the document as opened."), parent)
    , m_workbench(workbench)
    , m_model(model)
{
    list()->setSelectionMode(QAbstractItemView::ExtendedSelection);
    connect(addButton(QStringLiteral("differences.revert"), tr("Revert"), tr("Re&vert selected differences")),
            &QAction::triggered, this, &DifferencesView::revertSelected);
    connect(addButton(QStringLiteral("differences.revertStages"), tr("Revert whole stage"),
                      tr("Revert &stages of selected differences")),
            &QAction::triggered, this, &DifferencesView::revertStages);
    // Comparing reads every block that an edit has touched: once after a burst of edits is enough.
    m_timer.setSingleShot(true);
    m_timer.setInterval(std::chrono::milliseconds(150));
    connect(&m_timer, &QTimer::timeout, this, &DifferencesView::refreshNow);
    connect(workbench->document(), &Document::changed, this, &DifferencesView::schedule);
    connect(workbench->document(), &Document::titleChanged, this, &DifferencesView::schedule);
    connect(list(), &QTreeView::activated, this, [this](const QModelIndex &index) {
        const Difference &difference = m_model->at(index.row());
        if (difference.kind == Difference::Kind::Cell || difference.kind == Difference::Kind::Pin)
            m_workbench->select(difference.stage, difference.cell);
        else if (difference.kind == Difference::Kind::Lab)
            m_workbench->selectLab(QString::fromStdString(difference.lab), difference.cell);
    });
}

void DifferencesView::schedule()
{
    if (isVisible())
        m_timer.start();
}

void DifferencesView::showEvent(QShowEvent *event)
{
    ListPane::showEvent(event);
    refreshNow();
}

void DifferencesView::refreshNow()
{
    m_timer.stop();
    Differences differences = m_workbench->document()->differences();
    const auto listed = static_cast<Index>(differences.entries.size());
    const QString note = differences.total > listed
                             ? tr("%1 of %2 differences are listed.").arg(listed).arg(differences.total)
                             : QString();
    m_model->setDifferences(std::move(differences));
    setNote(note);
}

void DifferencesView::revertSelected()
{
    Compound edit;
    QString name;
    for (const int row : selectedRows()) {
        edit.edits.push_back(m_model->at(row).revert);
        name = QString::fromStdString(m_model->at(row).what);
    }
    if (edit.edits.empty())
        return;
    const int count = static_cast<int>(edit.edits.size());
    m_workbench->apply(edit, count == 1 ? tr("Revert %1").arg(name) : tr("Revert %1 changes").arg(count));
}

void DifferencesView::revertStages()
{
    std::set<Stage> stages;
    for (const int row : selectedRows()) {
        const Difference &difference = m_model->at(row);
        const bool isOfStage = difference.kind == Difference::Kind::Cell ||
                               difference.kind == Difference::Kind::Matrix ||
                               difference.kind == Difference::Kind::Pin;
        if (isOfStage)
            stages.insert(difference.stage);
    }
    Compound edit;
    QStringList names;
    const Document *document = m_workbench->document();
    for (const Stage stage : stages) {
        edit.edits.push_back(revertStage(*document->asOpened(), *document->experiment(), stage));
        names.append(QString::fromUtf8(stageName(stage)));
    }
    if (!edit.edits.empty())
        m_workbench->apply(edit, tr("Revert %1").arg(names.join(QStringLiteral(", "))));
}

} // namespace attn
