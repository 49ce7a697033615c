#include "engine/lab/HeadWeight.h"
#include "engine/lab/Span.h"
#include "render/LabelText.h"
#include "render/MathText.h"
#include "render/scenes/Chart.h"
#include "render/scenes/StageCard.h"
#include "render/scenes/StageTexts.h"
#include "render/scenes/lab/LabTexts.h"
#include "render/scenes/lab/PlaneScenes.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace attn {

namespace {

constexpr double weightMargin = 24.0;
constexpr double weightBarsHeight = 120.0;
constexpr Index mostTokenArrows = 64;
constexpr Index mostShownSide = 8;
constexpr int ellipsePoints = 96;
constexpr std::size_t mostStretchesInWords = 8;

using WeightPaint = ScenePaint::Role;

class WeightLabBuilder
{
public:
    WeightLabBuilder(const MapFactory &maps, const WeightLabOptions &options, HeadWeight weight)
        : m_draft(maps)
        , m_options(options)
        , m_weight(std::move(weight))
        , m_paints(vectorPaints(maps))
        , m_position(options.position < 0.0 ? 3.0 : std::min(options.position, 3.0))
    {
        const Index rows = maps.state(m_weight.input).values->rows();
        m_options.token = std::clamp<Index>(options.token, 0, rows - 1);
        m_firstToken = std::clamp<Index>(m_options.token - mostTokenArrows / 2, 0,
                                         std::max<Index>(0, rows - mostTokenArrows));
        m_tokens = inputRows(maps.snapshot(), m_weight, m_firstToken, std::min(rows, mostTokenArrows));
    }

    Scene build();

private:
    std::vector<double> drawnInput(std::span<const double> x) const { return drawnInput(x, m_position); }
    std::vector<double> drawnInput(std::span<const double> x, double position) const;
    double largestAt(double position) const;
    double reachHere() const;
    QString symbol() const;
    QString tokenName() const;
    QString placeText() const;
    /// What the two axes count at this position; while it turns, nothing that has a name.
    std::pair<QString, QString> axisNames() const;
    void addPicture(const QRectF &rect);
    void addDirections(NumberPlane &plane);
    void addTokens(NumberPlane &plane);
    void addBars(double left, double top, double width);
    void addNumbers(double top);
    QStringList stretchLines() const;
    void addStatements(double left, double top, double width);

