#include "render/scenes/lab/OrthogonalityLabScene.h"

#include "base/NumberText.h"
#include "engine/lab/AngleStatistics.h"
#include "engine/lab/PackingBounds.h"
#include "engine/lab/ScalingSample.h"
#include "render/scenes/Chart.h"
#include "render/scenes/SceneDraft.h"
#include "render/scenes/StageTexts.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace attn {

namespace {

constexpr double orthogonalityMargin = 24.0;
constexpr double orthogonalityGap = 24.0;
constexpr double angleChartHeight = 190.0;
constexpr double topCardHeight = angleChartHeight + 212.0;
constexpr double lowCardHeight = 318.0;

QString angleText(double degrees)
{
    return QString::fromStdString(significantText(degrees, 4)) + QStringLiteral("°");
}

QString fixedText(double value, int decimals)
{
    return QString::fromStdString(withTrueMinus(displayText(value, decimals)));
}

QString superscript(int number)
{
    static const QString digits = QStringLiteral("⁰¹²³⁴⁵⁶⁷⁸⁹");
    QString text;
    for (const QChar digit : QString::number(number))
        text.append(digits.at(digit.digitValue()));
    return text;
}

class OrthogonalityLabBuilder
{
public:
    OrthogonalityLabBuilder(const MapFactory &maps, const OrthogonalityLabOptions &options)
        : m_draft(maps)
        , m_options(options)
        , m_sample(options.drawn && options.drawn->options() == options.sample
                       ? options.drawn
                       : std::make_shared<const DirectionSample>(options.sample))
        , m_n(options.sample.dimension)
        , m_degrees(options.sample.degrees)
        , m_half((options.width - 2.0 * orthogonalityMargin - orthogonalityGap) / 2.0)
    {
    }

    Scene build();

private:
    void addHeading();
    void addAngles(const QRectF &card);
    void addAngleBars(const Chart &chart, const Histogram &histogram, double binWidth);
    void addCounts(const QRectF &card);
    void addGrowth(const QRectF &card);
    void addInterference(const QRectF &card);
    void addSizes();
    /// One line of a table: what it is, and its number at the right.
    void addLine(const QRectF &card, double &y, const QString &what, const QString &number,
                 const QString &note = {});
    void addCardTitle(const QRectF &card, const QString &title);

