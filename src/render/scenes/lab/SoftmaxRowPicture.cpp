#include "render/scenes/lab/SoftmaxRowPicture.h"

#include "base/NumberText.h"
#include "engine/ScoreSpread.h"
#include "engine/StageNumbers.h"
#include "render/LabelText.h"
#include "render/scenes/StageCard.h"
#include "render/scenes/StageTexts.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace attn {

namespace {

constexpr double symbolRoom = 150.0;
constexpr double noteRoom = 300.0;
constexpr double softmaxRowHeight = 32.0;
constexpr double rowStep = 46.0;
constexpr Index mostWrittenTerms = 6;
constexpr Index keysListed = 8;

/// "(−1.5)" after another sign.
QString bracketed(const QString &number)
{
    return number.startsWith(QChar(0x2212)) ? QString(u'(' + number + u')') : number;
}

} // namespace

std::optional<Stage> softmaxInput(const Snapshot &snapshot)
{
    const StageState &masked = snapshot.stage(Stage::Masked);
    return masked.hasValues() && masked.reason.empty() ? std::optional(Stage::Masked) : std::nullopt;
}

SoftmaxRowPicture::SoftmaxRowPicture(SceneDraft &draft, const SoftmaxLabOptions &options)
    : m_draft(draft)
    , m_options(options)
    , m_input(rowNumbers(*draft.maps().snapshot().stage(Stage::Masked).values, options.head, options.row))
    , m_steps(
          softmaxSteps(m_input, {.sharpness = options.sharpness, .subtractLargest = options.subtractLargest}))
    , m_decimals(std::max(3, draft.maps().display().decimals))
{
    m_key = options.key >= 0 && options.key < keys() ? options.key : std::max<Index>(m_steps.largestAt, 0);
}

QRectF SoftmaxRowPicture::cells() const
{
    return {m_left + symbolRoom, m_y, m_cellsWidth, softmaxRowHeight};
}

QString SoftmaxRowPicture::keyName(Index key) const
{
    return visibleLabel(QString::fromStdString(m_draft.maps().experiment().keyTokens().at(key)));
}

bool SoftmaxRowPicture::isSeen(std::size_t key) const
{
    return m_steps.scores[key] != -std::numeric_limits<double>::infinity();
}

QString SoftmaxRowPicture::number(double value) const
{
    return QString::fromStdString(withTrueMinus(displayText(value, m_decimals)));
}

double SoftmaxRowPicture::addTo(double left, double top)
{
    m_left = left;
    const double room = std::max(200.0, m_options.width - left - symbolRoom - noteRoom - 24.0);
    m_cellsWidth = std::min(room, axisExtent(keys(), 72.0, room, room));
    const double labels = columnLabelHeight(m_draft.maps(), Stage::Masked,
                                            m_cellsWidth / static_cast<double>(std::max<Index>(keys(), 1)));
    m_y = top + labels;
    addInputRows();
    addStepRows();
    addResultRow();
    addWorkedWeight();
    if (keys() > 24 && !m_steps.isFullyMasked)
        addLargestKeys();
    return m_y;
}

void SoftmaxRowPicture::addRow(SceneMap map, const Row &row)
{
    const QRectF place = map.rect;
    if (m_draft.scene().maps.empty()) {
        map.colLabels = m_draft.maps().colLabels(Stage::Masked);
        map.colLabelHeight = columnLabelHeight(
            m_draft.maps(), Stage::Masked, place.width() / static_cast<double>(std::max<Index>(keys(), 1)));
    } else {
        map.colLabels.clear();
    }
    map.rowLabels.clear();
    map.decimals = m_decimals;
    m_draft.addText({m_left, place.top() - 2.0, symbolRoom - 8.0, 20.0}, row.symbol, SceneText::Style::Title);
    m_draft.addText({m_left, place.top() + 18.0, symbolRoom - 8.0, 16.0}, row.caption,
                    SceneText::Style::Muted);
    const QStringList lines = wrappedLines(row.note, m_draft.maps().theme().textFont, noteRoom - 12.0);
    double y = place.center().y() - 8.5 * static_cast<double>(lines.size());
    for (const QString &line : lines) {
        m_draft.addText({place.right() + 12.0, y, noteRoom - 12.0, 17.0}, line, row.noteStyle);
        y += 17.0;
    }
    m_draft.addMap(std::move(map));
    m_y += rowStep;
}

void SoftmaxRowPicture::addStageRow(Stage stage, const Row &row)
{
    addRow(m_draft.stageBlock(stage, m_options.head, m_options.row, 1, 0, keys(), cells()), row);
}

