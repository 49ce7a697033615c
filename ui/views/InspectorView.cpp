#include "views/InspectorView.h"

#include "EditController.h"
#include "ThemeController.h"
#include "Workbench.h"
#include "base/NumberText.h"
#include "document/OutlineModel.h"
#include "engine/Edit.h"
#include "engine/WeightSums.h"
#include "views/DerivationHtml.h"
#include "widgets/CalmLabel.h"
#include "widgets/NumberScrubField.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QJsonObject>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QScrollBar>
#include <QTextBrowser>

#include <algorithm>
#include <cmath>
#include <utility>

namespace attn {

namespace {

/// Cells of a head that are counted at once; more of them in the background.
constexpr Index mostCountedAtOnce = Index(1) << 18;

const QString softmaxLink = QStringLiteral("lab:softmax");

QString shortText(const StageValues &values, double value)
{
    return QString::fromStdString(values.isSinglePrecision() ? shortestText(static_cast<float>(value))
                                                             : shortestText(value));
}

} // namespace

InspectorView::InspectorView(Workbench *workbench, EditController *edits, QWidget *parent)
    : QWidget(parent)
    , m_workbench(workbench)
    , m_edits(edits)
    , m_name(new QLabel(this))
    , m_value(new NumberScrubField(this))
    , m_state(new QLabel(this))
    , m_unpin(new QPushButton(tr("Unpin"), this))
    , m_rowSum(new CalmLabel(this))
    , m_statistics(new CalmLabel(this))
    , m_derivation(new QTextBrowser(this))
{
    m_name->setTextFormat(Qt::PlainText);
    m_name->setWordWrap(true);
    QFont bold = m_name->font();
    bold.setBold(true);
    m_name->setFont(bold);
    m_value->setAccessibleName(tr("Value of the selected cell"));
    m_state->setTextFormat(Qt::PlainText);
    m_state->setWordWrap(true);
    m_rowSum->label()->setWordWrap(true);
    m_statistics->label()->setWordWrap(true);
    m_derivation->setAccessibleName(tr("How this number came about"));
    m_derivation->setFrameShape(QFrame::NoFrame);
    m_derivation->setOpenLinks(false);
    auto *copyText = new QPushButton(tr("Copy as text"), this);
    auto *copyLatex = new QPushButton(tr("Copy as LaTeX"), this);

    auto *stateRow = new QHBoxLayout;
    stateRow->addWidget(m_state, 1);
    stateRow->addWidget(m_unpin);
    auto *copyRow = new QHBoxLayout;
    copyRow->addWidget(copyText);
    copyRow->addWidget(copyLatex);
    copyRow->addStretch(1);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 8, 8, 8);
    layout->addWidget(m_name);
    layout->addWidget(m_value);
    layout->addLayout(stateRow);
    layout->addWidget(m_rowSum);
    layout->addWidget(m_derivation, 1);
    layout->addLayout(copyRow);
    layout->addWidget(m_statistics);

    m_timer.setSingleShot(true);
    m_timer.setInterval(0);
    connect(&m_timer, &QTimer::timeout, this, &InspectorView::refresh);
    connect(workbench, &Workbench::snapshotChanged, this, &InspectorView::schedule);
    connect(workbench, &Workbench::viewStateChanged, this, &InspectorView::schedule);
    connect(workbench->selection(), &Selection::changed, this, &InspectorView::schedule);
    connect(workbench, &Workbench::cursorTextChanged, this, &InspectorView::schedule);
    connect(workbench->theme(), &ThemeController::changed, this, &InspectorView::schedule);
    connect(m_derivation, &QTextBrowser::anchorClicked, this, &InspectorView::openSoftmaxLab);
    connect(m_unpin, &QPushButton::clicked, edits, &EditController::unpinSelected);
    connect(copyText, &QPushButton::clicked, edits, [edits] { edits->copyDerivation(false); });
    connect(copyLatex, &QPushButton::clicked, edits, [edits] { edits->copyDerivation(true); });
    connect(m_value, &NumberScrubField::edited, this, [this](double value) {
        const Selection *selection = m_workbench->selection();
        m_edits->setCells(selection->target(), {{selection->cell(), value}});
        if (QWidget *before = std::exchange(m_cameFrom, nullptr))
            QMetaObject::invokeMethod(
                before, [before] { before->setFocus(Qt::OtherFocusReason); }, Qt::QueuedConnection);
    });
    connect(m_value, &NumberScrubField::scrubbed, this, [this](double value, GesturePhase phase) {
        if (phase == GesturePhase::Begin)
            m_gesture = m_workbench->document()->newGesture();
        const Selection *selection = m_workbench->selection();
        m_edits->setCells(selection->target(), {{selection->cell(), value}}, m_gesture);
    });
    connect(m_value, &NumberScrubField::readOnlyHit, this, [this] { m_workbench->say(m_state->text()); });
    m_value->setCheck([this](double value) {
        const Selection *selection = m_workbench->selection();
        const auto edit =
            selection->target().typed(m_workbench->experiment(), {CellValue{selection->cell(), value}});
        return edit.ok() ? QString() : QString::fromStdString(edit.error().message);
    });
}

