#include "render/scenes/lab/PositionsLabScene.h"

#include "base/NumberText.h"
#include "engine/lab/TokenOrder.h"
#include "render/LabelText.h"
#include "render/scenes/Chart.h"
#include "render/scenes/SceneDraft.h"
#include "render/scenes/StageCard.h"
#include "render/scenes/StageTexts.h"
#include "render/scenes/lab/RelativePositionCards.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace attn {

namespace {

constexpr double positionsMargin = 24.0;
constexpr double positionsGap = 20.0;
constexpr Index mostWaves = 4;
constexpr Index mostOrderRows = 16;

class PositionsLabBuilder
{
public:
    PositionsLabBuilder(const MapFactory &maps, const PositionsLabOptions &options)
        : m_draft(maps)
        , m_options(options)
        , m_state(positionState(maps.experiment()))
    {
        const Index last = std::max<Index>(0, maps.experiment().tokens.size() - 1);
        m_options.first = std::clamp<Index>(options.first, 0, last);
        m_options.second = std::clamp<Index>(options.second, 0, last);
    }

    Scene build();

private:
    void addHeading();
    void addSum();
    void addSumMap(const QString &title, SceneMap map, double above);
    void addSumState();
    void addEncoding();
    void addWaves(const QRectF &plot, const Tensor &P);
    void addOrder();
    void addOrderTable(const std::vector<OrderEffect> &effects);
    void addMisplacedRows();
    QString choiceText() const;
    bool isPositionKept() const { return m_state.isKept && m_state.fits; }
    /// The P of the document; while it keeps none, the one chosen.
    Tensor addedPositions() const
    {
        return isPositionKept() ? m_state.P : encodingOf(experiment(), m_options.choice);
    }
    QString tokenName(Index index) const;
    double innerWidth() const { return m_options.width - 2.0 * positionsMargin; }
    const Experiment &experiment() const { return m_draft.maps().experiment(); }