void SoftmaxRowPicture::addStepRow(int step, const QString &id, const std::vector<double> &numbers,
                                   ColorMap::Kind kind, const Row &row)
{
    if (m_options.step < step) {
        m_y += rowStep;
        return;
    }
    const StageValuesPtr values = valuesOf(Tensor::fromDoubles({1, 1, keys()}, numbers));
    SceneMap map = m_draft.derived(id, QCoreApplication::translate("Scene", "Softmax, %1").arg(row.caption),
                                   values, cells(), kind);
    // From 0, so that a nearly even row looks even.
    if (kind == ColorMap::Kind::Sequential && !map.range.isEmpty)
        map.range = {0.0, std::max(1.0, map.range.maximum), false};
    if (hiddenCount() > 0) {
        std::vector<double> seen;
        for (std::size_t key = 0; key < m_steps.scores.size(); ++key)
            seen.push_back(isSeen(key) ? 1.0 : 0.0);
        map.allowed = valuesOf(Tensor::fromDoubles({1, 1, keys()}, seen));
    }
    addRow(std::move(map), row);
}

void SoftmaxRowPicture::addInputRows()
{
    const Snapshot &snapshot = m_draft.maps().snapshot();
    const StageState &scores = snapshot.stage(Stage::Scores);
    const StageState &scaled = snapshot.stage(Stage::Scaled);
    const auto caption = [](const StageState &state) {
        return stateText(state);
    };
    if (scores.hasValues())
        addStageRow(Stage::Scores, {QStringLiteral("q·k"), caption(scores),
                                    QCoreApplication::translate("Scene", "the row of QKᵀ")});
    if (scaled.hasValues()) {
        const Sizes &sizes = snapshot.sizes();
        const bool isDefault = !snapshot.experiment().scale.has_value() && sizes.dHeadK > 0;
        const QString divisor = number(std::sqrt(static_cast<double>(sizes.dHeadK)));
        addStageRow(
            Stage::Scaled,
            {scaledSymbol(snapshot), caption(scaled),
             isDefault
                 ? QCoreApplication::translate("Scene", "divided by √%1 = %2").arg(sizes.dHeadK).arg(divisor)
             : sizes.scale == 1.0 ? QCoreApplication::translate("Scene", "not scaled")
                                  : QCoreApplication::translate("Scene", "multiplied by the scale %1")
                                        .arg(number(sizes.scale))});
    }
    if (hasMask(snapshot) || !scaled.hasValues())
        addStageRow(Stage::Masked,
                    {stageSymbol(Stage::Masked), caption(snapshot.stage(Stage::Masked)),
                     QCoreApplication::translate("Scene", "hidden keys are −∞, so that their weight is 0")});
    if (m_options.sharpness != 1.0)
        addStepRow(0, QStringLiteral("softmax:sharpened"), m_steps.scores, ColorMap::Kind::Diverging,
                   {QStringLiteral("β s"), QCoreApplication::translate("Scene", "sharpened"),
                    QCoreApplication::translate("Scene", "every score times β = %1")
                        .arg(number(m_options.sharpness))});
    if (m_options.step >= 1 && m_steps.largestAt >= 0) {
        MapEmphasis largest;
        largest.firstCol = largest.lastCol = m_steps.largestAt;
        m_draft.scene().maps.back().emphasis.push_back(largest);
    }
}

void SoftmaxRowPicture::addStepRows()
{
    if (m_steps.isFullyMasked) {
        m_draft.addText({m_left, m_y, symbolRoom + m_cellsWidth + noteRoom, 20.0},
                        QCoreApplication::translate(
                            "Scene", "Every key is hidden: the row has no weights, and adds nothing."),
                        SceneText::Style::Warning);
        m_y += rowStep;
        return;
    }
    const QString largest = number(m_steps.scores[static_cast<std::size_t>(m_steps.largestAt)]);
    addStepRow(
        m_options.subtractLargest ? 2 : 1, QStringLiteral("softmax:shifted"), m_steps.shifted,
        ColorMap::Kind::Diverging,
        {m_options.subtractLargest ? QStringLiteral("s − m") : QStringLiteral("s"),
         m_options.subtractLargest ? QCoreApplication::translate("Scene", "less the largest")
                                   : QCoreApplication::translate("Scene", "nothing subtracted"),
         m_options.subtractLargest
             ? QCoreApplication::translate("Scene",
                                           "m = %1, the largest, at “%2”; it cancels in the division")
                   .arg(largest, keyName(m_steps.largestAt))
             : QCoreApplication::translate("Scene", "as textbooks write it; scores beyond 709 overflow")});
    addStepRow(3, QStringLiteral("softmax:exp"), m_steps.exponentials, ColorMap::Kind::Sequential,
               {m_options.subtractLargest ? QStringLiteral("e^{s−m}") : QStringLiteral("e^{s}"),
                QCoreApplication::translate("Scene", "exponential"),
                m_options.step >= 4 ? sumText() : QString(), SceneText::Style::Label});
    SceneText::Style style = SceneText::Style::Muted;
    const QString note = resultNote(style);
    addStepRow(5, QStringLiteral("softmax:weights"), m_steps.weights, ColorMap::Kind::Sequential,
               {m_options.subtractLargest ? QStringLiteral("e^{s−m}/Σ") : QStringLiteral("e^{s}/Σ"),
                QCoreApplication::translate("Scene", "divided by the sum"), note, style});
}

