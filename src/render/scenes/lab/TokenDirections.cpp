#include "base/NumberText.h"
#include "engine/Derivation.h"
#include "render/LabelText.h"
#include "render/scenes/StageCard.h"
#include "render/scenes/StageTexts.h"
#include "render/scenes/lab/TokensLabBuilder.h"

#include <QCoreApplication>

#include <algorithm>

namespace attn {

namespace {

constexpr Index mostReadTokens = 24; ///< of the list of readings

QString tokenNumber(double value, int decimals)
{
    return figureText(value, decimals);
}

} // namespace

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

QString TokensLabBuilder::directionName(Index index) const
{
    return attn::directionName(m_draft.maps().experiment(), m_options.stage, m_set, m_compared, index);
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

} // namespace attn
