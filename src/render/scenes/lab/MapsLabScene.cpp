#include "engine/lab/StandardLabs.h"
#include "render/MathText.h"
#include "render/scenes/StageCard.h"
#include "render/scenes/lab/LabRefusal.h"
#include "render/scenes/lab/MapStatements.h"
#include "render/scenes/lab/PlaneScenes.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace attn {

namespace {

constexpr double mapsMargin = 24.0;
constexpr double mapsGap = 24.0;
constexpr double mapCellWidth = 52.0;
constexpr double mapCellHeight = 22.0;
constexpr int circlePoints = 96;

using MapPaint = ScenePaint::Role;
using MapsMode = MapsLabOptions::Mode;

class MapsLabBuilder
{
public:
    MapsLabBuilder(const MapFactory &maps, const MapsLabOptions &options, MapsInView view)
        : m_draft(maps)
        , m_options(options)
        , m_view(std::move(view))
        , m_paints(vectorPaints(maps))
        , m_position(options.position < 0.0 ? options.steps()
                                            : std::min(options.position, double(options.steps())))
    {
    }

    PlaneScene build();

private:
    void buildSingle();
    void buildComposition();
    double reachOfMap(const SmallMatrix &M) const;
    void addMapped(NumberPlane &plane, const SmallMatrix &M);
    void addColumns(NumberPlane &plane, const SmallMatrix &M, const QString &letter);
    void addColumnGrips(NumberPlane &plane, const SmallMatrix &M, const QString &id, const QString &letter);
    void addTrial(NumberPlane &plane, const SmallMatrix &now);
    void addCircle(NumberPlane &plane, const SmallMatrix &now);
    void addComposed(const QRectF &rect, const QString &title, const SmallMatrix &first,
                     const SmallMatrix &second, double reach);
    void addFactorPlane(const QRectF &rect, const QString &letter, const SmallMatrix &M, double reach);
    double addFactorTrack(double top);
    void addMapNumbers(double top);
    void addStageMapNumbers(double top);
    QRectF addLabMap(const QString &symbol, const std::string &lab, Index cols, const QPointF &corner);
    QRectF addDerivedMap(const QString &id, const QString &symbol, const SmallMatrix &M,
                         const QPointF &corner);
    void addFactorNumbers(double left, double top);
    void addStatements(const std::vector<Statement> &statements, double left, double top, int columns);