QString SoftmaxRowPicture::sumText() const
{
    const QString hidden = hiddenCount() > 0
                               ? QCoreApplication::translate("Scene", "; hidden keys: %1").arg(hiddenCount())
                               : QString();
    if (m_steps.seenCount > mostWrittenTerms)
        return QCoreApplication::translate("Scene", "Σ = %1, over %2 keys")
                   .arg(number(m_steps.sum))
                   .arg(m_steps.seenCount) +
               hidden;
    QStringList terms;
    for (std::size_t j = 0; j < m_steps.scores.size(); ++j)
        if (isSeen(j))
            terms.append(number(m_steps.exponentials[j]));
    if (terms.size() == 1)
        return QCoreApplication::translate("Scene", "Σ = %1").arg(number(m_steps.sum)) + hidden;
    return QCoreApplication::translate("Scene", "Σ = %1 = %2")
               .arg(terms.join(QStringLiteral(" + ")), number(m_steps.sum)) +
           hidden;
}

QString SoftmaxRowPicture::resultNote(SceneText::Style &style) const
{
    const double entropy = entropyOf(m_steps.weights);
    const Index visible = m_steps.seenCount;
    style = std::isnan(entropy) ? SceneText::Style::Warning : SceneText::Style::Muted;
    if (std::isnan(entropy))
        return QCoreApplication::translate("Scene", "an infinite or missing number makes the whole row NaN");
    if (visible == 1)
        return QCoreApplication::translate("Scene", "only one key can be looked at: it gets all the weight");
    return QCoreApplication::translate("Scene", "entropy %1 of %2 bits: as if %3 of %4 keys were looked at")
        .arg(number(bitsOf(entropy)), number(std::log2(static_cast<double>(visible))),
             QString::fromStdString(displayText(std::exp(entropy), 1)))
        .arg(visible);
}

void SoftmaxRowPicture::addResultRow()
{
    const Snapshot &snapshot = m_draft.maps().snapshot();
    const StageState &weights = snapshot.stage(Stage::A);
    if (!weights.hasValues())
        return;
    const std::vector<double> A = rowNumbers(*weights.values, m_options.head, m_options.row);
    double largest = 0.0;
    for (std::size_t j = 0; j < A.size(); ++j) {
        const double difference = std::abs(A[j] - m_steps.weights[j]);
        largest = difference > largest || std::isnan(difference) ? difference : largest;
    }
    Row row{stageSymbol(Stage::A), stateText(weights), {}, SceneText::Style::Muted};
    const double tolerance = snapshot.experiment().precision == Precision::Float32 ? 1e-5 : 1e-12;
    if (m_options.sharpness != 1.0)
        row.note = QCoreApplication::translate("Scene", "the document's weights, with β = 1");
    else if (largest <= tolerance || (m_steps.isFullyMasked && largest == 0.0))
        row.note = QCoreApplication::translate("Scene", "the document's weights: the same row");
    else if (weights.isPinnedWhole || weights.pinnedCount > 0 || weights.status == StageStatus::Given)
        row.note = QCoreApplication::translate(
                       "Scene", "set by hand, not by these scores: the largest difference is %1")
                       .arg(number(largest));
    else
        row.note = QCoreApplication::translate("Scene", "the document's weights");
    addStageRow(Stage::A, row);
    m_draft.scene().maps.back().range = {0.0, 1.0, false};
}

void SoftmaxRowPicture::addWorkedWeight()
{
    if (m_steps.isFullyMasked || m_options.step < SoftmaxLabOptions::stepCount)
        return;
    const auto key = static_cast<std::size_t>(m_key);
    const QString exponent =
        m_options.subtractLargest
            ? QStringLiteral("%1 − %2").arg(number(m_steps.scores[key]), bracketed(number(m_steps.shift)))
            : number(m_steps.scores[key]);
    m_draft.addText({m_left, m_y - 4.0, symbolRoom - 8.0, 22.0},
                    QCoreApplication::translate("Scene", "weight of “%1”").arg(keyName(m_key)));
    if (!isSeen(key)) {
        m_draft.addText({m_left + symbolRoom, m_y - 4.0, m_cellsWidth + noteRoom, 22.0},
                        QCoreApplication::translate("Scene", "0: this key is hidden"),
                        SceneText::Style::Label);
        m_y += 28.0;
        addReasons();
        return;
    }
    m_draft.addText({m_left + symbolRoom, m_y - 4.0, m_cellsWidth + noteRoom, 22.0},
                    QStringLiteral("e^{%1}/%2 = %3/%2 = %4")
                        .arg(exponent, number(m_steps.sum), number(m_steps.exponentials[key]),
                             number(m_steps.weights[key])),
                    SceneText::Style::Formula);
    m_y += 28.0;
    addReasons();
}