    SceneDraft m_draft;
    OrthogonalityLabOptions m_options;
    std::shared_ptr<const DirectionSample> m_sample;
    Index m_n;
    double m_degrees;
    double m_half;
    double m_y = orthogonalityMargin;
};

Scene OrthogonalityLabBuilder::build()
{
    addHeading();
    const double right = orthogonalityMargin + m_half + orthogonalityGap;
    addAngles({orthogonalityMargin, m_y, m_half, topCardHeight});
    addCounts({right, m_y, m_half, topCardHeight});
    m_y += topCardHeight + orthogonalityGap;
    addGrowth({orthogonalityMargin, m_y, m_half, lowCardHeight});
    addInterference({right, m_y, m_half, lowCardHeight});
    m_y += lowCardHeight + orthogonalityGap;
    addSizes();
    return m_draft.finished(orthogonalityMargin);
}

void OrthogonalityLabBuilder::addHeading()
{
    const double width = m_options.width - 2.0 * orthogonalityMargin;
    m_draft.addText(
        {orthogonalityMargin, m_y, width, 24.0},
        QCoreApplication::translate("Scene", "Nearly orthogonal directions in %1 dimensions").arg(m_n),
        SceneText::Style::Heading);
    m_y =
        m_draft.addParagraph(
            {orthogonalityMargin, m_y + 28.0}, width,
            QCoreApplication::translate(
                "Scene", "n directions can be exactly orthogonal. If a little less than a right angle is "
                         "enough, more of them fit – how many more depends on the tolerance as much as on n. "
                         "Here angles from %1 to %2 count as nearly orthogonal.")
                .arg(angleText(m_degrees), angleText(180.0 - m_degrees))) +
        12.0;
}

void OrthogonalityLabBuilder::addCardTitle(const QRectF &card, const QString &title)
{
    m_draft.addBox(card);
    m_draft.addText({card.left() + 16.0, card.top() + 10.0, card.width() - 32.0, 22.0}, title);
}

void OrthogonalityLabBuilder::addLine(const QRectF &card, double &y, const QString &what,
                                      const QString &number, const QString &note)
{
    const double left = card.left() + 16.0;
    const double width = card.width() - 32.0;
    m_draft.addText({left, y, width - 120.0, 20.0}, what);
    m_draft.addText({left + width - 120.0, y, 120.0, 20.0}, number, SceneText::Style::Label,
                    Qt::AlignRight | Qt::AlignVCenter);
    y += 20.0;
    if (!note.isEmpty())
        y = m_draft.addParagraph({left, y}, width, note);
    y += 8.0;
}

void OrthogonalityLabBuilder::addAngles(const QRectF &card)
{
    addCardTitle(card,
                 QCoreApplication::translate("Scene", "Angles of random directions, measured and exact"));
    const double deviation = angleDeviation(m_n);
    const double reach = std::min(90.0, std::max(4.5 * deviation, 1.6 * (90.0 - m_degrees)));
    ChartAxis x =
        roundAxis(90.0 - reach, 90.0 + reach, 6, QCoreApplication::translate("Scene", "angle in degrees"));
    x.low = std::max(x.low, 0.0);
    x.high = std::min(x.high, 180.0);
    std::erase_if(x.ticks, [&](const ChartAxis::Tick &tick) {
        return tick.value < x.low - 1e-9 || tick.value > x.high + 1e-9;
    });
    const Index bins = 48;
    const double binWidth = (x.high - x.low) / static_cast<double>(bins);
    const Histogram histogram = histogramOf(m_sample->angles(), x.low, x.high, bins);
    const double pairs = std::max(1.0, static_cast<double>(m_sample->angles().size()));
    double most = static_cast<double>(histogram.largestCount()) / pairs / binWidth;
    for (int i = 0; i <= 200; ++i)
        most = std::max(most, angleDensityPerDegree(m_n, x.low + (x.high - x.low) * i / 200.0));
    const Chart chart(m_draft.scene(),
                      {card.left() + 60.0, card.top() + 66.0, card.width() - 96.0, angleChartHeight}, x,
                      roundAxis(0.0, most, 3));
    chart.addFrame(QCoreApplication::translate("Scene", "share of the pairs per degree"));
    addAngleBars(chart, histogram, binWidth);
    ChartSeries exact;
    exact.paint = ScenePaint::of(ScenePaint::Role::Accent);
    for (int i = 0; i <= 240; ++i) {
        const double degrees = x.low + (x.high - x.low) * i / 240.0;
        exact.points.push_back({degrees, angleDensityPerDegree(m_n, degrees)});
    }
    chart.addSeries(exact);
    chart.addMarker(m_degrees, angleText(m_degrees));
    chart.addMarker(180.0 - m_degrees, angleText(180.0 - m_degrees));
    double y = chart.at(x.low, 0.0).y() + 40.0;
    const double left = card.left() + 16.0;
    const double width = card.width() - 32.0;
    const double near = static_cast<double>(m_sample->nearlyOrthogonal()) / pairs;
    m_draft.addText({left, y, width, 18.0},
                    QCoreApplication::translate("Scene", "nearly orthogonal: %1 of %2 pairs")
                        .arg(countText(m_sample->nearlyOrthogonal()),
                             countText(static_cast<Index>(m_sample->angles().size()))));
    m_draft.addText({left, y + 18.0, width, 18.0},
                    QCoreApplication::translate("Scene", "their share: %1 measured, %2 exactly")
                        .arg(percentText(near), percentText(probabilityNearlyOrthogonal(m_n, m_degrees))));
    y += 18.0;
    m_draft.addText({left, y + 18.0, width, 18.0},
                    QCoreApplication::translate("Scene", "mean: %1 measured, %2 exactly")
                        .arg(fixedText(m_sample->meanAngle(), 2) + u'°', angleText(meanAngleDegrees)));
    m_draft.addText({left, y + 36.0, width, 18.0},
                    QCoreApplication::translate("Scene", "spread about 90°: %1° measured, %2° exactly")
                        .arg(fixedText(m_sample->angleDeviation(), 2), fixedText(deviation, 2)));
    m_draft.addText({left, y + 54.0, width, 18.0},
                    QCoreApplication::translate("Scene", "bars: %1 directions, seed %2 · line: c sin^{%3} θ")
                        .arg(m_options.sample.directions)
                        .arg(m_options.sample.seed)
                        .arg(m_n - 2),
                    SceneText::Style::Formula);
}

void OrthogonalityLabBuilder::addAngleBars(const Chart &chart, const Histogram &histogram, double binWidth)
{
    const double pairs = std::max(1.0, static_cast<double>(m_sample->angles().size()));
    for (std::size_t bin = 0; bin < histogram.counts.size(); ++bin) {
        const double from = histogram.binLow(bin);
        const double to = histogram.binLow(bin + 1);
        const bool isNear = from >= m_degrees - 1e-9 && to <= 180.0 - m_degrees + 1e-9;
        chart.addBar(from, to, static_cast<double>(histogram.counts[bin]) / pairs / binWidth,
                     ScenePaint::of(isNear ? ScenePaint::Role::Accent : ScenePaint::Role::MutedText,
                                    isNear ? 0.55 : 0.45),
                     QCoreApplication::translate("Scene", "%1 of %2 pairs, from %3° to %4°")
                         .arg(histogram.counts[bin])
                         .arg(m_sample->angles().size())
                         .arg(fixedText(from, 1), fixedText(to, 1)));
    }
}

void OrthogonalityLabBuilder::addCounts(const QRectF &card)
{
    addCardTitle(card, QCoreApplication::translate("Scene", "How many directions fit"));
    double y = card.top() + 40.0;
    const auto measured = [this](const Packing &packing) {
        return QCoreApplication::translate("Scene", "measured: %2 directions tried, seed %1")
            .arg(m_options.sample.seed)
            .arg(packing.tries);
    };
    const auto proven = [](const PackingBound &bound) {
        return QCoreApplication::translate("Scene", "proven: linear programming bound of degree %1")
            .arg(bound.degree);
    };
    addLine(card, y, QCoreApplication::translate("Scene", "exactly orthogonal, at most and always"),
            QString::number(m_n));
    const double indent = y;
    m_draft.addText({card.left() + 16.0, indent, card.width() - 32.0, 18.0},
                    QCoreApplication::translate("Scene", "All angles from %1 to %2")
                        .arg(angleText(m_degrees), angleText(180.0 - m_degrees)),
                    SceneText::Style::Badge);
    y += 24.0;
    addLine(card, y, measured(m_sample->twoSided()), largeCountText(double(m_sample->twoSided().kept)));
    const std::optional<double> welch = welchBound(m_n, m_degrees);
    addLine(card, y, QCoreApplication::translate("Scene", "proven: Welch bound"),
            welch ? QCoreApplication::translate("Scene", "at most %1").arg(largeCountText(std::floor(*welch)))
                  : QCoreApplication::translate("Scene", "says nothing"));
    const PackingBound two = twoSidedBound(m_n, m_degrees);
    addLine(
        card, y, proven(two),
        QCoreApplication::translate("Scene", "at most %1").arg(largeCountText(std::floor(two.directions))));
    m_draft.addText({card.left() + 16.0, y, card.width() - 32.0, 18.0},
                    QCoreApplication::translate("Scene", "All angles at least %1, obtuse ones free")
                        .arg(angleText(m_degrees)),
                    SceneText::Style::Badge);
    y += 24.0;
    addLine(card, y, measured(m_sample->oneSided()), largeCountText(double(m_sample->oneSided().kept)));
    const PackingBound one = oneSidedBound(m_n, m_degrees);
    addLine(
        card, y, proven(one),
        QCoreApplication::translate("Scene", "at most %1").arg(largeCountText(std::floor(one.directions))));
    m_draft.addParagraph({card.left() + 16.0, y}, card.width() - 32.0,
                         QCoreApplication::translate(
                             "Scene", "Measured: a random direction is kept if it fits all that were "
                                      "kept before. By chance this finds few; a bound says only what "
                                      "cannot be. The truth lies between the n orthogonal ones and the "
                                      "bound."));
}

void OrthogonalityLabBuilder::addGrowth(const QRectF &card)
{
    addCardTitle(card, QCoreApplication::translate("Scene", "The bounds as n grows, for this tolerance"));
    ChartAxis x;
    x.low = 2.0;
    x.high = 4096.0;
    x.logarithmic = true;
    for (const int n : {2, 8, 32, 100, 512, 4096})
        x.ticks.push_back({double(n), QString::number(n)});
    x.title = QCoreApplication::translate("Scene", "dimensions n");
    ChartAxis y;
    y.low = 1.0;
    y.high = 1e9;
    y.logarithmic = true;
    for (const int power : {0, 3, 6, 9})
        y.ticks.push_back({std::pow(10.0, power),
                           power == 0 ? QStringLiteral("1") : QStringLiteral("10") + superscript(power)});
    const Chart chart(
        m_draft.scene(),
        {card.left() + 60.0, card.top() + 66.0, card.width() - 60.0 - 112.0, lowCardHeight - 120.0}, x, y);
    chart.addFrame(QCoreApplication::translate("Scene", "directions, logarithmic"));
    ChartSeries one, two, orthogonal;
    one.name = QCoreApplication::translate("Scene", "one-sided");
    two.name = QCoreApplication::translate("Scene", "two-sided");
    orthogonal.name = QCoreApplication::translate("Scene", "orthogonal");
    orthogonal.dashed = true;
    two.paint = ScenePaint::of(ScenePaint::Role::Text);
    orthogonal.paint = ScenePaint::of(ScenePaint::Role::MutedText);
    for (double power = 1.0; power <= 12.01; power += 0.125) {
        const auto n = static_cast<Index>(std::lround(std::pow(2.0, power)));
        const auto add = [&](ChartSeries &series, double count) {
            if (count <= y.high)
                series.points.push_back({double(n), count});
        };
        add(one, oneSidedBound(n, m_degrees).directions);
        add(two, twoSidedBound(n, m_degrees).directions);
        add(orthogonal, double(n));
    }
    for (const ChartSeries &series : {one, two, orthogonal})
        chart.addSeries(series);
    chart.addMarker(double(m_n), QString());
    if (m_sample->twoSided().kept > 0)
        chart.addDot(
            {double(m_n), double(m_sample->twoSided().kept)}, ScenePaint::of(ScenePaint::Role::Pin),
            QCoreApplication::translate("Scene", "measured, two-sided: %1").arg(m_sample->twoSided().kept));
}

void OrthogonalityLabBuilder::addInterference(const QRectF &card)
{
    addCardTitle(card, QCoreApplication::translate("Scene", "Superposition: reading one of several back"));
    const double left = card.left() + 16.0;
    const double width = card.width() - 32.0;
    double y = m_draft.addParagraph({left, card.top() + 36.0}, width,
                                    QCoreApplication::translate(
                                        "Scene", "Unit directions are added into one vector; the dot "
                                                 "product with one of them gives 1 and the noise of the "
                                                 "others: √((k − 1)/n).")) +
               6.0;
    m_draft.addText({left, y, width, 18.0},
                    QCoreApplication::translate("Scene", "dot products of pairs: RMS %1 measured, 1/√n = %2")
                        .arg(fixedText(m_sample->dotDeviation(), 4), fixedText(dotDeviation(m_n), 4)));
    y += 18.0;
    m_draft.addText({left, y, width, 18.0},
                    QCoreApplication::translate("Scene", "their mean: %1 measured, %2 exactly")
                        .arg(fixedText(m_sample->meanDot(), 4), fixedText(meanDotProduct, 0)));
    y += 26.0;
    const double column = width / 4.0;
    const auto addRow = [&](const QStringList &cells, SceneText::Style style) {
        for (int i = 0; i < cells.size(); ++i)
            m_draft.addText({left + i * column, y, column - 8.0, 18.0}, cells[i], style,
                            Qt::AlignRight | Qt::AlignVCenter);
        y += 19.0;
    };
    addRow({QCoreApplication::translate("Scene", "k in the sum"),
            QCoreApplication::translate("Scene", "noise measured"),
            QCoreApplication::translate("Scene", "noise expected"),
            QCoreApplication::translate("Scene", "readings")},
           SceneText::Style::Muted);
    for (const Interference &reading : m_sample->interference())
        addRow({QString::number(reading.active), fixedText(reading.measured, 3),
                fixedText(reading.expected, 3), QString::number(reading.readings)},
               SceneText::Style::Label);
}

void OrthogonalityLabBuilder::addSizes()
{
    const QRectF card(orthogonalityMargin, m_y, m_options.width - 2.0 * orthogonalityMargin, 116.0);
    const double numbers = m_options.vocabulary * static_cast<double>(m_n);
    addCardTitle(card,
                 QCoreApplication::translate("Scene", "The size of an embedding: %1 tokens × %2 dimensions")
                     .arg(largeCountText(m_options.vocabulary))
                     .arg(m_n));
    const double left = card.left() + 16.0;
    const double width = card.width() - 32.0;
    const auto megabytes = [&](double bytes) {
        return fixedText(numbers * bytes / 1e6, 1);
    };
    m_draft.addText(
        {left, card.top() + 38.0, width, 18.0},
        QCoreApplication::translate("Scene", "%1 numbers: %2 MB as float16, %3 MB as float32, %4 MB as "
                                             "float64")
            .arg(countText(static_cast<Index>(numbers)), megabytes(2.0), megabytes(4.0), megabytes(8.0)));
    const ExpectedPairs pairs = expectedPairs(m_n, m_options.vocabulary, m_degrees);
    m_draft.addParagraph({left, card.top() + 60.0}, width,
                         QCoreApplication::translate(
                             "Scene", "If the tokens had random directions: of %1 pairs about %2 would be "
                                      "nearly orthogonal (%3) and about %4 would not. A trained embedding is "
                                      "not random: related tokens are meant to share directions.")
                             .arg(countText(static_cast<Index>(pairs.pairs)),
                                  largeCountText(std::round(pairs.nearlyOrthogonal)),
                                  percentText(pairs.nearlyOrthogonal / pairs.pairs),
                                  largeCountText(std::round(pairs.failing))));
}

} // namespace

QString largeCountText(double count)
{
    if (!std::isfinite(count))
        return QCoreApplication::translate("Scene", "more than 10³⁰⁰");
    if (count < 1e7)
        return countText(static_cast<Index>(count));
    int power = static_cast<int>(std::floor(std::log10(count)));
    double factor = count / std::pow(10.0, power);
    if (factor >= 9.95) {
        factor /= 10.0;
        ++power;
    }
    return QStringLiteral("%1 × 10%2").arg(fixedText(factor, 1), superscript(power));
}

Scene orthogonalityLabScene(const SnapshotPtr &snapshot, const DisplayOptions &display,
                            const OrthogonalityLabOptions &options)
{
    const MapFactory maps(snapshot, display);
    return OrthogonalityLabBuilder(maps, options).build();
}

} // namespace attn