    SceneDraft m_draft;
    PositionsLabOptions m_options;
    PositionState m_state;
    double m_y = positionsMargin;
};

QString PositionsLabBuilder::tokenName(Index index) const
{
    return visibleLabel(QString::fromStdString(experiment().tokens.at(index)));
}

Scene PositionsLabBuilder::build()
{
    addHeading();
    if (m_state.X.isNull()) {
        m_y =
            m_draft.addParagraph({positionsMargin, m_y}, innerWidth(),
                                 QCoreApplication::translate(
                                     "Scene", "This document has no X of its own: it does not start at token "
                                              "vectors, so there is nothing to add positions to."),
                                 SceneText::Style::Warning) +
            16.0;
    } else {
        addSum();
        addEncoding();
        addOrder();
    }
    m_y = RelativePositionCards(m_draft, m_options).addTo(positionsMargin, m_y);
    return m_draft.finished(positionsMargin);
}

void PositionsLabBuilder::addHeading()
{
    m_draft.addText({positionsMargin, m_y, innerWidth(), 24.0},
                    QCoreApplication::translate("Scene", "Where a token stands: X = E + P"),
                    SceneText::Style::Heading);
    m_y = m_draft.addParagraph({positionsMargin, m_y + 28.0}, innerWidth(),
                               QCoreApplication::translate(
                                   "Scene", "Attention compares rows and never looks at their numbers. What "
                                            "should depend on the order must be in the rows (an encoding P "
                                            "added to the embeddings E) or in the scores (rotary, ALiBi, a "
                                            "mask).")) +
          10.0;
}

void PositionsLabBuilder::addSum()
{
    const Index rows = m_state.X.rows();
    const Index cols = m_state.X.cols();
    const double labels = std::min(72.0, m_draft.maps().rowLabelWidth(Stage::X));
    const double column = (innerWidth() - labels - 2.0 * 40.0) / 3.0;
    const double width = axisExtent(cols, 52.0, column, column);
    const double height = axisExtent(rows, 28.0, 260.0, 260.0);
    const double above = columnLabelHeight(m_draft.maps(), Stage::X, width / double(cols));
    const auto rectAt = [&](int place) {
        return QRectF(positionsMargin + labels + place * (width + 40.0), m_y + 26.0 + above, width, height);
    };
    const auto ownMap = [&](const char *name, const QString &title, const Tensor &matrix, int place) {
        SceneMap map = m_draft.derived(QStringLiteral("positions:") + QString::fromLatin1(name), title,
                                       valuesOf(matrix), rectAt(place), ColorMap::Kind::Diverging);
        if (m_state.isKept) {
            map.key = MapKey::lab(QString::fromLatin1(name));
            map.readOnly = false;
        }
        map.colLabels = m_draft.maps().colLabels(Stage::X);
        map.decimals = std::max(3, m_draft.maps().display().decimals);
        return map;
    };
    SceneMap embeddings =
        ownMap(embeddingLab, QCoreApplication::translate("Scene", "Embeddings E"), m_state.E, 0);
    embeddings.rowLabels = m_draft.maps().rowLabels(Stage::X);
    embeddings.rowLabelWidth = labels;
    addSumMap(QStringLiteral("E"), std::move(embeddings), above);
    if (m_state.fits) {
        addSumMap(QStringLiteral("P"),
                  ownMap(positionLab, QCoreApplication::translate("Scene", "Positions P"), m_state.P, 1),
                  above);
        SceneMap X = m_draft.stageBlock(Stage::X, 0, 0, rows, 0, cols, rectAt(2));
        X.rowLabels.clear();
        X.rowLabelAt = {};
        X.decimals = std::max(3, m_draft.maps().display().decimals);
        addSumMap(QStringLiteral("X = E + P"), std::move(X), above);
        for (const int place : {0, 1}) {
            const QRectF rect = rectAt(place);
            m_draft.addText({rect.right() + 4.0, rect.center().y() - 14.0, 32.0, 28.0},
                            place == 0 ? QStringLiteral("+") : QStringLiteral("="), SceneText::Style::Title,
                            Qt::AlignCenter);
        }
    }
    m_y += 26.0 + above + height + 16.0;
    addSumState();
}

void PositionsLabBuilder::addSumMap(const QString &title, SceneMap map, double above)
{
    m_draft.addText({map.rect.left(), m_y, map.rect.width(), 22.0}, title, SceneText::Style::Title);
    map.colLabelHeight = above;
    m_draft.extendTo(map.rect.right(), map.rect.bottom());
    m_draft.addMap(std::move(map));
}

void PositionsLabBuilder::addSumState()
{
    QString text;
    QString hint;
    SceneText::Style style = SceneText::Style::Muted;
    if (!m_state.isKept) {
        text = QCoreApplication::translate("Scene",
                                           "The document keeps no E and P of its own: all of X is taken as "
                                           "embeddings.");
        hint = QCoreApplication::translate("Scene",
                                           "Choose an encoding and press one of the two buttons below.");
    } else if (!m_state.fits) {
        text = QCoreApplication::translate("Scene", "E or P no longer has the shape of X (%1).")
                   .arg(QString::fromStdString(shapeText(m_state.X.shape())));
        hint = QCoreApplication::translate("Scene", "Take them anew with one of the buttons below.");
        style = SceneText::Style::Warning;
    } else if (m_state.differing > 0) {
        text = QCoreApplication::translate("Scene",
                                           "X is not E + P in %1 of its cells, by up to %2: they were set by "
                                           "themselves and no longer follow E and P.")
                   .arg(m_state.differing)
                   .arg(QString::fromStdString(significantText(m_state.largestGap, 3)));
        style = SceneText::Style::Warning;
    } else {
        text = QCoreApplication::translate("Scene", "X = E + P in every cell.");
        hint = QCoreApplication::translate("Scene", "A number typed into E or P writes X too, and everything "
                                                    "computed from it.");
    }
    m_y = m_draft.addParagraph({positionsMargin, m_y}, innerWidth(), text, style);
    if (!hint.isEmpty())
        m_y = m_draft.addHint({positionsMargin, m_y}, innerWidth(), hint);
    if (m_state.isKept && m_state.fits)
        addMisplacedRows();
    m_y += 14.0;
}

void PositionsLabBuilder::addMisplacedRows()
{
    const MisplacedRows misplaced = misplacedRows(m_state.P, m_options.choice.base);
    if (misplaced.count == 0)
        return;
    const QString found =
        misplaced.position < 0
            ? QCoreApplication::translate("Scene", "numbers of no position")
            : QCoreApplication::translate("Scene", "the encoding of position %1").arg(misplaced.position);
    const QString text =
        QCoreApplication::translate(
            "Scene", "P is not the sinusoidal encoding of its positions in %1 of %2 rows: “%3” "
                     "stands at position %4 and has %5. A token that is deleted, inserted or "
                     "moved takes its row of P along; the buttons below take P anew.")
            .arg(misplaced.count)
            .arg(m_state.P.rows())
            .arg(tokenName(misplaced.row))
            .arg(misplaced.row)
            .arg(found);
    m_y = m_draft.addParagraph({positionsMargin, m_y}, innerWidth(), text, SceneText::Style::Warning);
}

QString PositionsLabBuilder::choiceText() const
{
    switch (m_options.choice.kind) {
    case PositionChoice::Kind::None:
        return QCoreApplication::translate("Scene", "none: P = 0");
    case PositionChoice::Kind::Learned:
        return m_state.isKept
                   ? QCoreApplication::translate("Scene",
                                                 "learned: numbers of their own, those of the present P")
                   : QCoreApplication::translate("Scene", "learned: numbers of their own, drawn with seed %1")
                         .arg(m_options.choice.seed);
    case PositionChoice::Kind::Sinusoidal:
        break;
    }
    return QCoreApplication::translate("Scene",
                                       "sinusoidal: column 2t + 1 is sin(p / %1^(2t/%2)), column 2t + 2 its "
                                       "cosine, t = 0, 1, …")
        .arg(QString::fromStdString(significantText(m_options.choice.base, 6)))
        .arg(m_state.X.cols());
}

void PositionsLabBuilder::addEncoding()
{
    const Tensor P = encodingOf(experiment(), m_options.choice);
    const QRectF card(positionsMargin, m_y, innerWidth(), 316.0);
    m_draft.addBox(card);
    const double left = card.left() + 16.0;
    m_draft.addText({left, card.top() + 10.0, card.width() - 32.0, 20.0},
                    QCoreApplication::translate("Scene", "The encoding chosen – %1").arg(choiceText()));
    m_draft.addControl(
        QStringLiteral("position:keepX"), {left, card.top() + 38.0, 184.0, 24.0},
        QCoreApplication::translate("Scene", "X stays: E = X − P"),
        QCoreApplication::translate("Scene", "Keep E and P in the document and leave X as it is"));
    m_draft.addControl(
        QStringLiteral("position:keepE"), {left + 192.0, card.top() + 38.0, 184.0, 24.0},
        QCoreApplication::translate("Scene", "E stays: X = E + P"),
        QCoreApplication::translate("Scene", "Add this encoding to the embeddings and write X"));
    if (m_state.isKept)
        m_draft.addControl(QStringLiteral("position:forget"), {left + 384.0, card.top() + 38.0, 136.0, 24.0},
                           QCoreApplication::translate("Scene", "Forget E and P"),
                           QCoreApplication::translate("Scene", "Remove E and P from the document; X stays"));
    const double half = (card.width() - 32.0 - 48.0) / 2.0;
    const double labels = std::min(72.0, m_draft.maps().rowLabelWidth(Stage::X));
    const double above = columnLabelHeight(m_draft.maps(), Stage::X, (half - labels) / double(P.cols()));
    SceneMap map = m_draft.derived(QStringLiteral("positions:chosen"),
                                   QCoreApplication::translate("Scene", "Encoding chosen"), valuesOf(P),
                                   {left + labels, card.top() + 78.0 + above,
                                    axisExtent(P.cols(), 56.0, half - labels, half - labels),
                                    axisExtent(P.rows(), 28.0, 180.0 - above, 180.0 - above)},
                                   ColorMap::Kind::Diverging);
    map.rowLabels = m_draft.maps().rowLabels(Stage::X);
    map.colLabels = m_draft.maps().colLabels(Stage::X);
    map.rowLabelWidth = labels;
    map.colLabelHeight = above;
    map.decimals = std::max(3, m_draft.maps().display().decimals);
    map.colorBar = {map.rect.left(), map.rect.bottom() + cardMetrics::axisRoom,
                    std::min(map.rect.width(), 200.0), cardMetrics::barHeight};
    m_draft.addMap(std::move(map));
    addWaves({left + half + 96.0, card.top() + 100.0, half - 140.0, 150.0}, P);
    m_y = card.bottom() + positionsGap;
}

/// The first columns of P over the positions.
void PositionsLabBuilder::addWaves(const QRectF &plot, const Tensor &P)
{
    const bool isSinusoidal = m_options.choice.kind == PositionChoice::Kind::Sinusoidal;
    const Index rows = isSinusoidal ? std::clamp<Index>(P.rows(), 31, 256) : std::min<Index>(P.rows(), 256);
    const Index cols = std::min(P.cols(), mostWaves);
    const Tensor waves = isSinusoidal ? sinusoidalEncoding(rows, P.cols(), m_options.choice.base) : P;
    double reach = 0.0;
    for (Index row = 0; row < rows; ++row)
        for (Index col = 0; col < cols; ++col)
            if (std::isfinite(waves.at(row, col)))
                reach = std::max(reach, std::abs(waves.at(row, col)));
    const Chart chart(m_draft.scene(), plot,
                      roundAxis(0.0, std::max<double>(1.0, double(rows - 1)), 4,
                                QCoreApplication::translate("Scene", "position p")),
                      roundAxis(-std::max(reach, 1e-3), std::max(reach, 1e-3), 4));
    chart.addFrame(QCoreApplication::translate("Scene", "The first columns of P, position by position"));
    for (Index col = 0; col < cols; ++col) {
        ChartSeries series;
        series.name = QCoreApplication::translate("Scene", "column %1").arg(col + 1);
        series.paint = ScenePaint::of(col < 2 ? ScenePaint::Role::Accent : ScenePaint::Role::Text);
        series.dashed = col % 2 == 1;
        for (Index row = 0; row < rows; ++row)
            series.points.push_back({double(row), waves.at(row, col)});
        chart.addSeries(series);
    }
}

void PositionsLabBuilder::addOrder()
{
    m_draft.addText(
        {positionsMargin, m_y, innerWidth() - 200.0, 20.0},
        QCoreApplication::translate("Scene", "Exchange “%1” and “%2”: what changes in the output?")
            .arg(tokenName(m_options.first), tokenName(m_options.second)),
        SceneText::Style::Heading);
    m_draft.addControl(
        QStringLiteral("swap:apply"), {m_options.width - positionsMargin - 184.0, m_y, 184.0, 24.0},
        QCoreApplication::translate("Scene", "Exchange them"),
        QCoreApplication::translate("Scene", "Exchange the two words in the document; positions stay"));
    m_y += 28.0;
    const Result<std::vector<OrderEffect>> effects = orderEffects(
        m_draft.maps().snapshot().experimentPtr(), addedPositions(), m_options.first, m_options.second);
    if (!effects) {
        m_y = m_draft.addParagraph({positionsMargin, m_y}, innerWidth(),
                                   QCoreApplication::translate("Scene", "This is not computed here: %1.")
                                       .arg(QString::fromStdString(effects.error().message)),
                                   SceneText::Style::Warning) +
              16.0;
        return;
    }
    m_y = m_draft.addParagraph({positionsMargin, m_y}, innerWidth(),
                               QCoreApplication::translate(
                                   "Scene", "For each word, the largest distance of its output from what it "
                                            "was, wherever the word now stands. Without positions it is 0 "
                                            "but for rounding: the outputs only change places.")) +
          6.0;
    addOrderTable(*effects);
}

void PositionsLabBuilder::addOrderTable(const std::vector<OrderEffect> &effects)
{
    const double names = 160.0;
    const double column = 190.0;
    const auto addRow = [&](const QStringList &cells, SceneText::Style style) {
        for (int i = 0; i < cells.size(); ++i)
            m_draft.addText({positionsMargin + (i == 0 ? 0.0 : names + (i - 1) * column), m_y,
                             (i == 0 ? names : column) - 8.0, 19.0},
                            cells[i], style, (i == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
        m_y += 20.0;
    };
    addRow({QCoreApplication::translate("Scene", "word"),
            QCoreApplication::translate("Scene", "X = E, no positions"),
            isPositionKept() ? QCoreApplication::translate("Scene", "X = E + P")
                             : QCoreApplication::translate("Scene", "X = E + the P chosen"),
            QCoreApplication::translate("Scene", "the document as it is")},
           SceneText::Style::Muted);
    const auto numberText = [](double value) {
        return QString::fromStdString(withTrueMinus(significantText(value, 3)));
    };
    const auto count = static_cast<Index>(effects.front().differences.size());
    for (Index row = 0; row < std::min(count, mostOrderRows); ++row) {
        QStringList cells = {tokenName(row)};
        for (const OrderEffect &effect : effects)
            cells.append(numberText(effect.differences[static_cast<std::size_t>(row)]));
        addRow(cells, SceneText::Style::Label);
    }
    QStringList largest = {QCoreApplication::translate("Scene", "largest of all %1").arg(count)};
    for (const OrderEffect &effect : effects)
        largest.append(numberText(effect.largest));
    addRow(largest, SceneText::Style::Label);
    m_y += 16.0;
}

} // namespace

Scene positionsLabScene(const SnapshotPtr &snapshot, const DisplayOptions &display,
                        const PositionsLabOptions &options)
{
    const Experiment &experiment = snapshot->experiment();
    if (!snapshot->problem().empty() || experiment.tokens.size() == 0)
        return messageScene(QCoreApplication::translate("Scene", "Positions"),
                            QString::fromStdString(snapshot->problem()));
    const MapFactory maps(snapshot, display);
    return PositionsLabBuilder(maps, options).build();
}

} // namespace attn
