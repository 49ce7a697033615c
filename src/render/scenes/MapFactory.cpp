#include "render/scenes/MapFactory.h"

#include "engine/Derivation.h"
#include "render/LabelText.h"
#include "render/scenes/StageTexts.h"

#include <QCoreApplication>
#include <QFontMetricsF>

#include <algorithm>
#include <optional>
#include <utility>

namespace attn {

namespace {

constexpr double widestLabel = 96.0;
/// Longer lists of labels are not made: each is asked for when it is drawn.
constexpr Index mostListedLabels = 4096;

/// Stages of ones and zeros.
bool holdsFlags(Stage stage)
{
    return stage == Stage::MaskPadding || stage == Stage::MaskBool || stage == Stage::Allowed ||
           stage == Stage::FullyMasked;
}

/// Measuring thousands of texts takes longer than the rest of a picture: of many the longest are measured,
/// and some of the others, whose letters may be wider.
QStringList likelyWidest(const QStringList &labels)
{
    constexpr qsizetype mostMeasured = 256;
    if (labels.size() <= mostMeasured)
        return labels;
    QStringList chosen = labels;
    const auto middle = chosen.begin() + mostMeasured / 2;
    std::nth_element(chosen.begin(), middle, chosen.end(),
                     [](const QString &a, const QString &b) { return a.size() > b.size(); });
    chosen.erase(middle, chosen.end());
    const qsizetype step = labels.size() / (mostMeasured / 2);
    for (qsizetype i = 0; i < labels.size(); i += step)
        chosen.append(labels.at(i));
    return chosen;
}

} // namespace

MapFactory::MapFactory(SnapshotPtr snapshot, const DisplayOptions &display)
    : m_snapshot(std::move(snapshot))
    , m_display(display)
    , m_theme(display.dark ? Theme::dark() : Theme::light())
    , m_sequential(std::make_shared<const ColorMap>(
          ColorMap::byName(display.sequentialMap, ColorMap::Kind::Sequential, display.dark)))
    , m_diverging(std::make_shared<const ColorMap>(
          ColorMap::byName(display.divergingMap, ColorMap::Kind::Diverging, display.dark)))
{
}

SceneMap MapFactory::stageMap(Stage stage, Index head, const QRectF &rect) const
{
    SceneMap map;
    map.key.stage = stage;
    map.key.head = head;
    map.name = mapName(stage, head);
    map.values = state(stage).values;
    map.version = state(stage).changedAt.number;
    map.head = head;
    map.rect = rect;
    map.rowLabels = rowLabels(stage);
    map.colLabels = colLabels(stage);
    map.rowLabelAt = labelSource(stage, true);
    map.colLabelAt = labelSource(stage, false);
    map.range = range(stage, head);
    map.colorMap = colorMap(defaultKind(stage));
    map.rangeNote = rangeNote(stage);
    map.pooling = m_display.pooling;
    map.decimals = holdsFlags(stage) ? 0 : m_display.decimals;
    const StageInfo &info = stageInfo(stage);
    map.readOnly =
        info.kind == StageKind::Derived ||
        (info.kind == StageKind::Computed && !info.canBePinned && state(stage).status != StageStatus::Given);
    map.isPinned = pinTest(m_snapshot, map.key);
    map.isContradicted = contradictionTest(m_display.audit, map.key);
    map.isUpdating = m_display.updating;
    markMasked(map, *m_snapshot, stage, map.head);
    return map;
}

void markMasked(SceneMap &map, const Snapshot &snapshot, Stage weights, Index head)
{
    const StageState &state = snapshot.stage(weights);
    const StageState &allowed = snapshot.stage(Stage::Allowed);
    const bool isWeights = weights == Stage::A || weights == Stage::ASoft;
    // A mask has no effect on weights that are given or pinned as a whole.
    if (!isWeights || !hasMask(snapshot) || state.status != StageStatus::Computed || state.isPinnedWhole ||
        !allowed.hasValues())
        return;
    if (allowed.values->rows() != map.values->rows() || allowed.values->cols() != map.values->cols())
        return;
    map.allowed = allowed.values;
    map.allowedVersion = allowed.changedAt.number;
    map.allowedHead = allowed.values->heads() == 1 ? 0 : head;
}

SceneMap MapFactory::valuesMap(const MapKey &key, StageValuesPtr values, const QRectF &rect,
                               const ValueRange &range) const
{
    SceneMap map;
    map.key = key;
    map.values = std::move(values);
    map.rect = rect;
    map.range = range;
    map.colorMap = colorMap(defaultKind(key.stage));
    map.pooling = m_display.pooling;
    map.decimals = m_display.decimals;
    map.readOnly = true;
    map.isUpdating = m_display.updating;
    return map;
}

const DisplayOptions::Range &MapFactory::rangeOptions(Stage stage) const
{
    const auto found = m_display.ranges.find(stage);
    return found == m_display.ranges.end() ? m_display.defaultRange : found->second;
}

ValueRange MapFactory::range(Stage stage, Index head) const
{
    const DisplayOptions::Range &options = rangeOptions(stage);
    if (options.mode == DisplayOptions::RangeMode::Fixed) {
        ValueRange fixed;
        fixed.minimum = options.minimum;
        fixed.maximum = options.maximum;
        return fixed;
    }
    const StageValuesPtr &values = state(stage).values;
    if (options.mode == DisplayOptions::RangeMode::PerHead)
        return automaticRange(values->statistics(head), defaultKind(stage));
    const auto known = m_sharedRanges.find(stage);
    if (known != m_sharedRanges.end())
        return known->second;
    return m_sharedRanges[stage] = automaticRange(values->statistics(-1), defaultKind(stage));
}

bool MapFactory::hasFixedRange(Stage stage) const
{
    return rangeOptions(stage).mode == DisplayOptions::RangeMode::Fixed;
}

bool MapFactory::hasRangePerHead(Stage stage) const
{
    return rangeOptions(stage).mode == DisplayOptions::RangeMode::PerHead && state(stage).hasValues() &&
           state(stage).values->heads() > 1;
}

QString MapFactory::rangeNote(Stage stage) const
{
    if (hasFixedRange(stage))
        return QCoreApplication::translate("Scene", "fixed range");
    const Index heads = state(stage).hasValues() ? state(stage).values->heads() : 1;
    if (heads <= 1)
        return {};
    if (hasRangePerHead(stage))
        return QCoreApplication::translate("Scene", "per head");
    return QCoreApplication::translate("Scene", "shared by %n heads", nullptr, static_cast<int>(heads));
}

const AxisLabels &MapFactory::axisLabels(Stage stage, bool rows) const
{
    const StageInfo &info = stageInfo(stage);
    const Axis axis = rows ? info.rows : info.cols;
    const StageValuesPtr &values = state(stage).values;
    const Index count = !values || axis == Axis::One ? 0 : rows ? values->rows() : values->cols();
    const auto key = std::make_pair(axis, count);
    const auto known = m_labels.find(key);
    if (known != m_labels.end())
        return known->second;
    AxisLabelCache::Key kept{axis, count, {}, m_theme.textFont, m_display.showLabels};
    if (axis == Axis::Query)
        kept.tokens = experiment().tokens;
    else if (axis == Axis::Key)
        kept.tokens = experiment().keyTokens();
    AxisLabelCache *cache = m_display.labels.get();
    std::optional<AxisLabels> labels = cache ? cache->find(kept) : std::nullopt;
    if (!labels) {
        labels = newAxisLabels(stage, rows, count);
        if (cache)
            cache->keep(kept, *labels);
    }
    return m_labels[key] = *labels;
}

AxisLabels MapFactory::newAxisLabels(Stage stage, bool rows, Index count) const
{
    // Of a long list the widest is estimated; what turns out to be wider is shortened.
    const bool isListed = count <= mostListedLabels;
    const Index step = isListed ? 1 : count / 256;
    QStringList labels;
    labels.reserve(count / step + 1);
    for (Index i = 0; i < count; i += step) {
        const std::string label =
            rows ? attn::rowLabel(experiment(), stage, i) : attn::colLabel(experiment(), stage, i);
        labels.append(QString::fromStdString(label));
    }
    const double width = m_display.showLabels ? labelWidth(labels) : 0.0;
    return {isListed ? labels : QStringList(), width};
}

std::function<QString(Index)> MapFactory::labelSource(Stage stage, bool rows) const
{
    const StageInfo &info = stageInfo(stage);
    const StageValuesPtr &values = state(stage).values;
    const Axis axis = rows ? info.rows : info.cols;
    if (!values || axis == Axis::One || (rows ? values->rows() : values->cols()) <= mostListedLabels)
        return {};
    return [experiment = m_snapshot->experimentPtr(), stage, rows](Index index) {
        return QString::fromStdString(rows ? attn::rowLabel(*experiment, stage, index)
                                           : attn::colLabel(*experiment, stage, index));
    };
}

const QStringList &MapFactory::rowLabels(Stage stage) const
{
    return axisLabels(stage, true).labels;
}

const QStringList &MapFactory::colLabels(Stage stage) const
{
    return axisLabels(stage, false).labels;
}

double MapFactory::rowLabelWidth(Stage stage) const
{
    return axisLabels(stage, true).width;
}

double MapFactory::colLabelWidth(Stage stage) const
{
    return axisLabels(stage, false).width;
}

double MapFactory::labelWidth(const QStringList &labels) const
{
    const QFontMetricsF metrics(m_theme.textFont);
    double width = 0.0;
    for (const QString &label : likelyWidest(labels)) {
        width = std::max(width, metrics.horizontalAdvance(visibleLabel(label)) + 8.0);
        if (width >= widestLabel)
            return widestLabel;
    }
    return width;
}

std::shared_ptr<const ColorMap> MapFactory::colorMap(ColorMap::Kind kind) const
{
    return kind == ColorMap::Kind::Diverging ? m_diverging : m_sequential;
}

QString MapFactory::mapName(Stage stage, Index head) const
{
    const QString name = QString::fromLatin1(stageName(stage));
    if (!state(stage).hasValues() || state(stage).values->heads() <= 1)
        return name;
    return QCoreApplication::translate("Scene", "%1, head %2").arg(name).arg(head + 1);
}

std::function<bool(Index, Index)> pinTest(const SnapshotPtr &snapshot, const MapKey &key)
{
    if (snapshot->stage(key.stage).pinnedCount == 0)
        return {};
    return [snapshot, key](Index row, Index col) {
        if (key.transposed)
            std::swap(row, col);
        const CellIndex cell{key.head, row + key.rowOffset, col + key.colOffset};
        return snapshot->experiment().pinsOf(key.stage).at(cell).has_value();
    };
}

std::function<bool(Index, Index)> contradictionTest(const std::shared_ptr<const Audit> &audit,
                                                    const MapKey &key)
{
    const AuditedStage *stage = audit ? audit->stage(key.stage) : nullptr;
    if (!stage || stage->differing.empty())
        return {};
    return [audit, stage, key](Index row, Index col) {
        if (key.transposed)
            std::swap(row, col);
        return stage->differsAt({key.head, row + key.rowOffset, col + key.colOffset});
    };
}

} // namespace attn
