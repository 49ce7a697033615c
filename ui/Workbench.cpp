#include "Workbench.h"

#include "engine/Evaluator.h"
#include "engine/NanSearch.h"

#include <algorithm>
#include <utility>

namespace attn {

namespace {

/// As much as leaves one head of 131072 tokens, with all that is known of it, within 600 MB.
constexpr std::size_t mostBytesOfPools = std::size_t(64) << 20;

CellIndex clampedCell(const CellIndex &cell, const Shape &shape)
{
    const auto inside = [](Index index, Index count) {
        return std::clamp<Index>(index, 0, std::max<Index>(0, count - 1));
    };
    return {inside(cell.head, shape.heads), inside(cell.row, shape.rows), inside(cell.col, shape.cols)};
}

/// What is selected instead of a stage that is gone: of those computed from it, or that it was computed from,
/// the one whose rows and columns mean the same, at the same place as far as they do.
StageCell besideGone(const Snapshot &snapshot, Stage gone, const CellIndex &cell)
{
    const StageInfo &before = stageInfo(gone);
    StageCell beside{
        before.kind == StageKind::Mask || !snapshot.stage(Stage::X).hasValues() ? Stage::A : Stage::X, {}};
    int mostShared = -1;
    for (const StageInfo &info : stageTable()) {
        const bool isNeighbour =
            std::ranges::count(info.inputs, gone) + std::ranges::count(before.inputs, info.stage) > 0;
        const bool sharesRows = info.rows == before.rows;
        const bool sharesCols = info.cols == before.cols;
        if (!isNeighbour || !snapshot.stage(info.stage).hasValues() || sharesRows + sharesCols <= mostShared)
            continue;
        mostShared = sharesRows + sharesCols;
        beside = {info.stage, {cell.head, sharesRows ? cell.row : 0, sharesCols ? cell.col : 0}};
    }
    return beside;
}

} // namespace

Workbench::Workbench(ThemeController *theme, ComputeService::Mode mode, QObject *parent)
    : QObject(parent)
    , m_theme(theme)
    , m_compute(mode)
    , m_pooledMaps(mostBytesOfPools)
{
    connect(&m_document, &Document::changed, this, &Workbench::onDocumentChanged);
    connect(&m_selection, &Selection::changed, this, &Workbench::onSelectionChanged);
    connect(&m_compute, &ComputeService::snapshotReady, this, [this] {
        keepSelectionInside();
        emit snapshotChanged();
    });
    connect(&m_compute, &ComputeService::behindChanged, this, &Workbench::snapshotChanged);
    connect(&m_compute, &ComputeService::failed, this, &Workbench::sayUntilChange);
    m_pooledMaps.setListener(
        [this] { QMetaObject::invokeMethod(this, &Workbench::mapsRefined, Qt::QueuedConnection); });
}

Workbench::~Workbench()
{
    // The window is gone by now; an undo stack that empties itself has nothing to tell it any more.
    m_document.undoStack()->blockSignals(true);
    m_document.blockSignals(true);
    m_compute.blockSignals(true);
}

void Workbench::setViewState(ViewState state)
{
    if (state == m_document.viewState())
        return;
    m_document.setViewState(std::move(state));
    emit viewStateChanged();
}

void Workbench::setReducedMotion(bool reduced)
{
    if (std::exchange(m_motionReduced, reduced) != reduced)
        emit motionChanged();
}

bool Workbench::apply(const Edit &edit, const QString &text, int gesture,
                      const std::optional<StageCell> &seenAt)
{
    const Result<QStringList> notes = m_document.apply(edit, text, gesture, seenAt);
    if (!notes.ok()) {
        say(QString::fromStdString(notes.error().message));
        return false;
    }
    if (!notes->isEmpty())
        sayUntilChange(notes->join(u' '));
    return true;
}

void Workbench::setProfilesShown(bool shown)
{
    if (shown == m_areProfilesShown)
        return;
    m_areProfilesShown = shown;
    emit profilesShownChanged(shown);
}

void Workbench::setCursorText(const QString &text)
{
    if (m_cursorText == text)
        return;
    m_cursorText = text;
    emit cursorTextChanged();
}

Index Workbench::headFor(Stage stage) const
{
    const SnapshotPtr &shown = snapshot();
    const Index heads = shown && shown->stage(stage).hasValues() ? shown->stage(stage).values->heads() : 1;
    const bool isSelected = !m_selection.target().isLab() && m_selection.stage() == stage;
    const Index wanted = isSelected ? m_selection.cell().head : viewState().head;
    return std::clamp<Index>(wanted, 0, std::max<Index>(0, heads - 1));
}

void Workbench::select(Stage stage, CellIndex cell)
{
    const SnapshotPtr &shown = snapshot();
    if (shown && shown->stage(stage).hasValues())
        cell = clampedCell(cell, shown->stage(stage).values->shape());
    m_selection.setCell(stage, cell);
}

void Workbench::selectLab(const QString &name, CellIndex cell)
{
    const EditTarget target = EditTarget::scratch(name);
    if (const StageValuesPtr values = snapshot() ? target.values(*snapshot()) : nullptr)
        m_selection.setCell(target, clampedCell(cell, values->shape()));
}

void Workbench::onDocumentChanged(const DocumentChange &change)
{
    emit documentMoved();
    if (change.cause == DocumentChange::Cause::Loaded) {
        m_compute.cancel();
        m_pooledMaps.clear();
        const ViewState &view = m_document.viewState();
        const QString scratch = view.scratch;
        const CellIndex scratchCell = view.scratchCell;
        m_selection.setCell(view.stage, view.cell);
        const Tensor &matrix = m_document.experiment()->lab(scratch.toStdString());
        if (!matrix.isNull())
            m_selection.setCell(EditTarget::scratch(scratch), clampedCell(scratchCell, matrix.shape()));
        emit viewStateChanged();
    }
    refreshAudit();
    // First of all: it would take the processor from what the request starts.
    m_pooledMaps.giveWay(longestFrame);
    m_compute.request(m_document.experiment(), change.generation);
    if (!m_compute.showsOlder())
        m_pooledMaps.carryOn();
    const bool isBackOrForth =
        change.cause == DocumentChange::Cause::Undone || change.cause == DocumentChange::Cause::Redone;
    if (isBackOrForth && change.place) {
        select(change.place->stage, change.place->cell);
        if (snapshot()->generation() == change.generation)
            keepSelectionInside(); // what came with the edit went with it
    }
}

void Workbench::refreshAudit()
{
    // One evaluation for each printed stage.
    constexpr double longestEvaluationMs = 1.0;
    const ExperimentPtr &experiment = m_document.experiment();
    const bool isPrinted = !experiment->decimals.empty() || !experiment->printedFacts.empty();
    const bool wasAudited = !m_audit || !m_audit->isEmpty();
    if (!isPrinted && !wasAudited)
        return;
    if (isPrinted && estimatedMs(*experiment) > longestEvaluationMs)
        m_audit = nullptr;
    else
        m_audit = std::make_shared<const Audit>(isPrinted ? auditOf(experiment) : Audit());
    emit auditChanged();
}

void Workbench::onSelectionChanged()
{
    ViewState state = m_document.viewState();
    if (m_selection.target().isLab()) {
        state.scratch = m_selection.target().lab;
        state.scratchCell = m_selection.cell();
        setViewState(std::move(state));
        return;
    }
    state.scratch.clear();
    state.scratchCell = {};
    state.stage = m_selection.stage();
    state.cell = m_selection.cell();
    if (stageInfo(state.stage).heads == HeadAxis::Query)
        state.head = state.cell.head;
    setViewState(std::move(state));
}

void Workbench::keepSelectionInside()
{
    if (m_selection.target().isLab() && !m_selection.target().values(*snapshot()))
        select(m_selection.stage(), viewState().cell);
    const Stage stage = m_selection.stage();
    if (!m_selection.target().isLab() && snapshot()->stage(stage).status == StageStatus::Absent) {
        const StageCell beside = besideGone(*snapshot(), stage, m_selection.cell());
        select(beside.stage, {headFor(beside.stage), beside.cell.row, beside.cell.col});
    }
    const StageValuesPtr values = m_selection.target().values(*snapshot());
    if (!values)
        return;
    const Shape shape = values->shape();
    const CellIndex cell = clampedCell(m_selection.cell(), shape);
    const CellIndex anchor = clampedCell(m_selection.anchor(), shape);
    const CellIndex corner = clampedCell(m_selection.corner(), shape);
    if (anchor != m_selection.anchor() || corner != m_selection.corner())
        m_selection.setBlock(m_selection.target(), anchor, corner);
    m_selection.moveInBlock(cell);
}

} // namespace attn
