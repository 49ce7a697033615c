#include "views/PinsView.h"

#include "Workbench.h"

#include <QToolBar>
#include <QTreeView>

namespace attn {

PinsView::PinsView(Workbench *workbench, QWidget *parent)
    : PinsView(workbench, new PinModel(workbench), parent)
{
}

PinsView::PinsView(Workbench *workbench, PinModel *model, QWidget *parent)
    : ListPane(model, tr("Pins"), tr("No number is set by hand. Typing into a computed stage pins the cell."),
               parent)
    , m_workbench(workbench)
    , m_model(model)
{
    list()->setSelectionMode(QAbstractItemView::ExtendedSelection);
    connect(addButton(QStringLiteral("pins.unpin"), tr("Unpin"), tr("Unpin those selected in the &list")),
            &QAction::triggered, this, &PinsView::unpinSelected);
    connect(addButton(QStringLiteral("pins.unpinAll"), tr("Unpin all"), tr("Unpin &everything")),
            &QAction::triggered, this, &PinsView::unpinAll);
    connect(workbench->document(), &Document::changed, this,
            [this] { m_model->setExperiment(m_workbench->document()->experiment()); });
    connect(list(), &QTreeView::activated, this, [this](const QModelIndex &index) {
        m_workbench->select(m_model->stageAt(index.row()), m_model->cellAt(index.row()));
    });
}

void PinsView::unpinSelected()
{
    Compound edit;
    for (const int row : selectedRows())
        edit.edits.push_back(m_model->unpinEdit(row));
    if (!edit.edits.empty())
        m_workbench->apply(edit, tr("Unpin"));
}

void PinsView::unpinAll()
{
    Compound edit;
    for (const auto &[stage, pins] : m_workbench->experiment().pins)
        edit.edits.push_back(UnpinStage{stage});
    if (!edit.edits.empty())
        m_workbench->apply(edit, tr("Unpin everything"));
}

} // namespace attn
