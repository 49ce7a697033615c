#include "engine/lab/StandardLabs.h"
#include "render/scenes/StageCard.h"
#include "render/scenes/lab/LabRefusal.h"
#include "render/scenes/lab/VectorsLabBuilder.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace attn {

namespace {

constexpr double numberCellWidth = 52.0;
constexpr double numberCellHeight = 22.0;
constexpr double trackRowHeight = 34.0;
constexpr Index mostListedNumbers = 8;
constexpr double mostTargetShare = 2.0; ///< of the vectors' own reach, for a target that is seen with them

} // namespace

PlaneScene VectorsLabBuilder::build()
{
    placePlane();
    NumberPlane plane(m_draft, m_made.plane);
    addGround(plane);
    addSpan(plane);
    addTargetWay(plane);
    addPath(plane);
    addVectors(plane);
    if (m_view.isSpace())
        addTurnPad(plane);
    plane.addNames();
    addNumbers(addTracks(m_made.plane.rect.bottom() + 16.0));
    addStatements();
    m_made.vectors = m_view.vectors;
    m_made.drawn = m_view.drawn;
    m_made.scene = m_draft.finished(vectorsMargin);
    return std::move(m_made);
}

double VectorsLabBuilder::largestDrawn() const
{
    double largest = 0.0;
    const auto take = [&](std::span<const double> point) {
        largest = std::max({largest, std::abs(point[0]), std::abs(point[1])});
    };
    for (Index i = 0; i < m_view.points.cols; ++i)
        take(m_view.points.column(i));
    for (const std::vector<double> &sum : m_view.path())
        take(drawn(sum));
    // The target has numbers of its own, whatever the stage: it does not press its vectors into the origin.
    const std::vector<double> target = targetPoint(m_view.target);
    const double outermost = std::max(std::abs(target[0]), std::abs(target[1]));
    if (m_view.source.isScratch() || largest == 0.0 || outermost <= mostTargetShare * largest)
        take(target);
    return largest;
}

void VectorsLabBuilder::placePlane()
{
    const double side = planeSideFor(m_options.room);
    m_draft.addText({vectorsMargin, vectorsMargin, side, 22.0},
                    m_view.isSpace() ? QCoreApplication::translate("Scene", "Vectors in space")
                                     : QCoreApplication::translate("Scene", "Vectors in the plane"),
                    SceneText::Style::Heading);
    m_made.plane.rect = {vectorsMargin, vectorsMargin + 28.0, side, side};
    m_made.plane.reach = m_options.reach > 0.0 ? m_options.reach : roundReach(largestDrawn());
}

/// The coefficients as sliders, each with its number in a cell.
double VectorsLabBuilder::addTracks(double top)
{
    const QRectF &rect = m_made.plane.rect;
    double largest = 4.0 / 1.15;
    for (const double x : m_view.coefficients)
        largest = std::max(largest, std::abs(x));
    m_made.trackReach = m_options.trackReach > 0.0 ? m_options.trackReach : roundReach(largest);
    for (std::size_t i = 0; i < m_view.coefficients.size(); ++i) {
        const double x = m_view.coefficients[i];
        const double middle = top + 0.5 * trackRowHeight;
        const QRectF track(rect.left() + 36.0, middle, rect.width() - 36.0 - numberCellWidth - 24.0, 0.0);
        m_made.tracks.push_back(track);
        m_draft.addText({rect.left(), middle - 11.0, 28.0, 22.0}, QStringLiteral("x_{%1}").arg(i + 1),
                        SceneText::Style::Title);
        SceneLine line;
        line.points = {track.topLeft(), track.topRight()};
        m_draft.scene().lines.push_back(line);
        const double place = std::clamp(0.5 + 0.5 * x / m_made.trackReach, 0.0, 1.0);
        SceneShape bar;
        bar.path.moveTo(track.center());
        bar.path.lineTo(track.left() + place * track.width(), middle);
        bar.stroke = m_paints[i];
        bar.strokeWidth = 3.0;
        m_draft.scene().shapes.push_back(bar);
        SceneGrip grip;
        grip.id = QStringLiteral("x:%1").arg(i);
        grip.bounds = track;
        grip.pos = {track.left() + place * track.width(), middle};
        grip.name = QCoreApplication::translate("Scene", "coefficient %1")
                        .arg(subscripted(QStringLiteral("x"), Index(i) + 1));
        grip.value = labNumber(x);
        grip.step = 0.1 * track.width() / (2.0 * m_made.trackReach);
        grip.paint = m_paints[i];
        m_draft.scene().grips.push_back(grip);
        m_draft.addMap(labCells(m_draft, standardLab::coefficients, Index(i), 1, 1,
                                {rect.right() - numberCellWidth, middle - 0.5 * numberCellHeight,
                                 numberCellWidth, numberCellHeight}));
        top += trackRowHeight;
    }
    return top;
}

