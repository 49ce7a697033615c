#include "views/TableView.h"

#include "EditController.h"
#include "ThemeController.h"
#include "Workbench.h"
#include "base/CheckedInt.h"
#include "document/OutlineModel.h"
#include "document/StageTableModel.h"
#include "engine/Edit.h"
#include "widgets/LimitedSpinBox.h"
#include "widgets/MatrixTableView.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QScopedValueRollback>
#include <QSpinBox>

namespace attn {

TableView::TableView(Workbench *workbench, EditController *edits, QWidget *parent)
    : QWidget(parent)
    , m_workbench(workbench)
    , m_model(new StageTableModel(this))
    , m_table(new MatrixTableView(this))
    , m_title(new QLabel(this))
    , m_reason(new QLabel(this))
    , m_head(new LimitedSpinBox(this))
{
    m_table->setModel(m_model);
    m_table->setAccessibleName(tr("Table of the selected stage"));
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    m_table->horizontalHeader()->setDefaultSectionSize(72);
    m_table->verticalHeader()->setDefaultSectionSize(24);
    m_reason->setWordWrap(true);
    m_reason->setTextFormat(Qt::PlainText);
    m_reason->setAlignment(Qt::AlignCenter);
    m_head->setPrefix(tr("head "));
    m_head->setAccessibleName(tr("Head in the table"));
    m_head->setKeyboardTracking(false);

    auto *top = new QHBoxLayout;
    top->setContentsMargins(8, 4, 8, 4);
    top->addWidget(m_title);
    top->addWidget(m_head);
    top->addStretch(1);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(top);
    layout->addWidget(m_table, 1);
    layout->addWidget(m_reason, 1);

    connect(workbench, &Workbench::snapshotChanged, this, &TableView::refresh);
    connect(workbench, &Workbench::viewStateChanged, this,
            [this] { m_model->setDecimals(m_workbench->viewState().decimals); });
    connect(workbench->selection(), &Selection::changed, this, &TableView::refresh);
    connect(workbench->theme(), &ThemeController::changed, this, &TableView::applyTheme);
    connect(m_table, &MatrixTableView::blockSelected, this,
            [this](const QModelIndex &anchor, const QModelIndex &cell) {
                const QScopedValueRollback selecting(m_selecting, true);
                m_workbench->selection()->setBlock(m_model->target(), m_model->cellAt(anchor),
                                                   m_model->cellAt(cell));
            });
    connect(m_table, &MatrixTableView::cellWalked, this, [this](const QModelIndex &cell) {
        const QScopedValueRollback selecting(m_selecting, true);
        m_workbench->selection()->moveInBlock(m_model->cellAt(cell));
    });
    connect(m_table, &MatrixTableView::selectionFilled, edits, &EditController::fillSelection);
    connect(m_table, &MatrixTableView::deleteRequested, edits, &EditController::clear);
    connect(m_table, &MatrixTableView::copyRequested, edits, [edits] { edits->copy(); });
    connect(m_table, &MatrixTableView::cutRequested, edits, &EditController::cut);
    connect(m_table, &MatrixTableView::pasteRequested, edits, &EditController::paste);
    connect(m_table, &MatrixTableView::readOnlyHit, this,
            [this] { m_table->showRefusal(m_model->target().readOnlyReason(m_workbench->experiment())); });
    m_table->setValueCheck([this](const QModelIndex &index, double value) {
        const auto edit =
            m_model->target().typed(m_workbench->experiment(), {CellValue{m_model->cellAt(index), value}});
        return edit.ok() ? QString() : QString::fromStdString(edit.error().message);
    });
    connect(m_table, &QWidget::customContextMenuRequested, this,
            [this](const QPoint &place) { emit contextMenuWanted(m_table->viewport()->mapToGlobal(place)); });
    connect(m_model, &StageTableModel::editRequested, edits,
            [edits](const EditTarget &target, const CellValue &value) { edits->setCells(target, {value}); });
    connect(m_model, &StageTableModel::editRefused, m_table, &MatrixTableView::showRefusal);
    connect(m_head, &QSpinBox::valueChanged, this, [this](int head) {
        if (m_following)
            return;
        const Selection *selection = m_workbench->selection();
        CellIndex cell = selection->cell();
        cell.head = head - 1;
        m_workbench->select(selection->stage(), cell);
    });
    applyTheme();
}

void TableView::applyTheme()
{
    const Theme &theme = m_workbench->theme()->theme();
    m_model->setColors(theme.pin, theme.mutedText);
    m_table->setFont(theme.numberFont);
    m_table->horizontalHeader()->setFont(theme.textFont);
    m_table->verticalHeader()->setFont(theme.textFont);
}

void TableView::refresh()
{
    const SnapshotPtr &snapshot = m_workbench->snapshot();
    if (!snapshot)
        return;
    const QScopedValueRollback following(m_following, true);
    const Selection *selection = m_workbench->selection();
    const EditTarget &target = selection->target();
    m_model->setTarget(target, selection->cell().head);
    m_model->setSnapshot(snapshot);
    const StageState &state = snapshot->stage(target.stage);
    const bool hasTable = m_model->values() != nullptr;
    m_table->setVisible(hasTable);
    m_reason->setVisible(!hasTable);
    m_reason->setText(QString::fromStdString(state.reason));
    const QString shape =
        hasTable ? QString::fromStdString(shapeText(m_model->values()->shape())) : QString();
    const QString stateText = target.isLab() ? tr("scratch") : stageStateText(*snapshot, target.stage);
    m_title->setText(QStringLiteral("%1  %2  %3").arg(target.name(), shape, stateText));
    const int heads = hasTable ? toInt(m_model->values()->heads()) : 1;
    m_head->setRange(1, heads);
    m_head->setValue(toInt(selection->cell().head) + 1);
    m_head->setVisible(heads > 1);
    showSelection();
}

void TableView::showSelection()
{
    if (m_selecting || !m_model->values())
        return;
    const auto indexOf = [this](const CellIndex &cell) {
        return m_model->index(toInt(cell.row), toInt(cell.col));
    };
    const Selection *selection = m_workbench->selection();
    m_table->selectBlock(indexOf(selection->anchor()), indexOf(selection->corner()),
                         indexOf(selection->cell()));
}

} // namespace attn
