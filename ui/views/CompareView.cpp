#include "views/CompareView.h"

#include "Workbench.h"
#include "base/CheckedInt.h"
#include "base/NumberText.h"
#include "engine/Evaluator.h"
#include "io/DocumentFile.h"
#include "io/OpenInput.h"
#include "render/scenes/StageCard.h"
#include "widgets/ToolBarButton.h"

#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QTime>
#include <QTimer>
#include <QToolBar>

#include <algorithm>
#include <cmath>
#include <functional>

namespace attn {

namespace {

using namespace Qt::StringLiterals;

const QString compareName = QStringLiteral("compare");
constexpr double leastCompareWidth = 936.0;
/// A kept state is saved with the document up to this size of its text.
constexpr qsizetype mostKeptText = 256 * 1024;
/// Cells compared, and milliseconds evaluated, on the GUI thread.
constexpr Index mostComparedAtOnce = 200000;
constexpr double longestAtOnceMs = 20.0;

Index cellsToCompare(const SnapshotPtr &a, const StageSet &b)
{
    Index cells = 0;
    for (const auto &[stage, values] : b)
        if (a->stage(stage).hasValues())
            cells += values->shape().size();
    return cells;
}

/// tell: is called with what there is after each stage
std::vector<StageComparison>
comparisons(const StageSet &a, const StageSet &b, bool onlyOfB, std::stop_token stop,
            const std::function<void(const std::vector<StageComparison> &)> &tell = {})
{
    std::vector<StageComparison> results;
    const auto valuesIn = [](const StageSet &set, Stage stage) {
        const auto found = set.find(stage);
        return found == set.end() ? nullptr : found->second;
    };
    for (const Stage stage : stagesOfEither(a, b)) {
        if (stop.stop_requested())
            break;
        if (onlyOfB && !b.contains(stage))
            continue;
        results.push_back(compareStage(stage, valuesIn(a, stage), valuesIn(b, stage), 5, stop));
        if (tell && !stop.stop_requested())
            tell(results);
    }
    return results;
}

} // namespace

CompareView::CompareView(Workbench *workbench, EditController *edits, QWidget *parent)
    : SceneWorkspace(workbench, edits, parent)
    , m_source(new QComboBox(this))
    , m_tolerance(new QLineEdit(this))
    , m_head(new QComboBox(this))
{
    view()->setAccessibleName(tr("Compare"));
    view()->setFit(SceneCanvas::Fit::Width);
    buildControls();
}

void CompareView::buildControls()
{
    const auto addLabelled = [this](const QString &text, QWidget *field) {
        auto *label = new QLabel(text, this);
        label->setBuddy(field);
        label->setContentsMargins(8, 0, 4, 0);
        toolBar()->addWidget(label);
        toolBar()->addWidget(field);
        return label;
    };
    m_source->addItems({tr("automatic"), tr("the document as opened"), tr("the kept state"),
                        tr("results imported with it"), tr("another file")});
    addLabelled(tr("Compare &with B:"), m_source);
    connect(m_source, &QComboBox::activated, this, [this](int index) {
        CompareChoice next = choice();
        next.source = static_cast<CompareChoice::Source>(index);
        if (next.source == CompareChoice::Source::File && next.file.isEmpty()) {
            askForB();
            refreshControls();
            return;
        }
        setChoice(next);
    });
    QAction *keep = toolBar()->addAction(tr("&Keep this state as B to compare with"));
    keep->setIconText(tr("Keep this state as B"));
    keep->setObjectName(u"compare.keep"_s);
    connect(keep, &QAction::triggered, this, &CompareView::keepAsB);
    drawAsButton(toolBar(), keep);
    QAction *open = toolBar()->addAction(tr("Open a file as &B to compare with…"));
    open->setIconText(tr("Open B…"));
    open->setObjectName(u"compare.open"_s);
    connect(open, &QAction::triggered, this, &CompareView::askForB);
    drawAsButton(toolBar(), open);
    m_tolerance->setMaximumWidth(96);
    m_tolerance->setToolTip(
        tr("Largest difference that passes, relative to the largest number of B in a stage"));
    addLabelled(tr("Toleran&ce:"), m_tolerance);
    connect(m_tolerance, &QLineEdit::editingFinished, this, &CompareView::readTolerance);
    m_headLabel = addLabelled(tr("&Head:"), m_head);
    connect(m_head, &QComboBox::activated, this, [this](int head) {
        ViewState state = workbench()->viewState();
        state.head = head;
        workbench()->setViewState(std::move(state));
    });
}

CompareChoice CompareView::choice() const
{
    return CompareChoice::fromJson(workbench()->viewState().workspaceState(compareName));
}

void CompareView::setChoice(const CompareChoice &choice)
{
    workbench()->setViewState(workbench()->viewState().withWorkspaceState(compareName, choice.toJson()));
}

void CompareView::readTolerance()
{
    const std::optional<double> tolerance = parseNumber(m_tolerance->text().toStdString());
    CompareChoice next = choice();
    if (tolerance && std::isfinite(*tolerance) && *tolerance >= 0.0) {
        next.tolerance = *tolerance;
        setChoice(next);
        return;
    }
    workbench()->say(tr("The tolerance must be a number of at least 0, such as 1e-5."));
    m_tolerance->setText(QString::fromStdString(shortestText(next.tolerance)));
}

void CompareView::keepAsB()
{
    m_kept = workbench()->document()->experiment();
    CompareChoice next = choice();
    next.source = CompareChoice::Source::Kept;
    next.keptName = tr("%1, kept at %2")
                        .arg(workbench()->document()->title(), QTime::currentTime().toString(u"HH:mm:ss"_s));
    const QByteArray text = documentBytes({*m_kept, {}, {}, {}});
    next.kept = text.size() <= mostKeptText ? QString::fromUtf8(text) : QString();
    m_keptText = next.kept;
    setChoice(next);
    workbench()->say(next.kept.isEmpty()
                         ? tr("This state is now B. It is too large to be saved with the document.")
                         : tr("This state is now B. Changes show as differences in the Compare workspace."));
    scheduleRebuild();
}

void CompareView::askForB()
{
    auto *dialog = new QFileDialog(this, tr("Open as B"), QFileInfo(workbench()->document()->file()).path());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setNameFilters({tr("All readable files (*.attn *.npy *.npz *.safetensors *.csv *.tsv *.json)"),
                            tr("All files (*)")});
    connect(dialog, &QFileDialog::fileSelected, this, &CompareView::openB);
    dialog->open();
}

bool CompareView::openB(const QString &file)
{
    CompareChoice next = choice();
    next.source = CompareChoice::Source::File;
    next.file = file;
    m_fileRead.clear();
    const bool isRead = fileExperiment(next) != nullptr;
    if (!isRead) {
        workbench()->say(m_fileProblem);
        return false;
    }
    ViewState state = workbench()->viewState().withWorkspaceState(compareName, next.toJson());
    state.workspace = compareName;
    workbench()->setViewState(std::move(state));
    scheduleRebuild();
    return true;
}

CompareChoice::Source CompareView::sourceOf(const CompareChoice &choice) const
{
    if (choice.source != CompareChoice::Source::Automatic)
        return choice.source;
    if (!workbench()->document()->reference().empty())
        return CompareChoice::Source::Reference;
    return m_kept || !choice.kept.isEmpty() ? CompareChoice::Source::Kept : CompareChoice::Source::AsOpened;
}

ExperimentPtr CompareView::keptExperiment(const CompareChoice &choice)
{
    if (!choice.kept.isEmpty() && choice.kept != m_keptText) {
        const Result<DocumentFileData> kept = parseDocument(choice.kept.toUtf8(), tr("kept state"));
        m_keptText = choice.kept;
        if (kept.ok())
            m_kept = std::make_shared<const Experiment>(kept->experiment);
    }
    return m_kept;
}

ExperimentPtr CompareView::fileExperiment(const CompareChoice &choice)
{
    if (m_fileRead == choice.file)
        return m_file;
    m_fileRead = choice.file;
    m_file = nullptr;
    const Result<OpenedInput> input = openInput({choice.file});
    m_fileProblem = input.ok() ? QString() : QString::fromStdString(input.error().message);
    if (input.ok())
        m_file = std::make_shared<const Experiment>(input->experiment);
    return m_file;
}

std::optional<CompareView::Side> CompareView::sideB(const CompareChoice &choice, QString &message)
{
    Side side;
    switch (sourceOf(choice)) {
    case CompareChoice::Source::Reference:
        side.name = tr("results imported with the document");
        side.stages = importedStages();
        side.isOnlyResults = true;
        if (side.stages.empty())
            message =
                tr("No results were imported with this document. When a file holds inputs and results, the "
                   "results are kept here to compare with.");
        break;
    case CompareChoice::Source::Kept:
        side.name = choice.keptName.isEmpty() ? tr("kept state") : choice.keptName;
        side.experiment = keptExperiment(choice);
        if (!side.experiment)
            message = tr("No state has been kept. “Keep this state as B” keeps what the document holds now.");
        break;
    case CompareChoice::Source::File:
        side.name = choice.file;
        side.experiment = fileExperiment(choice);
        if (!side.experiment)
            message = m_fileProblem;
        break;
    default:
        side.name = tr("the document as opened or last saved");
        side.experiment = workbench()->document()->asOpened();
        break;
    }
    if (!message.isEmpty())
        return std::nullopt;
    if (side.experiment) {
        const SnapshotPtr snapshot = evaluated(side.experiment);
        if (!snapshot) {
            message = tr("B is being computed.");
            return std::nullopt;
        }
        side.stages = stagesOf(*snapshot);
        side.snapshot = snapshot;
    }
    return side;
}

const StageSet &CompareView::importedStages()
{
    const std::map<Stage, Tensor> &imported = workbench()->document()->reference();
    const bool isSame = std::equal(
        imported.begin(), imported.end(), m_imported.begin(), m_imported.end(),
        [](const auto &a, const auto &b) { return a.first == b.first && a.second.sameBlocks(b.second); });
    if (!isSame) {
        m_imported = imported;
        m_importedStages = stagesOf(imported);
    }
    return m_importedStages;
}

SnapshotPtr CompareView::evaluated(const ExperimentPtr &experiment)
{
    // As long as it is what the window shows there is nothing to compute, and nothing to compare.
    if (const SnapshotPtr &shown = workbench()->snapshot(); shown && shown->experimentPtr() == experiment)
        return shown;
    if (m_b && m_b->experimentPtr() == experiment)
        return m_b;
    if (estimatedMs(*experiment) <= longestAtOnceMs) {
        m_evaluation.cancel();
        m_b = Evaluator().evaluate(experiment, Generation{1});
        return m_b;
    }
    if (m_evaluating != experiment || !m_evaluation.isBusy()) {
        m_evaluating = experiment;
        m_evaluation.start([this, experiment](std::stop_token stop) {
            SnapshotPtr snapshot = Evaluator().evaluate(experiment, Generation{1}, stop);
            return [this, snapshot = std::move(snapshot)] {
                m_b = snapshot;
                scheduleRebuild();
            };
        });
    }
    return nullptr;
}

bool CompareView::compare(const SnapshotPtr &a, const Side &b)
{
    if (m_comparedA == a && m_comparedB == b.stages)
        return true;
    if (cellsToCompare(a, b.stages) <= mostComparedAtOnce) {
        m_comparison.cancel();
        m_results = comparisons(stagesOf(*a), b.stages, b.isOnlyResults, {});
        m_comparedA = a;
        m_comparedB = b.stages;
        return true;
    }
    if (m_askedA != a || m_askedB != b.stages || !m_comparison.isBusy()) {
        m_askedA = a;
        m_askedB = b.stages;
        m_comparison.start([this, a, stages = b.stages, onlyOfB = b.isOnlyResults](std::stop_token stop) {
            // Stages of some millions of cells take a while each: the table fills as they come.
            const auto tell = [this, a, stages](const std::vector<StageComparison> &soFar) {
                QMetaObject::invokeMethod(this, [this, a, stages, soFar] { takeSoFar(a, stages, soFar); });
            };
            std::vector<StageComparison> results = comparisons(stagesOf(*a), stages, onlyOfB, stop, tell);
            return [this, a, stages, results = std::move(results)] {
                m_results = results;
                m_comparedA = a;
                m_comparedB = stages;
                scheduleRebuild();
            };
        });
    }
    return false;
}

void CompareView::takeSoFar(const SnapshotPtr &a, const StageSet &b,
                            const std::vector<StageComparison> &results)
{
    const bool isWanted = m_askedA == a && m_askedB == b && !(m_comparedA == a && m_comparedB == b);
    // A longer list of the same sides is the newer one; results of an older A stay until there are as many.
    if (!isWanted || (m_comparedB == b && results.size() < m_results.size()))
        return;
    m_results = results;
    m_comparedA = nullptr;
    m_comparedB = b;
    scheduleRebuild();
}

void CompareView::waitUntilIdle()
{
    m_evaluation.waitUntilIdle();
    m_comparison.waitUntilIdle();
}

CompareOptions CompareView::shownOptions() const
{
    const CompareChoice shown = choice();
    const Selection *selection = workbench()->selection();
    CompareOptions options;
    options.tolerance = shown.tolerance;
    options.results = m_results;
    if (!selection->target().isLab())
        options.selected = selection->stage();
    // A stage that was asked for is the selected one; once another is selected, that question is over.
    if (!options.selected || shown.stage == options.selected)
        options.stage = shown.stage;
    return options;
}

std::optional<CompareOptions> CompareView::sceneOptions(const SnapshotPtr &snapshot, QString &message)
{
    const CompareChoice shown = choice();
    const std::optional<Side> b = sideB(shown, message);
    if (!b)
        return std::nullopt;
    CompareOptions options = shownOptions();
    options.isComplete = compare(snapshot, *b);
    options.nameA = tr("%1, as it is now").arg(workbench()->document()->title());
    options.nameB = b->name;
    options.b = b->stages;
    options.snapshotB = b->snapshot;
    // While the next comparison runs, the last one stays, unless it was made with another B.
    options.results =
        options.isComplete || m_comparedB == b->stages ? m_results : std::vector<StageComparison>();
    options.head = workbench()->viewState().head;
    options.width = std::max(leastCompareWidth, static_cast<double>(width()) - 24.0);
    return options;
}

Scene CompareView::buildScene(const SnapshotPtr &snapshot, const DisplayOptions &display)
{
    QString message;
    const std::optional<CompareOptions> options = sceneOptions(snapshot, message);
    return options ? compareScene(snapshot, display, *options)
                   : messageScene(tr("There is nothing to compare with yet"), message);
}

/// The ranges of the maps are found by reading every cell of the stage.
SceneWorker::Build CompareView::heavyBuild(const SnapshotPtr &snapshot, const DisplayOptions &display)
{
    QString message;
    const std::optional<CompareOptions> options = sceneOptions(snapshot, message);
    if (!options || cellsToCompare(snapshot, options->b) <= mostComparedAtOnce)
        return {};
    return [snapshot, display, options = *options](const std::stop_token &) {
        return compareScene(snapshot, display, options);
    };
}

void CompareView::refreshControls()
{
    const CompareChoice shown = choice();
    m_source->setCurrentIndex(static_cast<int>(shown.source));
    if (!m_tolerance->hasFocus())
        m_tolerance->setText(QString::fromStdString(shortestText(shown.tolerance)));
    const int heads = toInt(workbench()->experiment().nHeads);
    const QSignalBlocker blocker(m_head);
    if (m_head->count() != heads) {
        m_head->clear();
        for (int head = 1; head <= heads; ++head)
            m_head->addItem(tr("head %1").arg(head));
    }
    m_head->setCurrentIndex(std::clamp(toInt(workbench()->viewState().head), 0, heads - 1));
    m_head->setEnabled(heads > 1);
}

void CompareView::onControl(const QString &id)
{
    const QString argument = id.section(u':', 1);
    CompareChoice next = choice();
    if (id.startsWith("stage:"_L1)) {
        next.stage = stageFromName(argument.toStdString());
        setChoice(next);
        if (next.stage)
            workbench()->select(*next.stage,
                                {workbench()->headFor(*next.stage), workbench()->selection()->cell().row,
                                 workbench()->selection()->cell().col});
        QTimer::singleShot(0, this, &CompareView::showMaps); // once the scene is built
        return;
    }
    if (!id.startsWith("worst:"_L1))
        return;
    const CompareOptions options = shownOptions();
    const std::optional<Stage> stage = options.stage ? options.stage : stageToShow(options);
    const auto place = static_cast<std::size_t>(argument.toInt());
    for (const StageComparison &result : m_results) {
        if (stage != result.stage || place >= result.worst.size())
            continue;
        const CellIndex cell = result.worst[place].cell;
        if (result.shapeA.heads > 1) {
            ViewState state = workbench()->viewState();
            state.head = cell.head;
            workbench()->setViewState(std::move(state));
        }
        workbench()->select(result.stage, cell);
    }
}

/// Whoever asks for a stage looks at its maps, which stand below the table.
void CompareView::showMaps()
{
    const SceneMap *difference = view()->findMap(MapKey::derived(QStringLiteral("difference")));
    if (!difference)
        return;
    constexpr double titles = 56.0; // above the labels, and the colour bar below
    view()->ensureVisible(difference->rect.adjusted(0.0, -difference->colLabelHeight - titles, 0.0, titles));
}

void CompareView::resizeEvent(QResizeEvent *event)
{
    SceneWorkspace::resizeEvent(event);
    scheduleRebuild();
}

} // namespace attn