void VectorsLabBuilder::addNumbers(double top)
{
    if (m_view.source.isScratch())
        addScratchNumbers(top + 8.0);
    else
        addStageNumbers(top + 8.0);
}

void VectorsLabBuilder::addScratchNumbers(double top)
{
    const double left = m_made.plane.rect.left();
    const double width = numberCellWidth * double(m_view.vectors.cols);
    const double height = numberCellHeight * double(m_view.vectors.rows);
    const QRectF cells(left, top + 22.0, width, height);
    for (Index i = 0; i < m_view.vectors.cols; ++i)
        m_draft.addText({left + double(i) * numberCellWidth, top, numberCellWidth, 20.0},
                        QStringLiteral("v_{%1}").arg(i + 1), SceneText::Style::Title, Qt::AlignCenter);
    m_draft.addMap(
        labCells(m_draft, standardLab::vectors, 0, m_view.vectors.rows, m_view.vectors.cols, cells));
    const QRectF target(cells.right() + 32.0, cells.top(), numberCellWidth, height);
    m_draft.addText({target.left(), top, numberCellWidth, 20.0}, QStringLiteral("t"), SceneText::Style::Title,
                    Qt::AlignCenter);
    m_draft.addMap(labCells(m_draft, standardLab::target, 0, m_view.vectors.rows, 1, target));
    m_draft.extendTo(target.right(), target.bottom());
}

/// The vectors where they stand in the document, each as a row of cells or as a column.
void VectorsLabBuilder::addStageNumbers(double top)
{
    const VectorSource &source = m_view.source;
    const Index shown = std::min(m_view.vectors.rows, mostListedNumbers);
    const bool asColumns = source.kind == VectorSource::Kind::Columns;
    const double width = firstColumnWidth();
    const double cell = std::min(numberCellWidth, (width - 40.0) / double(shown));
    for (Index i = 0; i < 2; ++i) {
        const Index at = i == 0 ? source.first : source.second;
        const double y = top + double(i) * (numberCellHeight + 10.0);
        const QRectF rect(m_made.plane.rect.left() + 36.0, y, cell * double(shown), numberCellHeight);
        m_draft.addText({m_made.plane.rect.left(), y, 32.0, numberCellHeight},
                        QStringLiteral("v_{%1}").arg(i + 1), SceneText::Style::Title);
        SceneMap map = asColumns ? m_draft.stageBlock(source.stage, source.head, 0, shown, at, 1, rect)
                                 : m_draft.stageBlock(source.stage, source.head, at, 1, 0, shown, rect);
        map.rowLabels.clear();
        map.colLabels.clear();
        map.rowLabelAt = {};
        map.colLabelAt = {};
        if (asColumns) { // on its side, so that both stand below each other
            map.key.transposed = true;
            std::vector<double> numbers = m_view.vectors.column(i);
            numbers.resize(std::size_t(shown));
            map.values = valuesOf(Tensor::fromDoubles({1, 1, shown}, numbers));
            map.isPinned = pinTest(m_draft.maps().snapshotPtr(), map.key);
            map.allowed = nullptr;
        }
        m_draft.addMap(map);
        m_draft.extendTo(rect.right(), rect.bottom());
        if (shown < m_view.vectors.rows)
            addMoreMark(m_draft, rect);
    }
    const QString note =
        source.ownPlane
            ? QCoreApplication::translate("Scene",
                                          "Drawn in the plane that both lie in: direction 1 along "
                                          "v₁, direction 2 at right angles to it (Gram and Schmidt).")
            : QCoreApplication::translate("Scene", "Drawn: two of their numbers, the others are not seen.");
    const QString hint =
        source.ownPlane ? QCoreApplication::translate("Scene", "Dragging changes all their numbers in %1.")
                        : QCoreApplication::translate("Scene", "Dragging changes these two numbers in %1.");
    const double y = m_draft.addParagraph(
        {m_made.plane.rect.left(), top + 2.0 * (numberCellHeight + 10.0) + 4.0}, width, note);
    const double below = m_draft.addHint({m_made.plane.rect.left(), y}, width,
                                         hint.arg(QString::fromUtf8(stageName(source.stage))));
    if (isTargetOutside())
        m_draft.addParagraph(
            {m_made.plane.rect.left(), below}, width,
            QCoreApplication::translate("Scene",
                                        "The target t = %1 lies outside of the picture: its point stands on "
                                        "the border and can be drawn in.")
                .arg(tupleText(m_view.target)));
}

