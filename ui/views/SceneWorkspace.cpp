#include "views/SceneWorkspace.h"

#include "EditController.h"
#include "ThemeController.h"
#include "Workbench.h"
#include "render/scenes/AxisLabelCache.h"
#include "render/scenes/StageCard.h"
#include "views/DisplaySettings.h"

#include <QHideEvent>
#include <QScrollBar>
#include <QToolBar>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace attn {

namespace {

/// What is there by then needs no words.
constexpr int wordlessMs = 300;

EditTarget targetOf(const MapKey &map)
{
    return map.role == MapKey::Role::Lab ? EditTarget::scratch(map.id) : EditTarget(map.stage);
}

/// The part of the view state that a scene is built from.
ViewState withoutSelection(ViewState state)
{
    state.stage = Stage::X;
    state.cell = {};
    state.scratch.clear();
    state.scratchCell = {};
    state.workspace.clear();
    return state;
}

/// Where no stage is seen: rows around the selected one, about as many as a window shows of a large matrix.
Focus focusOnSelection(Workbench &workbench)
{
    constexpr Index rowsInSight = 1024;
    const Index row = workbench.selection()->target().isLab() ? 0 : workbench.selection()->cell().row;
    return {workbench.selection()->stage(), workbench.headFor(Stage::A),
            std::max<Index>(0, row - rowsInSight / 2) / 64 * 64, rowsInSight};
}

std::shared_ptr<const Scene> markedAsUpdating(Scene scene)
{
    for (SceneMap &map : scene.maps)
        map.isUpdating = true;
    return std::make_shared<const Scene>(std::move(scene));
}

} // namespace

SceneWorkspace::SceneWorkspace(Workbench *workbench, EditController *edits, QWidget *parent)
    : QWidget(parent)
    , m_workbench(workbench)
    , m_edits(edits)
    , m_view(new SceneView(this))
    , m_labels(std::make_shared<AxisLabelCache>())
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_view, 1);

    m_patience.setSingleShot(true);
    m_patience.setInterval(wordlessMs);
    connect(&m_patience, &QTimer::timeout, this, &SceneWorkspace::sayItTakesTime);
    connect(&m_worker, &SceneWorker::built, this, &SceneWorkspace::showPicture);
    connect(workbench, &Workbench::snapshotChanged, this, &SceneWorkspace::scheduleRebuild);
    connect(workbench, &Workbench::auditChanged, this, &SceneWorkspace::scheduleRebuild);
    connect(workbench, &Workbench::viewStateChanged, this, &SceneWorkspace::onViewStateChanged);
    connect(workbench->document(), &Document::changed, this, [this](const DocumentChange &change) {
        m_view->setRefining(!m_workbench->compute()->showsOlder());
        if (change.cause != DocumentChange::Cause::Loaded)
            return;
        m_hasPicture = false;
        m_worker.cancel();
    });
    connect(workbench, &Workbench::documentOpened, m_view, &SceneView::resetZoom);
    connect(workbench, &Workbench::documentOpened, this, &SceneWorkspace::showFromTop);
    connect(workbench->selection(), &Selection::changed, this, &SceneWorkspace::onSelectionChanged);
    connect(workbench->theme(), &ThemeController::changed, this, &SceneWorkspace::applyTheme);

    connect(m_view, &SceneView::cellSelected, this, &SceneWorkspace::onCellSelected);
    connect(m_view, &SceneView::cellWalked, this, [this](const MapKey &map, Index row, Index col) {
        if (isSelectable(map))
            m_workbench->selection()->moveInBlock(stageCell(map, row, col));
    });
    connect(m_view, &SceneView::cellHovered, this, &SceneWorkspace::onCellHovered);
    connect(m_view, &SceneView::hoverLeft, this, &SceneWorkspace::hoverLeft);
    connect(m_view, &SceneView::cellsEdited, this, &SceneWorkspace::onCellsEdited);
    connect(m_view, &SceneView::deleteRequested, edits, [edits] { edits->clear(); });
    connect(m_view, &SceneView::copyRequested, edits, [edits] { edits->copy(); });
    connect(m_view, &SceneView::pasteRequested, edits, [edits] { edits->paste(); });
    connect(m_view, &SceneView::scrubbed, this, &SceneWorkspace::onScrubbed);
    connect(m_view, &SceneView::readOnlyHit, this, &SceneWorkspace::onReadOnlyHit);
    connect(m_view, &SceneView::controlActivated, this, &SceneWorkspace::onControl);
    connect(m_view, &SceneView::gripMoved, this, &SceneWorkspace::onGripMoved);
    connect(m_view, &SceneView::shapeHovered, this, [this](const QString &id) {
        tellShape(id.isEmpty() && m_view->focusedShape() ? m_view->focusedShape()->id : id);
        onShapeHovered(id);
    });
    connect(m_view, &SceneView::shapeFocused, this, [this](const QString &id) {
        onShapeFocused(id);
        tellShape(id);
    });
    connect(m_view, &SceneView::shapeTyped, this, &SceneWorkspace::onShapeTyped);
    connect(m_view, &SceneView::shapeClicked, this, &SceneWorkspace::onShapeClicked);
    connect(m_view, &SceneView::contextMenuWanted, this, &SceneWorkspace::contextMenuWanted);
    connect(m_view, &SceneView::viewMoved, this, &SceneWorkspace::moveFocus);
    m_view->setCellNamer([this](const SceneMap &map, Index row, Index col) {
        if (!isSelectable(map.key) || !m_workbench->snapshot())
            return attn::cellName(map, row, col);
        return targetOf(map.key).cellName(m_workbench->snapshot()->experiment(),
                                          stageCell(map.key, row, col));
    });
    m_view->setValueCheck([this](const MapKey &map, double value) {
        const auto edit =
            targetOf(map).typed(m_workbench->experiment(), {CellValue{{map.head, 0, 0}, value}});
        return edit.ok() ? QString() : QString::fromStdString(edit.error().message);
    });
    m_view->setTheme(workbench->theme()->theme());
    m_view->setPooledMaps(workbench->pooledMaps());
    m_view->setProfilesShown(workbench->areProfilesShown());
    connect(workbench, &Workbench::profilesShownChanged, m_view, &SceneView::setProfilesShown);
    connect(workbench, &Workbench::mapsRefined, this, [this] {
        if (isVisible() && m_view->isRefining())
            m_view->viewport()->update();
    });
}