/// Why the row is as even as it is, and what the key in focus would need.
void SoftmaxRowPicture::addReasons()
{
    const std::optional<ScoreSpread> spread = scoreSpread(m_steps.scores);
    if (!spread || spread->visible < 2)
        return;
    const double width = symbolRoom + m_cellsWidth + noteRoom;
    const QString even = QCoreApplication::translate(
        "Scene", "The scores lie %1 apart, so the largest weight is only e^%1 = %2 times the smallest: the "
                 "row is nearly even.");
    const QString uneven = QCoreApplication::translate(
        "Scene", "The scores lie %1 apart, so the largest weight is e^%1 = %2 times the smallest.");
    m_y = m_draft.addParagraph(
        {m_left, m_y}, width,
        (isNearlyEven(*spread) ? even : uneven).arg(number(spread->size()), number(spread->ratio())));
    const std::optional<double> wanted =
        m_options.sharpness == 1.0 ? scoreForWeight(m_steps.scores, m_key, 0.5) : std::nullopt;
    if (wanted) {
        const double rise = *wanted - m_steps.scores[static_cast<std::size_t>(m_key)];
        const Snapshot &snapshot = m_draft.maps().snapshot();
        const double scale = snapshot.sizes().scale;
        const StageState &scaled = snapshot.stage(Stage::Scaled);
        const bool followsScores = snapshot.stage(Stage::Scores).hasValues() && scaled.hasValues() &&
                                   !scaled.isPinnedWhole && scaled.pinnedCount == 0;
        const bool isScaled = followsScores && scale != 1.0 && scale != 0.0;
        const QString text =
            isScaled && rise < 0.0
                ? QCoreApplication::translate(
                      "Scene", "For a weight of ½, the scaled score of “%1” alone would have to fall by %2, "
                               "to %3; before scaling, q·k would have to fall by %4.")
            : isScaled
                ? QCoreApplication::translate(
                      "Scene", "For a weight of ½, the scaled score of “%1” alone would have to rise by %2, "
                               "to %3; before scaling, q·k would have to rise by %4.")
            : rise < 0.0
                ? QCoreApplication::translate(
                      "Scene", "For a weight of ½, the score of “%1” alone would have to fall by %2, to %3.")
                : QCoreApplication::translate(
                      "Scene", "For a weight of ½, the score of “%1” alone would have to rise by %2, to %3.");
        const QString key = keyName(m_key);
        const QString change = number(std::abs(rise));
        const QString sentence = isScaled
                                     ? text.arg(key, change, number(*wanted), number(std::abs(rise / scale)))
                                     : text.arg(key, change, number(*wanted));
        m_y = m_draft.addParagraph({m_left, m_y}, width, sentence);
    }
    m_y += 4.0;
}

void SoftmaxRowPicture::addLargestKeys()
{
    std::vector<Index> order;
    for (Index key = 0; key < keys(); ++key)
        if (isSeen(static_cast<std::size_t>(key)))
            order.push_back(key);
    const auto seen = static_cast<Index>(order.size());
    const auto weight = [this](Index key) {
        return m_steps.weights[static_cast<std::size_t>(key)];
    };
    const auto last = order.begin() + std::min(seen, keysListed);
    std::partial_sort(order.begin(), last, order.end(), [&weight](Index a, Index b) {
        return weight(a) > weight(b) || (weight(a) == weight(b) && a < b);
    });
    double shown = 0.0;
    QStringList entries;
    for (auto key = order.begin(); key != last; ++key) {
        shown += weight(*key);
        const QString name = keyName(*key);
        const bool isPlace = name == QString::number(*key); // there is no text: the number says it already
        entries.append((isPlace ? name : QStringLiteral("%1 (%2)").arg(name).arg(*key + 1)) + u' ' +
                       number(weight(*key)));
    }
    const QString hidden = hiddenCount() > 0
                               ? QCoreApplication::translate("Scene", " Hidden keys: %1.").arg(hiddenCount())
                               : QString();
    m_y = m_draft.addParagraph(
              {m_left, m_y}, symbolRoom + m_cellsWidth + noteRoom,
              QCoreApplication::translate("Scene", "The %1 largest of %2 weights, %3 together: %4.")
                      .arg(last - order.begin())
                      .arg(seen)
                      .arg(percentText(shown), entries.join(QStringLiteral(" · "))) +
                  hidden) +
          8.0;
}

} // namespace attn
