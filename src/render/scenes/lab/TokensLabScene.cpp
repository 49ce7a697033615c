#include "render/scenes/lab/TokensLabScene.h"

#include "base/NumberText.h"
#include "engine/Derivation.h"
#include "engine/lab/ConceptDirection.h"
#include "engine/lab/DirectionSet.h"
#include "render/LabelText.h"
#include "render/scenes/StageCard.h"
#include "render/scenes/StageTexts.h"
#include "render/scenes/lab/PlanePicture.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <cmath>

namespace attn {

namespace {

constexpr double tokensMargin = 24.0;
constexpr double tokensGap = 20.0;
constexpr double planeSide = 336.0;
constexpr double tableTop = 54.0; ///< of a table of tokens below the top of its card
constexpr double tokenCardHeight = planeSide + 108.0;
constexpr Index mostTableTokens = 128; ///< of the tables
constexpr Index mostReadTokens = 24;   ///< of the list of readings
constexpr Index mostPlaneNumbers = 64 * 1024 * 1024;

QString tokenNumber(double value, int decimals)
{
    return figureText(value, decimals);
}

class TokensLabBuilder
{
public:
    TokensLabBuilder(const MapFactory &maps, const TokensLabOptions &options);

    Scene build();

private:
    void addHeading();
    void addPlane(const QRectF &card);
    void addTable(const QRectF &card, const QString &id, const QString &title, const StageValuesPtr &values,
                  const QString &note);
    void addTables();
    double tableLabels() const;
    double tableSide(double cardWidth) const;
    double tableHeight(double cardWidth) const;
    void addDirections();
    void addDirectionMap(double left, double width);
    void addDirectionControls(double left, double top);
    void addReadings();
    void addReadingRows(const QStringList &heads, const std::vector<DirectionReading> &readings, Index first);
    void addVerdict(const std::vector<DirectionReading> &readings, Index first);
    void addSeveral();
    QStringList shownLabels() const;
    QString tokenName(Index row) const;
    QString directionName(Index index) const;
    double innerWidth() const { return m_options.width - 2.0 * tokensMargin; }

