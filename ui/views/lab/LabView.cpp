#include "views/lab/LabView.h"

#include "Workbench.h"
#include "views/lab/MapsPage.h"
#include "views/lab/OrthogonalityPage.h"
#include "views/lab/PositionsPage.h"
#include "views/lab/ScalingPage.h"
#include "views/lab/SoftmaxPage.h"
#include "views/lab/TokensPage.h"
#include "views/lab/VectorsPage.h"
#include "views/lab/WeightPage.h"
#include "widgets/PlaybackBar.h"

#include <QComboBox>
#include <QEvent>
#include <QLabel>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QToolBar>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace attn {

namespace {

/// Narrower, the cards would not stand side by side; the picture is scaled down instead.
constexpr double leastLabWidth = 960.0;
/// A control "show:<id>" brings another control, and what stands below it, into sight.
constexpr QLatin1String showPrefix("show:");

} // namespace

LabView::LabView(Workbench *workbench, EditController *edits, QWidget *parent)
    : SceneWorkspace(workbench, edits, parent)
    , m_choice(new QComboBox(this))
    , m_pages(new QStackedWidget(this))
    , m_playback(new PlaybackBar(this))
{
    view()->setAccessibleName(tr("Lab"));
    view()->setFit(SceneCanvas::Fit::Width);
    auto *label = new QLabel(tr("&Page:"), this);
    label->setBuddy(m_choice);
    label->setContentsMargins(8, 0, 4, 0);
    toolBar()->addWidget(label);
    toolBar()->addWidget(m_choice);
    // A row of its own: in the tool bar the page's controls would vanish into its extension.
    m_pages->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Maximum);
    qobject_cast<QVBoxLayout *>(layout())->insertWidget(1, m_pages);
    layout()->addWidget(m_playback);
    view()->installEventFilter(this);
    addPage(new SoftmaxPage(workbench, m_pages));
    addPage(new ScalingPage(workbench, m_pages));
    addPage(new TokensPage(workbench, m_pages));
    addPage(new PositionsPage(workbench, m_pages));
    addPage(new OrthogonalityPage(workbench, m_pages));
    addPage(new VectorsPage(workbench, m_pages));
    addPage(new MapsPage(workbench, m_pages));
    addPage(new WeightPage(workbench, m_pages));
    connect(m_choice, &QComboBox::activated, this,
            [this](int index) { showPage(m_choice->itemData(index).toString()); });
    connect(m_playback, &PlaybackBar::positionChanged, this, [this](int step) { page()->setStep(step); });
    const auto takeMotion = [this] {
        m_playback->setReducedMotion(this->workbench()->isMotionReduced());
    };
    connect(workbench, &Workbench::motionChanged, this, takeMotion);
    takeMotion();
}

void LabView::addPage(LabPage *page)
{
    m_pages->addWidget(page);
    m_choice->addItem(page->title(), page->id());
    connect(page, &LabPage::rebuildWanted, this, &LabView::scheduleRebuild);
}

LabPage *LabView::page() const
{
    return qobject_cast<LabPage *>(m_pages->currentWidget());
}

void LabView::showPage(const QString &id)
{
    QJsonObject state = workbench()->viewState().workspaceState(QStringLiteral("lab"));
    state.insert(QStringLiteral("page"), id);
    workbench()->setViewState(workbench()->viewState().withWorkspaceState(QStringLiteral("lab"), state));
}

void LabView::refreshControls()
{
    const QString wanted = workbench()
                               ->viewState()
                               .workspaceState(QStringLiteral("lab"))
                               .value(QLatin1String("page"))
                               .toString();
    const int index = std::max(0, m_choice->findData(wanted));
    const QSignalBlocker choiceBlocker(m_choice);
    m_choice->setCurrentIndex(index);
    m_pages->setCurrentIndex(index);
    page()->refreshControls();
    const QSignalBlocker playbackBlocker(m_playback);
    m_playback->setVisible(page()->stepCount() > 0);
    m_playback->setPositionsPerStep(page()->positionsPerStep());
    m_playback->setStepCount(page()->stepCount());
    m_playback->setPosition(page()->step());
}

QSizeF LabView::sceneRoom()
{
    const double wide = std::max(leastLabWidth, static_cast<double>(width()) - 24.0);
    const QSizeF seen = view()->size();
    return {wide, seen.height() * wide / std::max(1.0, seen.width())};
}

Scene LabView::buildScene(const SnapshotPtr &snapshot, const DisplayOptions &display)
{
    return page()->buildScene(snapshot, display, sceneRoom());
}

SceneWorker::Build LabView::heavyBuild(const SnapshotPtr &snapshot, const DisplayOptions &display)
{
    if (std::exchange(m_builtPage, page()->id()) != page()->id())
        showFromTop();
    return page()->heavyBuild(snapshot, display, sceneRoom());
}

void LabView::onControl(const QString &id)
{
    if (id.startsWith(showPrefix)) {
        showControl(id.mid(showPrefix.size()));
        return;
    }
    page()->onControl(id);
}

void LabView::showControl(const QString &id)
{
    constexpr double shownBelow = 320.0;
    for (const SceneControl &control : view()->scene()->controls)
        if (control.id == id)
            view()->ensureVisible(control.rect.adjusted(0.0, -16.0, 0.0, shownBelow));
}

void LabView::onGrip(const QString &id, QPointF pos, GesturePhase phase, int gesture)
{
    page()->onGrip(id, pos, phase, gesture);
}

void LabView::onShapeHovered(const QString &id)
{
    page()->onShapeHovered(id);
}

void LabView::onShapeClicked(const QString &id)
{
    page()->onShapeClicked(id);
}

void LabView::onDerivedSelected(const MapKey &map, Index row, Index col)
{
    page()->onDerivedSelected(map, row, col);
}

QString LabView::whyDerivedStays(const MapKey &map) const
{
    const QString own = page()->whyDerivedStays(map);
    return own.isEmpty() ? SceneWorkspace::whyDerivedStays(map) : own;
}

bool LabView::dependsOnSelection() const
{
    return page()->dependsOnSelection();
}

bool LabView::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == view() && event->type() == QEvent::Resize)
        scheduleRebuild();
    return SceneWorkspace::eventFilter(watched, event);
}

} // namespace attn