    SceneDraft m_draft;
    MapsLabOptions m_options;
    MapsInView m_view;
    std::array<ScenePaint, 3> m_paints;
    double m_position;
    PlaneScene m_made;
};

PlaneScene MapsLabBuilder::build()
{
    if (m_options.mode == MapsMode::Compose)
        buildComposition();
    else
        buildSingle();
    m_made.vectors = m_view.A;
    m_made.drawn = SmallMatrix::identity(2);
    m_made.scene = m_draft.finished(mapsMargin);
    return std::move(m_made);
}

/// Room for the images of the square, of what the map is tried on, and of that itself.
double MapsLabBuilder::reachOfMap(const SmallMatrix &M) const
{
    double largest = 2.0;
    const std::vector<double> sum = added(m_view.u, m_view.v);
    for (const std::vector<double> &point : {m_view.u, m_view.v, sum, M * m_view.u, M * m_view.v, M * sum,
                                             M.column(0), M.column(1), added(M.column(0), M.column(1))})
        largest = std::max({largest, std::abs(point[0]), std::abs(point[1])});
    return roundReach(largest);
}

/// The deformed grid, the image of the unit square and, in it, of a figure that shows which way round it is.
void MapsLabBuilder::addMapped(NumberPlane &plane, const SmallMatrix &M)
{
    plane.addMappedGrid(M, ScenePaint::of(MapPaint::Accent, 0.35));
    const auto image = [&M](double x, double y) {
        return M * std::array{x, y};
    };
    const std::array square = {image(0, 0), image(1, 0), image(1, 1), image(0, 1)};
    plane.addFilled(square, ScenePaint::of(MapPaint::Accent, 0.12), ScenePaint::of(MapPaint::Accent, 0.6),
                    QCoreApplication::translate("Scene", "the image of the unit square"));
    std::vector<std::vector<double>> letter;
    for (const auto &[x, y] : {std::pair(0.2, 0.15),
                               {0.2, 0.85},
                               {0.72, 0.85},
                               {0.72, 0.71},
                               {0.36, 0.71},
                               {0.36, 0.57},
                               {0.6, 0.57},
                               {0.6, 0.44},
                               {0.36, 0.44},
                               {0.36, 0.15}})
        letter.push_back(image(x, y));
    plane.addFilled(letter, ScenePaint::of(MapPaint::MutedText, 0.7), {});
}

void MapsLabBuilder::addColumns(NumberPlane &plane, const SmallMatrix &M, const QString &letter)
{
    for (Index j = 0; j < 2; ++j) {
        plane.addArrow(std::array{0.0, 0.0}, M.column(j), m_paints[std::size_t(j)], 2.4, false,
                       QStringLiteral("%1 = %2").arg(subscripted(letter, j + 1), tupleText(M.column(j))));
        plane.addLabel(M.column(j), QStringLiteral("%1_{%2}").arg(letter).arg(j + 1));
    }
}

void MapsLabBuilder::addColumnGrips(NumberPlane &plane, const SmallMatrix &M, const QString &id,
                                    const QString &letter)
{
    for (Index j = 0; j < 2; ++j)
        plane.addGrip(QStringLiteral("%1:%2").arg(id).arg(j), M.column(j),
                      QCoreApplication::translate("Scene", "column %1").arg(subscripted(letter, j + 1)),
                      m_paints[std::size_t(j)]);
}

/// u, v and their images, head to tail to the image of their sum.
void MapsLabBuilder::addTrial(NumberPlane &plane, const SmallMatrix &now)
{
    const std::array origin = {0.0, 0.0};
    const std::vector<double> Tu = now * m_view.u;
    const std::vector<double> Tv = now * m_view.v;
    const std::vector<double> sum = now * added(m_view.u, m_view.v);
    const ScenePaint uPaint = m_paints[2];
    const ScenePaint vPaint = ScenePaint::of(MapPaint::Text);
    plane.addArrow(origin, m_view.u, uPaint, 1.2, true, QCoreApplication::translate("Scene", "u"));
    plane.addArrow(origin, m_view.v, vPaint, 1.2, true, QCoreApplication::translate("Scene", "v"));
    plane.addArrow(origin, Tu, uPaint, 2.0, false, QStringLiteral("T(u) = %1").arg(tupleText(Tu)));
    plane.addArrow(origin, Tv, vPaint, 2.0, false, QStringLiteral("T(v) = %1").arg(tupleText(Tv)));
    plane.addSegment(Tu, sum, vPaint, 1.0, true);
    plane.addSegment(Tv, sum, uPaint, 1.0, true);
    plane.addDot(sum, ScenePaint::of(MapPaint::Accent), 4.0,
                 QStringLiteral("T(u + v) = %1").arg(tupleText(sum)));
    plane.addLabel(m_view.u, QStringLiteral("u"));
    plane.addLabel(m_view.v, QStringLiteral("v"));
    plane.addLabel(Tu, QStringLiteral("T(u)"));
    plane.addLabel(Tv, QStringLiteral("T(v)"));
    plane.addGrip(QStringLiteral("u"), m_view.u, QCoreApplication::translate("Scene", "vector u"), uPaint);
    plane.addGrip(QStringLiteral("v"), m_view.v, QCoreApplication::translate("Scene", "vector v"), vPaint);
}

void MapsLabBuilder::addCircle(NumberPlane &plane, const SmallMatrix &now)
{
    std::vector<std::vector<double>> ellipse;
    for (int i = 0; i < circlePoints; ++i) {
        const double angle = 2.0 * std::numbers::pi * i / circlePoints;
        ellipse.push_back(now * std::array{std::cos(angle), std::sin(angle)});
    }
    plane.addFilled(ellipse, {}, ScenePaint::of(MapPaint::Text),
                    QCoreApplication::translate("Scene", "the image of the unit circle"));
    // The directions that only change length: the first rotation brings them onto the axes.
    const SmallMatrix toAxes = rotateStretchRotate(m_view.A).first();
    for (Index j = 0; j < 2; ++j) {
        const std::vector<double> direction = now * toAxes.row(j);
        plane.addArrow(std::array{0.0, 0.0}, direction, ScenePaint::of(MapPaint::Text), 1.6, false,
                       QCoreApplication::translate("Scene", "singular direction %1").arg(j + 1));
    }
}

void MapsLabBuilder::buildSingle()
{
    const double side = planeSideFor(m_options.room);
    const bool isFactors = m_options.mode == MapsMode::Factors;
    m_draft.addText({mapsMargin, mapsMargin, side, 22.0},
                    isFactors ? QCoreApplication::translate("Scene", "A as rotate, stretch, rotate")
                              : QCoreApplication::translate("Scene", "The plane after A"),
                    SceneText::Style::Heading);
    m_made.plane.rect = {mapsMargin, mapsMargin + 28.0, side, side};
    m_made.plane.reach = m_options.reach > 0.0 ? m_options.reach : reachOfMap(m_view.A);
    NumberPlane plane(m_draft, m_made.plane);
    plane.addGround(axisName(1), axisName(2));
    const SmallMatrix now = isFactors ? partOfFactors(m_view.A, m_position) : partOfMap(m_view.A, m_position);
    addMapped(plane, now);
    if (isFactors)
        addCircle(plane, now);
    addColumns(plane, now, QStringLiteral("a"));
    addColumnGrips(plane, m_view.A, QStringLiteral("a"), QStringLiteral("a"));
    if (!isFactors)
        addTrial(plane, now);
    plane.addNames();
    double y = m_made.plane.rect.bottom() + 16.0;
    if (!isFactors)
        y = addFactorTrack(y);
    addMapNumbers(y);
    const double left = m_made.plane.rect.right() + 32.0;
    double top = mapsMargin;
    if (isFactors) {
        addFactorNumbers(left, top);
        top += 2.0 * mapCellHeight + 56.0;
    }
    const double room = m_options.room.width() - left - mapsMargin;
    addStatements(isFactors ? factorStatements(m_view) : mapStatements(m_view), left, top,
                  room >= 760.0 ? 2 : 1);
}

double MapsLabBuilder::addFactorTrack(double top)
{
    const QRectF &rect = m_made.plane.rect;
    const double middle = top + 14.0;
    m_made.trackReach =
        m_options.trackReach > 0.0 ? m_options.trackReach : roundReach(std::max(3.4, std::abs(m_view.c)));
    const QRectF track(rect.left() + 36.0, middle, rect.width() - 36.0 - mapCellWidth - 24.0, 0.0);
    m_made.tracks.push_back(track);
    m_draft.addText({rect.left(), middle - 11.0, 28.0, 22.0}, QStringLiteral("c"), SceneText::Style::Title);
    SceneLine line;
    line.points = {track.topLeft(), track.topRight()};
    m_draft.scene().lines.push_back(line);
    const double place =
        track.left() + std::clamp(0.5 + 0.5 * m_view.c / m_made.trackReach, 0.0, 1.0) * track.width();
    SceneShape bar;
    bar.path.moveTo(track.center());
    bar.path.lineTo(place, middle);
    bar.stroke = ScenePaint::of(MapPaint::Accent);
    bar.strokeWidth = 3.0;
    m_draft.scene().shapes.push_back(bar);
    SceneGrip grip;
    grip.id = QStringLiteral("c");
    grip.bounds = track;
    grip.pos = {place, middle};
    grip.name = QCoreApplication::translate("Scene", "factor c");
    grip.value = labNumber(m_view.c);
    grip.step = 0.1 * track.width() / (2.0 * m_made.trackReach);
    m_draft.scene().grips.push_back(grip);
    m_draft.addMap(
        labCells(m_draft, standardLab::factor, 0, 1, 1,
                 {rect.right() - mapCellWidth, middle - 0.5 * mapCellHeight, mapCellWidth, mapCellHeight}));
    return middle + 24.0;
}

QRectF MapsLabBuilder::addLabMap(const QString &symbol, const std::string &lab, Index cols,
                                 const QPointF &corner)
{
    const QRectF cells(corner.x(), corner.y() + 22.0, mapCellWidth * double(cols), 2.0 * mapCellHeight);
    m_draft.addText({cells.left(), corner.y(), cells.width(), 20.0}, symbol, SceneText::Style::Title,
                    Qt::AlignCenter);
    m_draft.addMap(labCells(m_draft, lab, 0, 2, cols, cells));
    m_draft.extendTo(cells.right(), cells.bottom());
    return cells;
}

QRectF MapsLabBuilder::addDerivedMap(const QString &id, const QString &symbol, const SmallMatrix &M,
                                     const QPointF &corner)
{
    const QRectF cells(corner.x(), corner.y() + 22.0, 2.0 * mapCellWidth, 2.0 * mapCellHeight);
    m_draft.addText({cells.left() - 20.0, corner.y(), cells.width() + 40.0, 20.0}, symbol,
                    SceneText::Style::Title, Qt::AlignCenter);
    m_draft.addMap(
        m_draft.derived(id, plainMathText(symbol), valuesOf(M.tensor()), cells, ColorMap::Kind::Diverging));
    m_draft.extendTo(cells.right(), cells.bottom());
    return cells;
}

void MapsLabBuilder::addMapNumbers(double top)
{
    const double left = m_made.plane.rect.left();
    if (m_view.source.isScratch()) {
        const QRectF A = addLabMap(QStringLiteral("A"), standardLab::mapA, 2, {left, top});
        if (m_options.mode == MapsMode::OneMap)
            addLabMap(QStringLiteral("u  v"), standardLab::inputs, 2, {A.right() + 32.0, top});
        return;
    }
    addStageMapNumbers(top);
}

/// The four numbers where they stand in the document, each a cell of the stage.
void MapsLabBuilder::addStageMapNumbers(double top)
{
    const VectorSource &source = m_view.source;
    const double left = m_made.plane.rect.left();
    m_draft.addText({left, top, 2.0 * mapCellWidth, 20.0}, QStringLiteral("A"), SceneText::Style::Title,
                    Qt::AlignCenter);
    const std::array axes = {source.axisX, source.axisY};
    for (std::size_t i = 0; i < 2; ++i) {
        for (Index j = 0; j < 2; ++j) {
            const CellIndex cell = vectorCell(source, j, axes[i]);
            const QRectF rect(left + double(j) * mapCellWidth, top + 22.0 + double(i) * mapCellHeight,
                              mapCellWidth, mapCellHeight);
            SceneMap map = m_draft.stageBlock(source.stage, source.head, cell.row, 1, cell.col, 1, rect);
            map.rowLabels.clear();
            map.colLabels.clear();
            map.rowLabelAt = {};
            map.colLabelAt = {};
            m_draft.addMap(map);
            m_draft.extendTo(rect.right(), rect.bottom());
        }
    }
    if (m_options.mode == MapsMode::OneMap)
        addLabMap(QStringLiteral("u  v"), standardLab::inputs, 2, {left + 2.0 * mapCellWidth + 32.0, top});
    const QString text =
        source.kind == VectorSource::Kind::Columns
            ? QCoreApplication::translate("Scene",
                                          "Columns %1 and %2 of %3, cut down to their numbers %4 and %5.")
            : QCoreApplication::translate("Scene",
                                          "Rows %1 and %2 of %3 as columns, cut down to their numbers %4 "
                                          "and %5.");
    const double y = m_draft.addParagraph({left, top + 2.0 * mapCellHeight + 30.0}, m_made.plane.rect.width(),
                                          text.arg(source.first + 1)
                                              .arg(source.second + 1)
                                              .arg(QString::fromUtf8(stageName(source.stage)))
                                              .arg(source.axisX + 1)
                                              .arg(source.axisY + 1));
    m_draft.addHint({left, y}, m_made.plane.rect.width(),
                    QCoreApplication::translate("Scene", "Dragging changes these cells."));
}

void MapsLabBuilder::addFactorNumbers(double left, double top)
{
    const RotateStretchRotate factors = rotateStretchRotate(m_view.A);
    const std::array<std::pair<QString, SmallMatrix>, 3> matrices = {
        std::pair{QStringLiteral("U"), factors.second()},
        std::pair{QStringLiteral("Σ"), factors.stretching()},
        std::pair{QStringLiteral("V^{T}"), factors.first()}};
    double x = left;
    for (std::size_t i = 0; i < matrices.size(); ++i) {
        const QString sign = i == 0 ? QStringLiteral("A =") : QStringLiteral("·");
        m_draft.addText({x, top + 22.0, 36.0, 2.0 * mapCellHeight}, sign, SceneText::Style::Title,
                        Qt::AlignCenter);
        x = addDerivedMap(QStringLiteral("factor:%1").arg(i), matrices[i].first, matrices[i].second,
                          {x + 36.0, top})
                .right();
    }
}

void MapsLabBuilder::addFactorPlane(const QRectF &rect, const QString &letter, const SmallMatrix &M,
                                    double reach)
{
    const PlaneGeometry geometry{rect, reach};
    m_made.factorPlanes.push_back(geometry);
    m_draft.addText({rect.left(), rect.top() - 22.0, rect.width(), 20.0}, letter, SceneText::Style::Title);
    NumberPlane plane(m_draft, geometry);
    plane.addGround(axisName(1), axisName(2));
    addMapped(plane, M);
    const QString column = letter.toLower();
    addColumns(plane, M, column);
    addColumnGrips(plane, M, column, column);
    plane.addNames();
}

void MapsLabBuilder::addComposed(const QRectF &rect, const QString &title, const SmallMatrix &first,
                                 const SmallMatrix &second, double reach)
{
    m_draft.addText({rect.left(), rect.top() - 24.0, rect.width(), 20.0}, title, SceneText::Style::Heading);
    NumberPlane plane(m_draft, {rect, reach});
    plane.addGround(axisName(1), axisName(2));
    const SmallMatrix now =
        m_position <= 1.0 ? partOfMap(first, m_position) : partOfMap(second, m_position - 1.0) * first;
    addMapped(plane, now);
    addColumns(plane, now, QStringLiteral("e"));
    plane.addArrow(std::array{0.0, 0.0}, now * m_view.u, ScenePaint::of(MapPaint::Text), 2.0, false,
                   tupleText(now * m_view.u));
    plane.addLabel(now * m_view.u, QStringLiteral("u"));
    plane.addNames();
}

void MapsLabBuilder::buildComposition()
{
    const CompositionFacts facts = compositionFacts(m_view.A, m_view.B);
    const double room = m_options.room.width() - 2.0 * mapsMargin;
    const double small = std::clamp(room * 0.2, 170.0, 240.0);
    const double large = std::min((room - small - 2.0 * mapsGap) / 2.0, 2.0 * small + 32.0);
    const double top = mapsMargin + 26.0;
    const double factorReach = m_options.factorReach > 0.0
                                   ? m_options.factorReach
                                   : std::max(reachOfMap(m_view.A), reachOfMap(m_view.B));
    addFactorPlane({mapsMargin, top, small, small}, QStringLiteral("A"), m_view.A, factorReach);
    addFactorPlane({mapsMargin, top + small + 32.0, small, small}, QStringLiteral("B"), m_view.B,
                   factorReach);
    const double reach = m_options.reach > 0.0 ? m_options.reach
                                               : std::max({reachOfMap(facts.AB), reachOfMap(facts.BA),
                                                           reachOfMap(m_view.A), reachOfMap(m_view.B)});
    m_made.plane = {{mapsMargin + small + mapsGap, top, large, large}, reach};
    addComposed(m_made.plane.rect, QCoreApplication::translate("Scene", "AB: first B, then A"), m_view.B,
                m_view.A, reach);
    addComposed(m_made.plane.rect.translated(large + mapsGap, 0.0),
                QCoreApplication::translate("Scene", "BA: first A, then B"), m_view.A, m_view.B, reach);
    const double y = top + std::max(large, 2.0 * small + 32.0) + 16.0;
    double x = mapsMargin;
    const auto place = [&](const QRectF &cells) {
        x = cells.right() + 40.0;
    };
    if (m_view.source.isScratch())
        place(addLabMap(QStringLiteral("A"), standardLab::mapA, 2, {x, y}));
    else
        place(addDerivedMap(QStringLiteral("compose:A"), QStringLiteral("A"), m_view.A, {x, y}));
    place(addLabMap(QStringLiteral("B"), standardLab::mapB, 2, {x, y}));
    place(addDerivedMap(QStringLiteral("compose:AB"), QStringLiteral("AB"), facts.AB, {x, y}));
    place(addDerivedMap(QStringLiteral("compose:BA"), QStringLiteral("BA"), facts.BA, {x, y}));
    place(addDerivedMap(QStringLiteral("compose:difference"), QStringLiteral("AB−BA"), facts.difference,
                        {x, y}));
    addStatements(compositionStatements(m_view), mapsMargin, y + 2.0 * mapCellHeight + 44.0,
                  room >= 1100.0 ? 3 : 2);
}

/// Column by column, each as long as the others in number.
void MapsLabBuilder::addStatements(const std::vector<Statement> &statements, double left, double top,
                                   int columns)
{
    const double room = m_options.room.width() - left - mapsMargin;
    const double width = std::max(280.0, (room - (columns - 1) * 32.0) / columns);
    const std::size_t perColumn = (statements.size() + std::size_t(columns) - 1) / std::size_t(columns);
    double y = top;
    for (std::size_t i = 0; i < statements.size(); ++i) {
        if (i % perColumn == 0)
            y = top;
        y = addStatement(m_draft, {left + double(i / perColumn) * (width + 32.0), y}, width, statements[i]);
    }
}

} // namespace

PlaneScene mapsLabScene(const SnapshotPtr &snapshot, const DisplayOptions &display,
                        const MapsLabOptions &options)
{
    Result<MapsInView> view = mapsInView(*snapshot, options.source);
    const MapFactory maps(snapshot, display);
    if (!view) {
        std::vector<LabNumbers> numbers = {{QStringLiteral("B"), standardLab::mapB, 2, 2},
                                           {QStringLiteral("u  v"), standardLab::inputs, 2, 2},
                                           {QStringLiteral("c"), standardLab::factor, 1, 1}};
        if (options.source.isScratch())
            numbers.insert(numbers.begin(), {QStringLiteral("A"), standardLab::mapA, 2, 2});
        PlaneScene refused;
        refused.scene =
            refusedLabScene(maps, QCoreApplication::translate("Scene", "This map cannot be drawn"),
                            QString::fromStdString(view.error().message), numbers);
        return refused;
    }
    return MapsLabBuilder(maps, options, std::move(*view)).build();
}

} // namespace attn
