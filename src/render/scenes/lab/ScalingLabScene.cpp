#include "render/scenes/lab/LabScenes.h"

#include "base/NumberText.h"
#include "render/scenes/Chart.h"
#include "render/scenes/SceneDraft.h"
#include "render/scenes/StageTexts.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <cmath>

namespace attn {

namespace {

constexpr double scalingMargin = 24.0;
constexpr double scalingGap = 24.0;
constexpr double histogramHeight = 132.0;
constexpr Index scoreBins = 31;
constexpr Index weightBins = 24;
constexpr double leastWeightPower = -6.0;

constexpr std::array scoreKinds = {ScoreKind::Dot, ScoreKind::Scaled, ScoreKind::Cosine};

QString kindSymbol(ScoreKind kind)
{
    switch (kind) {
    case ScoreKind::Scaled:
        return QStringLiteral("q·k/√d_{k}");
    case ScoreKind::Cosine:
        return QStringLiteral("q·k/|q||k|");
    case ScoreKind::Dot:
        break;
    }
    return QStringLiteral("q·k");
}

QString kindName(ScoreKind kind)
{
    switch (kind) {
    case ScoreKind::Scaled:
        return QCoreApplication::translate("Scene", "÷ √d_k");
    case ScoreKind::Cosine:
        return QCoreApplication::translate("Scene", "cosine");
    case ScoreKind::Dot:
        break;
    }
    return QCoreApplication::translate("Scene", "plain");
}

/// One colour role and dash for each kind, the same in all charts.
ChartSeries seriesOf(ScoreKind kind)
{
    ChartSeries series;
    series.name = kindName(kind);
    series.paint = ScenePaint::of(kind == ScoreKind::Scaled ? ScenePaint::Role::Accent
                                  : kind == ScoreKind::Dot  ? ScenePaint::Role::Text
                                                            : ScenePaint::Role::MutedText);
    series.dashed = kind == ScoreKind::Cosine;
    return series;
}

QString shown(double value, int decimals)
{
    return QString::fromStdString(withTrueMinus(displayText(value, decimals)));
}

class ScalingLabBuilder
{
public:
    ScalingLabBuilder(const MapFactory &maps, const ScalingLabOptions &options)
        : m_draft(maps)
        , m_options(options)
        , m_sample(options.drawn && options.drawn->options() == options.sample
                       ? options.drawn
                       : std::make_shared<const ScalingSample>(options.sample))
    {
        const std::vector<Index> &widths = m_sample->widths();
        if (std::find(widths.begin(), widths.end(), m_options.dHead) == widths.end())
            m_options.dHead = 512;
        m_column = (options.width - 2.0 * scalingMargin - 2.0 * scalingGap) / 3.0;
    }

    Scene build();

private:
    void addHeading();
    void addKind(int column, ScoreKind kind);
    void addScoreHistogram(const QRectF &card, ScoreKind kind);
    void addWeightHistogram(const QRectF &card, ScoreKind kind);
    void addCurves(double left, double width, const QString &title, double ScalingFigures::*figure,
                   const ChartAxis &y);
    ChartAxis widthAxis() const;

