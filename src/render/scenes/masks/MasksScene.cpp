#include "render/MasksScene.h"

#include "base/NumberText.h"
#include "engine/StageNumbers.h"
#include "render/LabelText.h"
#include "render/scenes/FlowDrawing.h"
#include "render/scenes/StageCard.h"
#include "render/scenes/StageTexts.h"
#include "render/scenes/masks/MaskEffectSection.h"
#include "render/scenes/masks/MaskMapRow.h"

#include <QCoreApplication>

#include <algorithm>

namespace attn {

namespace {

constexpr double masksMargin = 24.0;
constexpr double legendWidth = 280.0;
constexpr double legendLine = 20.0;
constexpr double largestMaskMap = 420.0;
/// More queries than these get a straight edge instead of a staircase.
constexpr Index mostSteps = 512;

/// 1 - values, for masks read in the other convention.
class SwappedFlags final : public StageValues
{
public:
    explicit SwappedFlags(StageValuesPtr flags)
        : m_flags(std::move(flags))
    {
    }

    Shape shape() const override { return m_flags->shape(); }
    bool isSinglePrecision() const override { return m_flags->isSinglePrecision(); }
    double value(Index head, Index row, Index col) const override
    {
        return 1.0 - m_flags->value(head, row, col);
    }
    ValueStatistics statistics(Index head) const override
    {
        ValueStatistics statistics = m_flags->statistics(head);
        statistics.sum = static_cast<double>(statistics.finiteCount) - statistics.sum;
        const double least = statistics.minimum;
        statistics.minimum = 1.0 - statistics.maximum;
        statistics.maximum = 1.0 - least;
        return statistics;
    }

private:
    StageValuesPtr m_flags;
};

/// From the top downwards: conventions, what is allowed and why not, the matrices of the mask, its effect.
class MasksBuilder
{
public:
    MasksBuilder(const MapFactory &maps, const MasksOptions &options)
        : m_draft(maps)
        , m_options(options)
    {
    }

    Scene build();

private:
    void addHeading();
    void addWarnings();
    std::vector<Index> fullyMaskedRows() const;
    QString queryList(const std::vector<Index> &rows) const;
    void addAllowed();
    void addEdge(const QRectF &cells);
    void addLegend(const QRectF &place);
    void addLegendLine(const QRectF &place, int code, const QString &text);
    void addAlignment();
    void addMatrices();
    SceneMap flagsMap(Stage stage, Index head) const;
    QColor codeColor(int code) const;
    bool areDerivedMapsDrawn() const { return nQ() * nK() <= mostDerivedMaskCells; }
    Index nQ() const { return m_draft.maps().snapshot().sizes().nQ; }
    Index nK() const { return m_draft.maps().snapshot().sizes().nK; }
    double width() const { return m_options.width - 2.0 * masksMargin; }
    const Experiment &experiment() const { return m_draft.maps().experiment(); }
    Index headOf(Stage stage) const
    {
        return m_draft.maps().state(stage).values->heads() > 1 ? m_options.head : 0;
    }
    void addHint(const QString &text, SceneText::Style style = SceneText::Style::Muted)
    {
        m_y = m_draft.addHint({masksMargin, m_y}, width(), text, style);
    }
    void addParagraph(const QString &text, SceneText::Style style = SceneText::Style::Muted)
    {
        m_y = m_draft.addParagraph({masksMargin, m_y}, width(), text, style);
    }