/// What is seen is computed first: the middle of it, where all of it would take long.
void SceneWorkspace::moveFocus()
{
    constexpr Index mostRows = 1024;
    if (!isVisible())
        return;
    const auto seen = m_view->seenRows();
    if (!seen || seen->map.role != MapKey::Role::Stage) {
        m_workbench->compute()->setFocus(focusOnSelection(*m_workbench));
        return;
    }
    Focus focus;
    focus.stage = seen->map.stage;
    focus.head = seen->map.head;
    focus.rowCount = std::min(seen->count, mostRows);
    focus.firstRow = seen->map.rowOffset + seen->first + (seen->count - focus.rowCount) / 2;
    m_workbench->compute()->setFocus(focus);
}

QToolBar *SceneWorkspace::toolBar()
{
    if (!m_toolBar) {
        m_toolBar = new QToolBar(this);
        qobject_cast<QVBoxLayout *>(layout())->insertWidget(0, m_toolBar);
    }
    return m_toolBar;
}

Scene SceneWorkspace::sceneWith(const DisplayOptions &display)
{
    const SnapshotPtr &snapshot = m_workbench->snapshot();
    return snapshot ? buildScene(snapshot, display) : Scene();
}

void SceneWorkspace::scheduleRebuild()
{
    m_isDirty = true;
    m_view->setRefining(true);
    if (!isVisible() || std::exchange(m_isScheduled, true))
        return;
    // An event of its own comes before the next paint, a timer after it: then the scene before would be
    // painted once more.
    QMetaObject::invokeMethod(
        this,
        [this] {
            // What comes next schedules again.
            if (std::exchange(m_isScheduled, false) && !isSoonOutdated())
                rebuild();
        },
        Qt::QueuedConnection);
}

/// A picture of numbers that are on their way out would only delay that of the new ones; but of edits that
/// follow each other without a pause some are shown.
bool SceneWorkspace::isSoonOutdated() const
{
    return m_workbench->compute()->isAboutToShowNewer() && m_hasPicture && m_sinceBuilt.isValid() &&
           !m_sinceBuilt.hasExpired(Workbench::longestFrame.count());
}