void VectorsLabBuilder::addStatements()
{
    const double left = m_made.plane.rect.left() + firstColumnWidth() + 32.0;
    const double room = std::max(320.0, m_options.room.width() - left - vectorsMargin);
    const int columns = room >= 760.0 ? 2 : 1;
    const double width = (room - (columns - 1) * 32.0) / columns;
    const std::vector<Statement> statements = vectorStatements(m_view);
    double x = left;
    double y = vectorsMargin;
    for (std::size_t i = 0; i < statements.size(); ++i) {
        if (columns == 2 && i == (statements.size() + 1) / 2) {
            x += width + 32.0;
            y = vectorsMargin;
        }
        y = addStatement(m_draft, {x, y}, width, statements[i]);
    }
}

namespace {

/// What the page reads of the scratch matrices.
std::vector<LabNumbers> vectorNumbers(const VectorSource &source)
{
    const Index count = source.isScratch() ? source.count : 2;
    const Index dimension = source.isScratch() ? source.dimension : 2;
    std::vector<LabNumbers> numbers;
    if (source.isScratch())
        numbers.push_back({QStringLiteral("v"), standardLab::vectors, dimension, count});
    numbers.push_back({QStringLiteral("x"), standardLab::coefficients, count, 1});
    numbers.push_back({QStringLiteral("t"), standardLab::target, dimension, 1});
    return numbers;
}

} // namespace

double PlaneScene::coefficientAt(std::size_t track, const QPointF &pos) const
{
    const QRectF &rect = tracks[track];
    const double value = ((pos.x() - rect.left()) / rect.width() * 2.0 - 1.0) * trackReach;
    return std::round(value * 100.0) / 100.0;
}

QPointF PlaneScene::anglesAt(const QPointF &pos) const
{
    return {(pos.x() - turnPad.center().x()) / turnPad.width() * 2.0 * std::numbers::pi,
            (turnPad.center().y() - pos.y()) / turnPad.height() * std::numbers::pi};
}

PlaneScene vectorsLabScene(const SnapshotPtr &snapshot, const DisplayOptions &display,
                           const VectorsLabOptions &options)
{
    const VectorSource source = insideStage(options.source, *snapshot);
    const MapFactory maps(snapshot, display);
    const Result<SmallMatrix> vectors = chosenVectors(*snapshot, source, standardLab::vectors);
    const std::vector<LabNumbers> numbers = vectorNumbers(source);
    const bool isComplete = std::ranges::all_of(
        numbers, [&](const LabNumbers &block) { return areFinite(snapshot->experiment(), block); });
    if (!vectors || !isComplete) {
        const QString reason =
            vectors ? QCoreApplication::translate("Scene", "A number below is infinite or no number.")
                    : QString::fromStdString(vectors.error().message);
        PlaneScene refused;
        refused.scene = refusedLabScene(
            maps, QCoreApplication::translate("Scene", "These vectors cannot be drawn"), reason, numbers);
        return refused;
    }
    SmallMatrix drawn = options.drawn;
    if (source.isScratch() && vectors->rows == 3)
        drawn = viewOfSpace(options.azimuth, options.elevation);
    else if (drawn.rows != vectors->rows || drawn.cols != 2)
        drawn = drawnPlane(source, *vectors);
    return VectorsLabBuilder(maps, options, vectorsInView(*snapshot, source, *vectors, std::move(drawn)))
        .build();
}

} // namespace attn