    SceneDraft m_draft;
    const MasksOptions &m_options;
    double m_y = masksMargin;
};

Scene MasksBuilder::build()
{
    addHeading();
    addAllowed();
    addAlignment();
    addMatrices();
    MaskEffectSection effect(m_draft, m_options);
    m_y = effect.addTo(masksMargin, m_y);
    return m_draft.finished(masksMargin);
}

void MasksBuilder::addHeading()
{
    const QString heads = experiment().nHeads > 1
                              ? QCoreApplication::translate("Scene", "What each query may see · %1")
                                    .arg(headTitle(experiment(), m_options.head))
                              : QCoreApplication::translate("Scene", "What each query may see");
    m_draft.addText({masksMargin, m_y, width(), 24.0}, heads, SceneText::Style::Heading);
    m_y += 28.0;
    const auto convention = [&](const QString &text, bool isShown) {
        addParagraph(isShown ? QCoreApplication::translate("Scene", "Shown: %1").arg(text)
                             : QCoreApplication::translate("Scene", "The other way: %1").arg(text),
                     isShown ? SceneText::Style::Label : SceneText::Style::Muted);
    };
    convention(keepConventionText(), !m_options.trueIsDrop);
    convention(dropConventionText(), m_options.trueIsDrop);
    addWarnings();
    m_y += 12.0;
}

void MasksBuilder::addWarnings()
{
    const StageState &weights = m_draft.maps().state(Stage::A);
    if (weights.status == StageStatus::Given || weights.isPinnedWhole) {
        addParagraph(
            QCoreApplication::translate("Scene", "A is set by hand here, so the mask has no effect on it."),
            SceneText::Style::Warning);
        addHint(
            QCoreApplication::translate("Scene", "Unpin A to see what the mask does, or pin scores instead."),
            SceneText::Style::Warning);
    }
    if (!m_options.counts)
        return;
    const std::vector<Index> &hidden = m_options.counts->fullyMasked;
    if (!hidden.empty())
        addParagraph(QCoreApplication::translate(
                         "Scene", "Fully masked rows: %1. They see no key: their weights are all 0.")
                         .arg(queryList(hidden)),
                     SceneText::Style::Warning);
    std::vector<Index> infinite = fullyMaskedRows();
    std::erase_if(infinite, [&](Index row) { return std::ranges::binary_search(hidden, row); });
    if (!infinite.empty())
        addParagraph(QCoreApplication::translate(
                         "Scene", "Fully masked rows: %1. Their scores are −∞ at every key they see.")
                         .arg(queryList(infinite)),
                     SceneText::Style::Warning);
}

/// Rows of this head that the evaluation found without any visible finite score.
std::vector<Index> MasksBuilder::fullyMaskedRows() const
{
    std::vector<Index> rows;
    const StageValuesPtr &flags = m_draft.maps().state(Stage::FullyMasked).values;
    if (!flags || m_options.head >= flags->rows())
        return rows;
    const std::vector<double> line = rowNumbers(*flags, 0, m_options.head);
    for (Index row = 0; row < flags->cols(); ++row)
        if (line[static_cast<std::size_t>(row)] == 1.0)
            rows.push_back(row);
    return rows;
}

/// "“I” (row 1), “GPU” (row 3) and 4 more".
QString MasksBuilder::queryList(const std::vector<Index> &rows) const
{
    constexpr std::size_t mostNamed = 8;
    QStringList names;
    for (std::size_t i = 0; i < std::min(rows.size(), mostNamed); ++i)
        names.append(QCoreApplication::translate("Scene", "“%1” (row %2)")
                         .arg(visibleLabel(QString::fromStdString(experiment().tokens.at(rows[i]))))
                         .arg(rows[i] + 1));
    const QString list = names.join(QStringLiteral(", "));
    return rows.size() > mostNamed
               ? QCoreApplication::translate("Scene", "%1 and %2 more").arg(list).arg(rows.size() - mostNamed)
               : list;
}

SceneMap MasksBuilder::flagsMap(Stage stage, Index head) const
{
    SceneMap map = m_draft.maps().stageMap(stage, head, {});
    map.colorMap = m_draft.maps().colorMap(ColorMap::Kind::Sequential);
    map.range = {0.0, 1.0, false};
    map.rangeNote.clear();
    map.decimals = 0;
    // Pools of large maps are those of the stage, where ones and zeros are as they are kept.
    if (m_options.trueIsDrop && areDerivedMapsDrawn()) {
        map.values = std::make_shared<const SwappedFlags>(map.values);
        map.version = map.version * 2 + 1;
    }
    return map;
}

void MasksBuilder::addAllowed()
{
    const MapFactory &maps = m_draft.maps();
    const Index head = headOf(Stage::Allowed);
    SceneMap allowed = flagsMap(Stage::Allowed, head);
    allowed.allowed = maps.state(Stage::Allowed).values;
    allowed.allowedVersion = maps.state(Stage::Allowed).changedAt.number;
    allowed.allowedHead = head;
    const double labels = maps.rowLabelWidth(Stage::Allowed);
    const double room = (width() - legendWidth - 2.0 * 32.0) / 2.0 - labels;
    const QSizeF cells = MaskMapRow::cellsFor(nQ(), nK(), std::clamp(room, 160.0, largestMaskMap));
    MaskMapRow row(m_draft, masksMargin, m_y, width());
    addEdge(row.add(std::move(allowed),
                    m_options.trueIsDrop ? QCoreApplication::translate("Scene", "hidden (1) or seen (0)")
                                         : QCoreApplication::translate("Scene", "seen (1) or hidden (0)"),
                    Stage::Allowed, cells, false));
    if (areDerivedMapsDrawn()) {
        SceneMap parts = m_draft.derived(QStringLiteral("parts"),
                                         QCoreApplication::translate("Scene", "what hides each key"),
                                         hidingPartsOf(experiment()), {}, ColorMap::Kind::Sequential);
        parts.head = m_options.head;
        parts.range = {0.0, static_cast<double>(HidingCode::allowed), false};
        parts.isCode = true;
        parts.allowed = maps.state(Stage::Allowed).values;
        parts.allowedVersion = maps.state(Stage::Allowed).changedAt.number;
        parts.allowedHead = head;
        parts.showNumbers = false;
        parts.version = maps.snapshot().generation().number;
        row.add(std::move(parts), QCoreApplication::translate("Scene", "what hides each key"), Stage::Allowed,
                cells, false);
    }
    addLegend(
        row.reserve(legendWidth, legendLine * static_cast<double>(maskPartsSet(experiment()).count() + 4)));
    m_y = row.bottom() + 8.0;
}

/// The line between keys up to a query's position and later ones.
void MasksBuilder::addEdge(const QRectF &cells)
{
    const double rowHeight = cells.height() / static_cast<double>(nQ());
    const double colWidth = cells.width() / static_cast<double>(nK());
    const Index step = std::max<Index>(1, nQ() / mostSteps);
    const auto edgeAt = [&](Index row) {
        const Index key =
            std::clamp<Index>(row + std::clamp<Index>(experiment().qOffset, -nQ(), nK()) + 1, 0, nK());
        return cells.left() + colWidth * static_cast<double>(key);
    };
    SceneShape edge;
    edge.path.moveTo(edgeAt(0), cells.top());
    for (Index row = 0; row < nQ(); row += step) {
        const double below = cells.top() + rowHeight * static_cast<double>(std::min(row + step, nQ()));
        edge.path.lineTo(edgeAt(row), below - rowHeight * static_cast<double>(step));
        edge.path.lineTo(edgeAt(row), below);
    }
    edge.stroke = ScenePaint::of(ScenePaint::Role::Accent);
    edge.strokeWidth = 2.0;
    edge.dashed = !experiment().causal;
    edge.aboveMaps = true;
    m_draft.scene().shapes.push_back(edge);
}

QColor MasksBuilder::codeColor(int code) const
{
    const ValueRange range{0.0, static_cast<double>(HidingCode::allowed), false};
    return QColor(m_draft.maps().colorMap(ColorMap::Kind::Sequential)->rgb(range.place(code)));
}

void MasksBuilder::addLegendLine(const QRectF &place, int code, const QString &text)
{
    SceneShape swatch;
    swatch.path.addRect(QRectF(place.left(), place.top() + 4.0, 12.0, 12.0));
    swatch.fill = ScenePaint::data(codeColor(code));
    swatch.stroke = ScenePaint::of(ScenePaint::Role::Hairline);
    m_draft.scene().shapes.push_back(swatch);
    m_draft.addText(place.adjusted(20.0, 0.0, 0.0, 0.0), text);
}

void MasksBuilder::addLegend(const QRectF &place)
{
    double y = place.top();
    const auto lineAt = [&] {
        const QRectF line(place.left(), y, place.width(), legendLine);
        y += legendLine;
        return line;
    };
    if (!m_options.counts) {
        m_draft.addText(lineAt(), QCoreApplication::translate("Scene", "The keys are being counted."),
                        SceneText::Style::Muted);
        return;
    }
    const MaskCounts &counts = *m_options.counts;
    m_draft.addText(lineAt(), QCoreApplication::translate("Scene", "%1 of %2 keys hidden")
                                  .arg(countText(counts.hiddenCells()))
                                  .arg(countText(counts.cells)));
    addLegendLine(lineAt(), HidingCode::allowed,
                  QCoreApplication::translate("Scene", "seen: %1").arg(countText(counts.allowed)));
    const MaskPartSet set = maskPartsSet(experiment());
    Index several = counts.hiddenCells();
    for (const MaskPart part : set.parts()) {
        if (part == MaskPart::Alibi)
            continue;
        several -= counts.aloneBy(part);
        addLegendLine(lineAt(), HidingCode::of(part),
                      QCoreApplication::translate("Scene", "%1: %2, of these %3 alone")
                          .arg(maskPartName(part))
                          .arg(countText(counts.of(part)))
                          .arg(countText(counts.aloneBy(part))));
    }
    if (several > 0)
        addLegendLine(
            lineAt(), HidingCode::several,
            QCoreApplication::translate("Scene", "several parts at once: %1").arg(countText(several)));
    if (set.isEmpty())
        m_draft.addText(lineAt(), QCoreApplication::translate("Scene", "no part of a mask is set"),
                        SceneText::Style::Muted);
    if (set.has(MaskPart::Alibi))
        m_draft.addText(lineAt(),
                        QCoreApplication::translate("Scene", "ALiBi lowers scores and hides nothing"),
                        SceneText::Style::Muted);
    if (!areDerivedMapsDrawn())
        m_draft.addText(lineAt(),
                        QCoreApplication::translate("Scene", "too many cells to colour each by its part"),
                        SceneText::Style::Muted);
}

void MasksBuilder::addAlignment()
{
    const Index offset = experiment().qOffset;
    QString text =
        QCoreApplication::translate(
            "Scene", "The line is the causal edge: query row i stands at position i + %1 and, with a causal "
                     "mask, sees the keys up to there. The last of %2 queries stands at position %3 of "
                     "%4 keys (counted from 0).")
            .arg(offset)
            .arg(nQ())
            .arg(nQ() - 1 + offset)
            .arg(nK());
    addParagraph(text);
    if (nQ() != nK()) {
        const QSizeF button(200.0, 20.0);
        m_draft.addControl(QStringLiteral("offset:0"), {{masksMargin, m_y + 4.0}, button},
                           QCoreApplication::translate("Scene", "First query at key 0"));
        m_draft.addControl(QStringLiteral("offset:end"), {{masksMargin + 216.0, m_y + 4.0}, button},
                           QCoreApplication::translate("Scene", "Last query at the last key"));
        m_y += 28.0;
    }
    m_y += 12.0;
}

void MasksBuilder::addMatrices()
{
    const MapFactory &maps = m_draft.maps();
    m_draft.addText({masksMargin, m_y, width(), 24.0},
                    QCoreApplication::translate("Scene", "The matrices of the mask"),
                    SceneText::Style::Heading);
    m_y += 28.0;
    MaskMapRow row(m_draft, masksMargin, m_y, width());
    const double most = std::clamp((width() - 64.0) / 3.0 - 96.0, 160.0, 320.0);
    bool isEmpty = true;
    const auto add = [&](SceneMap map, const QString &title, Stage stage, bool withBar) {
        const QSizeF cells = MaskMapRow::cellsFor(map.values->rows(), map.values->cols(), most);
        row.add(std::move(map), title, stage, cells, withBar);
        isEmpty = false;
    };
    if (maps.state(Stage::MaskPadding).hasValues())
        add(flagsMap(Stage::MaskPadding, 0), QCoreApplication::translate("Scene", "padding of keys"),
            Stage::MaskPadding, false);
    if (maps.state(Stage::MaskBool).hasValues()) {
        SceneMap map = flagsMap(Stage::MaskBool, headOf(Stage::MaskBool));
        // Typed numbers are those of the document.
        map.readOnly = m_options.trueIsDrop;
        add(std::move(map),
            maps.state(Stage::MaskBool).values->heads() > 1
                ? QCoreApplication::translate("Scene", "boolean mask of this head")
                : QCoreApplication::translate("Scene", "boolean mask of all heads"),
            Stage::MaskBool, false);
    }
    if (maps.state(Stage::MaskAdd).hasValues())
        add(maps.stageMap(Stage::MaskAdd, headOf(Stage::MaskAdd), {}),
            QCoreApplication::translate("Scene", "additive mask (added to the scaled scores)"),
            Stage::MaskAdd, true);
    const bool hasBias = experiment().isGiven(Stage::MaskAdd) || experiment().isGiven(Stage::MaskAlibi);
    if (hasBias && maps.state(Stage::Bias).hasValues())
        add(maps.stageMap(Stage::Bias, headOf(Stage::Bias), {}),
            QCoreApplication::translate("Scene", "bias in all: additive + ALiBi"), Stage::Bias, true);
    if (isEmpty) {
        addParagraph(QCoreApplication::translate("Scene", "None yet."));
        addHint(QCoreApplication::translate(
            "Scene", "Press on a cell above and drag, or select cells with Shift and arrows and press D "
                     "(drop) or K (keep): painting makes the matrix."));
    } else
        m_y = row.bottom();
    m_y += 20.0;
}

} // namespace

Scene masksScene(const SnapshotPtr &snapshot, const DisplayOptions &display, const MasksOptions &options)
{
    const StageState &allowed = snapshot->stage(Stage::Allowed);
    if (!allowed.hasValues() || allowed.values->rows() == 0 || allowed.values->cols() == 0)
        return unavailableScene(*snapshot, Stage::Allowed);
    const MapFactory maps(snapshot, display);
    return MasksBuilder(maps, options).build();
}

} // namespace attn
