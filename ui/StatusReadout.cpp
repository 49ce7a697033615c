#include "StatusReadout.h"

#include "Workbench.h"
#include "base/NumberText.h"
#include "document/OutlineModel.h"
#include "engine/Derivation.h"
#include "widgets/CalmLabel.h"

#include <QLabel>
#include <QStatusBar>

namespace attn {

StatusReadout::StatusReadout(Workbench *workbench, QStatusBar *bar)
    : QObject(bar)
    , m_workbench(workbench)
    , m_cell(new CalmLabel(bar))
    , m_shape(new QLabel(bar))
    , m_state(new QLabel(bar))
    , m_time(new CalmLabel(bar))
{
    m_cell->setMinimumWidth(0);
    m_cell->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    bar->addWidget(m_cell, 1);
    for (QLabel *label : {m_shape, m_state, m_time->label()}) {
        label->setTextFormat(Qt::PlainText);
        label->setContentsMargins(8, 0, 8, 0);
    }
    bar->addPermanentWidget(m_shape);
    bar->addPermanentWidget(m_state);
    bar->addPermanentWidget(m_time);
    connect(workbench, &Workbench::snapshotChanged, this, &StatusReadout::refresh);
    connect(workbench->selection(), &Selection::changed, this, &StatusReadout::refresh);
    connect(workbench, &Workbench::cursorTextChanged, this, &StatusReadout::refresh);
}

void StatusReadout::hover(Stage stage, const CellIndex &cell)
{
    showCell(stage, cell);
}

void StatusReadout::hoverText(const QString &text)
{
    m_cell->setText(text);
}

void StatusReadout::clearHover()
{
    refresh();
}

void StatusReadout::showCell(const EditTarget &target, const CellIndex &cell)
{
    const SnapshotPtr &snapshot = m_workbench->snapshot();
    if (!snapshot)
        return;
    const StageValuesPtr values = target.values(*snapshot);
    if (!values) {
        m_cell->setText(QString::fromStdString(snapshot->stage(target.stage).reason));
        m_shape->clear();
        return;
    }
    const Shape shape = values->shape();
    if (cell.head >= shape.heads || cell.row >= shape.rows || cell.col >= shape.cols)
        return;
    const double value = values->value(cell.head, cell.row, cell.col);
    const std::string number =
        values->isSinglePrecision() ? shortestText(static_cast<float>(value)) : shortestText(value);
    m_cell->setText(QStringLiteral("%1 = %2").arg(target.cellName(snapshot->experiment(), cell),
                                                  QString::fromStdString(withTrueMinus(number))));
    m_shape->setText(tr("%1 %2, %3")
                         .arg(target.name(), QString::fromStdString(shapeText(shape)),
                              target.isLab() ? tr("scratch") : stageStateText(*snapshot, target.stage)));
}

void StatusReadout::refresh()
{
    const SnapshotPtr &snapshot = m_workbench->snapshot();
    if (!snapshot)
        return;
    const Selection *selection = m_workbench->selection();
    if (m_workbench->cursorText().isEmpty()) {
        showCell(selection->target(), selection->cell());
    } else {
        m_cell->setText(m_workbench->cursorText());
        m_shape->setText(tr("of this picture alone"));
    }
    if (!snapshot->problem().empty())
        m_state->setText(QString::fromStdString(snapshot->problem()));
    else
        m_state->setText(m_workbench->compute()->isBehind() ? tr("updating") : tr("exact"));
    m_time->setText(tr("%1 ms").arg(QString::fromStdString(displayText(snapshot->elapsedMs(), 2))));
    m_time->setToolTip(tr("Time of the last recompute"));
}

} // namespace attn
