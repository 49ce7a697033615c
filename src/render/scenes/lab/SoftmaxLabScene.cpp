#include "render/scenes/lab/LabScenes.h"

#include "base/NumberText.h"
#include "engine/ScoreSpread.h"
#include "engine/StageNumbers.h"
#include "engine/StageSlice.h"
#include "engine/lab/SoftmaxJacobian.h"
#include "render/LabelText.h"
#include "render/scenes/CardFlow.h"
#include "render/scenes/Chart.h"
#include "render/scenes/StageCard.h"
#include "render/scenes/StageTexts.h"
#include "render/scenes/lab/SoftmaxRowPicture.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace attn {

namespace {

constexpr double labMargin = 24.0;
constexpr double softmaxCardGap = 24.0;
constexpr double chartSide = 220.0;
constexpr double sharpest = 8.0;

struct WidestRow
{
    double size = 0.0;
    Index row = 0;
};

/// The row whose visible finite scores lie furthest apart. allowed: [n_q, n_k] of that head, or null
WidestRow widestRow(const StageValues &values, Index head, const StageValues *allowed)
{
    WidestRow widest;
    std::vector<double> scores(static_cast<std::size_t>(values.cols()));
    for (Index row = 0; row < values.rows(); ++row) {
        values.readBlock(head, row, 0, 1, values.cols(), scores.data(), values.cols());
        for (Index col = 0; col < values.cols(); ++col) {
            double &score = scores[static_cast<std::size_t>(col)];
            if (!std::isfinite(score) || (allowed && allowed->value(0, row, col) == 0.0))
                score = -std::numeric_limits<double>::infinity();
        }
        const std::optional<ScoreSpread> spread = scoreSpread(scores);
        if (spread && spread->size() > widest.size)
            widest = {spread->size(), row};
    }
    return widest;
}

/// Cards below the row, side by side while they fit.
class SoftmaxLabBuilder
{
public:
    SoftmaxLabBuilder(const MapFactory &maps, const SoftmaxLabOptions &options)
        : m_draft(maps)
        , m_options(options)
    {
    }

    Scene build();

private:
    void addHeading();
    void addSharpness(std::span<const double> input);
    void addJacobian(const SoftmaxSteps &steps);
    QString inverseFormula() const;
    void addInverse();
    struct PairLayout
    {
        QSizeF map;
        double half = 0.0; ///< of the card: the width of one map with its texts
        double labels = 0.0;
        double above = 0.0; ///< of column labels
        double top = 0.0;   ///< of the maps, from the top of the card
    };
    PairLayout pairLayout(double cardWidth) const;
    void addScoresPair(const InverseSoftmax &inverse, const QRectF &card, const PairLayout &layout);
    void addInverseControls(const QRectF &card);
    StageValuesPtr allowedKeys() const;
    /// The place of the next card of this size.
    QRectF nextCard(double width, double height);
    QString queryName(Index row) const;
    const Snapshot &snapshot() const { return m_draft.maps().snapshot(); }

