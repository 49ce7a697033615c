#include "render/CompareScene.h"

#include "base/NumberText.h"
#include "engine/Derivation.h"
#include "render/scenes/CellSizes.h"
#include "render/scenes/CompareTable.h"
#include "render/scenes/StageCard.h"
#include "render/scenes/StageTexts.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace attn {

namespace {

constexpr double compareMargin = 24.0;
constexpr double compareLine = 18.0;
constexpr double mapGap = 40.0;

/// Table, then one stage as three maps and its worst cells.
class CompareBuilder
{
public:
    CompareBuilder(const MapFactory &maps, const CompareOptions &options)
        : m_maps(maps)
        , m_options(options)
        , m_shown(options.stage        ? options.stage
                  : options.isComplete ? stageToShow(options)
                                       : options.selected)
    {
    }

    Scene build();

private:
    void addHeading();
    QString verdict() const;
    void addMaps(const StageComparison &result);
    void addMap(SceneMap map, const QString &title, double labels, double colLabels, const QRectF &cells);
    void addWorst(const StageComparison &result);
    void addParagraph(const QString &text, SceneText::Style style);
    void addText(const QRectF &rect, const QString &text, SceneText::Style style,
                 Qt::Alignment alignment = Qt::AlignLeft | Qt::AlignVCenter);
    const StageComparison *shownResult() const;
    Index shownHead(const StageComparison &result) const
    {
        return std::clamp<Index>(m_options.head, 0, std::max<Index>(result.shapeA.heads, 1) - 1);
    }

