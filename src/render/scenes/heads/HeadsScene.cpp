#include "render/LabelText.h"
#include "render/scenes/RowSums.h"
#include "render/scenes/StageCard.h"
#include "render/scenes/StageTexts.h"
#include "render/scenes/heads/TakenWeights.h"

#include "engine/Metrics.h"
#include "engine/ScoreSpread.h"
#include "engine/heads/HeadPatterns.h"
#include "engine/heads/WeightTimesLength.h"

#include <QCoreApplication>
#include <QFontMetricsF>

#include <algorithm>
#include <cmath>

namespace attn {

namespace {

/// As of a row of weights: whether the largest is less than half as large again as the smallest.
bool isNearlyEven(const ValueRange &weights)
{
    return !weights.isEmpty && weights.minimum > 0.0 &&
           attn::isNearlyEven(ScoreSpread{1, std::log(weights.minimum), std::log(weights.maximum)});
}

constexpr double headsMargin = 24.0;
constexpr double headsGap = 16.0;
constexpr double metricLine = 16.0;
constexpr double narrowestTile = 132.0;
constexpr double pairGap = 16.0; ///< between A and what its weights take along

/// Mean over the rows of one head where the figure is defined; NaN when it is nowhere.
double meanOverRows(const std::vector<double> &figures, Index head, Index rows)
{
    double sum = 0.0;
    Index count = 0;
    for (Index row = 0; row < rows; ++row) {
        const double value = figures[static_cast<std::size_t>(head * rows + row)];
        if (std::isnan(value))
            continue;
        sum += value;
        ++count;
    }
    return count > 0 ? sum / static_cast<double>(count) : std::nan("");
}

/// withPositions: the keys are the queries' own, so that previous and self mean something.
QStringList metricLines(const Metrics &metrics, Index head, bool withPositions)
{
    if (head >= metrics.rows.heads || head >= static_cast<Index>(metrics.heads.size()))
        return {};
    const HeadMetrics &figures = metrics.heads[static_cast<std::size_t>(head)];
    const double effective = meanOverRows(metrics.rows.effectiveTokens, head, metrics.rows.rows);
    return {
        QCoreApplication::translate("Scene", "entropy %1 of 1 · %2 effective tokens")
            .arg(figureText(figures.all.uniformity, 2), figureText(effective, 1)),
        withPositions ? QCoreApplication::translate("Scene", "previous %1 · self %2 · first %3")
                            .arg(figureText(figures.all.previousToken, 2),
                                 figureText(figures.all.selfToken, 2), figureText(figures.all.firstToken, 2))
                      : QCoreApplication::translate("Scene", "first %1 · keys of another sequence")
                            .arg(figureText(figures.all.firstToken, 2)),
        QCoreApplication::translate("Scene", "share of the output: %1")
            .arg(std::isnan(figures.contributionShare) ? figureText(figures.contributionShare, 1)
                                                       : percentText(figures.contributionShare)),
    };
}

/// The grid of heads, and above it the focused head with what it adds to the output.
class HeadsBuilder
{
public:
    HeadsBuilder(const MapFactory &maps, const HeadsOptions &options)
        : m_maps(maps)
        , m_options(options)
        , m_heads(maps.state(Stage::A).values->heads())
        , m_metrics(options.metrics ? options.metrics
                    : options.withoutMetrics.isEmpty()
                        ? std::make_shared<const Metrics>(metricsOf(maps.snapshot()))
                        : nullptr)
    {
        if (m_options.focus >= m_heads)
            m_options.focus = -1;
        if (!options.withLengths)
            return;
        const Result<StageValuesPtr> taken = weightsTimesLength(maps.snapshotPtr());
        if (taken) {
            m_taken = *taken;
            m_takenRange = automaticRange(m_taken->statistics(-1), ColorMap::Kind::Sequential);
        } else {
            m_whyNotTaken = QString::fromStdString(taken.error().message);
        }
    }

    Scene build();

private:
    void addHeading();
    void addFocus();
    void addFocusWords();
    QString largestText(const StageValues &contributions) const;
    void measureGrid();
    void addTile(Index head, const QPointF &corner);
    void addTaken(Index head, const QRectF &weights, bool withBar);
    QStringList linesOf(Index head) const;
    QStringList widestLines() const;
    void addMetrics(Index head, const QPointF &corner, double width);
    double labelRoom() const { return m_maps.rowLabelWidth(Stage::A); }
    bool isAnyUneven() const
    {
        return std::ranges::any_of(m_uneven, [](const auto &rows) { return !rows.empty(); });
    }

