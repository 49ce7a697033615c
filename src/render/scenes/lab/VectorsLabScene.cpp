#include "engine/lab/StandardLabs.h"
#include "render/scenes/StageCard.h"
#include "render/scenes/lab/LabRefusal.h"
#include "render/scenes/lab/PlaneScenes.h"
#include "render/scenes/lab/VectorStatements.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace attn {

namespace {

constexpr double vectorsMargin = 24.0;
constexpr double numberCellWidth = 52.0;
constexpr double numberCellHeight = 22.0;
constexpr double trackRowHeight = 34.0;
constexpr double turnPadSide = 64.0;
constexpr Index mostListedNumbers = 8;
constexpr double mostTargetShare = 2.0; ///< of the vectors' own reach, for a target that is seen with them

using VectorsPaint = ScenePaint::Role;

class VectorsLabBuilder
{
public:
    VectorsLabBuilder(const MapFactory &maps, const VectorsLabOptions &options, VectorsInView view)
        : m_draft(maps)
        , m_options(options)
        , m_view(std::move(view))
        , m_paints(vectorPaints(maps))
    {
    }

    PlaneScene build();

private:
    void placePlane();
    double largestDrawn() const;
    /// The target of a stage's vectors may lie far outside of what they are drawn to.
    bool isTargetOutside() const
    {
        const std::vector<double> target = targetPoint(m_view.target);
        return !m_made.plane.holds(target[0], target[1]);
    }
    /// Of the plane and what stands below it.
    double firstColumnWidth() const
    {
        const double side = m_made.plane.rect.width();
        return m_view.source.isScratch() ? side : std::max(side, leastNumbersWidth);
    }
    std::vector<double> drawn(std::span<const double> vector) const
    {
        return m_view.drawn.transposed() * vector;
    }
    /// The target as a point of the picture.
    std::vector<double> targetPoint(std::span<const double> target) const
    {
        return m_view.source.isScratch() ? drawn(target) : std::vector<double>(target.begin(), target.end());
    }
    void addGround(NumberPlane &plane);
    void addSpaceGround(NumberPlane &plane);
    void addSpan(NumberPlane &plane);
    void addTargetWay(NumberPlane &plane);
    void addPath(NumberPlane &plane);
    void addVectors(NumberPlane &plane);
    void addTurnPad(NumberPlane &plane);
    double addTracks(double top);
    void addNumbers(double top);
    void addScratchNumbers(double top);
    void addStageNumbers(double top);
    void addStatements();

