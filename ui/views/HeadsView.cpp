#include "views/HeadsView.h"

#include "Workbench.h"
#include "base/CheckedInt.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QSignalBlocker>
#include <QToolBar>

namespace attn {

namespace {

const QLatin1String headPrefix("head:");
constexpr double leastGridWidth = 640.0;
/// The metrics of more weights take longer than a fraction of a frame.
constexpr Index mostWeightsInline = 40'000;
/// The stages the grid and the focused head are drawn from; they follow the one switch.
constexpr Stage rangedStages[] = {Stage::A, Stage::HeadOut, Stage::HeadContribution};

} // namespace

HeadsView::HeadsView(Workbench *workbench, EditController *edits, QWidget *parent)
    : SceneWorkspace(workbench, edits, parent)
    , m_metrics(std::make_shared<KnownMetrics>())
{
    view()->setAccessibleName(tr("Heads"));
    view()->setFit(SceneCanvas::Fit::Width);
    m_sharedRange = new QCheckBox(tr("&One colour range for all heads"), this);
    toolBar()->addWidget(m_sharedRange);
    m_sharedRange->setToolTip(tr("Off: each head has a colour range of its own"));
    connect(m_sharedRange, &QCheckBox::clicked, this, &HeadsView::setSharedRange);
    toolBar()->addSeparator();
    m_focusBox = new QComboBox(this);
    m_focusBox->setAccessibleName(tr("Head shown large"));
    auto *label = new QLabel(tr("Show &large:"), this);
    label->setBuddy(m_focusBox);
    label->setContentsMargins(4, 0, 4, 0);
    toolBar()->addWidget(label);
    toolBar()->addWidget(m_focusBox);
    connect(m_focusBox, &QComboBox::activated, this, [this](int index) { setFocusedHead(index - 1); });
}

std::shared_ptr<const Metrics> HeadsView::KnownMetrics::of(const SnapshotPtr &snapshot)
{
    if (areOf(snapshot)) {
        const std::scoped_lock lock(m_mutex);
        return m_metrics;
    }
    auto metrics = std::make_shared<const Metrics>(metricsOf(*snapshot));
    const std::scoped_lock lock(m_mutex);
    m_snapshot = snapshot;
    m_metrics = metrics;
    return metrics;
}

bool HeadsView::KnownMetrics::areOf(const SnapshotPtr &snapshot)
{
    const std::scoped_lock lock(m_mutex);
    return m_metrics && m_snapshot == snapshot;
}

HeadsOptions HeadsView::options() const
{
    HeadsOptions options;
    options.focus = m_hasFocusedHead ? workbench()->viewState().head : -1;
    options.width = std::max(leastGridWidth, static_cast<double>(width()) - 24.0);
    return options;
}

Scene HeadsView::buildScene(const SnapshotPtr &snapshot, const DisplayOptions &display)
{
    HeadsOptions heads = options();
    heads.metrics = m_metrics->of(snapshot);
    return headsScene(snapshot, display, heads);
}

SceneWorker::Build HeadsView::heavyBuild(const SnapshotPtr &snapshot, const DisplayOptions &display)
{
    const Sizes &sizes = snapshot->sizes();
    if (sizes.nHeads * sizes.nQ * sizes.nK <= mostWeightsInline || m_metrics->areOf(snapshot))
        return {};
    return [snapshot, display, heads = options(), known = m_metrics]() mutable {
        heads.metrics = known->of(snapshot);
        return headsScene(snapshot, display, heads);
    };
}

void HeadsView::refreshControls()
{
    const ViewState &state = workbench()->viewState();
    const auto range = state.ranges.find(Stage::A);
    m_sharedRange->setChecked(range == state.ranges.end() ||
                              range->second.mode != RangeChoice::Mode::PerHead);
    const int heads = toInt(workbench()->experiment().nHeads);
    const QSignalBlocker blocker(m_focusBox);
    if (m_focusBox->count() != heads + 1) {
        m_focusBox->clear();
        m_focusBox->addItem(tr("no head"));
        for (int head = 1; head <= heads; ++head)
            m_focusBox->addItem(tr("head %1").arg(head));
    }
    m_focusBox->setCurrentIndex(m_hasFocusedHead ? toInt(state.head) + 1 : 0);
}

void HeadsView::setFocusedHead(Index head)
{
    m_hasFocusedHead = head >= 0;
    if (m_hasFocusedHead) {
        ViewState state = workbench()->viewState();
        state.head = head;
        workbench()->setViewState(std::move(state));
    }
    scheduleRebuild();
}

void HeadsView::setSharedRange(bool shared)
{
    ViewState state = workbench()->viewState();
    for (const Stage stage : rangedStages)
        state.ranges[stage].mode = shared ? RangeChoice::Mode::Shared : RangeChoice::Mode::PerHead;
    workbench()->setViewState(std::move(state));
}

void HeadsView::onControl(const QString &id)
{
    if (!id.startsWith(headPrefix))
        return;
    const Index head = id.mid(headPrefix.size()).toInt();
    setFocusedHead(m_hasFocusedHead && workbench()->viewState().head == head ? -1 : head);
}

void HeadsView::resizeEvent(QResizeEvent *event)
{
    SceneWorkspace::resizeEvent(event);
    scheduleRebuild();
}

} // namespace attn