void SceneWorkspace::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    emit hoverLeft(); // what the picture before it told is over
    if (!m_isDirty) {
        tellCursor();
        return;
    }
    rebuild();
    m_view->clearChangeMarks(); // what changed while it was hidden is no news
}

/// Nobody waits for a picture that is not looked at; minutes of work would be taken from the one that is.
void SceneWorkspace::hideEvent(QHideEvent *event)
{
    QWidget::hideEvent(event);
    if (event->spontaneous() || !m_worker.isBusy())
        return;
    m_worker.cancel();
    m_isDirty = true;
}

void SceneWorkspace::rebuild()
{
    m_isScheduled = false;
    m_sinceBuilt.start();
    const SnapshotPtr &snapshot = m_workbench->snapshot();
    if (!snapshot)
        return;
    const ViewState &state = m_workbench->viewState();
    DisplayOptions display =
        displayOptionsOf(state, m_workbench->theme()->isDark(), m_workbench->compute()->showsOlder());
    display.audit = m_workbench->audit();
    display.labels = m_labels;
    refreshControls();
    m_builtFor = withoutSelection(state);
    m_isDirty = false;
    if (SceneWorker::Build build = heavyBuild(snapshot, display)) {
        m_worker.post(std::move(build));
        if (!m_hasPicture && !m_patience.isActive())
            m_patience.start();
        if (m_view->scene())
            setScene(markedAsUpdating(*m_view->scene()));
        return;
    }
    m_worker.cancel();
    showPicture(std::make_shared<const Scene>(buildScene(snapshot, display)));
}

void SceneWorkspace::sayItTakesTime()
{
    if (m_worker.isBusy() && !m_hasPicture)
        m_view->setScene(std::make_shared<const Scene>(messageScene(
            tr("This picture is being computed"), tr("It takes its time with so many numbers."))));
}

void SceneWorkspace::setScene(std::shared_ptr<const Scene> scene)
{
    m_view->setScene(std::move(scene));
    showSelection();
    if (const SceneShape *focused = m_view->focusedShape(); focused && m_view->hasFocus())
        tellShape(focused->id); // what it says may have changed with the picture
}

void SceneWorkspace::showPicture(const std::shared_ptr<const Scene> &scene)
{
    const std::shared_ptr<const Scene> before = m_hasPicture ? m_view->scene() : nullptr;
    const bool isNewest = !m_worker.isBusy();
    m_hasPicture = true;
    setScene(isNewest ? scene : markedAsUpdating(*scene));
    if (!isNewest)
        return;
    // What is read from top to bottom does not begin at the selected cell. A message that something is being
    // computed is not yet the picture.
    if (m_isFromTop && m_view->fit() == SceneCanvas::Fit::Width)
        m_view->verticalScrollBar()->setValue(0);
    const Scene &shown = *m_view->scene();
    m_isFromTop = m_isFromTop && shown.maps.empty() && shown.shapes.empty();
    if (m_shown.lock() != m_workbench->snapshot())
        showChangesSince(before);
    m_shown = m_workbench->snapshot();
}

void SceneWorkspace::showChangesSince(const std::shared_ptr<const Scene> &before)
{
    if (before && !m_workbench->isMotionReduced())
        m_view->markChangesSince(*before);
    else
        m_view->clearChangeMarks();
}

void SceneWorkspace::onViewStateChanged()
{
    if (!(withoutSelection(m_workbench->viewState()) == m_builtFor))
        scheduleRebuild();
}

void SceneWorkspace::onSelectionChanged()
{
    if (dependsOnSelection())
        scheduleRebuild();
    showSelection();
    moveFocus();
}

void SceneWorkspace::showSelection()
{
    const Selection *selection = m_workbench->selection();
    const EditTarget &target = selection->target();
    if (target.isLab())
        m_view->setSelection(target.lab, selection->cell(), selection->anchor(), selection->corner());
    else
        m_view->setSelection(shownStage(target.stage), selection->cell(), selection->anchor(),
                             selection->corner());
    tellCursor();
}

/// The panes beside the picture say of what they speak while its cursor is at numbers of its own.
void SceneWorkspace::tellCursor()
{
    if (!isVisible())
        return;
    const SceneMap *map = m_view->currentMap();
    m_workbench->setCursorText(map && !isSelectable(map->key) ? cellText(*map, m_view->currentCell())
                                                              : QString());
}

