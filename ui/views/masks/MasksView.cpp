#include "views/masks/MasksView.h"

#include "Workbench.h"
#include "base/NumberText.h"
#include "base/SystemMemory.h"
#include "io/DocumentFile.h"
#include "views/masks/MaskControls.h"

#include <QJsonObject>
#include <QTime>
#include <QVBoxLayout>

#include <algorithm>
#include <new>

namespace attn {

namespace {

using namespace Qt::StringLiterals;

const QString masksName = QStringLiteral("masks");
constexpr double leastMasksWidth = 1016.0;
/// A kept mask is saved with the document up to this size of its text.
constexpr qsizetype mostKeptMaskText = 256 * 1024;
/// Weights read, and milliseconds evaluated, on the GUI thread.
constexpr Index mostWeightsReadAtOnce = 200000;
constexpr double longestMaskMs = 20.0;

Index cellsOfMask(const Experiment &experiment)
{
    const Sizes sizes = sizesOf(experiment);
    return sizes.nQ * sizes.nK * std::max<Index>(sizes.nHeads, 1);
}

QString paintText(PaintInk ink, const MaskChoice &choice)
{
    const bool isNumber = choice.ink == MaskChoice::Ink::Number && choice.mask == Stage::MaskAdd;
    if (isNumber && ink == PaintInk::Brush)
        return MasksView::tr("Paint %1 into the mask")
            .arg(QString::fromStdString(withTrueMinus(shortestText(choice.number))));
    const bool keeps = ink == PaintInk::Keep ||
                       (ink == PaintInk::Brush && choice.ink == MaskChoice::Ink::Keep) ||
                       (ink == PaintInk::Other && choice.ink != MaskChoice::Ink::Keep);
    return keeps ? MasksView::tr("Keep keys in the mask") : MasksView::tr("Drop keys in the mask");
}

} // namespace

MasksView::MasksView(Workbench *workbench, EditController *edits, QWidget *parent)
    : SceneWorkspace(workbench, edits, parent)
    , m_controls(new MaskControls(this))
{
    view()->setAccessibleName(tr("Masks"));
    view()->setFit(SceneCanvas::Fit::Width);
    qobject_cast<QVBoxLayout *>(layout())->insertWidget(0, m_controls);
    view()->setPaintTest(
        [](const MapKey &map) { return map.role == MapKey::Role::Stage && map.stage == Stage::Allowed; });
    view()->setCellNamer(
        [this](const SceneMap &map, Index row, Index col) { return nameOfCell(map, row, col); });
    connect(view(), &SceneView::painted, this, &MasksView::onPainted);
    connect(view(), &SceneView::blockPainted, this, &MasksView::onBlockPainted);
    connect(m_controls, &MaskControls::chosen, this, &MasksView::setChoice);
    connect(m_controls, &MaskControls::keepWanted, this, &MasksView::keepMask);
    connect(m_controls, &MaskControls::headChosen, this, [this](int head) {
        ViewState state = this->workbench()->viewState();
        state.head = head;
        this->workbench()->setViewState(std::move(state));
    });
    connect(m_controls, &MaskControls::editWanted, this,
            [this](const Edit &edit, const QString &text) { this->workbench()->apply(edit, text); });
    connect(m_controls, &MaskControls::stampWanted, this, [this] {
        applyMade([stamp = choice().stamp, head = paintedHead()](
                      const Experiment &experiment) { return stampedMask(experiment, stamp, head); },
                  tr("Stamp a pattern into the mask"));
    });
    connect(m_controls, &MaskControls::invertWanted, this, [this] {
        applyMade(
            [head = paintedHead()](const Experiment &experiment) { return invertedMask(experiment, head); },
            tr("Invert the painted mask"));
    });
    connect(m_controls, &MaskControls::additiveWanted, this,
            [this] { applyMade(movedToAdditive, tr("Turn the boolean mask into an additive one")); });
    connect(m_controls, &MaskControls::booleanWanted, this,
            [this] { applyMade(movedToBoolean, tr("Turn the additive mask into a boolean one")); });
}

MaskChoice MasksView::choice() const
{
    return MaskChoice::fromJson(workbench()->viewState().workspaceState(masksName));
}

void MasksView::setChoice(const MaskChoice &choice)
{
    workbench()->setViewState(workbench()->viewState().withWorkspaceState(masksName, choice.toJson()));
}

void MasksView::keepMask()
{
    m_kept = std::make_shared<const Experiment>(maskAlone(workbench()->experiment()));
    MaskChoice next = choice();
    next.against = MaskChoice::Against::Kept;
    next.keptName = QTime::currentTime().toString(u"HH:mm:ss"_s);
    const QByteArray text = cellsOfMask(*m_kept) <= mostKeptMaskText ? documentBytes({*m_kept, {}, {}, {}})
                                                                     : QByteArray(mostKeptMaskText + 1, ' ');
    next.kept = text.size() <= mostKeptMaskText ? QString::fromUtf8(text) : QString();
    m_keptText = next.kept;
    setChoice(next);
    workbench()->say(
        next.kept.isEmpty()
            ? tr("This mask is kept to compare with. It is too large to be saved with the document.")
            : tr("This mask is kept to compare with."));
    scheduleRebuild();
}

void MasksView::waitUntilIdle()
{
    m_painting.waitUntilIdle();
    m_evaluation.waitUntilIdle();
    m_reading.waitUntilIdle();
}

Index MasksView::shownHead() const
{
    return std::clamp<Index>(workbench()->viewState().head, 0, workbench()->experiment().nHeads - 1);
}

std::optional<Index> MasksView::paintedHead() const
{
    const bool isAll = choice().allHeads || workbench()->experiment().nHeads == 1;
    return isAll ? std::nullopt : std::optional<Index>(shownHead());
}

Index MasksView::selectedQuery() const
{
    const Selection *selection = workbench()->selection();
    const bool isQuery = !selection->target().isLab() && stageInfo(selection->stage()).rows == Axis::Query;
    return isQuery ? selection->cell().row : -1;
}

void MasksView::onPainted(const MapKey &map, const std::vector<GridPosition> &cells, PaintInk ink,
                          GesturePhase phase)
{
    if (phase == GesturePhase::Begin) {
        m_stroke = workbench()->document()->newGesture();
        m_strokeCells.clear();
    }
    const bool isLive = cellsOfMask(workbench()->experiment()) <= mostDerivedMaskCells;
    if (phase == GesturePhase::End) {
        if (!isLive)
            paint(m_strokeCells, ink, 0);
        sayWhatStaysHidden(m_strokeCells);
        return;
    }
    std::vector<MaskRect> rects;
    for (const GridPosition &cell : cells) {
        const CellIndex stage = stageCell(map, cell.row, cell.col);
        rects.push_back({stage.row, stage.col});
    }
    m_strokeCells.insert(m_strokeCells.end(), rects.begin(), rects.end());
    if (isLive)
        paint(rects, ink, m_stroke);
}

void MasksView::onBlockPainted(const MapBlock &block, PaintInk ink)
{
    const CellIndex first = stageCell(block.map, block.firstRow, block.firstCol);
    const MaskRect rect{first.row, first.col, block.lastRow - block.firstRow + 1,
                        block.lastCol - block.firstCol + 1};
    if (ink == PaintInk::Toggle)
        ink = isHiddenByMask(painted(rect)) ? PaintInk::Keep : PaintInk::Drop;
    paint({rect}, ink, 0);
    sayWhatStaysHidden({rect});
}

/// The cells of the mask that is painted: padding has one row.
MaskRect MasksView::painted(const MaskRect &cells) const
{
    return choice().mask == Stage::MaskPadding ? MaskRect{0, cells.col, 1, cells.colCount} : cells;
}

bool MasksView::isHiddenByMask(const MaskRect &rect) const
{
    const Stage mask = choice().mask;
    const Tensor &matrix = workbench()->experiment().matrix(mask);
    if (matrix.isNull())
        return false;
    const Index head = matrix.heads() > 1 ? shownHead() : 0;
    std::vector<double> line(static_cast<std::size_t>(rect.colCount));
    for (Index row = rect.row; row < rect.row + rect.rowCount; ++row) {
        matrix.copyBlock(head, row, rect.col, 1, rect.colCount, line.data(), rect.colCount);
        if (!std::ranges::all_of(line,
                                 [hiding = hidingValue(mask)](double value) { return value == hiding; }))
            return false;
    }
    return true;
}

void MasksView::paint(const std::vector<MaskRect> &rects, PaintInk ink, int gesture)
{
    const MaskChoice shown = choice();
    MaskBrush brush{shown.mask, paintedHead(), 0.0};
    if (ink == PaintInk::Keep)
        brush.value = allowingValue(shown.mask);
    else if (ink == PaintInk::Drop)
        brush.value = hidingValue(shown.mask);
    else
        brush.value = shown.valueFor(shown.mask, ink == PaintInk::Other);
    std::vector<MaskRect> cells;
    for (const MaskRect &rect : rects)
        cells.push_back(painted(rect));
    applyMade([brush, cells](const Experiment &experiment) { return paintedMask(experiment, brush, cells); },
              paintText(ink, shown), gesture);
}

void MasksView::sayWhatStaysHidden(const std::vector<MaskRect> &rects)
{
    const MaskChoice shown = choice();
    const Experiment &experiment = workbench()->experiment();
    Index cells = 0;
    for (const MaskRect &rect : rects)
        cells += rect.size();
    if (cells == 0 || cells > mostWeightsReadAtOnce)
        return;
    const MaskRect &first = rects.front();
    if (isHiddenByMask(painted({first.row, first.col})))
        return; // dropped
    const Index hidden = hiddenByOthers(experiment, shown.mask, shownHead(), rects);
    if (hidden == 0)
        return;
    const MaskPartSet parts = hiddenBy(maskPartsOf(experiment), {shownHead(), first.row, first.col});
    if (hidden == 1) {
        workbench()->say(
            parts.isEmpty()
                ? tr("One of these cells stays hidden: another part of the mask hides it.")
                : tr("One of these cells stays hidden (%1): a key is seen only where all parts allow it.")
                      .arg(hiddenByText(parts)));
        return;
    }
    workbench()->say(
        parts.isEmpty()
            ? tr("%n of these cells stay hidden: another part of the mask hides them.", nullptr,
                 static_cast<int>(hidden))
            : tr("%n of these cells stay hidden (%1): a key is seen only where all parts allow it.", nullptr,
                 static_cast<int>(hidden))
                  .arg(hiddenByText(parts)));
}

void MasksView::applyMade(const MakeEdit &make, const QString &text, int gesture)
{
    const ExperimentPtr experiment = workbench()->document()->experiment();
    if (cellsOfMask(*experiment) <= mostDerivedMaskCells) {
        applyEdit(make(*experiment), text, gesture);
        return;
    }
    m_painting.start([this, experiment, make, text](std::stop_token) {
        const Result<Edit> edit = make(*experiment);
        return [this, experiment, make, text, edit] {
            if (experiment == workbench()->document()->experiment())
                applyEdit(edit, text, 0);
            else
                applyMade(make, text); // of what the document has become
        };
    });
}

void MasksView::applyEdit(const Result<Edit> &edit, const QString &text, int gesture)
{
    // Who paints what each query sees stays there, whatever matrix of the mask holds it.
    const Selection *selection = workbench()->selection();
    const bool isInMap = !selection->target().isLab() && selection->stage() == Stage::Allowed;
    if (edit.ok())
        workbench()->apply(*edit, text, gesture,
                           isInMap ? std::optional(StageCell{Stage::Allowed, selection->cell()})
                                   : std::nullopt);
    else
        workbench()->say(QString::fromStdString(edit.error().message));
}

QString MasksView::againstName(const MaskChoice &choice) const
{
    switch (choice.against) {
    case MaskChoice::Against::NoMask:
        return tr("no mask");
    case MaskChoice::Against::AsOpened:
        return tr("the mask as opened or last saved");
    case MaskChoice::Against::Kept:
        return choice.keptName.isEmpty() ? tr("the kept mask")
                                         : tr("the mask kept at %1").arg(choice.keptName);
    case MaskChoice::Against::WithoutPart:
        return tr("all parts but %1").arg(maskPartName(choice.part));
    }
    return {};
}

ExperimentPtr MasksView::keptMask(const MaskChoice &choice)
{
    if (!choice.kept.isEmpty() && choice.kept != m_keptText) {
        const Result<DocumentFileData> kept = parseDocument(choice.kept.toUtf8(), tr("kept mask"));
        m_keptText = choice.kept;
        if (kept.ok())
            m_kept = std::make_shared<const Experiment>(kept->experiment);
    }
    return m_kept;
}

Result<Experiment> MasksView::otherMask(const MaskChoice &choice)
{
    const Experiment &experiment = workbench()->experiment();
    switch (choice.against) {
    case MaskChoice::Against::NoMask:
        break;
    case MaskChoice::Against::WithoutPart:
        return withoutMaskPart(experiment, choice.part);
    case MaskChoice::Against::AsOpened:
        return withMaskOf(experiment, *workbench()->document()->asOpened());
    case MaskChoice::Against::Kept:
        if (const ExperimentPtr kept = keptMask(choice))
            return withMaskOf(experiment, *kept);
        return Error{ErrorCode::NotFound,
                     tr("No mask has been kept. “Keep mask” keeps what the mask is now.").toStdString()};
    }
    return withoutMask(experiment);
}

SnapshotPtr MasksView::evaluated(const Experiment &experiment, QString &problem)
{
    if (m_before && sameContent(m_before->experiment(), experiment))
        return m_before;
    auto wanted = std::make_shared<const Experiment>(experiment);
    if (estimatedMs(experiment) <= longestMaskMs) {
        m_evaluation.cancel();
        m_before = m_evaluator.evaluate(wanted, Generation{1});
        return m_before;
    }
    // Beside what the document itself holds.
    constexpr double gigabyte = 1e9;
    if (const double needed = 2.0 * estimatedBytes(experiment); needed > systemMemoryBytes()) {
        problem =
            tr("Both masks together would need about %1 GB of memory, so only the current one is computed.")
                .arg(QString::fromStdString(displayText(needed / gigabyte, 1)));
        return nullptr;
    }
    if (!m_evaluation.isBusy() || !m_evaluating || !sameContent(*m_evaluating, experiment)) {
        m_evaluating = wanted;
        m_evaluation.start([this, wanted](std::stop_token stop) {
            SnapshotPtr snapshot = Evaluator().evaluate(wanted, Generation{1}, stop);
            return [this, snapshot = std::move(snapshot)] {
                m_before = snapshot;
                scheduleRebuild();
            };
        });
    }
    return nullptr;
}

void MasksView::readInto(MasksOptions &options, const SnapshotPtr &snapshot)
{
    const SnapshotPtr before = options.before;
    const Index head = options.head;
    const bool hasWeights =
        before && snapshot->stage(Stage::A).hasValues() && before->stage(Stage::A).hasValues() &&
        snapshot->stage(Stage::Allowed).hasValues() && before->stage(Stage::Allowed).hasValues();
    const auto read = [snapshot, before, head, hasWeights](std::stop_token stop) {
        Reading reading{snapshot, before, head, nullptr, nullptr};
        reading.counts = std::make_shared<const MaskCounts>(maskCountsOf(snapshot->experiment(), head, stop));
        if (hasWeights)
            reading.effect = std::make_shared<const MaskEffect>(maskEffectOf(*before, *snapshot, head, stop));
        return reading;
    };
    if (!m_read.isFor(snapshot, before, head)) {
        if (snapshot->sizes().nQ * snapshot->sizes().nK <= mostWeightsReadAtOnce) {
            m_reading.cancel();
            m_read = read({});
        } else if (!m_reading.isBusy() || !m_askedFor.isFor(snapshot, before, head)) {
            m_askedFor = {snapshot, before, head, nullptr, nullptr};
            m_reading.start([this, read](std::stop_token stop) {
                Reading reading = read(stop);
                return [this, reading = std::move(reading)] {
                    m_read = reading;
                    scheduleRebuild();
                };
            });
        }
    }
    if (m_read.isFor(snapshot, before, head)) {
        options.counts = m_read.counts;
        options.effect = m_read.effect;
    }
}

MasksOptions MasksView::optionsFor(const SnapshotPtr &snapshot)
{
    const MaskChoice shown = choice();
    MasksOptions options;
    options.head = shownHead();
    options.trueIsDrop = shown.trueIsDrop;
    options.beforeName = againstName(shown);
    options.row = std::min(selectedQuery(), snapshot->sizes().nQ - 1);
    options.width = std::max(leastMasksWidth, static_cast<double>(width()) - 24.0);
    const bool isShown = snapshot->experimentPtr() == workbench()->document()->experiment();
    const Result<Experiment> other = otherMask(shown);
    if (!other.ok())
        options.beforeProblem = QString::fromStdString(other.error().message);
    else if (!isShown)
        options.before = m_before && m_read.after ? m_read.before : nullptr;
    else
        options.before = evaluated(*other, options.beforeProblem);
    if (options.before && !(options.before->sizes().nQ == snapshot->sizes().nQ &&
                            options.before->sizes().nK == snapshot->sizes().nK &&
                            options.before->sizes().nHeads == snapshot->sizes().nHeads))
        options.before = nullptr;
    readInto(options, snapshot);
    return options;
}

Scene MasksView::buildScene(const SnapshotPtr &snapshot, const DisplayOptions &display)
{
    return masksScene(snapshot, display, optionsFor(snapshot));
}

/// The ranges of large masks take long to find.
SceneWorker::Build MasksView::heavyBuild(const SnapshotPtr &snapshot, const DisplayOptions &display)
{
    if (snapshot->sizes().nQ * snapshot->sizes().nK <= mostWeightsReadAtOnce)
        return {};
    return [snapshot, display, options = optionsFor(snapshot)](const std::stop_token &) {
        return masksScene(snapshot, display, options);
    };
}

void MasksView::refreshControls()
{
    const MaskChoice shown = choice();
    m_controls->show(shown, workbench()->experiment(), workbench()->viewState().head);
    view()->setPaintsRectangles(shown.rectangles);
}

void MasksView::onControl(const QString &id)
{
    const Sizes sizes = sizesOf(workbench()->experiment());
    const Index offset = id == "offset:end"_L1 ? sizes.nK - sizes.nQ : 0;
    workbench()->apply(SetQOffset{offset}, tr("Set query offset %1").arg(offset));
}

QString MasksView::nameOfCell(const SceneMap &map, Index row, Index col) const
{
    const Experiment &experiment = workbench()->experiment();
    if (!showsStageCells(map.key) || map.key.role == MapKey::Role::Lab) {
        const QString name = attn::cellName(map, row, col);
        if (map.key.id != "parts"_L1)
            return name;
        return tr("%1, %2").arg(name, hiddenByText(hiddenBy(maskPartsOf(experiment), {map.head, row, col})));
    }
    const CellIndex cell = stageCell(map.key, row, col);
    const QString name = EditTarget(map.key.stage).cellName(experiment, cell);
    const StageInfo &info = stageInfo(map.key.stage);
    if (info.rows != Axis::Query || info.cols != Axis::Key)
        return name;
    return tr("%1, %2").arg(
        name, hiddenByText(hiddenBy(maskPartsOf(experiment), {shownHead(), cell.row, cell.col})));
}

void MasksView::resizeEvent(QResizeEvent *event)
{
    SceneWorkspace::resizeEvent(event);
    scheduleRebuild();
}

} // namespace attn
