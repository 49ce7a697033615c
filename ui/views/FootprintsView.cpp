#include "views/FootprintsView.h"

#include "Workbench.h"
#include "base/CheckedInt.h"
#include "views/DisplaySettings.h"
#include "widgets/LimitedSpinBox.h"
#include "widgets/ToolBarButton.h"

#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>
#include <QSpinBox>
#include <QToolBar>

#include <algorithm>
#include <numeric>

namespace attn {

namespace {

/// Narrower, title and legends would not stand side by side; the picture is scaled down instead.
constexpr double leastLayersWidth = 960.0;

/// More of them take longer than a fraction of a frame.
constexpr double mostMultiplicationsInline = 1e6;

/// Of all footprints of this kind.
double multiplications(const Sizes &sizes, FootprintTarget target)
{
    const auto weights = static_cast<double>(sizes.nQ) * static_cast<double>(sizes.nK);
    const auto width = static_cast<double>(target == FootprintTarget::Head ? sizes.dHeadV : sizes.dOut);
    return weights * width * (target == FootprintTarget::Token ? static_cast<double>(sizes.nHeads) : 1.0);
}

/// "mute:3" -> {"mute", 3}.
std::pair<QString, Index> controlParts(const QString &id)
{
    const qsizetype colon = id.lastIndexOf(u':');
    return {id.left(colon), id.mid(colon + 1).toInt()};
}

} // namespace

FootprintsView::FootprintsView(Workbench *workbench, EditController *edits, QWidget *parent)
    : SceneWorkspace(workbench, edits, parent)
    , m_target(new QComboBox(this))
    , m_head(new QComboBox(this))
    , m_countSlider(new QSlider(Qt::Horizontal, this))
    , m_countBox(new LimitedSpinBox(this))
{
    view()->setAccessibleName(tr("Footprints"));
    view()->setFit(SceneCanvas::Fit::Width);
    m_target->addItems({tr("head output"), tr("head, through W^O"), tr("all heads")});
    const auto addLabelled = [this](const QString &text, QWidget *field) {
        auto *label = new QLabel(text, this);
        label->setBuddy(field);
        label->setContentsMargins(8, 0, 4, 0);
        toolBar()->addWidget(label);
        toolBar()->addWidget(field);
    };
    addLabelled(tr("&Footprints of:"), m_target);
    addLabelled(tr("&Head:"), m_head);
    m_countSlider->setAccessibleName(tr("Layers added up, slider"));
    m_countSlider->setMaximumWidth(120);
    addLabelled(tr("&Layers:"), m_countSlider);
    m_countBox->setAccessibleName(tr("Layers added up"));
    toolBar()->addWidget(m_countBox);
    toolBar()->addSeparator();
    QAction *reset = toolBar()->addAction(tr("Reset footprint &layers"));
    reset->setIconText(tr("Reset layers"));
    reset->setObjectName(QStringLiteral("footprints.reset"));
    drawAsButton(toolBar(), reset);
    connect(reset, &QAction::triggered, this, [this] {
        ViewState state = this->workbench()->viewState();
        state.footprintOrder.clear();
        state.mutedTokens.clear();
        state.footprintCount = -1;
        m_solo = -1;
        this->workbench()->setViewState(std::move(state));
        scheduleRebuild();
    });
    connect(m_target, &QComboBox::activated, this, [this](int target) {
        ViewState state = this->workbench()->viewState();
        state.footprintTarget = target;
        this->workbench()->setViewState(std::move(state));
    });
    connect(m_head, &QComboBox::activated, this, [this](int head) {
        ViewState state = this->workbench()->viewState();
        state.head = head;
        this->workbench()->setViewState(std::move(state));
    });
    connect(m_countSlider, &QSlider::valueChanged, this, &FootprintsView::setCount);
    connect(m_countBox, &QSpinBox::valueChanged, this, &FootprintsView::setCount);
}

std::vector<Index> FootprintsView::order() const
{
    const auto count = static_cast<std::size_t>(workbench()->experiment().keyTokens().size());
    std::vector<Index> order = workbench()->viewState().footprintOrder;
    if (order.size() != count) {
        order.resize(count);
        std::iota(order.begin(), order.end(), Index(0));
    }
    return order;
}

FootprintsOptions FootprintsView::options(const Snapshot &snapshot) const
{
    FootprintsOptions options = footprintsOptionsOf(workbench()->viewState(), snapshot);
    options.solo = m_solo < snapshot.experiment().keyTokens().size() ? m_solo : -1;
    options.width = std::max(leastLayersWidth, static_cast<double>(width()) - 24.0);
    return options;
}

Scene FootprintsView::buildScene(const SnapshotPtr &snapshot, const DisplayOptions &display)
{
    return footprintsScene(snapshot, display, options(*snapshot));
}

SceneWorker::Build FootprintsView::heavyBuild(const SnapshotPtr &snapshot, const DisplayOptions &display)
{
    const FootprintsOptions footprints = options(*snapshot);
    if (multiplications(snapshot->sizes(), footprints.target) <= mostMultiplicationsInline)
        return {};
    return [snapshot, display, footprints](const std::stop_token &stop) {
        return footprintsScene(snapshot, display, footprints, stop);
    };
}

void FootprintsView::refreshControls()
{
    const ViewState &state = workbench()->viewState();
    const QSignalBlocker headBlocker(m_head);
    const QSignalBlocker sliderBlocker(m_countSlider);
    const QSignalBlocker boxBlocker(m_countBox);
    const int heads = toInt(workbench()->experiment().nHeads);
    if (m_head->count() != heads) {
        m_head->clear();
        for (int head = 1; head <= heads; ++head)
            m_head->addItem(tr("head %1").arg(head));
    }
    m_head->setCurrentIndex(std::clamp(toInt(state.head), 0, heads - 1));
    m_target->setCurrentIndex(std::clamp(state.footprintTarget, 0, 2));
    m_head->setEnabled(state.footprintTarget != static_cast<int>(FootprintTarget::Token));
    const int tokens = toInt(workbench()->experiment().keyTokens().size());
    const int count = state.footprintCount < 0 ? tokens : std::min(toInt(state.footprintCount), tokens);
    m_countSlider->setRange(0, tokens);
    m_countSlider->setValue(count);
    m_countBox->setRange(0, tokens);
    m_countBox->setValue(count);
}

void FootprintsView::setCount(int count)
{
    ViewState state = workbench()->viewState();
    const bool isAll = count >= toInt(workbench()->experiment().keyTokens().size());
    state.footprintCount = isAll ? -1 : count;
    workbench()->setViewState(std::move(state));
}

void FootprintsView::toggleMute(Index token)
{
    ViewState state = workbench()->viewState();
    if (!state.mutedTokens.erase(token))
        state.mutedTokens.insert(token);
    workbench()->setViewState(std::move(state));
}

void FootprintsView::moveToken(Index token, int step)
{
    std::vector<Index> tokens = order();
    const auto place = std::find(tokens.begin(), tokens.end(), token);
    if (place == tokens.end())
        return;
    const auto target = (place - tokens.begin()) + step;
    if (target < 0 || target >= static_cast<std::ptrdiff_t>(tokens.size()))
        return;
    std::iter_swap(place, tokens.begin() + target);
    ViewState state = workbench()->viewState();
    state.footprintOrder = std::move(tokens);
    workbench()->setViewState(std::move(state));
}

void FootprintsView::onControl(const QString &id)
{
    using namespace Qt::StringLiterals;
    const auto [verb, token] = controlParts(id);
    if (verb == u"solo"_s) {
        m_solo = m_solo == token ? -1 : token;
        scheduleRebuild();
    } else if (verb == u"mute"_s) {
        toggleMute(token);
    } else if (verb == u"up"_s) {
        moveToken(token, -1);
    } else if (verb == u"down"_s) {
        moveToken(token, 1);
    }
}

void FootprintsView::resizeEvent(QResizeEvent *event)
{
    SceneWorkspace::resizeEvent(event);
    scheduleRebuild();
}

} // namespace attn
