#include "views/OutlineView.h"

#include "Workbench.h"

#include <QHeaderView>
#include <QScopedValueRollback>
#include <QTreeView>

namespace attn {

OutlineView::OutlineView(Workbench *workbench, QWidget *parent)
    : OutlineView(workbench, new OutlineModel(workbench), parent)
{
}

OutlineView::OutlineView(Workbench *workbench, OutlineModel *model, QWidget *parent)
    : ListPane(model, tr("Stages"), tr("No stages yet."), parent)
    , m_workbench(workbench)
    , m_model(model)
{
    list()->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    // Where it is narrow the longest names give way: each is known by its beginning and said in full by its
    // tip, while half a shape or half a state says nothing.
    list()->setTextElideMode(Qt::ElideRight);
    list()->header()->setStretchLastSection(false);
    list()->header()->setSectionResizeMode(OutlineModel::NameColumn, QHeaderView::Stretch);
    connect(workbench, &Workbench::snapshotChanged, this, [this] {
        const QScopedValueRollback following(m_following, true);
        m_model->setSnapshot(m_workbench->snapshot());
        showSelectedStage();
    });
    connect(workbench->selection(), &Selection::changed, this, &OutlineView::showSelectedStage);
    connect(list()->selectionModel(), &QItemSelectionModel::currentChanged, this,
            &OutlineView::onCurrentChanged);
}

void OutlineView::showSelectedStage()
{
    const QScopedValueRollback following(m_following, true);
    const Selection *selection = m_workbench->selection();
    if (selection->target().isLab()) { // a scratch matrix is no stage
        list()->setCurrentIndex({});
        return;
    }
    const int row = m_model->rowOf(selection->stage());
    if (row >= 0 && list()->currentIndex().row() != row)
        list()->setCurrentIndex(m_model->index(row, 0));
}

void OutlineView::onCurrentChanged(const QModelIndex &current)
{
    if (m_following || !current.isValid())
        return;
    const Stage stage = m_model->stageAt(current.row());
    if (m_workbench->selection()->target() != EditTarget(stage))
        m_workbench->select(stage, {m_workbench->headFor(stage), 0, 0});
}

} // namespace attn