    const MapFactory &m_maps;
    HeadsOptions m_options;
    Index m_heads;
    std::shared_ptr<const Metrics> m_metrics;
    Scene m_scene;
    double m_y = headsMargin;
    double m_right = 0.0;
    int m_columns = 1;
    StageValuesPtr m_taken; ///< A times the length of v, beside A; null = without
    QString m_whyNotTaken;
    ValueRange m_takenRange;
    std::vector<std::vector<UnevenRow>> m_uneven; ///< by head: rows that do not add to 1
    double m_sumRoom = 0.0;                       ///< right of the maps, for the sums of such rows
    QSizeF m_cells;
    QSizeF m_tile;
    double m_colLabels = 0.0;
};

Scene HeadsBuilder::build()
{
    for (Index head = 0; head < m_heads; ++head)
        m_uneven.push_back(unevenRows(m_maps.snapshot(), head));
    measureGrid();
    addHeading();
    if (m_options.focus >= 0)
        addFocus();
    for (Index head = 0; head < m_heads; ++head) {
        const int row = static_cast<int>(head) / m_columns;
        const int column = static_cast<int>(head) % m_columns;
        addTile(head, {headsMargin + column * (m_tile.width() + headsGap),
                       m_y + row * (m_tile.height() + headsGap)});
    }
    const int rows = (static_cast<int>(m_heads) + m_columns - 1) / m_columns;
    m_scene.size = {m_right + headsMargin,
                    m_y + rows * (m_tile.height() + headsGap) - headsGap + headsMargin};
    return std::move(m_scene);
}

void HeadsBuilder::measureGrid()
{
    using namespace cardMetrics;
    const StageValues &values = *m_maps.state(Stage::A).values;
    const double frame = labelRoom() + 2.0 * cardPadding;
    const double room = m_options.width - 2.0 * headsMargin + headsGap;
    const int wanted = static_cast<int>(std::min<Index>(m_heads, 4));
    const double narrowest = m_taken ? 2.0 * narrowestTile + pairGap : narrowestTile;
    const int fitting = static_cast<int>(room / (narrowest + frame + headsGap));
    m_columns = std::clamp(fitting, 1, wanted);
    const double pair = m_taken ? pairGap : 0.0;
    const double sides = m_taken ? 2.0 : 1.0;
    const double soft =
        std::clamp((room / m_columns - headsGap - frame - pair) / sides, narrowestTile, 320.0);
    const double unit = m_heads <= 2 ? 40.0 : 32.0;
    double height = axisExtent(values.rows(), unit, soft, soft);
    double width = axisExtent(values.cols(), 1.5 * unit, soft, soft);
    const double cell = height / static_cast<double>(std::max<Index>(values.rows(), 1));
    if (cell < unit)
        width = std::min(width, cell * static_cast<double>(values.cols()));
    m_cells = {width, height};
    if (isAnyUneven() && rowSumsFit(values.rows(), height))
        m_sumRoom = rowSumRoom;
    const double columnWidth = width / static_cast<double>(std::max<Index>(values.cols(), 1));
    m_colLabels = columnLabelHeight(m_maps, Stage::A, columnWidth);

    const QFontMetricsF metrics(m_maps.theme().textFont);
    double textWidth = 180.0;
    for (const QString &line : widestLines())
        textWidth = std::max(textWidth, metrics.horizontalAdvance(line) + 8.0);
    const double bar = m_maps.hasRangePerHead(Stage::A) ? barRoom + 8.0 : 8.0;
    const double maps = sides * width + pair + labelRoom() + m_sumRoom;
    const double lines = isAnyUneven() ? 4.0 : 3.0;
    m_tile = {std::max(maps, textWidth) + 2.0 * cardPadding,
              2.0 * cardPadding + titleHeight + m_colLabels + height + bar + lines * metricLine};
    while (m_columns > 1 && m_columns * (m_tile.width() + headsGap) > room)
        --m_columns;
    m_right = std::max(headsMargin + m_columns * (m_tile.width() + headsGap) - headsGap, headsMargin + 480.0);
}

void HeadsBuilder::addHeading()
{
    const QString heading = m_heads == 1
                                ? QCoreApplication::translate("Scene", "Attention weights A")
                                : QCoreApplication::translate("Scene", "Attention weights A of %n heads",
                                                              nullptr, static_cast<int>(m_heads));
    m_scene.texts.push_back({QRectF(headsMargin, m_y, 320.0, 24.0), heading, SceneText::Style::Heading,
                             Qt::AlignLeft | Qt::AlignVCenter});
    m_scene.texts.push_back({QRectF(headsMargin, m_y + 24.0, 320.0, 16.0),
                             QCoreApplication::translate("Scene", "rows: queries, columns: keys"),
                             SceneText::Style::Muted, Qt::AlignLeft | Qt::AlignVCenter});
    m_y += 56.0;
    if (!m_options.withLengths)
        return;
    const QString text =
        m_taken ? QCoreApplication::translate("Scene", "left: weight · right: weight × ‖v‖, what it hands "
                                                       "over; a sink is dark there")
                : m_whyNotTaken;
    m_scene.texts.push_back({QRectF(headsMargin, m_y - 14.0, m_right - headsMargin, 18.0), text,
                             m_taken ? SceneText::Style::Muted : SceneText::Style::Warning,
                             Qt::AlignLeft | Qt::AlignVCenter});
    m_y += 12.0;
}

/// What the head adds, in a sentence with its numbers.
void HeadsBuilder::addFocusWords()
{
    const Index head = m_options.focus;
    const auto addWords = [this](const QString &text, double height, SceneText::Style style) {
        m_scene.texts.push_back({QRectF(headsMargin, m_y, m_right - headsMargin, height), text, style,
                                 Qt::AlignLeft | Qt::AlignVCenter});
        m_y += height;
    };
    addWords(QCoreApplication::translate("Scene", "%1: what it adds to the output")
                 .arg(headTitle(m_maps.experiment(), head)),
             24.0, SceneText::Style::Heading);
    const StageState &contributions = m_maps.state(Stage::HeadContribution);
    const bool isCounted = m_metrics && head < static_cast<Index>(m_metrics->heads.size());
    if (contributions.hasValues() && isCounted) {
        const HeadMetrics &figures = m_metrics->heads[static_cast<std::size_t>(head)];
        addWords(
            QCoreApplication::translate(
                "Scene", "Its part has the length %1 (Frobenius): %2 of the lengths of all heads' parts.")
                .arg(figureText(figures.contributionNorm, 3), std::isnan(figures.contributionShare)
                                                                  ? figureText(figures.contributionShare, 1)
                                                                  : percentText(figures.contributionShare)),
            20.0, SceneText::Style::Label);
        if (const QString largest = largestText(*contributions.values); !largest.isEmpty())
            addWords(largest, 20.0, SceneText::Style::Label);
    } else if (!m_metrics) {
        addWords(m_options.withoutMetrics, 20.0, SceneText::Style::Muted);
    }
    m_y += 12.0;
}

/// Where it adds most, and what all heads add there; empty where too many numbers would have to be read.
QString HeadsBuilder::largestText(const StageValues &contributions) const
{
    constexpr Index mostRead = 1'000'000;
    constexpr Index mostListed = 4; ///< heads
    const Index head = m_options.focus;
    const Index cols = contributions.cols();
    if (contributions.rows() * cols > mostRead || contributions.rows() == 0 || cols == 0)
        return {};
    std::vector<double> cells(static_cast<std::size_t>(contributions.rows() * cols));
    contributions.readBlock(head, 0, 0, contributions.rows(), cols, cells.data(), cols);
    const auto most = std::ranges::max_element(
        cells, {}, [](double value) { return std::isnan(value) ? -1.0 : std::abs(value); });
    const auto place = static_cast<Index>(most - cells.begin());
    const Index row = place / cols;
    const Index col = place % cols;
    const int decimals = m_maps.display().decimals;
    const auto added = [&](Index each) {
        return QCoreApplication::translate("Scene", "head %1 adds %2")
            .arg(each + 1)
            .arg(figureText(contributions.value(each, row, col), decimals));
    };
    QStringList parts;
    for (Index each = 0; each < contributions.heads() && contributions.heads() <= mostListed; ++each)
        parts.append(added(each));
    if (parts.isEmpty())
        parts.append(added(head));
    const StageState &output = m_maps.state(Stage::Output);
    if (output.hasValues())
        parts.append(QCoreApplication::translate("Scene", "the output there is %1")
                         .arg(figureText(output.values->value(0, row, col), decimals)));
    return QCoreApplication::translate("Scene", "It adds most at “%1”, %2: %3.")
        .arg(visibleLabel(m_maps.rowLabels(Stage::Output).value(row)),
             visibleLabel(m_maps.colLabels(Stage::Output).value(col)), parts.join(QStringLiteral(", ")));
}

void HeadsBuilder::addFocus()
{
    const Index head = m_options.focus;
    const QString number = QString::number(head + 1);
    addFocusWords();
    const StageValues &weights = *m_maps.state(Stage::A).values;
    const double height = axisExtent(weights.rows(), 36.0, 432.0, 480.0);
    const double rowCell = height / static_cast<double>(std::max<Index>(weights.rows(), 1));
    std::vector<StageCard> cards;
    const std::pair<Stage, QString> parts[] = {
        {Stage::A, QStringLiteral("A_{%1}").arg(number)},
        {Stage::HeadOut, QStringLiteral("A_{%1}V_{%1}").arg(number)},
        {Stage::HeadContribution, QStringLiteral("A_{%1}V_{%1}W^{O}_{%1}").arg(number)},
        {Stage::Output, stageSymbol(Stage::Output)},
    };
    double top = 0.0, bottom = 0.0;
    for (const auto &[stage, title] : parts) {
        const StageState &state = m_maps.state(stage);
        StageCard::Options options;
        options.title = title;
        QSizeF cells;
        if (state.hasValues()) {
            options.heads = {std::min(head, state.values->heads() - 1)};
            options.rowLabelWidth = labelRoom();
            const double width = axisExtent(state.values->cols(), 48.0, 384.0, 480.0);
            const double square =
                rowCell < 36.0 ? rowCell * static_cast<double>(state.values->cols()) : width;
            cells = {std::min(width, std::max(square, 96.0)), height};
        }
        cards.emplace_back(m_maps, stage, cells, options);
        top = std::max(top, cards.back().cellsOffset().y());
    }
    double x = headsMargin;
    for (StageCard &card : cards) {
        card.growTop(top);
        card.placeCells({x + card.cellsOffset().x(), m_y + top});
        // Wider than the window, the whole picture would shrink: what has no room stands on the next line.
        if (x > headsMargin && card.rect().right() > m_options.width - headsMargin) {
            m_right = std::max(m_right, x - headsGap);
            x = headsMargin;
            m_y = bottom + headsGap;
            card.placeCells({x + card.cellsOffset().x(), m_y + top});
        }
        card.addTo(m_scene);
        bottom = std::max(bottom, card.rect().bottom());
        x = card.rect().right() + headsGap;
    }
    m_right = std::max(m_right, x - headsGap);
    m_y = bottom + 32.0;
}

QStringList HeadsBuilder::linesOf(Index head) const
{
    return m_metrics ? metricLines(*m_metrics, head, positionsCorrespond(m_maps.experiment()))
                     : QStringList(m_options.withoutMetrics);
}

/// Room for whatever the figures say, so that nothing moves when they come or change.
QStringList HeadsBuilder::widestLines() const
{
    Metrics metrics;
    metrics.rows.heads = metrics.rows.rows = 1;
    metrics.rows.effectiveTokens = {static_cast<double>(m_maps.state(Stage::A).values->cols())};
    constexpr double longest = 0.0011; // small figures have two places more
    metrics.heads = {{{longest, longest, longest, longest, longest, longest}, {}, {}, 1.0, 1.0}};
    return metricLines(metrics, 0, positionsCorrespond(m_maps.experiment())) + linesOf(0);
}

void HeadsBuilder::addMetrics(Index head, const QPointF &corner, double width)
{
    double y = corner.y();
    for (const QString &line : linesOf(head)) {
        m_scene.texts.push_back({QRectF(corner.x(), y, width, metricLine), line, SceneText::Style::Muted,
                                 Qt::AlignLeft | Qt::AlignVCenter});
        y += metricLine;
    }
    if (const auto uneven = static_cast<int>(m_uneven[static_cast<std::size_t>(head)].size()); uneven > 0)
        m_scene.texts.push_back(
            {QRectF(corner.x(), y, width, metricLine),
             uneven == 1 ? QCoreApplication::translate("Scene", "1 row does not add to 1")
                         : QCoreApplication::translate("Scene", "%n rows do not add to 1", nullptr, uneven),
             SceneText::Style::Warning, Qt::AlignLeft | Qt::AlignVCenter});
}

void HeadsBuilder::addTile(Index head, const QPointF &corner)
{
    using namespace cardMetrics;
    SceneBox box;
    box.rect = QRectF(corner, m_tile);
    m_scene.boxes.push_back(box);
    const double inner = m_tile.width() - 2.0 * cardPadding;
    m_scene.texts.push_back(
        {QRectF(corner.x() + cardPadding, corner.y() + cardPadding - 2.0, inner - 104.0, 20.0),
         headTitle(m_maps.experiment(), head), SceneText::Style::Label, Qt::AlignLeft | Qt::AlignVCenter});
    if (m_heads > 1) {
        SceneControl control;
        control.id = QStringLiteral("head:%1").arg(head);
        control.rect = {corner.x() + m_tile.width() - cardPadding - 96.0, corner.y() + cardPadding - 2.0,
                        96.0, 20.0};
        control.text = QCoreApplication::translate("Scene", "What it adds");
        control.name = QCoreApplication::translate("Scene", "Show what head %1 adds").arg(head + 1);
        control.checkable = true;
        control.checked = head == m_options.focus;
        m_scene.controls.push_back(control);
    }
    const QRectF cells(
        QPointF(corner.x() + cardPadding + labelRoom(), corner.y() + cardPadding + titleHeight + m_colLabels),
        m_cells);
    SceneMap map = m_maps.stageMap(Stage::A, head, cells);
    map.rowLabelWidth = labelRoom();
    map.colLabelHeight = m_colLabels;
    // Strong colours, and yet hardly a difference: the range says it, the word says it sooner.
    if (!m_maps.hasFixedRange(Stage::A) && isNearlyEven(map.range))
        map.rangeNote += (map.rangeNote.isEmpty() ? QString() : QStringLiteral(", ")) +
                         QCoreApplication::translate("Scene", "nearly even");
    double below = cells.bottom() + 8.0;
    if (m_maps.hasRangePerHead(Stage::A)) {
        map.colorBar = {cells.left(), cells.bottom() + 8.0, cells.width(), barHeight};
        below = cells.bottom() + barRoom + 8.0;
    } else if (head == 0) {
        map.colorBar = {std::max(m_right - 240.0, headsMargin + 240.0), headsMargin + 8.0, 240.0, barHeight};
    }
    const bool hasOwnBar = m_maps.hasRangePerHead(Stage::A);
    m_scene.maps.push_back(std::move(map));
    if (m_taken)
        addTaken(head, cells, hasOwnBar);
    if (m_sumRoom > 0.0)
        addRowSums(m_scene, m_taken ? m_scene.maps.back().rect : cells, m_maps.state(Stage::A).values->rows(),
                   m_uneven[static_cast<std::size_t>(head)]);
    addMetrics(head, {corner.x() + cardPadding, below}, inner);
}

/// What the weights take along, right of them.
void HeadsBuilder::addTaken(Index head, const QRectF &weights, bool withBar)
{
    const QRectF cells = weights.translated(weights.width() + pairGap, 0.0);
    SceneMap map = weightsAsTaken(m_maps, m_taken, head, cells);
    if (!withBar)
        map.range = m_takenRange;
    map.colLabelHeight = m_colLabels;
    if (withBar)
        map.colorBar = {cells.left(), cells.bottom() + 8.0, cells.width(), cardMetrics::barHeight};
    m_scene.maps.push_back(std::move(map));
}

} // namespace

Scene headsScene(const SnapshotPtr &snapshot, const DisplayOptions &display, const HeadsOptions &heads)
{
    if (!snapshot->stage(Stage::A).hasValues())
        return unavailableScene(*snapshot, Stage::A);
    const MapFactory maps(snapshot, display);
    return HeadsBuilder(maps, heads).build();
}

} // namespace attn