    SceneDraft m_draft;
    SoftmaxLabOptions m_options;
    std::optional<CardFlow> m_cards; ///< below the row
    double m_y = labMargin;
};

QString SoftmaxLabBuilder::queryName(Index row) const
{
    return visibleLabel(QString::fromStdString(m_draft.maps().experiment().tokens.at(row)));
}

QRectF SoftmaxLabBuilder::nextCard(double width, double height)
{
    if (!m_cards)
        m_cards.emplace(m_draft.scene(), QPointF(labMargin, m_y), m_options.width - labMargin,
                        softmaxCardGap);
    const QRectF card(m_cards->next({width, height}), QSizeF(width, height));
    m_draft.addBox(card);
    return card;
}

Scene SoftmaxLabBuilder::build()
{
    addHeading();
    if (softmaxInput(snapshot())) {
        SoftmaxRowPicture picture(m_draft, m_options);
        m_y = picture.addTo(labMargin, m_y) + 16.0;
        const std::vector<double> input =
            rowNumbers(*snapshot().stage(Stage::Masked).values, m_options.head, m_options.row);
        addInverse();
        if (!picture.steps().isFullyMasked) {
            addSharpness(input);
            addJacobian(picture.steps());
        }
    } else {
        m_y = m_draft.addParagraph(
                  {labMargin, m_y}, m_options.width - 2.0 * labMargin,
                  QCoreApplication::translate(
                      "Scene", "This document starts at A: there are no scores to take the softmax of. Below "
                               "stand scores that would give it.")) +
              16.0;
        addInverse();
    }
    const QPointF end = m_cards->finish();
    m_draft.extendTo(end.x(), end.y());
    return m_draft.finished(labMargin);
}

void SoftmaxLabBuilder::addHeading()
{
    const double width = m_options.width - 2.0 * labMargin;
    m_draft.addText({labMargin, m_y, width, 24.0},
                    QCoreApplication::translate("Scene", "From scores to weights: the row of “%1”")
                        .arg(queryName(m_options.row)),
                    SceneText::Style::Heading);
    QString where = QCoreApplication::translate("Scene", "one row per query, one column per key");
    if (snapshot().sizes().nHeads > 1)
        where = headTitle(snapshot().experiment(), m_options.head) + QStringLiteral(" · ") + where;
    m_draft.addText({labMargin, m_y + 26.0, width - 320.0, 18.0}, where, SceneText::Style::Muted);
    m_draft.addControl(QStringLiteral("show:inverse:scores"),
                       {m_options.width - labMargin - 264.0, m_y + 22.0, 264.0, 24.0},
                       QCoreApplication::translate("Scene", "Which scores would give this A?"),
                       QCoreApplication::translate("Scene", "Show the scores that would give this A"));
    m_y += 56.0;
}

void SoftmaxLabBuilder::addSharpness(std::span<const double> input)
{
    std::vector<double> sharpnesses;
    for (int i = 0; i <= 80; ++i)
        sharpnesses.push_back(sharpest * i / 80.0);
    const std::vector<SharpnessPoint> curve = sharpnessCurve(input, sharpnesses);
    const SoftmaxSteps now = softmaxSteps(input, {.sharpness = m_options.sharpness});
    // Of equal weights on the keys that the row sees; a row that sees one key has none at any sharpness.
    const double most = std::log2(static_cast<double>(std::max<Index>(now.seenCount, 2)));
    ChartSeries series;
    for (const SharpnessPoint &point : curve)
        series.points.push_back({point.sharpness, bitsOf(point.entropy)});
    const QRectF card = nextCard(chartSide + 92.0, chartSide + 110.0);
    Chart chart(m_draft.scene(), {card.left() + 60.0, card.top() + 41.0, chartSide, chartSide},
                roundAxis(0.0, sharpest, 4, QCoreApplication::translate("Scene", "sharpness β")),
                roundAxis(0.0, most, 4));
    chart.addFrame(QCoreApplication::translate("Scene", "Entropy in bits as β grows"));
    chart.addSeries(series);
    const double entropy = bitsOf(entropyOf(now.weights));
    chart.addMarker(m_options.sharpness, QString());
    chart.addDot({m_options.sharpness, entropy}, ScenePaint::of(ScenePaint::Role::Accent),
                 QCoreApplication::translate("Scene", "β = %1: %2 bits")
                     .arg(QString::fromStdString(displayText(m_options.sharpness, 2)),
                          QString::fromStdString(displayText(entropy, 3))));
    m_draft.addText({card.left() + 16.0, card.bottom() - 24.0, card.width() - 32.0, 18.0},
                    QCoreApplication::translate("Scene", "β = %1: %2 bits, largest weight %3")
                        .arg(QString::fromStdString(displayText(m_options.sharpness, 2)),
                             QString::fromStdString(displayText(entropy, 3)),
                             percentText(now.weights[static_cast<std::size_t>(now.largestAt)])),
                    SceneText::Style::Label);
}

void SoftmaxLabBuilder::addJacobian(const SoftmaxSteps &steps)
{
    const auto keys = static_cast<Index>(steps.weights.size());
    const double side = axisExtent(keys, 52.0, chartSide, 288.0);
    const double labels = m_draft.maps().colLabelWidth(Stage::Masked);
    const double above = columnLabelHeight(m_draft.maps(), Stage::Masked,
                                           side / static_cast<double>(std::max<Index>(keys, 1)));
    const double width = std::max(side + labels + 40.0, 332.0);
    const QRectF card = nextCard(width, std::max(chartSide + 110.0, side + above + 138.0));
    m_draft.addText({card.left() + 16.0, card.top() + 12.0, width - 32.0, 20.0},
                    QCoreApplication::translate("Scene", "How each weight answers to each score"));
    m_draft.addText({card.left() + 16.0, card.top() + 32.0, width - 32.0, 20.0},
                    QStringLiteral("∂a_{i}/∂s_{j} = β a_{i}(δ_{ij} − a_{j})"), SceneText::Style::Formula);
    const QRectF rect(card.left() + 20.0 + labels, card.top() + 60.0 + above, side, side);
    SceneMap map = m_draft.derived(
        QStringLiteral("softmax:jacobian"), QCoreApplication::translate("Scene", "Jacobian of the softmax"),
        softmaxJacobian(steps.weights, m_options.sharpness), rect, ColorMap::Kind::Diverging);
    map.rowLabels = map.colLabels = m_draft.maps().colLabels(Stage::Masked);
    map.rowLabelWidth = labels;
    map.colLabelHeight = above;
    map.decimals = std::max(3, m_draft.maps().display().decimals);
    map.colorBar = {rect.left(), rect.bottom() + cardMetrics::axisRoom, std::min(rect.width(), 240.0),
                    cardMetrics::barHeight};
    m_draft.addMap(std::move(map));
    m_draft.addText({card.left() + 16.0, card.bottom() - 24.0, width - 32.0, 18.0},
                    QCoreApplication::translate("Scene", "rows: weights · columns: scores · each adds to 0"),
                    SceneText::Style::Muted);
}

QString SoftmaxLabBuilder::inverseFormula() const
{
    const double scale = snapshot().sizes().scale;
    if (m_options.inverseTarget != Stage::Scores || scale == 1.0)
        return QStringLiteral("ln A + c_{i}");
    if (!snapshot().experiment().scale)
        return QStringLiteral("√d_{k} ln A + c_{i}");
    return QStringLiteral("ln A / %1 + c_{i}").arg(factorText(scale));
}

void SoftmaxLabBuilder::addInverse()
{
    const Result<InverseSoftmax> inverse =
        inverseSoftmax(snapshot(), m_options.head, m_options.inverseTarget);
    const double cardWidth = std::min(m_options.width - 2.0 * labMargin, 660.0);
    const double width = cardWidth - 32.0;
    const PairLayout layout = pairLayout(cardWidth);
    const double height =
        !inverse ? 112.0 : layout.top + layout.map.height() + (inverse->rescaled > 0 ? 102.0 : 78.0);
    const QRectF card = nextCard(cardWidth, height);
    m_draft.addText({card.left() + 16.0, card.top() + 12.0, width, 20.0},
                    QCoreApplication::translate("Scene", "Which scores would give this A?"));
    if (!inverse) {
        m_draft.addParagraph({card.left() + 16.0, card.top() + 40.0}, width,
                             QCoreApplication::translate("Scene", "None can be given: %1.")
                                 .arg(QString::fromStdString(inverse.error().message)),
                             SceneText::Style::Warning);
        return;
    }
    m_draft.addText({card.left() + 16.0, card.top() + 32.0, width, 20.0}, inverseFormula(),
                    SceneText::Style::Formula);
    addInverseControls(card);
    addScoresPair(*inverse, card, layout);
}

/// Maps as large as A, with room for a caption above and a colour bar and a line below.
SoftmaxLabBuilder::PairLayout SoftmaxLabBuilder::pairLayout(double cardWidth) const
{
    const StageValues &weights = *snapshot().stage(Stage::A).values;
    PairLayout layout;
    layout.half = (cardWidth - 56.0) / 2.0;
    layout.labels = std::min(72.0, m_draft.maps().rowLabelWidth(Stage::A));
    const double room = std::min(layout.half - layout.labels, chartSide);
    layout.map = {axisExtent(weights.cols(), 56.0, room, room),
                  axisExtent(weights.rows(), 36.0, 160.0, 160.0)};
    layout.above =
        columnLabelHeight(m_draft.maps(), Stage::A,
                          layout.map.width() / static_cast<double>(std::max<Index>(weights.cols(), 1)));
    layout.top = 78.0 + layout.above;
    return layout;
}

void SoftmaxLabBuilder::addScoresPair(const InverseSoftmax &inverse, const QRectF &card,
                                      const PairLayout &layout)
{
    const Stage target = m_options.inverseTarget;
    const StageValuesPtr wanted = valuesOf(inverse.scores);
    const StageValuesPtr allowed = allowedKeys();
    const auto place = [&](int column) {
        return QRectF(
            {card.left() + 16.0 + column * (layout.half + 24.0) + layout.labels, card.top() + layout.top},
            layout.map);
    };
    const auto finish = [&](SceneMap map, const QString &title, const WidestRow &spread) {
        map.rowLabels = m_draft.maps().rowLabels(Stage::A);
        map.colLabels = m_draft.maps().colLabels(Stage::A);
        map.rowLabelWidth = layout.labels;
        map.colLabelHeight = layout.above;
        map.decimals = std::max(4, m_draft.maps().display().decimals);
        map.allowed = allowed;
        map.colorBar = {map.rect.left(), map.rect.bottom() + cardMetrics::axisRoom,
                        std::min(map.rect.width(), 240.0), cardMetrics::barHeight};
        const double left = map.rect.left() - layout.labels;
        m_draft.addText({left, card.top() + 54.0, layout.half, 18.0}, title, SceneText::Style::Label);
        m_draft.addText({left, map.rect.bottom() + 46.0, layout.half, 18.0},
                        QCoreApplication::translate("Scene", "spread within a row: up to %1, row “%2”")
                            .arg(QString::fromStdString(displayText(spread.size, 2)), queryName(spread.row)),
                        SceneText::Style::Muted);
        m_draft.addMap(std::move(map));
    };
    finish(m_draft.derived(QStringLiteral("softmax:inverse"),
                           QCoreApplication::translate("Scene", "Scores that would give A"), wanted, place(0),
                           ColorMap::Kind::Diverging),
           QCoreApplication::translate("Scene", "wanted: each row adds to 0"),
           widestRow(*wanted, 0, allowed.get()));
    if (snapshot().stage(target).hasValues())
        finish(m_draft.stageBlock(target, m_options.head, 0, wanted->rows(), 0, wanted->cols(), place(1)),
               QCoreApplication::translate("Scene", "present"),
               widestRow(*snapshot().stage(target).values, m_options.head, allowed.get()));
    if (inverse.rescaled > 0)
        m_draft.addText({card.left() + 16.0, card.bottom() - 28.0, card.width() - 32.0, 18.0},
                        QCoreApplication::translate(
                            "Scene", "rows that do not add to 1: %1; they come back divided by their sum")
                            .arg(inverse.rescaled),
                        SceneText::Style::Warning);
}

void SoftmaxLabBuilder::addInverseControls(const QRectF &card)
{
    const double top = card.top() + 12.0;
    const double left = card.right() - 392.0;
    const auto addTarget = [&](const QString &id, double x, const QString &text, Stage stage) {
        m_draft.addControl(id, {x, top, 104.0, 24.0}, text);
        m_draft.scene().controls.back().checkable = true;
        m_draft.scene().controls.back().checked = stage == m_options.inverseTarget;
    };
    addTarget(QStringLiteral("inverse:scores"), left, QCoreApplication::translate("Scene", "as QKᵀ"),
              Stage::Scores);
    addTarget(QStringLiteral("inverse:scaled"), left + 112.0,
              QCoreApplication::translate("Scene", "as scaled"), Stage::Scaled);
    m_draft.addControl(QStringLiteral("inverse:apply"), {left + 224.0, top, 152.0, 24.0},
                       QCoreApplication::translate("Scene", "Use these scores"),
                       QCoreApplication::translate(
                           "Scene", "Set the scores by hand so that the softmax gives the present A"));
}

/// Which keys the mask leaves, of the head in question; null without a mask.
StageValuesPtr SoftmaxLabBuilder::allowedKeys() const
{
    const StageState &allowed = snapshot().stage(Stage::Allowed);
    if (!hasMask(snapshot()) || !allowed.hasValues())
        return nullptr;
    const Index head = std::min(m_options.head, allowed.values->heads() - 1);
    return sliceOf(allowed.values, head, 0, 0, allowed.values->rows(), allowed.values->cols());
}

} // namespace

Scene softmaxLabScene(const SnapshotPtr &snapshot, const DisplayOptions &display,
                      const SoftmaxLabOptions &options)
{
    const StageState &weights = snapshot->stage(Stage::A);
    const Experiment &experiment = snapshot->experiment();
    if (!weights.hasValues() || weights.values->rows() != experiment.tokens.size() ||
        weights.values->cols() != experiment.keyTokens().size() || weights.values->rows() == 0 ||
        weights.values->cols() == 0)
        return unavailableScene(*snapshot, Stage::A);
    const MapFactory maps(snapshot, display);
    SoftmaxLabOptions inside = options;
    inside.head = std::clamp<Index>(options.head, 0, weights.values->heads() - 1);
    inside.row = std::clamp<Index>(options.row, 0, weights.values->rows() - 1);
    return SoftmaxLabBuilder(maps, inside).build();
}

} // namespace attn
