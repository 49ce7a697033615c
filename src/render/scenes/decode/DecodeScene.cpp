#include "render/scenes/decode/DecodeScene.h"

#include "base/NumberText.h"
#include "engine/StageSlice.h"
#include "render/LabelText.h"
#include "render/scenes/CellSizes.h"
#include "render/scenes/Chart.h"
#include "render/scenes/StageTexts.h"
#include "render/scenes/decode/DecodeCachePicture.h"
#include "render/scenes/decode/DecodeReachCard.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>

namespace attn {

namespace {

constexpr double decodeMargin = 24.0;
constexpr double decodeGap = 24.0;
constexpr double modePicture = 160.0;
constexpr double modeHeight = modePicture + 136.0;

/// One way of doing the same step.
struct DecodeMode
{
    QString id;
    QString title;
    QString computed; ///< what is computed in this step
    std::int64_t cost = 0;
    StageValuesPtr weights; ///< [tokens so far, tokens so far]; null: no picture
    StageValuesPtr allowed; ///< of the same shape, or null
    Index firstComputed = 0;
    QStringList notes;
};

class DecodeBuilder
{
public:
    DecodeBuilder(const MapFactory &maps, const DecodeOptions &options, const DecodePicture &picture)
        : m_draft(maps)
        , m_options(options)
        , m_picture(picture)
    {
    }

    Scene build();

private:
    void addHeading();
    void addModes();
    void addMode(const DecodeMode &mode, const QRectF &card);
    std::vector<DecodeMode> modes() const;
    /// One head of a stage of the full pass, over the tokens so far.
    StageValuesPtr soFar(Stage stage) const;
    /// Its weights as far as they act while decoding; counts those set by hand that look at later tokens.
    StageValuesPtr actingWeights(Index &idle) const;
    QString rule() const;
    QString savingText() const;
    QString maskText() const;
    void addCharts();
    void addCostChart(const QRectF &card);
    void addBytesChart(const QRectF &card);
    double totalWidth() const { return m_options.width - 2.0 * decodeMargin; }
    const DecodePicture::Total *now() const
    {
        return m_picture.position > 0 ? &m_picture.totals[static_cast<std::size_t>(m_picture.position - 1)]
                                      : nullptr;
    }