    SceneDraft m_draft;
    VectorsLabOptions m_options;
    VectorsInView m_view;
    std::array<ScenePaint, 3> m_paints;
    PlaneScene m_made;
};

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

void VectorsLabBuilder::addGround(NumberPlane &plane)
{
    if (m_view.isSpace()) {
        addSpaceGround(plane);
        return;
    }
    const VectorSource &source = m_view.source;
    if (source.isScratch()) {
        plane.addGround(axisName(1), axisName(2));
        return;
    }
    if (source.ownPlane) {
        const QString text = QCoreApplication::translate("Scene", "direction %1");
        plane.addGround(text.arg(1), text.arg(2));
    } else {
        plane.addGround(axisName(int(source.axisX + 1)), axisName(int(source.axisY + 1)));
    }
}

/// The floor as a grid, and the three axes.
void VectorsLabBuilder::addSpaceGround(NumberPlane &plane)
{
    plane.addFrame();
    const double reach = m_made.plane.reach;
    const double step = reach > 8.0 ? std::ceil(reach / 6.0) : 1.0;
    const int lines = std::max(1, int(reach / step));
    for (int i = -lines; i <= lines; ++i) {
        const double at = i * step;
        const double end = lines * step;
        plane.addSegment(drawn(std::array{at, -end, 0.0}), drawn(std::array{at, end, 0.0}),
                         ScenePaint::of(VectorsPaint::Hairline, 0.8));
        plane.addSegment(drawn(std::array{-end, at, 0.0}), drawn(std::array{end, at, 0.0}),
                         ScenePaint::of(VectorsPaint::Hairline, 0.8));
    }
    for (std::size_t axis = 0; axis < 3; ++axis) {
        std::array<double, 3> end = {0.0, 0.0, 0.0};
        end[axis] = 0.9 * reach;
        const std::vector<double> tip = drawn(end);
        plane.addArrow(std::array{0.0, 0.0}, tip, ScenePaint::of(VectorsPaint::MutedText), 1.0);
        plane.addLabel(tip, QString::number(axis + 1));
    }
}

void VectorsLabBuilder::addSpan(NumberPlane &plane)
{
    // Of vectors with more numbers than the picture has directions, their shadow.
    const ScenePaint soft = ScenePaint::of(VectorsPaint::Accent, 0.06);
    const double far = 1.0 * m_made.plane.reach;
    if (m_view.isSpace()) {
        const SmallMatrix directions = m_view.drawn.transposed() * m_view.facts.directions;
        if (m_view.facts.rank == 1)
            plane.addLineThroughOrigin(directions.column(0), ScenePaint::of(VectorsPaint::Accent, 0.25), 8.0);
        if (m_view.facts.rank == 2) {
            const std::vector<double> one = scaled(far, directions.column(0));
            const std::vector<double> other = scaled(far, directions.column(1));
            const std::array corners = {added(one, other), added(one, other, -1.0),
                                        scaled(-1.0, added(one, other)), added(other, one, -1.0)};
            plane.addFilled(corners, ScenePaint::of(VectorsPaint::Accent, 0.14),
                            ScenePaint::of(VectorsPaint::Accent, 0.5),
                            QCoreApplication::translate("Scene", "the span: a plane"));
        }
        return;
    }
    const SpanFacts seen = spanFacts(m_view.points);
    if (seen.rank == 2) {
        const std::vector<std::vector<double>> corners = {{-far, -far}, {far, -far}, {far, far}, {-far, far}};
        plane.addFilled(corners, soft, {}, QCoreApplication::translate("Scene", "the span: the whole plane"));
    } else if (seen.rank == 1) {
        plane.addLineThroughOrigin(seen.directions.column(0), ScenePaint::of(VectorsPaint::Accent, 0.25),
                                   8.0);
    }
}

/// How the vectors come to the target: along the first, then along the second.
void VectorsLabBuilder::addTargetWay(NumberPlane &plane)
{
    const SmallMatrix &vectors = m_view.source.isScratch() ? m_view.vectors : m_view.points;
    std::vector<double> place(std::size_t(vectors.rows), 0.0);
    for (Index i = 0; i < vectors.cols; ++i) {
        const std::vector<double> next =
            added(place, vectors.column(i), m_view.reach.coefficients[std::size_t(i)]);
        plane.addSegment(targetPoint(place), targetPoint(next), ScenePaint::of(VectorsPaint::MutedText), 1.2,
                         true);
        place = next;
    }
    const std::vector<double> target = targetPoint(m_view.target);
    if (!m_view.reach.isReachable) {
        plane.addSegment(targetPoint(place), target, ScenePaint::of(VectorsPaint::Warning), 1.5, true);
        plane.addDot(targetPoint(place), ScenePaint::of(VectorsPaint::MutedText), 3.5,
                     QCoreApplication::translate("Scene", "the nearest point reached"));
    }
    plane.addDot(target, ScenePaint::of(VectorsPaint::Text), 4.0,
                 QCoreApplication::translate("Scene", "the target t"));
    plane.addLabel(plane.geometry().clamped(target), QStringLiteral("t"));
}

void VectorsLabBuilder::addPath(NumberPlane &plane)
{
    const std::vector<std::vector<double>> path = m_view.path();
    const double count = double(m_view.vectors.cols);
    const double step = m_options.step < 0.0 ? count : std::min(m_options.step, count);
    std::vector<double> reached = path.front();
    for (Index i = 0; i < m_view.vectors.cols; ++i) {
        const double share = std::clamp(step - double(i), 0.0, 1.0);
        if (share == 0.0)
            break;
        reached = share == 1.0 ? path[std::size_t(i) + 1]
                               : added(path[std::size_t(i)], m_view.vectors.column(i),
                                       share * m_view.coefficients[std::size_t(i)]);
        ScenePaint paint = m_paints[std::size_t(i)];
        paint.opacity = 0.55;
        plane.addArrow(drawn(path[std::size_t(i)]), drawn(reached), paint, 4.0, false,
                       QString(bracketedFactor(m_view.coefficients[std::size_t(i)]) + QStringLiteral("·") +
                               subscripted(QStringLiteral("v"), i + 1)));
    }
    const std::vector<double> sum = drawn(reached);
    plane.addArrow(std::array{0.0, 0.0}, sum, ScenePaint::of(VectorsPaint::Text), 1.6, false,
                   QCoreApplication::translate("Scene", "the sum so far: %1").arg(tupleText(reached)));
    plane.addDot(sum, ScenePaint::of(VectorsPaint::Text), 3.0, {});
}

void VectorsLabBuilder::addVectors(NumberPlane &plane)
{
    for (Index i = 0; i < m_view.points.cols; ++i) {
        const std::vector<double> tip = m_view.points.column(i);
        const QString name = subscripted(QStringLiteral("v"), i + 1);
        plane.addArrow(std::array{0.0, 0.0}, tip, m_paints[std::size_t(i)], 2.4, false,
                       QString(name + QStringLiteral(" = ") + tupleText(m_view.vectors.column(i))));
        plane.addTipLabel(tip, QStringLiteral("v_{%1}").arg(i + 1)); // x·v goes on from the tip
        plane.addGrip(QStringLiteral("v:%1").arg(i), tip,
                      QCoreApplication::translate("Scene", "vector %1").arg(name), m_paints[std::size_t(i)],
                      m_view.vectors.column(i));
    }
    plane.addGrip(QStringLiteral("t"), targetPoint(m_view.target),
                  QCoreApplication::translate("Scene", "target t"), ScenePaint::of(VectorsPaint::Text),
                  m_view.target);
}

void VectorsLabBuilder::addTurnPad(NumberPlane &plane)
{
    const QRectF &rect = m_made.plane.rect;
    m_made.turnPad = {rect.right() - turnPadSide - 8.0, rect.bottom() - turnPadSide - 8.0, turnPadSide,
                      turnPadSide};
    const QRectF &pad = m_made.turnPad;
    plane.keepFree(pad.adjusted(0.0, -16.0, 0.0, 0.0));
    QPainterPath path;
    path.addRect(pad);
    SceneShape shape;
    shape.path = path;
    shape.fill = ScenePaint::of(VectorsPaint::Card, 0.8);
    shape.stroke = ScenePaint::of(VectorsPaint::Hairline);
    shape.name = QCoreApplication::translate("Scene", "Drag the point to turn the view");
    shape.isHint = true;
    m_draft.scene().shapes.push_back(shape);
    const std::size_t texts = m_draft.scene().texts.size();
    m_draft.addText({pad.left(), pad.top() - 16.0, pad.width(), 14.0},
                    QCoreApplication::translate("Scene", "turn"), SceneText::Style::Muted, Qt::AlignCenter);
    m_draft.makeHints(texts);
    SceneGrip grip;
    grip.id = QStringLiteral("turn");
    grip.bounds = pad;
    grip.pos = {pad.center().x() + m_options.azimuth / std::numbers::pi * 0.5 * pad.width(),
                pad.center().y() - m_options.elevation / std::numbers::pi * pad.height()};
    grip.name = QCoreApplication::translate("Scene", "direction of view");
    const double degrees = 180.0 / std::numbers::pi;
    grip.value = QCoreApplication::translate("Scene", "%1° around, %2° up")
                     .arg(labNumber(std::round(m_options.azimuth * degrees)),
                          labNumber(std::round(m_options.elevation * degrees)));
    grip.step = pad.width() / 72.0;
    grip.paint = ScenePaint::of(VectorsPaint::MutedText);
    m_draft.scene().grips.push_back(grip);
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
