#include "views/FlowView.h"

#include "Workbench.h"
#include "base/CheckedInt.h"
#include "engine/Derivation.h"
#include "render/LabelText.h"
#include "render/scenes/FlowDrawing.h"
#include "render/scenes/StageCard.h"
#include "render/scenes/StageTexts.h"
#include "views/FlowControls.h"

#include <QVBoxLayout>

#include <algorithm>

namespace attn {

namespace {

using namespace Qt::StringLiterals;

const QString flowName = QStringLiteral("flow");
constexpr double leastFlowWidth = 720.0;
/// Weights to be read; above, links are computed in the background.
constexpr Index mostReadAtOnce = 400000;
/// Tokens of a list; pictures of more are put together in the background.
constexpr Index mostTokensDrawnAtOnce = 512;
/// Multiplications of a row that is followed; above, likewise.
constexpr Index mostMultipliedAtOnce = 4000000;

QStringList labelsOf(const std::vector<std::string> &labels)
{
    QStringList names;
    for (std::size_t i = 0; i < labels.size(); ++i)
        names.append(placedLabel(static_cast<Index>(i), QString::fromStdString(labels[i])));
    return names;
}

QStringList featureNames(Index count)
{
    QStringList names;
    for (Index i = 0; i < count; ++i)
        names.append(u"f%1"_s.arg(i + 1));
    return names;
}

bool sameFilter(const FlowFilter &a, const FlowFilter &b)
{
    return a.mass == b.mass && a.threshold == b.threshold && a.mostLinks == b.mostLinks;
}

bool sameRow(const RowFlowQuestion &a, const RowFlowQuestion &b)
{
    return a.kind == b.kind && a.head == b.head && a.row == b.row;
}

/// Multiplications of the terms of one row.
Index rowCost(const Snapshot &snapshot, const RowFlowQuestion &question)
{
    const Sizes &sizes = snapshot.sizes();
    switch (question.kind) {
    case RowFlowKind::HeadContribution:
        return sizes.nK * sizes.dHeadV * sizes.dOut;
    case RowFlowKind::Output:
        return sizes.nHeads * sizes.nK * sizes.dHeadV * sizes.dOut;
    case RowFlowKind::HeadOut:
        return sizes.nK * sizes.dHeadV;
    default:
        return std::max(sizes.dModel, sizes.dModelKv) * std::max(sizes.dHeadK, sizes.dHeadV);
    }
}

bool sameQuestion(const FlowQuestion &a, const FlowQuestion &b)
{
    return a.measure == b.measure && a.heads == b.heads && a.direction == b.direction &&
           a.onlySource == b.onlySource && a.onlyTarget == b.onlyTarget;
}

Index weightsRead(const Snapshot &snapshot, const FlowQuestion &question)
{
    const StageValues &A = *snapshot.stage(Stage::A).values;
    const Index heads = question.heads.empty() ? A.heads() : static_cast<Index>(question.heads.size());
    const bool readsOneKey = question.onlySource && question.measure != FlowMeasure::Rollout;
    return heads * (question.onlyTarget ? 1 : A.rows()) * (readsOneKey ? 1 : A.cols());
}

} // namespace

bool FlowView::Computed::isFor(const SnapshotPtr &other, const FlowQuestion &asked,
                               const FlowFilter &filtered) const
{
    return snapshot == other && sameQuestion(question, asked) && sameFilter(filter, filtered);
}

FlowView::FlowView(Workbench *workbench, EditController *edits, QWidget *parent)
    : SceneWorkspace(workbench, edits, parent)
    , m_controls(new FlowControls(this))
{
    view()->setAccessibleName(tr("Flow"));
    view()->setFit(SceneCanvas::Fit::Width);
    qobject_cast<QVBoxLayout *>(layout())->insertWidget(0, m_controls);
    connect(m_controls, &FlowControls::chosen, this, &FlowView::setChoice);
    connect(workbench->selection(), &Selection::changed, this, &FlowView::followSelection);
}

FlowChoice FlowView::choice() const
{
    const FlowChoice saved = FlowChoice::fromJson(workbench()->viewState().workspaceState(flowName));
    return workbench()->snapshot() ? saved.fittedTo(*workbench()->snapshot()) : saved;
}

void FlowView::setChoice(const FlowChoice &choice)
{
    m_hovered = {};
    workbench()->setViewState(workbench()->viewState().withWorkspaceState(flowName, choice.toJson()));
}

bool FlowView::isBusy() const
{
    return m_task.isBusy() || m_aloneTask.isBusy();
}

void FlowView::waitUntilIdle()
{
    m_task.waitUntilIdle();
    m_aloneTask.waitUntilIdle();
}

Scene FlowView::buildScene(const SnapshotPtr &snapshot, const DisplayOptions &display)
{
    const FlowChoice shown = choice();
    return shown.isRow() ? rowScene(snapshot, display, shown) : tokenBuild(snapshot, display, shown)({});
}

SceneWorker::Build FlowView::heavyBuild(const SnapshotPtr &snapshot, const DisplayOptions &display)
{
    const FlowChoice shown = choice();
    const bool isLarge = std::max(snapshot->sizes().nQ, snapshot->sizes().nK) > mostTokensDrawnAtOnce;
    return isLarge && !shown.isRow() ? tokenBuild(snapshot, display, shown) : SceneWorker::Build();
}

std::shared_ptr<const FlowLinks> FlowView::linksFor(const SnapshotPtr &snapshot, const FlowQuestion &question,
                                                    const FlowFilter &filter, Computed &store,
                                                    Computed &asked, BackgroundTask &task)
{
    if (store.isFor(snapshot, question, filter))
        return store.links;
    if (weightsRead(*snapshot, question) <= mostReadAtOnce) {
        task.cancel();
        store = {snapshot, question, filter,
                 std::make_shared<const FlowLinks>(flowLinks(*snapshot, question, filter))};
        return store.links;
    }
    if (!task.isBusy() || !asked.isFor(snapshot, question, filter)) {
        asked = {snapshot, question, filter, nullptr};
        task.start([this, &store, snapshot, question, filter](std::stop_token stop) {
            auto links = std::make_shared<const FlowLinks>(flowLinks(*snapshot, question, filter, stop));
            return [this, &store, snapshot, question, filter, links = std::move(links)] {
                store = {snapshot, question, filter, links};
                scheduleRebuild();
            };
        });
    }
    return nullptr;
}

SceneWorker::Build FlowView::tokenBuild(const SnapshotPtr &snapshot, const DisplayOptions &display,
                                        const FlowChoice &choice)
{
    TokenFlowOptions options;
    options.question = flowQuestionOf(choice, *snapshot);
    options.filter = choice.filter();
    options.layout = choice.layout;
    options.width = std::max(leastFlowWidth, static_cast<double>(width()) - 24.0);
    if (choice.measure == FlowMeasure::Contribution) {
        options.directionName = directionNameOf(choice, *snapshot);
        if (choice.toward == FlowChoice::Toward::Cell || choice.toward == FlowChoice::Toward::Column)
            options.outputColumn = choice.column;
    }
    if (!snapshot->stage(Stage::A).hasValues() || !flowProblem(*snapshot, options.question).empty())
        return [snapshot, display, options](const std::stop_token &) {
            return tokenFlowScene(snapshot, display, options);
        };

    DisplayOptions shownDisplay = display;
    options.links = linksFor(snapshot, options.question, options.filter, m_links, m_askedLinks, m_task);
    const StageValues &A = *snapshot->stage(Stage::A).values;
    if (!options.links) {
        const bool fits =
            m_links.links && m_links.links->sources == A.cols() && m_links.links->targets == A.rows();
        if (!fits)
            return [text = tr("%1 weights are read, the strongest links are kept.")
                               .arg(countText(weightsRead(*snapshot, options.question)))](
                       const std::stop_token &) {
                return messageScene(tr("The flow is being computed"), text);
            };
        options.links = m_links.links;
        shownDisplay.updating = true;
    }
    const Alone alone = shownAlone(choice);
    FlowQuestion question = options.question;
    if (alone.kind == FlowChoice::Alone::Source && alone.node < A.cols())
        question.onlySource = alone.node;
    if (alone.kind == FlowChoice::Alone::Target && alone.node < A.rows())
        question.onlyTarget = alone.node;
    if (question.onlySource || question.onlyTarget) {
        options.aloneLinks =
            linksFor(snapshot, question, options.filter, m_aloneLinks, m_askedAlone, m_aloneTask);
        if (options.aloneLinks) {
            options.source = question.onlySource;
            options.target = question.onlyTarget;
        }
    }
    const Selection *selection = workbench()->selection();
    if (selection->stage() == Stage::A)
        options.selected = selection->cell();
    return [snapshot, shownDisplay, options](const std::stop_token &) {
        return tokenFlowScene(snapshot, shownDisplay, options);
    };
}

Scene FlowView::rowScene(const SnapshotPtr &snapshot, const DisplayOptions &display, const FlowChoice &choice)
{
    RowFlowOptions options;
    options.question = {choice.rowKind(), choice.head(), choice.token};
    options.filter = choice.filter();
    options.layout = choice.layout;
    options.width = std::max(leastFlowWidth, static_cast<double>(width()) - 24.0);
    if (rowFlowProblem(*snapshot, options.question).empty()) {
        options.flow = rowFor(snapshot, options.question, options.filter);
        if (!options.flow)
            return messageScene(tr("The row is being computed"), tr("Its terms are multiplied out."));
    }
    const Alone alone = shownAlone(choice);
    if (alone.kind == FlowChoice::Alone::Source)
        options.source = alone.node;
    if (alone.kind == FlowChoice::Alone::Target)
        options.target = alone.node;
    return rowFlowScene(snapshot, display, options);
}

std::shared_ptr<const RowFlow> FlowView::rowFor(const SnapshotPtr &snapshot, const RowFlowQuestion &question,
                                                const FlowFilter &filter)
{
    const auto isFor = [&](const ComputedRow &row) {
        return row.snapshot == snapshot && sameRow(row.question, question) && sameFilter(row.filter, filter);
    };
    if (isFor(m_row))
        return m_row.flow;
    if (rowCost(*snapshot, question) <= mostMultipliedAtOnce) {
        m_task.cancel();
        m_row = {snapshot, question, filter,
                 std::make_shared<const RowFlow>(rowFlow(*snapshot, question, filter))};
        return m_row.flow;
    }
    if (!m_task.isBusy() || !isFor(m_askedRow)) {
        m_askedRow = {snapshot, question, filter, nullptr};
        m_task.start([this, snapshot, question, filter](std::stop_token stop) {
            auto flow = std::make_shared<const RowFlow>(rowFlow(*snapshot, question, filter, stop));
            return [this, snapshot, question, filter, flow = std::move(flow)] {
                m_row = {snapshot, question, filter, flow};
                scheduleRebuild();
            };
        });
    }
    return nullptr;
}

FlowView::Alone FlowView::shownAlone(const FlowChoice &choice) const
{
    if (m_hovered.kind != FlowChoice::Alone::None)
        return m_hovered;
    if (m_focused.kind != FlowChoice::Alone::None)
        return m_focused;
    const bool isOneCell = !choice.isRow() && choice.measure == FlowMeasure::Contribution &&
                           choice.toward == FlowChoice::Toward::Cell;
    if (isOneCell && choice.alone == FlowChoice::Alone::None)
        return {FlowChoice::Alone::Target, choice.token};
    return {choice.alone, choice.aloneToken};
}

/// "from:3": node 3 of the sources; "through:3" is the same node as its feature or cell.
FlowView::Alone FlowView::aloneOf(const QString &id) const
{
    const qsizetype colon = id.indexOf(u':');
    if (colon < 0)
        return {};
    const QStringView kind = QStringView(id).left(colon);
    const Index node = id.mid(colon + 1).toInt();
    if (kind == u"from")
        return {FlowChoice::Alone::Source, node};
    if (kind == u"to")
        return {FlowChoice::Alone::Target, node};
    return {};
}

void FlowView::onShapeHovered(const QString &id)
{
    const Alone alone = aloneOf(id);
    if (alone == m_hovered)
        return;
    m_hovered = alone;
    scheduleRebuild();
}

void FlowView::onShapeClicked(const QString &id)
{
    FlowChoice next = choice();
    const Alone alone = aloneOf(id);
    if (alone.kind != FlowChoice::Alone::None) {
        const bool isOff = next.alone == alone.kind && next.aloneToken == alone.node;
        next.alone = isOff ? FlowChoice::Alone::None : alone.kind;
        next.aloneToken = isOff ? 0 : alone.node;
        setChoice(next);
        scheduleRebuild();
        return;
    }
    if (const auto cell = cellOf(id))
        workbench()->select(cell->first, cell->second);
}

void FlowView::onShapeFocused(const QString &id)
{
    const Alone alone = aloneOf(id);
    const bool isRibbon = !id.isEmpty() && alone.kind == FlowChoice::Alone::None;
    if (const auto cell = cellOf(id))
        workbench()->select(cell->first, cell->second);
    if (isRibbon || alone == m_focused)
        return; // one of a token that is alone leaves it so
    m_focused = alone;
    scheduleRebuild();
}

void FlowView::onShapeTyped(const QString &id, const QString &text)
{
    const auto cell = cellOf(id);
    if (!cell)
        return;
    workbench()->select(cell->first, cell->second);
    emit editWanted(text);
}

std::optional<std::pair<Stage, CellIndex>> FlowView::cellOf(const QString &id) const
{
    const QStringList parts = id.split(u':');
    if (parts.size() != 3 || parts[0] != "link"_L1)
        return std::nullopt;
    const Index source = parts[1].toInt();
    const Index target = parts[2].toInt();
    const FlowChoice shown = choice();
    if (!shown.isRow()) {
        const Index seen = workbench()->headFor(Stage::A);
        const bool isOneOfThem =
            shown.heads.empty() || std::ranges::find(shown.heads, seen) != shown.heads.end();
        return std::pair(Stage::A, CellIndex{isOneOfThem ? seen : shown.head(), target, source});
    }
    const bool isSum = shown.picture == FlowChoice::Picture::HeadContribution ||
                       shown.picture == FlowChoice::Picture::Output;
    if (isSum || !m_row.flow)
        return std::nullopt;
    const bool isWeight = shown.picture != FlowChoice::Picture::HeadOut;
    const Index head = isWeight ? 0 : kvHeadOf(workbench()->experiment(), shown.head());
    return std::pair(m_row.flow->right, CellIndex{head, source, m_row.flow->firstColumn + target});
}

void FlowView::followSelection()
{
    FlowChoice next = choice();
    const Selection *selection = workbench()->selection();
    const bool isTowardOutput =
        !next.isRow() && next.measure == FlowMeasure::Contribution &&
        (next.toward == FlowChoice::Toward::Cell || next.toward == FlowChoice::Toward::Column);
    if (isTowardOutput && selection->stage() == Stage::Output) {
        next.column = selection->cell().col;
        if (next.toward == FlowChoice::Toward::Cell)
            next.token = selection->cell().row;
    }
    const std::pair<FlowChoice::Picture, Stage> results[] = {
        {FlowChoice::Picture::Query, Stage::Q},
        {FlowChoice::Picture::Key, Stage::K},
        {FlowChoice::Picture::Value, Stage::V},
        {FlowChoice::Picture::HeadOut, Stage::HeadOut},
        {FlowChoice::Picture::HeadContribution, Stage::HeadContribution},
        {FlowChoice::Picture::Output, Stage::Output},
    };
    for (const auto &[picture, stage] : results)
        if (next.picture == picture && selection->stage() == stage)
            next.token = selection->cell().row;
    if (!(next == choice()))
        setChoice(next);
    tellSelectedTokens();
}

/// Where rows or columns of what is selected are tokens, the controls start with them.
void FlowView::tellSelectedTokens()
{
    const Selection *selection = workbench()->selection();
    if (selection->target().isLab())
        return;
    const StageInfo &info = stageInfo(selection->stage());
    const CellIndex cell = selection->cell();
    const Index query = info.rows == Axis::Query ? cell.row : 0;
    const Index key = info.cols == Axis::Key ? cell.col : info.rows == Axis::Key ? cell.row : query;
    m_controls->setSelected(query, key);
}

void FlowView::refreshControls()
{
    tellSelectedTokens();

    const Experiment &experiment = workbench()->experiment();
    const Sizes &sizes = workbench()->snapshot()->sizes();
    if (!(m_listedQueries == experiment.tokens) || !(m_listedKeys == experiment.keyTokens())) {
        m_listedQueries = experiment.tokens;
        m_listedKeys = experiment.keyTokens();
        m_queryNames = labelsOf(m_listedQueries.labels());
        m_keyNames = labelsOf(m_listedKeys.labels());
    }
    FlowControls::Lists lists;
    lists.queries = m_queryNames;
    lists.keys = m_keyNames;
    lists.columns = featureNames(sizes.dOut);
    lists.features = featureNames(std::max({sizes.dModel, sizes.dModelKv, sizes.dHeadK, sizes.dHeadV}));
    lists.heads = toInt(sizes.nHeads);
    m_controls->setLists(lists);
    m_controls->setChoice(choice());
}

void FlowView::resizeEvent(QResizeEvent *event)
{
    SceneWorkspace::resizeEvent(event);
    scheduleRebuild();
}

} // namespace attn