void InspectorView::editValue(const QString &typed)
{
    refresh();
    QWidget *before = QApplication::focusWidget();
    m_value->setFocus(Qt::OtherFocusReason);
    m_cameFrom = before;
    const bool isBegun = !typed.isEmpty();
    QKeyEvent key(QEvent::KeyPress, isBegun ? Qt::Key_unknown : Qt::Key_F2, Qt::NoModifier, typed);
    QApplication::sendEvent(m_value, &key);
}

void InspectorView::schedule()
{
    if (!isVisible())
        return;
    // Snapshots that are not complete follow each other fast, and the row of a large matrix is long.
    constexpr qint64 unfinishedEvery = 250;
    const SnapshotPtr &snapshot = m_workbench->snapshot();
    const bool isUnfinished = snapshot && !snapshot->isComplete() && m_sinceRefresh.isValid();
    const qint64 wait = isUnfinished ? std::max<qint64>(0, unfinishedEvery - m_sinceRefresh.elapsed()) : 0;
    if (!m_timer.isActive() || wait == 0)
        m_timer.start(static_cast<int>(wait));
}

void InspectorView::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    refresh();
}

void InspectorView::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    schedule();
}

void InspectorView::refresh()
{
    const SnapshotPtr &snapshot = m_workbench->snapshot();
    if (!snapshot)
        return;
    m_sinceRefresh.start();
    const Selection *selection = m_workbench->selection();
    const EditTarget &target = selection->target();
    const CellIndex &cell = selection->cell();
    const StageValuesPtr values = target.values(*snapshot);
    const QString name = target.cellName(snapshot->experiment(), cell);
    // The cursor at a number that only a picture has leaves the selection as it is.
    m_name->setText(m_workbench->cursorText().isEmpty() ? name : tr("Still selected: %1").arg(name));
    const bool hasCell =
        values && cell.head < values->heads() && cell.row < values->rows() && cell.col < values->cols();
    m_unpin->setVisible(!target.isLab() && snapshot->experiment().pinsOf(target.stage).at(cell).has_value());
    m_state->setText(stateText());
    m_rowSum->setVisible(hasCell && !target.isLab() && target.stage == Stage::A);
    if (!m_rowSum->isHidden())
        showRowSum(*values);
    if (!hasCell) {
        m_statistics->setText({});
        m_counting.cancel();
        m_deriving.cancel();
        m_derived = {};
        m_derivation->setEnabled(true);
        m_value->clearNumber(QString());
        m_value->setEditable(false);
        m_html.clear();
        m_derivation->setPlainText(QString::fromStdString(snapshot->stage(target.stage).reason));
        return;
    }
    showStatistics(values);
    const double value = values->value(cell.head, cell.row, cell.col);
    m_value->setNumber(value, shortText(*values, value));
    m_value->setEditable(target.readOnlyReason(snapshot->experiment()).isEmpty());
    showDerivation(*values);
}

/// That of a long row is put together in the background: the window goes on meanwhile. What stands there of
/// another cell or an older document is grey until then.
void InspectorView::showDerivation(const StageValues &values)
{
    constexpr Index mostTermsAtOnce = 8192;
    const SnapshotPtr &snapshot = m_workbench->snapshot();
    const EditTarget &target = m_workbench->selection()->target();
    const CellIndex cell = m_workbench->selection()->cell();
    const Sizes &sizes = snapshot->sizes();
    if (target.isLab()) {
        m_deriving.cancel();
        m_html.clear();
        m_derivation->clear();
        return;
    }
    const Derived wanted{target.stage, cell, snapshot->generation()};
    if (std::max({values.cols(), sizes.nK, sizes.dModel}) <= mostTermsAtOnce) {
        m_deriving.cancel();
        m_derived = wanted;
        showDerivation(derive(*snapshot, target.stage, cell), target.stage);
        return;
    }
    m_derivation->setEnabled(m_derived == wanted);
    m_deriving.start([this, snapshot, wanted](std::stop_token) {
        return [this, wanted, derivation = derive(*snapshot, wanted.stage, wanted.cell)] {
            m_derived = wanted;
            showDerivation(derivation, wanted.stage);
        };
    });
}

void InspectorView::showDerivation(const Derivation &derivation, Stage stage)
{
    m_derivation->setEnabled(true);
    const QString html =
        QString(derivationHtml(derivation, m_workbench->theme()->theme(), m_workbench->viewState().decimals,
                               m_derivation->fontMetrics(), derivationWidth()) +
                linkHtml(stage));
    // While the rest of a head is computed the same text comes again and again.
    if (std::exchange(m_html, html) != html)
        m_derivation->setHtml(html);
}

/// Weights lead to the page that turns the question round.
QString InspectorView::linkHtml(Stage stage) const
{
    if (stage != Stage::A && stage != Stage::ASoft)
        return {};
    return QStringLiteral("<p style='margin:10px 0 2px 0'><a href='%1' style='color:%2;'>%3</a></p>")
        .arg(softmaxLink, m_workbench->theme()->theme().accent.name(),
             tr("Which scores would give this A? Shown in the lab"));
}