    SceneDraft m_draft;
    ScalingLabOptions m_options;
    std::shared_ptr<const ScalingSample> m_sample;
    double m_column = 300.0;
    double m_y = scalingMargin;
};

Scene ScalingLabBuilder::build()
{
    addHeading();
    for (int column = 0; column < 3; ++column)
        addKind(column, scoreKinds[static_cast<std::size_t>(column)]);
    m_y += 2.0 * histogramHeight + 260.0;
    const double half = (m_options.width - 2.0 * scalingMargin - scalingGap) / 2.0;
    addCurves(scalingMargin, half,
              QCoreApplication::translate("Scene", "Largest weight of a query, mean, as d_k grows"),
              &ScalingFigures::largestWeight, roundAxis(0.0, 1.0, 5));
    ChartAxis spread;
    spread.low = 0.01;
    spread.high = 100.0;
    spread.logarithmic = true;
    for (const double value : {0.01, 0.1, 1.0, 10.0, 100.0})
        spread.ticks.push_back({value, QString::fromStdString(withTrueMinus(significantText(value, 3)))});
    addCurves(scalingMargin + half + scalingGap, half,
              QCoreApplication::translate("Scene", "Spread of a query's scores as d_k grows"),
              &ScalingFigures::rowSpread, spread);
    return m_draft.finished(scalingMargin);
}

void ScalingLabBuilder::addHeading()
{
    const double width = m_options.width - 2.0 * scalingMargin;
    m_draft.addText(
        {scalingMargin, m_y, width, 24.0},
        QCoreApplication::translate("Scene", "Why scores are divided by √d_k: d_k = %1").arg(m_options.dHead),
        SceneText::Style::Heading);
    const bool isNormal = m_options.sample.entries == ScalingOptions::Entries::Normal;
    const QString text =
        isNormal ? QCoreApplication::translate(
                       "Scene", "A sample, not a law: %1 random queries and %2 random keys, seed %3, entries "
                                "normal with mean 0 and variance 1. A dot product adds d_k such products, so "
                                "its spread grows as √d_k, and the softmax ends on one key.")
                 : QCoreApplication::translate(
                       "Scene", "A sample, not a law: %1 random queries and %2 random keys, seed %3, entries "
                                "even in 0 … 1, like small worked examples. All dot products grow with d_k, "
                                "but what they share cancels in the softmax.");
    m_y = m_draft.addParagraph(
              {scalingMargin, m_y + 28.0}, width,
              text.arg(m_options.sample.queries).arg(m_options.sample.keys).arg(m_options.sample.seed)) +
          12.0;
}

void ScalingLabBuilder::addKind(int column, ScoreKind kind)
{
    const QRectF card(scalingMargin + column * (m_column + scalingGap), m_y, m_column,
                      2.0 * histogramHeight + 236.0);
    m_draft.addBox(card);
    m_draft.addText({card.left() + 16.0, card.top() + 10.0, m_column - 32.0, 22.0}, kindSymbol(kind),
                    SceneText::Style::Title);
    addScoreHistogram(card, kind);
    addWeightHistogram(card, kind);
}

void ScalingLabBuilder::addScoreHistogram(const QRectF &card, ScoreKind kind)
{
    const std::vector<double> scores = m_sample->scores(m_options.dHead, kind);
    const auto [least, most] = std::minmax_element(scores.begin(), scores.end());
    const bool isNormal = m_options.sample.entries == ScalingOptions::Entries::Normal;
    const double reach = std::max(std::abs(*least), std::abs(*most));
    ChartAxis x = isNormal ? roundAxis(-reach, reach, 4) : roundAxis(*least, *most, 4);
    const Histogram histogram = histogramOf(scores, x.low, x.high, scoreBins);
    x.title = QCoreApplication::translate("Scene", "score");
    const Chart chart(m_draft.scene(),
                      {card.left() + 60.0, card.top() + 64.0, m_column - 84.0, histogramHeight}, x,
                      roundAxis(0.0, static_cast<double>(histogram.largestCount()), 3));
    chart.addFrame(QCoreApplication::translate("Scene", "%1 scores").arg(scores.size()));
    for (std::size_t bin = 0; bin < histogram.counts.size(); ++bin)
        chart.addBar(histogram.binLow(bin), histogram.binLow(bin + 1),
                     static_cast<double>(histogram.counts[bin]), ScenePaint::of(ScenePaint::Role::MutedText),
                     QCoreApplication::translate("Scene", "%1 of %2 scores, from %3 on")
                         .arg(histogram.counts[bin])
                         .arg(scores.size())
                         .arg(shown(histogram.binLow(bin), 2)));
    const ScalingFigures &figures = m_sample->figures(m_options.dHead, kind);
    const QString deviation =
        kind == ScoreKind::Dot && isNormal
            ? QCoreApplication::translate("Scene", "standard deviation %1; √%2 = %3")
                  .arg(shown(figures.deviation, 2))
                  .arg(m_options.dHead)
                  .arg(shown(std::sqrt(static_cast<double>(m_options.dHead)), 2))
            : QCoreApplication::translate("Scene", "standard deviation %1, mean %2")
                  .arg(shown(figures.deviation, 3),
                       QString::fromStdString(withTrueMinus(significantText(figures.mean, 2))));
    m_draft.addParagraph({card.left() + 16.0, card.top() + 100.0 + histogramHeight}, m_column - 32.0,
                         deviation, SceneText::Style::Label);
}

void ScalingLabBuilder::addWeightHistogram(const QRectF &card, ScoreKind kind)
{
    std::vector<double> powers = m_sample->weights(m_options.dHead, kind);
    for (double &weight : powers)
        weight = std::max(std::log10(weight), leastWeightPower); // also -inf, of a weight that underflows
    const Histogram histogram = histogramOf(powers, leastWeightPower, 0.0, weightBins);
    ChartAxis x;
    x.low = leastWeightPower;
    x.high = 0.0;
    x.ticks = {{-6.0, QStringLiteral("≤ 10⁻⁶")},
               {-4.0, QStringLiteral("10⁻⁴")},
               {-2.0, QStringLiteral("0.01")},
               {-1.0, QStringLiteral("0.1")},
               {0.0, QStringLiteral("1")}};
    x.title = QCoreApplication::translate("Scene", "weight in A, logarithmic");
    const double top = card.top() + 152.0 + histogramHeight;
    const Chart chart(m_draft.scene(), {card.left() + 60.0, top, m_column - 84.0, histogramHeight}, x,
                      roundAxis(0.0, static_cast<double>(histogram.largestCount()), 3));
    chart.addFrame(QCoreApplication::translate("Scene", "%1 weights").arg(powers.size()));
    for (std::size_t bin = 0; bin < histogram.counts.size(); ++bin)
        chart.addBar(histogram.binLow(bin), histogram.binLow(bin + 1),
                     static_cast<double>(histogram.counts[bin]), ScenePaint::of(ScenePaint::Role::Accent),
                     QCoreApplication::translate("Scene", "%1 of %2 weights")
                         .arg(histogram.counts[bin])
                         .arg(powers.size()));
    const ScalingFigures &figures = m_sample->figures(m_options.dHead, kind);
    m_draft.addParagraph({card.left() + 16.0, top + histogramHeight + 38.0}, m_column - 32.0,
                         QCoreApplication::translate("Scene", "largest weight %1 · %2 of %3 keys looked at")
                             .arg(shown(figures.largestWeight, 3), shown(figures.effectiveTokens, 1))
                             .arg(m_options.sample.keys),
                         SceneText::Style::Label);
}

ChartAxis ScalingLabBuilder::widthAxis() const
{
    ChartAxis axis;
    axis.low = static_cast<double>(ScalingSample::leastWidth);
    axis.high = static_cast<double>(ScalingSample::mostWidth);
    axis.logarithmic = true;
    for (std::size_t i = 0; i < m_sample->widths().size(); i += 2)
        axis.ticks.push_back(
            {static_cast<double>(m_sample->widths()[i]), QString::number(m_sample->widths()[i])});
    axis.title = QCoreApplication::translate("Scene", "d_k");
    return axis;
}

void ScalingLabBuilder::addCurves(double left, double width, const QString &title,
                                  double ScalingFigures::*figure, const ChartAxis &y)
{
    const QRectF card(left, m_y, width, histogramHeight + 116.0);
    m_draft.addBox(card);
    const Chart chart(m_draft.scene(), {left + 60.0, m_y + 48.0, width - 60.0 - 96.0, histogramHeight + 16.0},
                      widthAxis(), y);
    chart.addFrame(title);
    for (const ScoreKind kind : scoreKinds) {
        ChartSeries series = seriesOf(kind);
        for (const Index dHead : m_sample->widths())
            series.points.push_back({static_cast<double>(dHead), m_sample->figures(dHead, kind).*figure});
        chart.addSeries(series);
        chart.addDot({static_cast<double>(m_options.dHead), m_sample->figures(m_options.dHead, kind).*figure},
                     series.paint,
                     QCoreApplication::translate("Scene", "%1, d_k = %2: %3")
                         .arg(series.name)
                         .arg(m_options.dHead)
                         .arg(shown(m_sample->figures(m_options.dHead, kind).*figure, 3)));
    }
    chart.addMarker(static_cast<double>(m_options.dHead), QString());
}

} // namespace

Scene scalingLabScene(const SnapshotPtr &snapshot, const DisplayOptions &display,
                      const ScalingLabOptions &options)
{
    const MapFactory maps(snapshot, display);
    return ScalingLabBuilder(maps, options).build();
}

} // namespace attn
