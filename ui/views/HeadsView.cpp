#include "views/HeadsView.h"

#include "Workbench.h"
#include "base/CheckedInt.h"
#include "engine/Derivation.h"
#include "engine/Evaluator.h"
#include "engine/heads/HeadPresets.h"
#include "engine/heads/OutputPresets.h"
#include "render/LabelText.h"
#include "render/scenes/StageCard.h"
#include "views/HeadsControls.h"

#include <QToolBar>

#include <algorithm>
#include <chrono>
#include <numeric>
#include <utility>

namespace attn {

namespace {

using namespace Qt::StringLiterals;

constexpr double leastGridWidth = 640.0;
/// Narrower, the maps of a page would not stand side by side; the picture is scaled down instead.
constexpr double leastHeadPageWidth = 960.0;
/// Pages of more weights take longer than a fraction of a frame.
constexpr Index mostWeightsInline = 40'000;
/// Pages compute heads once more: of documents that take longer than this, elsewhere.
constexpr double mostMsInline = 3.0;
/// Figures of more weights take minutes: there are none.
constexpr Index mostCountedWeights = Index(1) << 30;
/// Figures are counted when nothing was edited for so long: a scrub needs the processors for its pictures.
constexpr std::chrono::milliseconds restBeforeCounting(250);
/// The stages the grid and the focused head are drawn from; they follow the one switch.
constexpr Stage rangedStages[] = {Stage::A, Stage::HeadOut, Stage::HeadContribution};

const QString &headsStateName()
{
    static const QString name = u"heads"_s;
    return name;
}

Index weightsOf(const Snapshot &snapshot)
{
    const Sizes &sizes = snapshot.sizes();
    return sizes.nHeads * sizes.nQ * sizes.nK;
}

bool takesLong(const Snapshot &snapshot)
{
    return weightsOf(snapshot) > mostWeightsInline || estimatedMs(snapshot.experiment()) > mostMsInline;
}

} // namespace

HeadsView::HeadsView(Workbench *workbench, EditController *edits, QWidget *parent)
    : SceneWorkspace(workbench, edits, parent)
    , m_controls(new HeadsControls(toolBar()))
    , m_knowledge(std::make_shared<HeadsKnowledge>())
{
    view()->setAccessibleName(tr("Heads"));
    view()->setFit(SceneCanvas::Fit::Width);
    m_countTimer.setSingleShot(true);
    m_countTimer.setInterval(restBeforeCounting);
    connect(&m_countTimer, &QTimer::timeout, this, &HeadsView::countMetrics);
    connect(m_controls, &HeadsControls::changed, this, &HeadsView::setSettings);
    connect(m_controls, &HeadsControls::headChosen, this, &HeadsView::setFocusedHead);
    connect(m_controls, &HeadsControls::sharedRangeChosen, this, &HeadsView::setSharedRange);
}

HeadsSettings HeadsView::settings() const
{
    return headsFromJson(workbench()->viewState().workspaceState(headsStateName()));
}

void HeadsView::setSettings(const HeadsSettings &settings)
{
    workbench()->setViewState(
        workbench()->viewState().withWorkspaceState(headsStateName(), headsToJson(settings)));
}

double HeadsView::pageWidth() const
{
    const double least = settings().page == HeadsPage::Grid ? leastGridWidth : leastHeadPageWidth;
    return std::max(least, static_cast<double>(width()) - 24.0);
}

/// The query of the selected cell, whose row every map marks; without one the second token, whose row the
/// worked example follows.
Index HeadsView::queryRow() const
{
    const ViewState &view = workbench()->viewState();
    const Index last = std::max<Index>(0, workbench()->experiment().tokens.size() - 1);
    const bool isQueryStage = stageInfo(view.stage).rows == Axis::Query;
    return std::clamp<Index>(isQueryStage ? view.cell.row : 1, 0, last);
}

std::vector<Index> HeadsView::combinedHeads() const
{
    const Index heads = workbench()->experiment().nHeads;
    const HeadsSettings wanted = settings();
    std::vector<Index> combined;
    if (wanted.combined) {
        combined = *wanted.combined;
        std::erase_if(combined, [heads](Index head) { return head >= heads; });
    } else {
        combined.resize(static_cast<std::size_t>(heads));
        std::iota(combined.begin(), combined.end(), Index(0));
    }
    return combined;
}

Index HeadsView::otherHeads() const
{
    const HeadsSettings wanted = settings();
    const std::vector<Index> counts = possibleHeadCounts(workbench()->experiment());
    return std::ranges::find(counts, wanted.otherHeads) != counts.end()
               ? wanted.otherHeads
               : otherHeadCount(workbench()->experiment());
}

HeadPatternsOptions HeadsView::patternsOptions() const
{
    const HeadsSettings wanted = settings();
    HeadPatternsOptions options;
    options.head = std::min(workbench()->viewState().head, workbench()->experiment().nHeads - 1);
    options.row = queryRow();
    options.question = wanted.question;
    options.order = wanted.order;
    options.sortedBy = wanted.sortedBy;
    options.groupDistance = wanted.groupDistance;
    options.width = pageWidth();
    return options;
}

SceneWorker::Build HeadsView::pageBuild(const SnapshotPtr &snapshot, const DisplayOptions &display,
                                        Figures figures) const
{
    const HeadsSettings wanted = settings();
    const std::shared_ptr<HeadsKnowledge> known = m_knowledge;
    const Index head = workbench()->viewState().head;
    const double width = pageWidth();
    switch (wanted.page) {
    case HeadsPage::Grid: {
        HeadsOptions options;
        options.focus = wanted.isLarge ? head : -1;
        options.width = width;
        options.withLengths = wanted.withLengths;
        const bool isTooMuch = weightsOf(*snapshot) > mostCountedWeights;
        const bool isCountedAside = isTooMuch || (figures == Figures::Follow && takesLong(*snapshot));
        if (isCountedAside)
            options.withoutMetrics = isTooMuch ? tr("no figures of so many weights") : tr("figures follow …");
        return [snapshot, display, known, options, isCountedAside](const std::stop_token &stop) mutable {
            options.metrics = isCountedAside ? known->metrics.find(snapshot, 0)
                                             : known->metrics.of(snapshot, 0, stop,
                                                                 [&] { return metricsOf(*snapshot, stop); });
            return headsScene(snapshot, display, options);
        };
    }
    case HeadsPage::Cut: {
        HeadCutOptions options{std::min(head, snapshot->sizes().nHeads - 1), wanted.compared, {}, width};
        return [snapshot, display, known, options](const std::stop_token &stop) mutable {
            options.check = known->alone.of(snapshot, options.head, stop,
                                            [&] { return checkHeadAlone(snapshot, options.head, stop); });
            return headCutScene(snapshot, display, options);
        };
    }
    case HeadsPage::Single: {
        HeadSingleOptions options{otherHeads(), queryRow(), {}, width};
        return [snapshot, display, known, options](const std::stop_token &stop) mutable {
            options.other = known->recut.of(snapshot, options.heads, stop, [&] {
                return evaluatedWithHeadCount(snapshot->experiment(), options.heads, stop);
            });
            return headSingleScene(snapshot, display, options);
        };
    }
    case HeadsPage::Combine: {
        HeadCombineOptions options{combinedHeads(), wanted.mix, {}, width};
        return [snapshot, display, known, options](const std::stop_token &stop) mutable {
            options.sum = known->sum.of(snapshot, options.heads, stop,
                                        [&] { return headSum(snapshot, options.heads, stop); });
            return headCombineScene(snapshot, display, options);
        };
    }
    case HeadsPage::Patterns:
        break;
    }
    return [snapshot, display, known, options = patternsOptions()](const std::stop_token &stop) mutable {
        options.patterns = known->patterns.of(snapshot, options.question, stop, [&] {
            return headPatterns(*snapshot, options.question, stop);
        });
        options.similarity =
            known->similarity.of(snapshot, 0, stop, [&] { return headSimilarity(*snapshot, stop); });
        return headPatternsScene(snapshot, display, options);
    };
}

Scene HeadsView::buildScene(const SnapshotPtr &snapshot, const DisplayOptions &display)
{
    return pageBuild(snapshot, display,
                     std::exchange(m_isForScreen, false) ? Figures::Follow : Figures::Computed)({});
}

SceneWorker::Build HeadsView::heavyBuild(const SnapshotPtr &snapshot, const DisplayOptions &display)
{
    m_knowledge->keepOnly(snapshot);
    const HeadsSettings wanted = settings();
    const bool isSamePage = m_builtPage == wanted.page;
    if (m_builtPage && !isSamePage)
        showFromTop();
    m_builtPage = wanted.page;
    if (!takesLong(*snapshot))
        return {};
    if (wanted.page == HeadsPage::Grid)
        noteMetricsWanted(snapshot);
    const bool isPlainGrid = wanted.page == HeadsPage::Grid && !wanted.withLengths;
    if (isPlainGrid && !wanted.isLarge) {
        m_isForScreen = true;
        return {};
    }
    // The ranges of what a head in focus adds are found by reading all of it.
    if (isPlainGrid || snapshot->isComplete())
        return pageBuild(snapshot, display, Figures::Follow);
    // What the page counts would have to be counted again for each part that arrives.
    return [shown = isSamePage ? view()->scene() : nullptr](const std::stop_token &) {
        return shown ? *shown
                     : messageScene(tr("Heads"), tr("This page follows when all numbers are computed."));
    };
}

void HeadsView::noteMetricsWanted(const SnapshotPtr &snapshot)
{
    if (m_counted == snapshot)
        return;
    m_counting.cancel();
    m_counted = snapshot;
    if (snapshot->isComplete() && weightsOf(*snapshot) <= mostCountedWeights &&
        !m_knowledge->metrics.find(snapshot, 0))
        m_countTimer.start();
    else
        m_countTimer.stop();
}

void HeadsView::countMetrics()
{
    m_counting.start([this, snapshot = m_counted](const std::stop_token &stop) {
        m_knowledge->metrics.of(snapshot, 0, stop, [&] { return metricsOf(*snapshot, stop); });
        return [this] {
            scheduleRebuild();
        };
    });
}

bool HeadsView::dependsOnSelection() const
{
    const HeadsPage page = settings().page;
    return page == HeadsPage::Single || page == HeadsPage::Patterns;
}

void HeadsView::refreshControls()
{
    const ViewState &state = workbench()->viewState();
    const Experiment &experiment = workbench()->experiment();
    const auto range = state.ranges.find(Stage::A);
    HeadsControls::Offer offer;
    offer.heads = toInt(experiment.nHeads);
    offer.focus = std::clamp<Index>(state.head, 0, experiment.nHeads - 1);
    offer.hasSharedRange = range == state.ranges.end() || range->second.mode != RangeChoice::Mode::PerHead;
    const HeadsSettings wanted = settings();
    if (wanted.page == HeadsPage::Single) {
        offer.headCounts = possibleHeadCounts(experiment);
        offer.otherHeads = otherHeads();
    }
    m_controls->show(wanted, offer);
}

void HeadsView::setFocusedHead(Index head)
{
    HeadsSettings wanted = settings();
    if (wanted.page == HeadsPage::Grid)
        wanted.isLarge = head >= 0;
    ViewState state = workbench()->viewState().withWorkspaceState(headsStateName(), headsToJson(wanted));
    if (head >= 0)
        state.head = head;
    workbench()->setViewState(std::move(state));
}

void HeadsView::setSharedRange(bool shared)
{
    ViewState state = workbench()->viewState();
    for (const Stage stage : rangedStages)
        state.ranges[stage].mode = shared ? RangeChoice::Mode::Shared : RangeChoice::Mode::PerHead;
    workbench()->setViewState(std::move(state));
}

void HeadsView::toggleCombined(const QString &which)
{
    HeadsSettings wanted = settings();
    std::vector<Index> heads = combinedHeads();
    if (which == "all"_L1) {
        wanted.combined.reset();
        setSettings(wanted);
        return;
    }
    if (which == "none"_L1) {
        heads.clear();
    } else {
        const Index head = which.toInt();
        if (std::erase(heads, head) == 0)
            heads.insert(std::ranges::upper_bound(heads, head), head);
    }
    wanted.combined = heads;
    setSettings(wanted);
}

void HeadsView::sortBy(const QString &what)
{
    HeadsSettings wanted = settings();
    QJsonObject state = headsToJson(wanted);
    state.insert(u"sort"_s, what);
    setSettings(headsFromJson(state));
}

void HeadsView::makePattern(const QString &name)
{
    const auto pattern = headPatternFromName(name.toStdString());
    const SnapshotPtr &snapshot = workbench()->snapshot();
    if (!pattern || !snapshot)
        return;
    const HeadPatternsOptions options = patternsOptions();
    applyPreset(patternEdit(*snapshot, options.head, *pattern, options.question),
                presetText(*pattern, options.head, options.question.offset));
}

void HeadsView::setWorkedRow(std::size_t which)
{
    const SnapshotPtr &snapshot = workbench()->snapshot();
    if (!snapshot || which >= workedRows().size())
        return;
    const HeadPatternsOptions options = patternsOptions();
    const QString query =
        visibleLabel(QString::fromStdString(rowLabel(workbench()->experiment(), Stage::A, options.row)));
    applyPreset(workedRowEdit(*snapshot, options.head, options.row, which),
                tr("Set the row of “%1” in head %2").arg(query).arg(options.head + 1));
}

void HeadsView::setOutputWeight(const QString &name)
{
    const Experiment &experiment = workbench()->experiment();
    if (name == "swap"_L1)
        applyPreset(outputPresetEdit(experiment, OutputPreset::Swap), tr("Let W^O swap the heads"));
    else if (name == "mixing"_L1)
        applyPreset(outputPresetEdit(experiment, OutputPreset::Mixing), tr("Let W^O average the heads"));
    else
        applyPreset(outputPresetEdit(experiment, OutputPreset::Identity), tr("Make W^O the identity"));
}

void HeadsView::applyPreset(const Result<Edit> &edit, const QString &text)
{
    if (edit)
        workbench()->apply(*edit, text);
    else
        workbench()->say(QString::fromStdString(edit.error().message));
}

void HeadsView::onControl(const QString &id)
{
    const QString kind = id.section(u':', 0, 0);
    const QString which = id.section(u':', 1);
    HeadsSettings wanted = settings();
    if (kind == "head"_L1) {
        const Index head = which.toInt();
        const bool isShown =
            wanted.page == HeadsPage::Grid && wanted.isLarge && workbench()->viewState().head == head;
        setFocusedHead(isShown ? -1 : head);
    } else if (kind == "compare"_L1) {
        wanted.compared = stageFromName(which.toStdString()).value_or(wanted.compared);
        setSettings(wanted);
    } else if (kind == "mix"_L1) {
        toggleCombined(which);
    } else if (kind == "how"_L1) {
        wanted.mix = which == "max"_L1 ? HeadMix::Max : which == "sum"_L1 ? HeadMix::Sum : HeadMix::Mean;
        setSettings(wanted);
    } else if (kind == "sort"_L1) {
        sortBy(which);
    } else if (kind == "preset"_L1) {
        makePattern(which);
    } else if (kind == "output"_L1) {
        setOutputWeight(which);
    } else if (kind == "worked"_L1) {
        setWorkedRow(static_cast<std::size_t>(which.toInt()));
    }
}

/// A row of the table of detectors, or of the distances, puts its head in focus.
void HeadsView::onDerivedSelected(const MapKey &map, Index row, Index)
{
    const SnapshotPtr &snapshot = workbench()->snapshot();
    if (!snapshot || (map.id != "patterns"_L1 && map.id != "distances"_L1))
        return;
    HeadPatternsOptions options = patternsOptions();
    options.patterns = m_knowledge->patterns.find(snapshot, options.question);
    options.similarity = m_knowledge->similarity.find(snapshot, 0);
    if (!options.patterns || !options.similarity)
        return;
    const std::vector<Index> order = headsInOrder(options);
    if (row >= 0 && row < static_cast<Index>(order.size()))
        setFocusedHead(order[static_cast<std::size_t>(row)]);
}

void HeadsView::resizeEvent(QResizeEvent *event)
{
    SceneWorkspace::resizeEvent(event);
    scheduleRebuild();
}

} // namespace attn