void InspectorView::openSoftmaxLab()
{
    ViewState state = m_workbench->viewState();
    QJsonObject lab = state.workspaceState(QStringLiteral("lab"));
    lab.insert(QStringLiteral("page"), QStringLiteral("softmax"));
    state = state.withWorkspaceState(QStringLiteral("lab"), lab);
    state.workspace = QStringLiteral("lab");
    m_workbench->setViewState(std::move(state));
}

int InspectorView::derivationWidth() const
{
    constexpr int cellPadding = 8; // of a table of two columns
    const int scrollBar = m_derivation->verticalScrollBar()->sizeHint().width();
    const int margins = 2 * static_cast<int>(std::ceil(m_derivation->document()->documentMargin()));
    return m_derivation->maximumViewportSize().width() - scrollBar - margins - cellPadding;
}

QString InspectorView::stateText() const
{
    const Snapshot &snapshot = *m_workbench->snapshot();
    const Selection *selection = m_workbench->selection();
    if (selection->target().isLab())
        return tr("scratch matrix: no stage is computed from it");
    const std::string reason = readOnlyReason(snapshot.experiment(), selection->stage());
    if (!reason.empty())
        return QString::fromStdString(reason);
    if (!snapshot.stage(selection->stage()).hasValues())
        return tr("%1 has no numbers now.").arg(selection->target().name());
    if (snapshot.experiment().pinsOf(selection->stage()).at(selection->cell()))
        return tr("set by hand");
    return snapshot.stage(selection->stage()).status == StageStatus::Given
               ? tr("given: typing changes the document")
               : tr("computed: typing pins the cell");
}

/// Weights set by hand may leave a row that is no mixture any more; nothing is scaled in silence.
void InspectorView::showRowSum(const StageValues &values)
{
    const CellIndex &cell = m_workbench->selection()->cell();
    const double sum = weightSum(values, cell.head, cell.row);
    const QString number = QString::fromStdString(displayText(sum, m_workbench->viewState().decimals + 2))
                               .replace(u'-', QChar(0x2212));
    const std::vector<UnevenRow> uneven = unevenRows(*m_workbench->snapshot(), cell.head);
    const bool isUneven = std::ranges::find(uneven, cell.row, &UnevenRow::row) != uneven.end();
    m_rowSum->setText(isUneven
                          ? tr("row sum %1: with what is set by hand the row does not add to 1").arg(number)
                          : tr("row sum %1").arg(number));
    QPalette colors = palette();
    if (isUneven)
        colors.setColor(QPalette::WindowText, m_workbench->theme()->theme().warning);
    m_rowSum->setPalette(colors);
}

void InspectorView::showStatistics(const StageValuesPtr &values)
{
    const Index head = m_workbench->selection()->cell().head;
    if (!m_counted.is(values, head) && values->rows() * values->cols() > mostCountedAtOnce) {
        if (m_asked.is(values, head) && m_counting.isBusy())
            return;
        m_statistics->setText(tr("%1: its cells are being counted").arg(statisticsName(*values)));
        m_asked = {values, head};
        m_counting.start([this, values, head](std::stop_token) {
            const ValueStatistics counts = values->statistics(head);
            return [this, values, head, counts] {
                m_counted = {values, head};
                m_counts = counts;
                m_statistics->setText(statisticsText(*values, counts));
            };
        });
        return;
    }
    m_counting.cancel();
    if (!m_counted.is(values, head)) {
        m_counted = {values, head};
        m_counts = values->statistics(head);
    }
    m_statistics->setText(statisticsText(*values, m_counts));
}

QString InspectorView::statisticsName(const StageValues &values) const
{
    const Selection *selection = m_workbench->selection();
    const QString head = values.heads() > 1 ? tr(", head %1").arg(selection->cell().head + 1) : QString();
    return QString(selection->target().name() + head);
}

QString InspectorView::statisticsText(const StageValues &values, const ValueStatistics &statistics) const
{
    const int digits = m_workbench->viewState().decimals + 2;
    const auto number = [digits](double value) {
        return QString::fromStdString(displayText(value, digits)).replace(u'-', QChar(0x2212));
    };
    QStringList parts;
    if (statistics.finiteCount > 0)
        parts.append(tr("minimum %1, maximum %2, mean %3")
                         .arg(number(statistics.minimum), number(statistics.maximum),
                              number(statistics.sum / static_cast<double>(statistics.finiteCount))));
    const auto count = [&parts](Index cells, const QString &what) {
        if (cells > 0)
            parts.append(QString(QString::number(cells) + u' ' + what));
    };
    count(statistics.minusInfCount, QStringLiteral("−inf"));
    count(statistics.plusInfCount, QStringLiteral("inf"));
    count(statistics.nanCount, QStringLiteral("NaN"));
    return QString(statisticsName(values) + QStringLiteral(": ") + parts.join(QStringLiteral(", ")));
}

} // namespace attn