    SceneDraft m_draft;
    TokensLabOptions m_options;
    StageValuesPtr m_values;
    TokenVectors m_shown; ///< of the tables
    TokenVectors m_compared;
    DirectionSet m_set;
    Index m_rows;
    int m_decimals;
    double m_y = tokensMargin;
};

TokensLabBuilder::TokensLabBuilder(const MapFactory &maps, const TokensLabOptions &options)
    : m_draft(maps)
    , m_options(options)
    , m_values(maps.state(options.stage).values)
    , m_rows(m_values->rows())
    , m_decimals(maps.display().decimals)
{
    m_options.head = std::clamp<Index>(options.head, 0, m_values->heads() - 1);
    m_options.token = std::clamp<Index>(options.token, 0, std::max<Index>(m_rows - 1, 0));
    const Index count = std::min(m_rows, mostTableTokens);
    const Index first = tokensTableFirst(m_rows, m_options.token);
    m_shown = tokenVectors(*m_values, m_options.head, first, count);
    m_compared = rowsOfDirections(*m_values, m_options.head);
    m_set = directionSet(maps.experiment(), m_compared);
    m_options.direction = std::clamp<Index>(options.direction, 0, m_set.directions.count - 1);
}

QString TokensLabBuilder::tokenName(Index row) const
{
    return visibleLabel(QString::fromStdString(rowLabel(m_draft.maps().experiment(), m_options.stage, row)));
}

QString TokensLabBuilder::directionName(Index index) const
{
    return attn::directionName(m_draft.maps().experiment(), m_options.stage, m_set, m_compared, index);
}

QStringList TokensLabBuilder::shownLabels() const
{
    QStringList labels;
    for (Index row = m_shown.first; row < m_shown.first + m_shown.count; ++row)
        labels.append(QString::fromStdString(rowLabel(m_draft.maps().experiment(), m_options.stage, row)));
    return labels;
}

Scene TokensLabBuilder::build()
{
    addHeading();
    addPlane({tokensMargin, m_y, planeSide + 48.0, tokenCardHeight});
    addTables();
    addDirections();
    addReadings();
    if (m_set.directions.count > 1)
        addSeveral();
    return m_draft.finished(tokensMargin);
}

/// Beside the plane where their numbers are legible there, else in a row of their own.
void TokensLabBuilder::addTables()
{
    constexpr double legibleCell = 34.0;
    constexpr double largeTable = 300.0;
    const double beside = planeSide + 48.0 + tokensGap;
    const double narrow = (innerWidth() - beside - tokensGap) / 2.0;
    const double side = tableSide(narrow);
    const bool isBeside = side >= legibleCell * double(m_shown.count) || side >= largeTable;
    const double width = isBeside ? narrow : (innerWidth() - tokensGap) / 2.0;
    if (!isBeside)
        m_y += tokenCardHeight + tokensGap;
    const double left = tokensMargin + (isBeside ? beside : 0.0);
    const double height = isBeside ? tokenCardHeight : tableHeight(width);
    addTable({left, m_y, width, height}, QStringLiteral("tokens:cosine"),
             QCoreApplication::translate("Scene", "Cosines"), cosineTable(m_shown),
             QCoreApplication::translate("Scene", "only angles count, not lengths"));
    addTable({left + width + tokensGap, m_y, width, height}, QStringLiteral("tokens:dot"),
             QCoreApplication::translate("Scene", "Dot products"), dotTable(m_shown),
             QCoreApplication::translate("Scene", "the diagonal: squared lengths"));
    m_y += height + tokensGap;
}

double TokensLabBuilder::tableLabels() const
{
    return std::min(72.0, m_draft.maps().rowLabelWidth(m_options.stage));
}

/// Of the square of numbers in a card of this width.
double TokensLabBuilder::tableSide(double cardWidth) const
{
    const double room = cardWidth - 32.0 - tableLabels();
    return std::min(room, axisExtent(m_shown.count, 76.0, room, room));
}

/// Of a card that such a square fills.
double TokensLabBuilder::tableHeight(double cardWidth) const
{
    const double side = tableSide(cardWidth);
    return tableTop + columnLabelHeight(m_draft.maps(), Stage::A, side / double(m_shown.count)) + side +
           cardMetrics::axisRoom + cardMetrics::barHeight + 32.0;
}

void TokensLabBuilder::addHeading()
{
    const QString symbol = QString::fromUtf8(stageName(m_options.stage));
    m_draft.addText({tokensMargin, m_y, innerWidth(), 24.0},
                    QCoreApplication::translate("Scene", "Tokens as vectors: the rows of %1").arg(symbol),
                    SceneText::Style::Heading);
    QString text = QCoreApplication::translate(
                       "Scene", "%1 rows of %2 numbers each. What two tokens share shows in the angle "
                                "between their rows, and a meaning is a direction, not a coordinate axis.")
                       .arg(m_rows)
                       .arg(m_values->cols());
    if (m_values->heads() > 1)
        text = headTitle(m_draft.maps().experiment(), m_options.stage, m_options.head) +
               QStringLiteral(" · ") + text;
    if (m_shown.count < m_rows)
        text += QStringLiteral(" ") +
                QCoreApplication::translate("Scene", "The tables show %1 of the %2 rows, those around “%3”; "
                                                     "the plane shows all.")
                    .arg(m_shown.count)
                    .arg(m_rows)
                    .arg(tokenName(m_options.token));
    m_y = m_draft.addParagraph({tokensMargin, m_y + 28.0}, innerWidth(), text) + 12.0;
}

void TokensLabBuilder::addPlane(const QRectF &card)
{
    m_draft.addBox(card);
    m_draft.addText({card.left() + 16.0, card.top() + 10.0, card.width() - 32.0, 20.0},
                    QCoreApplication::translate("Scene", "The plane of the largest spread (PCA)"));
    const double left = card.left() + 16.0;
    const double width = card.width() - 32.0;
    const bool isTooLarge = m_rows * m_values->cols() > mostPlaneNumbers;
    const TokenVectors all = isTooLarge                ? TokenVectors()
                             : m_shown.count == m_rows ? m_shown
                                                       : tokenVectors(*m_values, m_options.head);
    if (isTooLarge || !all.isFinite()) {
        m_draft.addParagraph({left, card.top() + 44.0}, width,
                             isTooLarge
                                 ? QCoreApplication::translate("Scene", "So many numbers are not projected.")
                                 : QCoreApplication::translate(
                                       "Scene", "Some numbers are not finite: there is no such plane."),
                             SceneText::Style::Warning);
        return;
    }
    const PrincipalPlane plane = principalPlane(all, m_options.isCentred);
    const QRectF plot(card.left() + 24.0, card.top() + 38.0, planeSide, planeSide);
    PlanePicture picture(m_draft, plot, plane);
    picture.addFrame();
    for (Index i = 0; i < m_set.directions.count; ++i)
        picture.addDirection(m_set.directions.row(i), directionName(i), i == m_options.direction);
    picture.addPoints([this](Index i) { return tokenName(i); }, m_options.token);
    picture.addDirectionNames();
    m_draft.addText({left, plot.bottom() + 8.0, width, 18.0},
                    QCoreApplication::translate("Scene", "across %1 + up %2 = %3 of the spread")
                        .arg(percentText(plane.shares[0]), percentText(plane.shares[1]),
                             percentText(plane.shares[0] + plane.shares[1])),
                    SceneText::Style::Label);
    m_draft.addText(
        {left, plot.bottom() + 28.0, width, 18.0},
        m_options.isCentred
            ? QCoreApplication::translate("Scene", "centred: lengths from the mean of the rows, at the cross")
            : QCoreApplication::translate("Scene", "not centred: lengths from 0, at the cross"),
        SceneText::Style::Muted);
    if (picture.unnamed() > 0)
        m_draft.addText(
            {left, plot.bottom() + 46.0, width, 18.0},
            QCoreApplication::translate("Scene", "names without room: %1; point at a dot to read it")
                .arg(picture.unnamed()),
            SceneText::Style::Muted);
}

void TokensLabBuilder::addTable(const QRectF &card, const QString &id, const QString &title,
                                const StageValuesPtr &values, const QString &note)
{
    m_draft.addBox(card);
    m_draft.addText({card.left() + 16.0, card.top() + 10.0, card.width() - 32.0, 20.0}, title);
    m_draft.addText({card.left() + 16.0, card.top() + 30.0, card.width() - 32.0, 18.0}, note,
                    SceneText::Style::Muted);
    const double labels = tableLabels();
    const double side = tableSide(card.width());
    const double above =
        columnLabelHeight(m_draft.maps(), Stage::A, side / static_cast<double>(values->cols()));
    SceneMap map = m_draft.derived(id, title, values,
                                   {card.left() + 16.0 + labels, card.top() + tableTop + above, side, side},
                                   ColorMap::Kind::Diverging);
    map.rowLabels = map.colLabels = shownLabels();
    map.rowLabelWidth = labels;
    map.colLabelHeight = above;
    map.colorBar = {map.rect.left(), map.rect.bottom() + cardMetrics::axisRoom, std::min(side, 200.0),
                    cardMetrics::barHeight};
    const Index focus = m_options.token - m_shown.first;
    map.emphasis.push_back({focus, focus, 0, values->cols() - 1, MapEmphasis::Style::Soft});
    m_draft.addMap(std::move(map));
}

void TokensLabBuilder::addDirections()
{
    m_draft.addText({tokensMargin, m_y, innerWidth(), 24.0},
                    QCoreApplication::translate("Scene", "Meanings as directions"),
                    SceneText::Style::Heading);
    m_y = m_draft.addParagraph(
        {tokensMargin, m_y + 26.0}, innerWidth(),
        m_set.isKept
            ? QCoreApplication::translate("Scene", "The directions are numbers of the document. Several can "
                                                   "be active in one vector at once.")
            : QCoreApplication::translate("Scene", "A first proposal."));
    m_y = m_draft.addHint({tokensMargin, m_y}, innerWidth(),
                          m_set.isKept ? QCoreApplication::translate(
                                             "Scene", "Type over them to change them: a name stays until it "
                                                      "is changed in the field “Name” above.")
                                       : QCoreApplication::translate(
                                             "Scene", "Keep it to edit its numbers, or add the difference of "
                                                      "two tokens as another direction.")) +
          8.0;
    addDirectionControls(tokensMargin, m_y);
    m_y += 36.0;
    addDirectionMap(tokensMargin, innerWidth());
}

void TokensLabBuilder::addDirectionControls(double left, double top)
{
    const auto add = [&](const QString &id, double width, const QString &text, const QString &name) {
        m_draft.addControl(id, {left, top, width, 24.0}, text, name);
        left += width + 8.0;
    };
    if (!m_set.isKept)
        add(QStringLiteral("direction:keep"), 136.0, QCoreApplication::translate("Scene", "Keep to edit"),
            QCoreApplication::translate("Scene", "Keep the proposed direction in the document"));
    if (m_values->cols() == static_cast<Index>(needsObjectDirection().size()) && m_set.isKept)
        add(QStringLiteral("direction:needs"), 176.0,
            QCoreApplication::translate("Scene", "Add “needs an object”"),
            QCoreApplication::translate("Scene", "Add the example direction (0.3, 0.5, 0.1, 0.6, 0.2, 0.4)"));
    add(QStringLiteral("direction:difference"), 176.0,
        QCoreApplication::translate("Scene", "Add token − token"),
        QCoreApplication::translate("Scene", "Add the difference of the two tokens chosen above"));
    if (m_set.isKept)
        add(QStringLiteral("direction:remove"), 120.0, QCoreApplication::translate("Scene", "Remove"),
            QCoreApplication::translate("Scene", "Remove the chosen direction from the document"));
}

void TokensLabBuilder::addDirectionMap(double left, double width)
{
    const Index count = m_set.directions.count;
    const double names = 176.0;
    const double cell = 26.0;
    const double room = width - names - 16.0;
    const double mapWidth = axisExtent(m_values->cols(), 56.0, room, room);
    for (Index i = 0; i < count; ++i) {
        m_draft.addControl(
            QStringLiteral("direction:select:%1").arg(i),
            {left, m_y + 1.0 + double(i) * cell, names, cell - 2.0}, directionName(i),
            QCoreApplication::translate("Scene", "Read the tokens along %1").arg(directionName(i)));
        m_draft.scene().controls.back().checkable = true;
        m_draft.scene().controls.back().checked = i == m_options.direction;
        // Figures have no controls: the name stands below it.
        m_draft.addText({left + 8.0, m_y + double(i) * cell, names - 16.0, cell}, directionName(i),
                        i == m_options.direction ? SceneText::Style::Label : SceneText::Style::Muted);
    }
    const StageValuesPtr values =
        valuesOf(Tensor::fromDoubles({1, count, m_values->cols()}, m_set.directions.numbers));
    SceneMap map = m_draft.derived(QStringLiteral("tokens:directions"),
                                   QCoreApplication::translate("Scene", "Directions"), values,
                                   {left + names + 16.0, m_y, std::min(room, mapWidth), cell * double(count)},
                                   ColorMap::Kind::Diverging);
    if (m_set.isKept) {
        map.key = MapKey::lab(QString::fromStdString(directionsLab(m_values->cols())));
        map.readOnly = false;
    }
    map.emphasis.push_back(
        {m_options.direction, m_options.direction, 0, m_values->cols() - 1, MapEmphasis::Style::Soft});
    m_draft.addMap(std::move(map));
    m_draft.extendTo(left + width, m_y + cell * double(count));
    m_y += cell * double(count) + 20.0;
}

void TokensLabBuilder::addReadings()
{
    const auto direction = m_set.directions.row(m_options.direction);
    const Index count = std::min(m_shown.count, mostReadTokens);
    const Index first =
        std::clamp<Index>(m_options.token - m_shown.first - count / 2, 0, m_shown.count - count);
    std::vector<DirectionReading> readings;
    for (Index i = first; i < first + count; ++i)
        readings.push_back(readDirection(m_shown.row(i), direction));
    QString title = QCoreApplication::translate("Scene", "How far each token reaches along “%1”")
                        .arg(directionName(m_options.direction));
    if (m_values->cols() <= 8) {
        QStringList numbers;
        for (const double number : direction)
            numbers.append(QString::fromStdString(withTrueMinus(significantText(number, 4))));
        title += QStringLiteral(" = (%1)").arg(numbers.join(QStringLiteral(", ")));
    }
    m_draft.addText({tokensMargin, m_y, innerWidth(), 20.0}, title);
    m_y += 24.0;
    addReadingRows(
        {QCoreApplication::translate("Scene", "token"), QCoreApplication::translate("Scene", "dot product"),
         QCoreApplication::translate("Scene", "length along"), QCoreApplication::translate("Scene", "cosine"),
         QCoreApplication::translate("Scene", "|projection|"),
         QCoreApplication::translate("Scene", "|residual|"),
         QCoreApplication::translate("Scene", "largest coordinate")},
        readings, first);
    addVerdict(readings, first);
    m_y += 16.0;
}

void TokensLabBuilder::addReadingRows(const QStringList &heads, const std::vector<DirectionReading> &readings,
                                      Index first)
{
    const double names = 160.0;
    const double column = std::min(150.0, (innerWidth() - names) / 6.0);
    const auto addRow = [&](const QStringList &cells, SceneText::Style style) {
        for (int i = 0; i < cells.size(); ++i) {
            const double left = tokensMargin + (i == 0 ? 0.0 : names + (i - 1) * column);
            m_draft.addText({left, m_y, (i == 0 ? names : column) - 8.0, 19.0}, cells[i], style,
                            (i == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
        }
        m_y += 20.0;
    };
    addRow(heads, SceneText::Style::Muted);
    const int places = std::max(3, m_decimals);
    for (std::size_t i = 0; i < readings.size(); ++i) {
        const DirectionReading &reading = readings[i];
        const Index row = m_shown.first + first + static_cast<Index>(i);
        QStringList cells = {tokenName(row)};
        for (const double value :
             {reading.dot, reading.length, reading.cosine, reading.projectionNorm, reading.residualNorm})
            cells.append(tokenNumber(value, places));
        cells.append(reading.largestAt < 0 ? QStringLiteral("–")
                                           : QCoreApplication::translate("Scene", "%1 in column %2")
                                                 .arg(tokenNumber(reading.largest, m_decimals))
                                                 .arg(reading.largestAt + 1));
        if (row == m_options.token)
            m_draft.scene().boxes.push_back(
                {{tokensMargin - 6.0, m_y, names + 6.0 * column + 6.0, 20.0}, true, false});
        addRow(cells, SceneText::Style::Label);
    }
    if (static_cast<Index>(readings.size()) < m_rows) {
        m_draft.addText({tokensMargin, m_y, innerWidth(), 18.0},
                        QCoreApplication::translate("Scene", "%1 of %2 rows, those around “%3”")
                            .arg(readings.size())
                            .arg(m_rows)
                            .arg(tokenName(m_options.token)),
                        SceneText::Style::Muted);
        m_y += 20.0;
    }
}

/// That the largest coordinate is another question than the largest dot product.
void TokensLabBuilder::addVerdict(const std::vector<DirectionReading> &readings, Index first)
{
    if (readings.empty())
        return;
    std::size_t byDot = 0;
    std::size_t byCoordinate = 0;
    std::size_t byCosine = 0;
    for (std::size_t i = 1; i < readings.size(); ++i) {
        if (readings[i].dot > readings[byDot].dot)
            byDot = i;
        if (readings[i].largest > readings[byCoordinate].largest)
            byCoordinate = i;
        if (readings[i].cosine > readings[byCosine].cosine)
            byCosine = i;
    }
    const auto nameOf = [&](std::size_t i) {
        return tokenName(m_shown.first + first + static_cast<Index>(i));
    };
    const bool agree = byDot == byCosine && byDot == byCoordinate;
    const QString answers =
        agree
            ? QCoreApplication::translate("Scene", "“%1” has the largest dot product, the largest cosine and "
                                                   "the largest single coordinate; they need not agree.")
                  .arg(nameOf(byDot))
            : QCoreApplication::translate("Scene", "The largest dot product has “%1”, the largest cosine "
                                                   "“%2”, the largest single coordinate “%3”: these are "
                                                   "different questions.")
                  .arg(nameOf(byDot), nameOf(byCosine), nameOf(byCoordinate));
    m_y = m_draft.addParagraph(
        {tokensMargin, m_y + 4.0}, innerWidth(),
        answers + u' ' +
            QCoreApplication::translate("Scene", "The dot product uses every coordinate and the length; no "
                                                 "single one tells it."));
}

/// Several directions at once: what each token gives along each, and how much the directions disturb one
/// another.
void TokensLabBuilder::addSeveral()
{
    const Index count = m_set.directions.count;
    m_draft.addText({tokensMargin, m_y, innerWidth(), 20.0},
                    QCoreApplication::translate("Scene", "Several directions at once (superposition)"));
    m_y = m_draft.addParagraph({tokensMargin, m_y + 22.0}, innerWidth(),
                               QCoreApplication::translate(
                                   "Scene", "Left, every token along every direction. Right, the cosines of "
                                            "the directions: what is not 0 off the diagonal is how much "
                                            "reading one picks up of another.")) +
          8.0;
    QStringList names;
    for (Index i = 0; i < count; ++i)
        names.append(directionName(i));
    const double labels = std::min(96.0, m_draft.maps().rowLabelWidth(m_options.stage));
    const double width = axisExtent(count, 72.0, 420.0, 420.0);
    const double height = axisExtent(m_shown.count, 26.0, 280.0, 280.0);
    const double above = 20.0;
    SceneMap dots = m_draft.derived(
        QStringLiteral("tokens:along"), QCoreApplication::translate("Scene", "Tokens along directions"),
        dotTable(m_shown, m_set.directions), {tokensMargin + labels, m_y + above, width, height},
        ColorMap::Kind::Diverging);
    dots.rowLabels = shownLabels();
    dots.colLabels = names;
    dots.rowLabelWidth = labels;
    dots.colLabelHeight = above;
    m_draft.addMap(dots);
    const double left = tokensMargin + labels + width + 140.0;
    SceneMap cosines = m_draft.derived(
        QStringLiteral("tokens:between"), QCoreApplication::translate("Scene", "Cosines of the directions"),
        cosineTable(m_set.directions),
        {left, m_y + above, axisExtent(count, 56.0, 280.0, 280.0), axisExtent(count, 26.0, 280.0, 280.0)},
        ColorMap::Kind::Diverging);
    cosines.rowLabels = cosines.colLabels = names;
    cosines.rowLabelWidth = 110.0;
    cosines.colLabelHeight = above;
    m_draft.extendTo(cosines.rect.right(), m_y + above + std::max(height, cosines.rect.height()));
    m_draft.addMap(cosines);
    m_y += above + std::max(height, cosines.rect.height()) + 20.0;
}

} // namespace

Index tokensTableFirst(Index rows, Index token)
{
    const Index count = std::min(rows, mostTableTokens);
    return std::clamp<Index>(token - count / 2, 0, rows - count);
}

TokenVectors rowsOfDirections(const StageValues &values, Index head)
{
    return tokenVectors(values, head, 0, std::min(values.rows(), mostReadTokens));
}

QString differenceName(const Experiment &experiment, Stage stage, Index to, Index from)
{
    const auto name = [&](Index row) {
        return visibleLabel(QString::fromStdString(rowLabel(experiment, stage, row)));
    };
    return QCoreApplication::translate("Scene", "%1 − %2").arg(name(to), name(from));
}

QString directionName(const Experiment &experiment, Stage stage, const DirectionSet &set,
                      const TokenVectors &rows, Index index)
{
    if (const std::string &name = set.names[static_cast<std::size_t>(index)]; !name.empty())
        return visibleLabel(QString::fromStdString(name));
    const auto direction = set.directions.row(index);
    if (std::ranges::equal(direction, needsObjectDirection()))
        return QCoreApplication::translate("Scene", "needs an object");
    for (Index to = 0; to < rows.count; ++to)
        for (Index from = 0; from < rows.count; ++from)
            if (to != from && std::ranges::equal(direction, differenceOf(rows, to, from)))
                return differenceName(experiment, stage, to, from);
    return QCoreApplication::translate("Scene", "direction %1").arg(index + 1);
}

std::vector<Stage> vectorStages(const Snapshot &snapshot)
{
    std::vector<Stage> stages;
    for (const Stage stage :
         {Stage::X, Stage::Xkv, Stage::Q, Stage::K, Stage::V, Stage::Qh, Stage::Kh, Stage::Vh, Stage::Qr,
          Stage::Kr, Stage::HeadOut, Stage::Concat, Stage::Output}) {
        const StageState &state = snapshot.stage(stage);
        const bool isHeadPart = stage == Stage::Qh || stage == Stage::Kh || stage == Stage::Vh;
        if (state.hasValues() && state.values->rows() > 0 && state.values->cols() > 0 &&
            !(isHeadPart && state.values->heads() == 1))
            stages.push_back(stage);
    }
    return stages;
}

Scene tokensLabScene(const SnapshotPtr &snapshot, const DisplayOptions &display,
                     const TokensLabOptions &options)
{
    const std::vector<Stage> stages = vectorStages(*snapshot);
    if (stages.empty())
        return messageScene(
            QCoreApplication::translate("Scene", "Tokens as vectors"),
            QCoreApplication::translate("Scene",
                                        "This document has no rows of token vectors: it starts at weights."));
    TokensLabOptions available = options;
    if (std::find(stages.begin(), stages.end(), options.stage) == stages.end())
        available.stage = stages.front();
    const MapFactory maps(snapshot, display);
    return TokensLabBuilder(maps, available).build();
}

} // namespace attn