QString SceneWorkspace::cellText(const SceneMap &map, GridPosition cell) const
{
    const QString name = m_view->nameOfCell(map, cell);
    return map.isCode ? name : QString(name + QStringLiteral(" = ") + tipValueText(map, cell.row, cell.col));
}

Stage SceneWorkspace::shownStage(Stage stage) const
{
    const auto isDrawn = [this](Stage wanted) {
        return m_view->scene() && std::ranges::any_of(m_view->scene()->maps, [wanted](const SceneMap &map) {
                   return showsStageCells(map.key) && map.key.stage == wanted;
               });
    };
    if (isDrawn(stage))
        return stage;
    // One card stands for two stages where the numbers are the same ones.
    const bool oneHead = m_workbench->experiment().nHeads == 1;
    if (oneHead && stage == Stage::Concat && isDrawn(Stage::HeadOut))
        return Stage::HeadOut;
    if (stage == Stage::Masked && isDrawn(Stage::Scaled))
        return Stage::Scaled;
    return stage;
}

void SceneWorkspace::applyTheme()
{
    m_view->setTheme(m_workbench->theme()->theme());
    scheduleRebuild();
}

void SceneWorkspace::onControl(const QString &) {}
void SceneWorkspace::onGrip(const QString &, QPointF, GesturePhase, int) {}
void SceneWorkspace::onShapeHovered(const QString &) {}
void SceneWorkspace::onShapeClicked(const QString &) {}
void SceneWorkspace::onShapeFocused(const QString &) {}
void SceneWorkspace::onShapeTyped(const QString &, const QString &) {}
void SceneWorkspace::onDerivedSelected(const MapKey &, Index, Index) {}

void SceneWorkspace::tellShape(const QString &id)
{
    const SceneShape *shape = m_view->reachableShape(m_view->reachableIndex(id));
    if (shape)
        emit textHovered(shape->name);
    else
        emit hoverLeft();
}

void SceneWorkspace::onGripMoved(const QString &id, QPointF pos, GesturePhase phase)
{
    if (phase == GesturePhase::Begin)
        m_gesture = m_workbench->document()->newGesture();
    onGrip(id, pos, phase, m_gesture);
}

void SceneWorkspace::onCellSelected(const MapKey &map, Index row, Index col, bool extend)
{
    tellCursor();
    if (!isSelectable(map)) {
        onDerivedSelected(map, row, col);
        return;
    }
    Selection *selection = m_workbench->selection();
    const CellIndex cell = stageCell(map, row, col);
    if (extend && selection->target() == targetOf(map) && selection->cell().head == cell.head)
        selection->extendTo(cell);
    else
        selection->setCell(targetOf(map), cell);
}

void SceneWorkspace::onCellHovered(const MapKey &map, Index row, Index col)
{
    if (showsStageCells(map)) {
        emit cellHovered(map.stage, stageCell(map, row, col));
        return;
    }
    if (const SceneMap *shown = m_view->findMap(map))
        emit textHovered(cellText(*shown, {row, col}));
}

void SceneWorkspace::onCellsEdited(const MapBlock &block, double value)
{
    std::vector<CellValue> cells;
    for (Index row = block.firstRow; row <= block.lastRow; ++row)
        for (Index col = block.firstCol; col <= block.lastCol; ++col)
            cells.push_back({stageCell(block.map, row, col), value});
    m_edits->setCells(targetOf(block.map), std::move(cells));
}

void SceneWorkspace::onScrubbed(const MapKey &map, Index row, Index col, double value, GesturePhase phase)
{
    if (phase == GesturePhase::Begin)
        m_gesture = m_workbench->document()->newGesture();
    m_edits->setCells(targetOf(map), {{stageCell(map, row, col), value}}, m_gesture);
}

QString SceneWorkspace::whyDerivedStays(const MapKey &) const
{
    return tr("These numbers follow from others; they cannot be edited themselves.");
}

void SceneWorkspace::onReadOnlyHit(const MapKey &map)
{
    if (map.role == MapKey::Role::Derived)
        m_view->showReason(whyDerivedStays(map));
    else if (!isSelectable(map))
        m_view->showReason(tr("This picture follows from A and V; it cannot be edited itself."));
    else
        m_view->showReason(targetOf(map).readOnlyReason(m_workbench->experiment()));
}

} // namespace attn