    const MapFactory &m_maps;
    const CompareOptions &m_options;
    std::optional<Stage> m_shown;
    Scene m_scene;
    double m_y = compareMargin;
    double m_right = 0.0;
};

void CompareBuilder::addText(const QRectF &rect, const QString &text, SceneText::Style style,
                             Qt::Alignment alignment)
{
    m_scene.texts.push_back({rect, text, style, alignment});
    m_right = std::max(m_right, rect.right());
}

void CompareBuilder::addParagraph(const QString &text, SceneText::Style style)
{
    const double width = std::clamp(m_options.width - 2.0 * compareMargin, 480.0, 800.0);
    for (const QString &line : wrappedLines(text, m_maps.theme().textFont, width)) {
        addText({compareMargin, m_y, width, compareLine}, line, style);
        m_y += compareLine;
    }
}

Scene CompareBuilder::build()
{
    addHeading();
    const CompareTable table(m_maps, m_options, m_shown);
    m_y = table.addTo(m_scene, compareMargin, m_y) + 24.0;
    m_right = std::max(m_right, compareMargin + table.width());
    if (const StageComparison *result = shownResult()) {
        addMaps(*result);
        addWorst(*result);
    }
    m_scene.size = {m_right + compareMargin, m_y + compareMargin};
    return std::move(m_scene);
}

QString CompareBuilder::verdict() const
{
    int passed = 0;
    int compared = 0;
    for (const StageComparison &result : m_options.results) {
        if (result.outcome != StageComparison::Outcome::Compared)
            continue;
        ++compared;
        passed += result.passes(m_options.tolerance) ? 1 : 0;
    }
    if (!m_options.isComplete)
        return QCoreApplication::translate("Scene", "Comparing …");
    if (compared == 0)
        return QCoreApplication::translate("Scene", "A and B have no stage in common.");
    if (passed == 1 && compared == 1)
        return QCoreApplication::translate("Scene", "✓ The one compared stage passes.");
    return passed == compared
               ? QCoreApplication::translate("Scene", "✓ All %n compared stages pass.", nullptr, compared)
               : QCoreApplication::translate("Scene", "✗ %1 of %2 compared stages fail.")
                     .arg(compared - passed)
                     .arg(compared);
}

void CompareBuilder::addHeading()
{
    addText({compareMargin, m_y, 480.0, 24.0}, QCoreApplication::translate("Scene", "Compare A with B"),
            SceneText::Style::Heading);
    m_y += 26.0;
    addParagraph(QCoreApplication::translate("Scene", "A: %1").arg(m_options.nameA), SceneText::Style::Label);
    addParagraph(QCoreApplication::translate("Scene", "B: %1").arg(m_options.nameB), SceneText::Style::Label);
    addParagraph(
        QCoreApplication::translate(
            "Scene", "A stage passes when no cell is farther from B than %1 times the largest number of B.")
            .arg(QString::fromStdString(shortestText(m_options.tolerance))),
        SceneText::Style::Muted);
    addText({compareMargin, m_y, 480.0, 24.0}, verdict(), SceneText::Style::Heading);
    m_y += 32.0;
}

const StageComparison *CompareBuilder::shownResult() const
{
    for (const StageComparison &result : m_options.results)
        if (m_shown == result.stage && result.outcome == StageComparison::Outcome::Compared &&
            result.cells > 0)
            return &result;
    return nullptr;
}

void CompareBuilder::addMap(SceneMap map, const QString &title, double labels, double colLabels,
                            const QRectF &cells)
{
    addText({cells.left() - labels, cells.top() - colLabels - 24.0, cells.width() + labels, 20.0}, title,
            SceneText::Style::Label);
    map.rect = cells;
    map.rowLabelWidth = labels;
    map.colLabelHeight = colLabels;
    map.colorBar = {cells.left(), cells.bottom() + 10.0, std::max(cells.width(), 120.0),
                    cardMetrics::barHeight};
    m_right = std::max(m_right, map.colorBar.right());
    m_scene.maps.push_back(std::move(map));
}

void CompareBuilder::addMaps(const StageComparison &result)
{
    const Stage stage = result.stage;
    const Index head = shownHead(result);
    const StageValuesPtr &a = m_maps.state(stage).values;
    const StageValuesPtr &b = m_options.b.at(stage);
    const QString name = QString::fromLatin1(stageName(stage));
    const double labels = m_maps.rowLabelWidth(stage);
    const double room = (m_options.width - 2.0 * compareMargin - 2.0 * mapGap) / 3.0 - labels;
    const double soft = std::clamp(room, 144.0, 360.0);
    const double height = axisExtent(a->rows(), 28.0, soft, soft);
    const double width = axisExtent(a->cols(), 44.0, soft, soft);
    const double colLabels = columnLabelHeight(m_maps, stage, width / static_cast<double>(a->cols()));
    const QString headName =
        result.shapeA.heads > 1 ? headTitle(m_maps.experiment(), stage, head) : QString();
    addText({compareMargin, m_y, 480.0, 24.0},
            headName.isEmpty() ? name : QStringLiteral("%1 · %2").arg(name, headName),
            SceneText::Style::Heading);
    m_y += 28.0;

    ValueRange range = m_maps.range(stage, head);
    const ValueRange other = automaticRange(b->statistics(head), defaultKind(stage));
    if (!other.isEmpty && !m_maps.hasFixedRange(stage)) {
        range.minimum = range.isEmpty ? other.minimum : std::min(range.minimum, other.minimum);
        range.maximum = range.isEmpty ? other.maximum : std::max(range.maximum, other.maximum);
        range.isEmpty = false;
    }
    const double top = m_y + 24.0 + colLabels;
    const double step = std::max(width, 120.0) + labels + mapGap;
    const auto cellsAt = [&](int place) {
        return QRectF(compareMargin + labels + place * step, top, width, height);
    };
    SceneMap mapA = m_maps.stageMap(stage, head, cellsAt(0));
    mapA.range = range;
    mapA.rangeNote = QCoreApplication::translate("Scene", "shared by A and B");
    const auto derived = [&](const QString &id, const StageValuesPtr &values, const QString &accessible) {
        SceneMap map = m_maps.valuesMap(MapKey::derived(id), values, {}, range);
        map.head = head;
        map.name = accessible;
        map.rowLabels = mapA.rowLabels;
        map.colLabels = mapA.colLabels;
        map.rowLabelAt = mapA.rowLabelAt;
        map.colLabelAt = mapA.colLabelAt;
        map.colorMap = mapA.colorMap;
        map.decimals = mapA.decimals;
        return map;
    };
    SceneMap mapB =
        derived(QStringLiteral("b"), b, QCoreApplication::translate("Scene", "%1 of B").arg(name));
    if (m_options.snapshotB)
        markMasked(mapB, *m_options.snapshotB, stage, head);
    SceneMap difference = derived(QStringLiteral("difference"), differenceOf(a, b),
                                  QCoreApplication::translate("Scene", "A−B of %1").arg(name));
    difference.colorMap = m_maps.colorMap(ColorMap::Kind::Diverging);
    difference.range.maximum = result.largest > 0.0 ? result.largest : 1.0;
    difference.range.minimum = -difference.range.maximum;
    difference.range.isEmpty = false;
    difference.values->statistics(head); // counted here, where it may take long, and known when it is painted
    addMap(std::move(mapA), QCoreApplication::translate("Scene", "A"), labels, colLabels, cellsAt(0));
    addMap(std::move(mapB), QCoreApplication::translate("Scene", "B"), labels, colLabels, cellsAt(1));
    addMap(std::move(difference), QCoreApplication::translate("Scene", "A−B"), labels, colLabels, cellsAt(2));
    m_y = top + height + cardMetrics::barRoom + 24.0;
}

void CompareBuilder::addWorst(const StageComparison &result)
{
    if (result.worst.empty()) {
        addText({compareMargin, m_y, 480.0, compareLine},
                QCoreApplication::translate("Scene", "A and B agree in every cell."),
                SceneText::Style::Muted);
        m_y += compareLine;
        return;
    }
    addText({compareMargin, m_y, 480.0, compareLine}, QCoreApplication::translate("Scene", "Worst cells"),
            SceneText::Style::Muted);
    m_y += compareLine + 4.0;
    const bool isSingle = m_options.b.at(result.stage)->isSinglePrecision();
    for (std::size_t i = 0; i < result.worst.size(); ++i) {
        const CellDifference &cell = result.worst[i];
        const double difference = cell.difference();
        const QString name = QString::fromStdString(cellName(m_maps.experiment(), result.stage, cell.cell));
        SceneControl control;
        control.id = QStringLiteral("worst:%1").arg(i);
        control.rect = QRectF(compareMargin, m_y + 1.0, 56.0, 18.0);
        control.text = QCoreApplication::translate("Scene", "Select");
        control.name = QCoreApplication::translate("Scene", "Select %1").arg(name);
        m_scene.controls.push_back(control);
        const QString b = QString::fromStdString(
            withTrueMinus(isSingle ? shortestText(static_cast<float>(cell.b)) : significantText(cell.b, 7)));
        addText({compareMargin + 68.0, m_y, 760.0, 20.0},
                QCoreApplication::translate("Scene", "%1: A = %2, B = %3, A−B = %4")
                    .arg(name, QString::fromStdString(withTrueMinus(significantText(cell.a, 7))), b,
                         differenceText(difference)),
                SceneText::Style::Label);
        m_y += 22.0;
    }
}

} // namespace

std::optional<Stage> stageToShow(const CompareOptions &options)
{
    std::optional<Stage> last;
    std::optional<Stage> farthest;
    std::optional<Stage> selected;
    double most = 0.0;
    for (const StageComparison &result : options.results) {
        if (result.outcome != StageComparison::Outcome::Compared || result.cells == 0)
            continue;
        if (!result.passes(options.tolerance))
            return result.stage;
        last = result.stage;
        if (options.selected == result.stage)
            selected = result.stage;
        if (result.relative() > most) {
            most = result.relative();
            farthest = result.stage;
        }
    }
    return selected ? selected : farthest ? farthest : last;
}

Scene compareScene(const SnapshotPtr &a, const DisplayOptions &display, const CompareOptions &options)
{
    const MapFactory maps(a, display);
    return CompareBuilder(maps, options).build();
}

} // namespace attn