    SceneDraft m_draft;
    WeightLabOptions m_options;
    HeadWeight m_weight;
    std::array<ScenePaint, 3> m_paints;
    double m_position;
    Index m_firstToken = 0;
    SmallMatrix m_tokens; ///< [tokens, rows of the weight]
};

SmallMatrix firstTwo(const SmallMatrix &directions)
{
    SmallMatrix two = SmallMatrix::zeros(directions.rows, 2);
    two.setColumn(0, directions.column(0));
    two.setColumn(1, directions.column(1));
    return two;
}

/// Where a row stands in the picture: seen along two features, turned to the two leading directions, these
/// stretched, and at last what comes out, seen along two of its numbers.
std::vector<double> WeightLabBuilder::drawnInput(std::span<const double> x, double position) const
{
    const SingularDirections &directions = m_weight.directions;
    if (position <= 1.0) {
        const SmallMatrix plane = turnedPlane(firstTwo(SmallMatrix::identity(m_weight.matrix.rows)),
                                              firstTwo(directions.left), position);
        return plane.transposed() * x;
    }
    if (position <= 2.0) {
        std::vector<double> along = firstTwo(directions.left).transposed() * x;
        for (std::size_t k = 0; k < 2; ++k)
            along[k] *= 1.0 + (position - 1.0) * (directions.stretches[k] - 1.0);
        return along;
    }
    const SmallMatrix plane = turnedPlane(
        firstTwo(directions.right), firstTwo(SmallMatrix::identity(m_weight.matrix.cols)), position - 2.0);
    return plane.transposed() * (m_weight.matrix.transposed() * x);
}

/// The outermost number of what is drawn at this position.
double WeightLabBuilder::largestAt(double position) const
{
    double largest = 0.0;
    const auto take = [&](std::span<const double> x) {
        const std::vector<double> point = drawnInput(x, position);
        largest = std::max({largest, std::abs(point[0]), std::abs(point[1])});
    };
    for (Index i = 0; i < m_tokens.rows; ++i)
        take(m_tokens.row(i));
    for (Index k = 0; k < 2; ++k)
        take(m_weight.directions.left.column(k));
    return largest;
}

/// As far as what is drawn goes, and smoothly between the steps: numbers that lie along other directions do
/// not press these into the origin. Stretching is seen as such, on one scale, unless it changes lengths by
/// more than that lets see.
double WeightLabBuilder::reachHere() const
{
    constexpr double mostSeenStretch = 4.0;
    std::array<double, 4> reaches;
    for (std::size_t step = 0; step < reaches.size(); ++step)
        reaches[step] = roundReach(largestAt(double(step)));
    const double outer = std::max(reaches[1], reaches[2]);
    if (outer <= mostSeenStretch * std::min(reaches[1], reaches[2]))
        reaches[1] = reaches[2] = outer;
    const auto before = std::min<std::size_t>(static_cast<std::size_t>(m_position), reaches.size() - 2);
    const double reach = std::lerp(reaches[before], reaches[before + 1], m_position - double(before));
    // While it turns, what lies across may pass through the picture.
    return std::max(reach, largestAt(m_position));
}

QString WeightLabBuilder::symbol() const
{
    return stageSymbol(m_weight.weight);
}

QString WeightLabBuilder::tokenName() const
{
    const TokenList &tokens = m_weight.input == Stage::Xkv ? m_draft.maps().experiment().keyTokens()
                                                           : m_draft.maps().experiment().tokens;
    return visibleLabel(QString::fromStdString(tokens.at(m_options.token)));
}

QString WeightLabBuilder::placeText() const
{
    if (m_position <= 0.0)
        return QCoreApplication::translate("Scene", "Token rows, along their numbers 1 and 2");
    if (m_position < 1.0)
        return QCoreApplication::translate("Scene", "1. Turning to the directions u₁ and u₂ …");
    if (m_position == 1.0)
        return QCoreApplication::translate("Scene", "1. Turned: along u₁ and u₂");
    if (m_position < 2.0)
        return QCoreApplication::translate("Scene", "2. Stretching by σ₁ and σ₂ …");
    if (m_position == 2.0)
        return QCoreApplication::translate("Scene", "2. Stretched: the results along v₁ and v₂");
    if (m_position < 3.0)
        return QCoreApplication::translate("Scene", "3. Turning to the numbers of the result …");
    return QCoreApplication::translate("Scene", "3. The results, along their numbers 1 and 2");
}

std::pair<QString, QString> WeightLabBuilder::axisNames() const
{
    const auto both = [](const QString &text) {
        return std::pair(text.arg(1), text.arg(2));
    };
    if (m_position <= 0.0)
        return both(QCoreApplication::translate("Scene", "number %1 of the row"));
    if (m_position == 1.0)
        return {QCoreApplication::translate("Scene", "along %1").arg(subscripted(QStringLiteral("u"), 1)),
                QCoreApplication::translate("Scene", "along %1").arg(subscripted(QStringLiteral("u"), 2))};
    if (m_position == 2.0)
        return {QCoreApplication::translate("Scene", "along %1").arg(subscripted(QStringLiteral("v"), 1)),
                QCoreApplication::translate("Scene", "along %1").arg(subscripted(QStringLiteral("v"), 2))};
    if (m_position >= 3.0)
        return both(QCoreApplication::translate("Scene", "number %1 of the result"));
    return {};
}

void WeightLabBuilder::addDirections(NumberPlane &plane)
{
    const SmallMatrix left = firstTwo(m_weight.directions.left);
    std::vector<std::vector<double>> ellipse;
    for (int i = 0; i < ellipsePoints; ++i) {
        const double angle = 2.0 * std::numbers::pi * i / ellipsePoints;
        ellipse.push_back(drawnInput(left * std::array{std::cos(angle), std::sin(angle)}));
    }
    plane.addFilled(ellipse, ScenePaint::of(WeightPaint::Accent, 0.08),
                    ScenePaint::of(WeightPaint::Accent, 0.6),
                    QCoreApplication::translate("Scene", "the unit circle of u₁ and u₂"));
    for (Index k = 0; k < 2; ++k) {
        const std::vector<double> tip = drawnInput(left.column(k));
        plane.addArrow(std::array{0.0, 0.0}, tip, m_paints[std::size_t(k)], 2.4, false,
                       subscripted(m_position < 2.0 ? QStringLiteral("u") : QStringLiteral("σv"), k + 1));
        plane.addLabel(tip, m_position < 2.0 ? QStringLiteral("u_{%1}").arg(k + 1)
                                             : QStringLiteral("σ_{%1}v_{%1}").arg(k + 1));
    }
}

void WeightLabBuilder::addTokens(NumberPlane &plane)
{
    const bool isKeySide = m_weight.input == Stage::Xkv;
    const TokenList &tokens =
        isKeySide ? m_draft.maps().experiment().keyTokens() : m_draft.maps().experiment().tokens;
    for (Index i = 0; i < m_tokens.rows; ++i) {
        const Index token = m_firstToken + i;
        const std::vector<double> point = drawnInput(m_tokens.row(i));
        const bool isChosen = token == m_options.token;
        const QString name = visibleLabel(QString::fromStdString(tokens.at(token)));
        plane.addArrow(
            std::array{0.0, 0.0}, point,
            ScenePaint::of(isChosen ? WeightPaint::Text : WeightPaint::MutedText, isChosen ? 1.0 : 0.5),
            isChosen ? 2.0 : 1.0, false, name + u' ' + tupleText(point));
        if (isChosen)
            plane.addPlainLabel(point, name);
    }
}

void WeightLabBuilder::addPicture(const QRectF &rect)
{
    NumberPlane plane(m_draft, {rect, reachHere()});
    const auto [xTitle, yTitle] = axisNames();
    plane.addGround(xTitle, yTitle);
    addDirections(plane);
    addTokens(plane);
    plane.addNames();
}

void WeightLabBuilder::addBars(double left, double top, double width)
{
    const std::vector<double> &stretches = m_weight.directions.stretches;
    const std::size_t shown = stretches.size();
    ChartAxis x;
    x.low = 0.5;
    x.high = double(shown) + 0.5;
    const std::size_t stride = std::max<std::size_t>(1, shown / 8);
    for (std::size_t i = 0; i < shown; i += stride)
        x.ticks.push_back({double(i) + 1.0, QString::number(i + 1)});
    const Chart chart(m_draft.scene(), {left + 48.0, top + 26.0, width - 64.0, weightBarsHeight}, x,
                      roundAxis(0.0, std::max(stretches.front(), 1e-12), 4));
    chart.addFrame({}); // no series stands beside the bars, so the title has no room there
    m_draft.addText({left + 4.0, top - 2.0, width - 4.0, 20.0},
                    QCoreApplication::translate("Scene", "Singular values σ"), SceneText::Style::Label);
    for (std::size_t i = 0; i < shown; ++i)
        chart.addBar(double(i) + 0.6, double(i) + 1.4, stretches[i],
                     i < 2 ? m_paints[i] : ScenePaint::of(WeightPaint::MutedText, 0.7),
                     QStringLiteral("%1 = %2").arg(subscripted(QStringLiteral("σ"), Index(i) + 1),
                                                   labNumber(stretches[i])));
    m_draft.extendTo(left + width, top + weightBarsHeight + 64.0);
}

/// The row that goes in, editable, with the two directions below it, and what comes out.
void WeightLabBuilder::addNumbers(double top)
{
    const double left = weightMargin + 40.0;
    const Index cols = std::min(m_weight.matrix.rows, mostShownSide);
    const double cell = 44.0;
    const auto labelled = [&](const QString &text, double y) {
        m_draft.addText({weightMargin, y, 36.0, 22.0}, text, SceneText::Style::Title);
    };
    SceneMap row = m_draft.stageBlock(m_weight.input, m_weight.inputHead, m_options.token, 1, 0, cols,
                                      {left, top, cell * double(cols), 22.0});
    row.rowLabels.clear();
    row.colLabels.clear();
    row.rowLabelAt = {};
    row.colLabelAt = {};
    const auto markCut = [&](double y, Index shown, Index whole) {
        if (shown < whole)
            addMoreMark(m_draft, {left, y, cell * double(shown), 22.0});
    };
    labelled(QStringLiteral("x"), top);
    m_draft.addMap(row);
    markCut(top, cols, m_weight.matrix.rows);
    double y = top + 28.0;
    for (Index k = 0; k < 2; ++k) {
        std::vector<double> direction = m_weight.directions.left.column(k);
        direction.resize(std::size_t(cols));
        labelled(QStringLiteral("u_{%1}").arg(k + 1), y);
        m_draft.addMap(m_draft.derived(QStringLiteral("u:%1").arg(k), QStringLiteral("u%1").arg(k + 1),
                                       valuesOf(Tensor::fromDoubles({1, 1, cols}, direction)),
                                       {left, y, cell * double(cols), 22.0}, ColorMap::Kind::Diverging));
        markCut(y, cols, m_weight.matrix.rows);
        y += 28.0;
    }
    const Index outCols = std::min(m_weight.matrix.cols, mostShownSide);
    for (Index k = 0; k < 3; ++k) {
        std::vector<double> numbers =
            k < 2 ? m_weight.directions.right.column(k)
                  : m_weight.matrix.transposed() * m_tokens.row(m_options.token - m_firstToken);
        numbers.resize(std::size_t(outCols));
        const QString text = k < 2 ? QStringLiteral("v_{%1}").arg(k + 1) : QStringLiteral("xW");
        labelled(text, y);
        m_draft.addMap(m_draft.derived(QStringLiteral("v:%1").arg(k), plainMathText(text),
                                       valuesOf(Tensor::fromDoubles({1, 1, outCols}, numbers)),
                                       {left, y, cell * double(outCols), 22.0}, ColorMap::Kind::Diverging));
        markCut(y, outCols, m_weight.matrix.cols);
        y += 28.0;
    }
    m_draft.extendTo(left + cell * double(std::max(cols, outCols)), y);
    if (cols < m_weight.matrix.rows || outCols < m_weight.matrix.cols)
        m_draft.addParagraph({weightMargin, y}, 400.0,
                             QCoreApplication::translate("Scene", "The first %1 numbers of each are shown.")
                                 .arg(mostShownSide));
}

/// The singular values in figures, and how much more the longest direction is stretched than the shortest.
QStringList WeightLabBuilder::stretchLines() const
{
    const std::vector<double> &stretches = m_weight.directions.stretches;
    QStringList texts;
    for (std::size_t i = 0; i < std::min(stretches.size(), mostStretchesInWords); ++i)
        texts.append(labNumber(stretches[i]));
    if (stretches.size() > mostStretchesInWords)
        texts.append(QStringLiteral("…"));
    QStringList lines = {QStringLiteral("σ = ") + texts.join(QStringLiteral(", "))};
    if (m_weight.directions.rank == static_cast<Index>(stretches.size()))
        lines.append(QCoreApplication::translate("Scene", "largest : smallest = %1")
                         .arg(labNumber(stretches.front() / stretches.back())));
    return lines;
}

void WeightLabBuilder::addStatements(double left, double top, double width)
{
    const SingularDirections &directions = m_weight.directions;
    const std::vector<double> x = m_tokens.row(m_options.token - m_firstToken);
    const std::vector<double> y = m_weight.matrix.transposed() * x;
    const std::vector<double> along = firstTwo(directions.left).transposed() * x;
    Statement matrix;
    matrix.kind = StatementKind::Consequence;
    matrix.title = QCoreApplication::translate("Scene", "%1, %2: rank %3 of %4")
                       .arg(plainMathText(symbol()), headTitle(m_draft.maps().experiment(), m_options.head))
                       .arg(directions.rank)
                       .arg(directions.stretches.size());
    matrix.lines.append(
        QCoreApplication::translate("Scene", "W = U Σ Vᵀ: a row x comes out as the sum of (x·uᵢ)·σᵢ·vᵢ"));
    matrix.lines.append(stretchLines());
    matrix.reason = QCoreApplication::translate(
        "Scene",
        "The rank counts the singular values above 10⁻¹⁰ of the largest one. A token that is at right "
        "angles to every u with a large σ is hardly heard.");
    Statement token;
    token.kind = StatementKind::Consequence;
    token.title = QCoreApplication::translate("Scene", "The row of “%1”").arg(tokenName());
    for (std::size_t k = 0; k < 2; ++k)
        token.lines.append(QStringLiteral("x·%1 = %2;  %2·%3 = %4")
                               .arg(subscripted(QStringLiteral("u"), Index(k) + 1), labNumber(along[k]),
                                    labNumber(directions.stretches[k]),
                                    labNumber(along[k] * directions.stretches[k])));
    token.lines.append(QStringLiteral("xW = %1").arg(tupleText(y)));
    const double whole = dotOf(y, y);
    const double kept =
        std::pow(along[0] * directions.stretches[0], 2) + std::pow(along[1] * directions.stretches[1], 2);
    if (whole > 0.0)
        token.reason =
            QCoreApplication::translate("Scene", "The two leading directions carry %1 of its squared length.")
                .arg(percentText(kept / whole));
    Statement steps;
    steps.kind = StatementKind::Definition;
    steps.title = QCoreApplication::translate("Scene", "Rotate, stretch, rotate");
    steps.lines.append(QCoreApplication::translate(
        "Scene", "U and V have columns of length 1 at right angles: they only turn. Σ only stretches."));
    Statement sign;
    sign.kind = StatementKind::Convention;
    sign.title = QCoreApplication::translate("Scene", "Rows from the left, signs chosen");
    sign.lines.append(
        QCoreApplication::translate("Scene", "Tokens are rows: x·W. u and v of a pair may both change sign; "
                                             "here the largest number of u is positive."));
    double at = top;
    for (const Statement &statement : {matrix, token, steps, sign})
        at = addStatement(m_draft, {left, at}, width, statement);
}

Scene WeightLabBuilder::build()
{
    const double side = planeSideFor(m_options.room);
    const double firstColumn = std::max(side, leastNumbersWidth);
    m_draft.addText({weightMargin, weightMargin, firstColumn, 22.0}, placeText(), SceneText::Style::Heading);
    const QRectF rect(weightMargin, weightMargin + 28.0, side, side);
    addPicture(rect);
    addNumbers(rect.bottom() + 16.0);
    const double left = rect.left() + firstColumn + 32.0;
    const double width = std::min(760.0, m_options.room.width() - left - weightMargin);
    addBars(left, weightMargin, width);
    addStatements(left, weightMargin + weightBarsHeight + 76.0, width);
    return m_draft.finished(weightMargin);
}

} // namespace

Scene weightLabScene(const SnapshotPtr &snapshot, const DisplayOptions &display,
                     const WeightLabOptions &options)
{
    const Index head = std::clamp<Index>(options.head, 0, snapshot->sizes().nHeads - 1);
    Result<HeadWeight> weight = headWeight(*snapshot, options.weight, head);
    if (!weight)
        return messageScene(QCoreApplication::translate("Scene", "No singular values"),
                            QString::fromStdString(weight.error().message));
    WeightLabOptions inside = options;
    inside.head = head;
    const MapFactory maps(snapshot, display);
    return WeightLabBuilder(maps, inside, std::move(*weight)).build();
}

} // namespace attn
