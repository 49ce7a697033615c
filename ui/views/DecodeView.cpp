#include "views/DecodeView.h"

#include "Workbench.h"
#include "base/CheckedInt.h"
#include "engine/Evaluator.h"
#include "render/scenes/decode/DecodeScene.h"
#include "widgets/LimitedSpinBox.h"
#include "widgets/PlaybackBar.h"

#include <QComboBox>
#include <QLabel>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QToolBar>
#include <QVBoxLayout>

#include <algorithm>

namespace attn {

namespace {

using namespace Qt::StringLiterals;

constexpr double leastDecodeWidth = 960.0;
/// Documents that take longer to compute are decoded on another thread.
constexpr double longestStepMs = 1.0;

} // namespace

DecodeView::DecodeView(Workbench *workbench, EditController *edits, QWidget *parent)
    : SceneWorkspace(workbench, edits, parent)
    , m_head(new QComboBox(this))
    , m_prompt(new LimitedSpinBox(this))
    , m_chunk(new LimitedSpinBox(this))
    , m_playback(new PlaybackBar(this))
{
    view()->setAccessibleName(tr("Decode"));
    view()->setFit(SceneCanvas::Fit::Width);
    const auto addLabelled = [this](const QString &text, QWidget *field) {
        auto *label = new QLabel(text, this);
        label->setBuddy(field);
        label->setContentsMargins(8, 0, 4, 0);
        toolBar()->addWidget(label);
        toolBar()->addWidget(field);
    };
    addLabelled(tr("&Head:"), m_head);
    m_prompt->setToolTip(tr("Tokens that are fed together in the first step"));
    addLabelled(tr("&Prompt:"), m_prompt);
    m_chunk->setToolTip(tr("Tokens that are fed in each later step"));
    addLabelled(tr("&Tokens per step:"), m_chunk);
    layout()->addWidget(m_playback);
    connect(m_head, &QComboBox::activated, this, [this](int head) {
        ViewState view = this->workbench()->viewState();
        view.head = head;
        this->workbench()->setViewState(std::move(view));
    });
    connect(m_prompt, &QSpinBox::valueChanged, this, [this](int rows) { setStateValue(u"prompt"_s, rows); });
    connect(m_chunk, &QSpinBox::valueChanged, this, [this](int rows) { setStateValue(u"chunk"_s, rows); });
    connect(m_playback, &PlaybackBar::positionChanged, this,
            [this](int step) { setStateValue(u"position"_s, step); });
    const auto takeMotion = [this] {
        m_playback->setReducedMotion(this->workbench()->isMotionReduced());
    };
    connect(workbench, &Workbench::motionChanged, this, takeMotion);
    takeMotion();
}

QJsonObject DecodeView::state() const
{
    return workbench()->viewState().workspaceState(u"decode"_s);
}

void DecodeView::setStateValue(const QString &key, const QJsonValue &value)
{
    QJsonObject changed = state();
    changed.insert(key, value);
    workbench()->setViewState(workbench()->viewState().withWorkspaceState(u"decode"_s, changed));
}

DecodeSchedule DecodeView::schedule() const
{
    const Index most =
        std::clamp<Index>(workbench()->experiment().tokens.size(), 1, DecodeSession::longestPrompt);
    DecodeSchedule schedule;
    schedule.prompt = std::clamp<Index>(state().value(u"prompt"_s).toInt(1), 1, most);
    schedule.chunk = std::clamp<Index>(state().value(u"chunk"_s).toInt(1), 1, most);
    return schedule;
}

Index DecodeView::position() const
{
    const Index steps = schedule().stepCount(workbench()->experiment().tokens.size());
    // First seen, the last token is being fed: the picture that says most.
    return std::clamp<Index>(state().value(u"position"_s).toInt(toInt(steps)), 0, steps);
}

/// The token of the selected cell: what an edit of it would do is shown.
TokenEdit DecodeView::edited() const
{
    const ViewState &view = workbench()->viewState();
    switch (view.stage) {
    case Stage::X:
    case Stage::Xkv:
    case Stage::Q:
    case Stage::Qr:
    case Stage::K:
    case Stage::Kr:
    case Stage::V:
        return {view.stage, view.cell.row};
    default:
        return {};
    }
}

void DecodeView::refreshControls()
{
    const Experiment &experiment = workbench()->experiment();
    const QSignalBlocker blockers[] = {QSignalBlocker(m_head), QSignalBlocker(m_prompt),
                                       QSignalBlocker(m_chunk), QSignalBlocker(m_playback)};
    const int heads = toInt(experiment.nHeads);
    if (m_head->count() != heads) {
        m_head->clear();
        for (int head = 1; head <= heads; ++head)
            m_head->addItem(tr("head %1").arg(head));
    }
    m_head->setCurrentIndex(std::clamp(toInt(workbench()->viewState().head), 0, heads - 1));
    const int most = toInt(std::clamp<Index>(experiment.tokens.size(), 1, DecodeSession::longestPrompt));
    m_prompt->setRange(1, most);
    m_prompt->setValue(toInt(schedule().prompt));
    m_chunk->setRange(1, most);
    m_chunk->setValue(toInt(schedule().chunk));
    m_playback->setStepCount(toInt(schedule().stepCount(experiment.tokens.size())));
    m_playback->setPosition(toInt(position()));
}

SceneWorker::Build DecodeView::stepBuild(const SnapshotPtr &snapshot, const DisplayOptions &display) const
{
    DecodeOptions options;
    options.head = workbench()->viewState().head;
    options.schedule = schedule();
    options.position = position();
    options.edited = edited();
    options.width = std::max(leastDecodeWidth, static_cast<double>(width()) - 24.0);
    return [snapshot, display, options, session = m_session](const std::stop_token &) mutable {
        options.picture = std::make_shared<const DecodePicture>(
            session->at(snapshot, options.schedule, options.position, options.head));
        if (options.edited.row >= 0)
            options.reach = session->reachOf(options.edited);
        return decodeScene(snapshot, display, options);
    };
}

Scene DecodeView::buildScene(const SnapshotPtr &snapshot, const DisplayOptions &display)
{
    return stepBuild(snapshot, display)({});
}

SceneWorker::Build DecodeView::heavyBuild(const SnapshotPtr &snapshot, const DisplayOptions &display)
{
    const bool isHeavy = estimatedMs(snapshot->experiment()) > longestStepMs;
    // A build on the other thread may still be using the session.
    if (isHeavy != m_isHeavy)
        m_session = std::make_shared<DecodeSession>();
    m_isHeavy = isHeavy;
    return isHeavy ? stepBuild(snapshot, display) : SceneWorker::Build();
}

void DecodeView::resizeEvent(QResizeEvent *event)
{
    SceneWorkspace::resizeEvent(event);
    scheduleRebuild();
}

} // namespace attn