    SceneDraft m_draft;
    const DecodeOptions &m_options;
    const DecodePicture &m_picture;
    double m_y = decodeMargin;
};

Scene DecodeBuilder::build()
{
    addHeading();
    m_y = DecodeCachePicture(m_draft, m_options, m_picture).addTo(decodeMargin, m_y) + decodeGap;
    if (m_picture.position > 0)
        addModes();
    addCharts();
    return m_draft.finished(decodeMargin);
}

QString DecodeBuilder::rule() const
{
    if (!m_picture.isGrowing)
        return QCoreApplication::translate("Scene",
                                           "the keys belong to another sequence: their rows are computed "
                                           "once, with the first step");
    const Experiment &experiment = m_draft.maps().experiment();
    return experiment.causal || !experiment.isSelfAttention()
               ? QCoreApplication::translate(
                     "Scene", "each new token looks back at the kept rows; only its own rows are computed")
               : QCoreApplication::translate(
                     "Scene", "each new token looks back at the kept rows: decoding is causal, though this "
                              "document has no causal mask");
}

void DecodeBuilder::addHeading()
{
    m_draft.addText({decodeMargin, m_y, totalWidth(), 24.0},
                    QCoreApplication::translate("Scene", "Decoding with a KV cache: step %1 of %2")
                        .arg(m_picture.position)
                        .arg(m_picture.stepCount),
                    SceneText::Style::Heading);
    const bool isSingle = m_draft.maps().experiment().nHeads == 1;
    m_draft.addText({decodeMargin, m_y + 26.0, totalWidth(), 18.0},
                    isSingle ? rule()
                             : headTitle(m_draft.maps().experiment(), m_options.head) +
                                   QStringLiteral(" · ") + rule(),
                    SceneText::Style::Muted);
    m_y += 50.0;
    for (const QString &text : {savingText(), maskText()})
        if (!text.isEmpty())
            m_y = m_draft.addParagraph({decodeMargin, m_y}, totalWidth(), text, SceneText::Style::Label);
    m_y += 4.0;
}

/// What the cache is for, in the numbers of this step.
QString DecodeBuilder::savingText() const
{
    const DecodePicture::Total *total = now();
    if (!total)
        return {};
    const DecodeStep &step = m_picture.step;
    const QString work =
        total->cached == total->uncached
            ? QCoreApplication::translate(
                  "Scene", "The first step costs %1 multiplications with the cache and without: "
                           "it saves from the second step on.")
                  .arg(countText(total->cached))
            : QCoreApplication::translate(
                  "Scene", "The cache saves multiplications: this step takes %1 instead of %2, all "
                           "steps so far %3 instead of %4.")
                  .arg(countText(step.cost.total()), countText(step.costWithoutCache.total()),
                       countText(total->cached), countText(total->uncached));
    const QString bytes =
        m_draft.maps().experiment().isGiven(Stage::X)
            ? QCoreApplication::translate(
                  "Scene", "For that it keeps %1 bytes of K and V; without it %2 bytes of X are kept.")
                  .arg(countText(total->cacheBytes), countText(total->inputBytes))
            : QCoreApplication::translate("Scene", "For that it keeps %1 bytes of K and V.")
                  .arg(countText(total->cacheBytes));
    return work + u' ' + bytes;
}

/// Why rows can be kept at all.
QString DecodeBuilder::maskText() const
{
    if (!m_picture.isGrowing)
        return QCoreApplication::translate(
            "Scene", "It can, because the keys and values are those of another sequence, "
                     "which does not grow while tokens are added.");
    return m_draft.maps().experiment().causal
               ? QCoreApplication::translate(
                     "Scene", "It can, because of the causal mask: a token looks at itself and at "
                              "those before it, never ahead, so nothing of an old row changes when "
                              "a token is added.")
               : QCoreApplication::translate(
                     "Scene", "It can, because decoding is causal: a token looks at itself and at "
                              "those before it, never ahead, so nothing of an old row changes when "
                              "a token is added.");
}

StageValuesPtr DecodeBuilder::soFar(Stage stage) const
{
    if (!m_picture.reference || !m_picture.reference->stage(stage).hasValues())
        return nullptr;
    const StageValuesPtr &values = m_picture.reference->stage(stage).values;
    const Index head = std::clamp<Index>(m_options.head, 0, values->heads() - 1);
    return sliceOf(values, head, 0, 0, std::min(m_picture.step.endRow(), values->rows()),
                   std::min(m_picture.step.keysAfter, values->cols()));
}

StageValuesPtr DecodeBuilder::actingWeights(Index &idle) const
{
    constexpr Index mostCopied = Index(1) << 20;
    const StageValuesPtr weights = soFar(Stage::A);
    const StageValuesPtr allowed = soFar(Stage::Allowed);
    const bool isSetByHand = m_draft.maps().state(Stage::A).pinnedCount > 0;
    if (!weights || !allowed || !isSetByHand || weights->shape().size() > mostCopied)
        return weights;
    const Index rows = weights->rows();
    const Index cols = weights->cols();
    std::vector<double> acting(static_cast<std::size_t>(rows * cols));
    std::vector<double> seen(acting.size());
    weights->readBlock(0, 0, 0, rows, cols, acting.data(), cols);
    allowed->readBlock(0, 0, 0, rows, cols, seen.data(), cols);
    for (std::size_t i = 0; i < acting.size(); ++i) {
        if (seen[i] != 0.0 || acting[i] == 0.0)
            continue;
        ++idle; // a pin stands over the mask, but there is no such key in the cache yet
        acting[i] = 0.0;
    }
    return idle > 0 ? valuesOf(Tensor::fromDoubles({1, rows, cols}, acting)) : weights;
}

std::vector<DecodeMode> DecodeBuilder::modes() const
{
    const DecodeStep &step = m_picture.step;
    Index idle = 0;
    const StageValuesPtr weights = actingWeights(idle);
    DecodeMode cached;
    cached.id = QStringLiteral("cached");
    cached.title = QCoreApplication::translate("Scene", "With the cache");
    cached.computed = QCoreApplication::translate("Scene", "rows computed: %1").arg(step.rowCount);
    cached.cost = step.cost.total();
    cached.weights = weights;
    cached.allowed = soFar(Stage::Allowed);
    if (idle == 1)
        cached.notes = {QCoreApplication::translate(
            "Scene", "One weight set by hand looks at a later token and cannot act: it counts as 0.")};
    else if (idle > 1)
        cached.notes = {QCoreApplication::translate(
            "Scene", "%n weights set by hand look at later tokens and cannot act: they count as 0.", nullptr,
            static_cast<int>(idle))};
    cached.firstComputed = step.firstRow;
    DecodeMode uncached = cached;
    uncached.id = QStringLiteral("uncached");
    uncached.title = QCoreApplication::translate("Scene", "Without a cache");
    uncached.computed = QCoreApplication::translate("Scene", "rows computed: %1").arg(step.endRow());
    uncached.cost = step.costWithoutCache.total();
    uncached.firstComputed = 0;
    uncached.notes = {
        QCoreApplication::translate("Scene", "the old rows come out as before: work for nothing")};
    if (!m_picture.isGrowing || !m_draft.maps().experiment().isSelfAttention())
        return {cached, uncached};
    DecodeMode open;
    open.id = QStringLiteral("open");
    open.title = QCoreApplication::translate("Scene", "Without the causal mask");
    open.computed = uncached.computed;
    open.weights = m_picture.bidirectional.weights;
    if (open.weights)
        open.notes = {QCoreApplication::translate("Scene", "%1 of %2 old rows change, by up to %3:")
                          .arg(m_picture.bidirectional.changedRows)
                          .arg(m_picture.bidirectional.oldRows)
                          .arg(QString::fromStdString(displayText(m_picture.bidirectional.largest, 4))),
                      QCoreApplication::translate("Scene", "nothing that follows from them could be kept")};
    return {cached, uncached, open};
}

void DecodeBuilder::addModes()
{
    const std::vector<DecodeMode> all = modes();
    const double width = std::max(240.0, (totalWidth() - 2.0 * decodeGap) / 3.0);
    double x = decodeMargin;
    for (const DecodeMode &mode : all) {
        if (x > decodeMargin && x + width > decodeMargin + totalWidth() + 1.0) {
            x = decodeMargin;
            m_y += modeHeight + decodeGap;
        }
        addMode(mode, {x, m_y, width, modeHeight});
        x += width + decodeGap;
    }
    m_y += modeHeight + decodeGap;
}

void DecodeBuilder::addMode(const DecodeMode &mode, const QRectF &card)
{
    m_draft.addBox(card);
    const double left = card.left() + 16.0;
    const double width = card.width() - 32.0;
    m_draft.addText({left, card.top() + 10.0, width, 20.0}, mode.title);
    double y = card.top() + 40.0 + modePicture;
    if (mode.weights && mode.weights->rows() > 0 && mode.weights->cols() > 0) {
        const double height = axisExtent(mode.weights->rows(), 36.0, modePicture, modePicture);
        const double across = axisExtent(mode.weights->cols(), 36.0, modePicture, modePicture);
        SceneMap map =
            m_draft.derived(QStringLiteral("decode:") + mode.id,
                            QCoreApplication::translate("Scene", "Weights, %1").arg(mode.title), mode.weights,
                            {left, card.top() + 36.0, across, height}, ColorMap::Kind::Sequential);
        map.range = {0.0, 1.0, false};
        map.allowed = mode.allowed;
        MapKey cells;
        cells.stage = Stage::A;
        cells.head = m_options.head;
        map.isPinned = pinTest(m_draft.maps().snapshotPtr(), cells);
        const Index lastRow = mode.weights->rows() - 1;
        const Index lastCol = mode.weights->cols() - 1;
        if (mode.firstComputed > 0)
            map.emphasis.push_back({0, mode.firstComputed - 1, 0, lastCol, MapEmphasis::Style::Veiled});
        map.emphasis.push_back({mode.firstComputed, lastRow, 0, lastCol, MapEmphasis::Style::Framed});
        m_draft.addMap(std::move(map));
    } else {
        m_draft.addParagraph({left, card.top() + 40.0}, width,
                             QCoreApplication::translate(
                                 "Scene",
                                 "This pass over all tokens so far is not repeated here: there are too "
                                 "many. Its cost is counted all the same."));
    }
    m_draft.addText({left, y, width, 18.0}, mode.computed);
    y += 20.0;
    if (mode.cost > 0) {
        m_draft.addText({left, y, width, 18.0},
                        QCoreApplication::translate("Scene", "%1 multiplications in this step")
                            .arg(countText(mode.cost)));
        y += 20.0;
    }
    for (const QString &note : mode.notes)
        y = m_draft.addParagraph({left, y}, width, note);
}

void DecodeBuilder::addCharts()
{
    const double width = std::max(300.0, (totalWidth() - 2.0 * decodeGap) / 3.0);
    const bool isStacked = 3.0 * width + 2.0 * decodeGap > totalWidth() + 1.0;
    constexpr double height = 260.0;
    const auto place = [&](int index) {
        return isStacked ? QRectF(decodeMargin, m_y + index * (height + decodeGap), totalWidth(), height)
                         : QRectF(decodeMargin + index * (width + decodeGap), m_y, width, height);
    };
    for (int index = 0; index < 3; ++index)
        m_draft.addBox(place(index));
    addCostChart(place(0));
    addBytesChart(place(1));
    DecodeReachCard(m_draft, m_options, m_picture).addTo(place(2));
}

void DecodeBuilder::addCostChart(const QRectF &card)
{
    const double steps = static_cast<double>(std::max<Index>(m_picture.stepCount, 1));
    const double most =
        m_picture.totals.empty() ? 1.0 : static_cast<double>(m_picture.totals.back().uncached);
    const Chart chart(
        m_draft.scene(), {card.left() + 60.0, card.top() + 44.0, card.width() - 156.0, card.height() - 130.0},
        roundAxis(0.0, steps, 4, QCoreApplication::translate("Scene", "steps")), roundAxis(0.0, most, 4));
    chart.addFrame(QCoreApplication::translate("Scene", "Multiplications so far"));
    ChartSeries cached{{{0.0, 0.0}},
                       ScenePaint::of(ScenePaint::Role::Accent),
                       false,
                       QCoreApplication::translate("Scene", "cache")};
    ChartSeries uncached{{{0.0, 0.0}},
                         ScenePaint::of(ScenePaint::Role::Text),
                         false,
                         QCoreApplication::translate("Scene", "no cache")};
    for (Index step = 0; step < m_picture.position; ++step) {
        const DecodePicture::Total &total = m_picture.totals[static_cast<std::size_t>(step)];
        cached.points.push_back({static_cast<double>(step + 1), static_cast<double>(total.cached)});
        uncached.points.push_back({static_cast<double>(step + 1), static_cast<double>(total.uncached)});
    }
    chart.addSeries(uncached);
    chart.addSeries(cached);
    if (const DecodePicture::Total *total = now())
        m_draft.addParagraph(
            {card.left() + 16.0, card.bottom() - 44.0}, card.width() - 32.0,
            QCoreApplication::translate("Scene", "%1 with the cache, %2 without: %3 times as many")
                .arg(countText(total->cached), countText(total->uncached),
                     QString::fromStdString(
                         displayText(static_cast<double>(total->uncached) /
                                         static_cast<double>(std::max<std::int64_t>(total->cached, 1)),
                                     2))),
            SceneText::Style::Label);
}

void DecodeBuilder::addBytesChart(const QRectF &card)
{
    const double steps = static_cast<double>(std::max<Index>(m_picture.stepCount, 1));
    double most = 1.0;
    if (!m_picture.totals.empty())
        most = static_cast<double>(
            std::max(m_picture.totals.back().cacheBytes, m_picture.totals.back().inputBytes));
    const Chart chart(
        m_draft.scene(), {card.left() + 60.0, card.top() + 44.0, card.width() - 156.0, card.height() - 130.0},
        roundAxis(0.0, steps, 4, QCoreApplication::translate("Scene", "steps")), roundAxis(0.0, most, 4));
    chart.addFrame(QCoreApplication::translate("Scene", "Bytes kept between steps"));
    ChartSeries cached{{{0.0, 0.0}},
                       ScenePaint::of(ScenePaint::Role::Accent),
                       false,
                       QCoreApplication::translate("Scene", "K and V")};
    ChartSeries uncached{{{0.0, 0.0}},
                         ScenePaint::of(ScenePaint::Role::Text),
                         false,
                         QCoreApplication::translate("Scene", "X only")};
    for (Index step = 0; step < m_picture.position; ++step) {
        const DecodePicture::Total &total = m_picture.totals[static_cast<std::size_t>(step)];
        cached.points.push_back({static_cast<double>(step + 1), static_cast<double>(total.cacheBytes)});
        uncached.points.push_back({static_cast<double>(step + 1), static_cast<double>(total.inputBytes)});
    }
    const bool hasInput = m_draft.maps().experiment().isGiven(Stage::X);
    if (hasInput)
        chart.addSeries(uncached);
    chart.addSeries(cached);
    if (const DecodePicture::Total *total = now())
        m_draft.addParagraph({card.left() + 16.0, card.bottom() - 44.0}, card.width() - 32.0,
                             (hasInput
                                  ? QCoreApplication::translate(
                                        "Scene", "%1 bytes of K and V in the cache; without it %2 bytes of X")
                                        .arg(countText(total->cacheBytes), countText(total->inputBytes))
                                  : QCoreApplication::translate("Scene", "%1 bytes of K and V in the cache")
                                        .arg(countText(total->cacheBytes))),
                             SceneText::Style::Label);
}

/// The reason in place of the picture.
Scene nothingToDecode(const MapFactory &maps, const QString &reason)
{
    SceneDraft draft(maps);
    draft.addText({decodeMargin, decodeMargin, 480.0, 24.0},
                  QCoreApplication::translate("Scene", "Nothing to decode here"), SceneText::Style::Heading);
    draft.addParagraph({decodeMargin, decodeMargin + 36.0}, 560.0, reason);
    return draft.finished(decodeMargin);
}

} // namespace

Scene decodeScene(const SnapshotPtr &snapshot, const DisplayOptions &display, const DecodeOptions &options)
{
    const MapFactory maps(snapshot, display);
    std::shared_ptr<const DecodePicture> picture = options.picture;
    if (!picture) {
        DecodeSession session;
        picture = std::make_shared<const DecodePicture>(
            session.at(snapshot, options.schedule, options.position, options.head));
    }
    if (!picture->unavailable.empty())
        return nothingToDecode(maps, QString::fromStdString(picture->unavailable));
    for (const auto &[stage, rotated] :
         {std::pair(Stage::Q, Stage::Qr), std::pair(Stage::K, Stage::Kr), std::pair(Stage::V, Stage::V)})
        if (!snapshot->stage(stage).hasValues() && !snapshot->stage(rotated).hasValues())
            return nothingToDecode(maps, QString::fromStdString(snapshot->stage(stage).reason));
    return DecodeBuilder(maps, options, *picture).build();
}

} // namespace attn
