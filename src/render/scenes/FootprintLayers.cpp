#include "render/scenes/FootprintLayers.h"

#include "render/LabelText.h"
#include "render/MathText.h"
#include "render/scenes/CellSizes.h"
#include "render/scenes/StageCard.h"
#include "render/scenes/StageTexts.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace attn {

namespace {

constexpr double layerGap = 16.0;
constexpr double layerPadding = 12.0;
constexpr double layerTitle = 24.0;
constexpr double factorGap = 4.0;
constexpr double buttonSize = 22.0;
constexpr double buttonStep = 24.0;
constexpr double legendWidth = 128.0;
constexpr double narrowestNumber = 26.0; ///< width of a cell that shows "0.24"

double columnFactorWidth(double rowHeight)
{
    return rowHeight >= 18.0 ? 34.0 : 12.0;
}

} // namespace

Stage footprintTargetStage(FootprintTarget target)
{
    switch (target) {
    case FootprintTarget::Head:
        return Stage::HeadOut;
    case FootprintTarget::HeadMapped:
        return Stage::HeadContribution;
    case FootprintTarget::Token:
        break;
    }
    return Stage::Output;
}

FootprintLayers::FootprintLayers(const MapFactory &maps, const FootprintsOptions &options,
                                 const FootprintChoice &choice, const StageValuesPtr &sum,
                                 const std::stop_token &stop)
    : m_maps(maps)
    , m_options(options)
    , m_choice(choice)
{
    const SnapshotPtr &snapshot = maps.snapshotPtr();
    for (const Index token : choice.shown)
        m_layers.push_back({footprint(snapshot, options.target, options.head, token, stop),
                            hasFactors() ? footprintColumn(snapshot, options.head, token, stop) : nullptr});
    if (stop.stop_requested())
        return;
    if (!choice.rest.empty())
        m_rest = footprintSum(snapshot, options.target, options.head, choice.rest, stop);
    if (!m_layers.empty() && m_layers.front().cells) {
        m_rows = m_layers.front().cells->rows();
        m_cols = m_layers.front().cells->cols();
    }
    chooseSizes();
    chooseRange(sum);
}

void FootprintLayers::chooseSizes()
{
    const bool few = m_layers.size() <= 8;
    m_cells = {axisExtent(m_cols, 36.0, few ? 216.0 : 144.0, few ? 240.0 : 160.0),
               axisExtent(m_rows, 24.0, few ? 192.0 : 112.0, few ? 240.0 : 144.0)};
    const double rowHeight = m_rows > 0 ? m_cells.height() / static_cast<double>(m_rows) : 24.0;
    if (rowHeight < 18.0 && m_cols > 0) {
        const double squares = rowHeight * 1.5 * static_cast<double>(m_cols);
        m_cells.setWidth(std::min(m_cells.width(), std::max(squares, 72.0)));
    }
    m_labelWidth = rowHeight >= 10.0 ? std::min(m_maps.rowLabelWidth(Stage::A), 64.0) : 0.0;
    const double factorWidth = hasFactors() ? columnFactorWidth(rowHeight) + factorGap : 0.0;
    const double factorHeight = hasFactors() ? std::clamp(rowHeight, 12.0, 24.0) + factorGap : 0.0;
    const double beside = m_labelWidth + factorWidth;
    m_cells.setWidth(std::max(m_cells.width(), 4.0 * buttonStep + 48.0 - beside));
    if (m_layers.size() <= 4 && m_cols > 0) {
        // A few layers stand in one row where their numbers still fit.
        const double each = (m_options.width + layerGap) / static_cast<double>(m_layers.size()) - layerGap -
                            2.0 * layerPadding - beside;
        if (each >= narrowestNumber * static_cast<double>(m_cols))
            m_cells.setWidth(std::min(m_cells.width(), std::floor(each)));
    }
    m_block = {beside + m_cells.width() + 2.0 * layerPadding,
               layerTitle + factorHeight + m_cells.height() + 2.0 * layerPadding};
    const double room = m_options.width + layerGap;
    m_columns = std::max(1, static_cast<int>(room / (m_block.width() + layerGap)));
    const int count = static_cast<int>(m_layers.size()) + (m_rest ? 1 : 0);
    m_columns = std::min(m_columns, std::max(count, 1));
    m_width = m_columns * (m_block.width() + layerGap) - layerGap;
}

void FootprintLayers::chooseRange(const StageValuesPtr &sum)
{
    const Stage target = footprintTargetStage(m_options.target);
    const ColorMap::Kind kind = defaultKind(target);
    m_range = m_maps.range(target, m_maps.state(target).values->heads() > 1 ? m_options.head : 0);
    if (m_maps.hasFixedRange(target))
        return;
    const auto include = [&](const StageValuesPtr &values) {
        const ValueRange own = automaticRange(values->statistics(0), kind);
        if (own.isEmpty)
            return;
        m_range.minimum = m_range.isEmpty ? own.minimum : std::min(m_range.minimum, own.minimum);
        m_range.maximum = m_range.isEmpty ? own.maximum : std::max(m_range.maximum, own.maximum);
        m_range.isEmpty = false;
    };
    include(sum);
    for (const Layer &layer : m_layers)
        include(layer.cells);
}

QString FootprintLayers::tokenName(Index token) const
{
    return visibleLabel(QString::fromStdString(m_maps.experiment().keyTokens().at(token)));
}

bool FootprintLayers::isAdded(Index token) const
{
    return std::find(m_choice.added.begin(), m_choice.added.end(), token) != m_choice.added.end();
}

double FootprintLayers::addTo(Scene &scene, double left, double top) const
{
    const std::size_t count = m_layers.size() + (m_rest ? 1 : 0);
    const auto columns = static_cast<std::size_t>(m_columns);
    for (std::size_t i = 0; i < count; ++i) {
        const QPointF corner(left + static_cast<double>(i % columns) * (m_block.width() + layerGap),
                             top + static_cast<double>(i / columns) * (m_block.height() + layerGap));
        if (i < m_layers.size())
            addLayer(scene, i, corner);
        else
            addRest(scene, corner);
    }
    if (hasFactors())
        addFactorLegends(scene, left + m_width, top);
    const std::size_t rows = (count + columns - 1) / columns;
    return top + static_cast<double>(rows) * (m_block.height() + layerGap) - layerGap;
}

/// The scales of the factors, above the last layer of the first row.
void FootprintLayers::addFactorLegends(Scene &scene, double right, double top) const
{
    double x = right - 2.0 * legendWidth - layerGap;
    for (const MapKey::Role role : {MapKey::Role::FootprintColumn, MapKey::Role::FootprintRow}) {
        const auto map = std::ranges::find_if(
            scene.maps, [role](const SceneMap &candidate) { return candidate.key.role == role; });
        if (map == scene.maps.end())
            continue;
        map->colorBar = {x, top - 40.0, legendWidth, cardMetrics::barHeight};
        map->rangeNote = role == MapKey::Role::FootprintColumn ? QStringLiteral("A") : QStringLiteral("V");
        x += legendWidth + layerGap;
    }
}

void FootprintLayers::addLayer(Scene &scene, std::size_t layer, const QPointF &corner) const
{
    const Index token = m_choice.shown[layer];
    SceneBox box;
    box.rect = QRectF(corner, m_block);
    box.filled = isAdded(token);
    box.dashed = !box.filled;
    scene.boxes.push_back(box);
    const QRectF title(corner + QPointF(layerPadding, layerPadding - 4.0),
                       QSizeF(m_block.width() - 2.0 * layerPadding, buttonSize));
    scene.texts.push_back({title.adjusted(0.0, 0.0, -4.0 * buttonStep, 0.0), tokenName(token),
                           SceneText::Style::Label, Qt::AlignLeft | Qt::AlignVCenter});
    addControls(scene, layer, title);

    const QRectF cells(corner + QPointF(m_block.width() - layerPadding - m_cells.width(),
                                        m_block.height() - layerPadding - m_cells.height()),
                       m_cells);
    MapKey key;
    key.role = MapKey::Role::FootprintLayer;
    key.stage = footprintTargetStage(m_options.target);
    key.head = m_options.target == FootprintTarget::HeadMapped || m_options.target == FootprintTarget::Head
                   ? m_options.head
                   : 0;
    key.token = token;
    SceneMap map = m_maps.valuesMap(key, m_layers[layer].cells, cells, m_range);
    map.name = QCoreApplication::translate("Scene", "footprint of %1").arg(tokenName(token));
    map.rowLabels = m_maps.rowLabels(Stage::A);
    map.colLabels = m_maps.colLabels(key.stage);
    if (!hasFactors())
        map.rowLabelWidth = m_labelWidth;
    scene.maps.push_back(std::move(map));
    if (hasFactors())
        addFactors(scene, layer, cells);
}

void FootprintLayers::addFactors(Scene &scene, std::size_t layer, const QRectF &cells) const
{
    const Index token = m_choice.shown[layer];
    const SnapshotPtr &snapshot = m_maps.snapshotPtr();
    const double rowHeight = cells.height() / static_cast<double>(std::max<Index>(m_rows, 1));
    const double width = columnFactorWidth(rowHeight);
    MapKey columnKey;
    columnKey.role = MapKey::Role::FootprintColumn;
    columnKey.stage = Stage::A;
    columnKey.head = m_options.head;
    columnKey.token = token;
    columnKey.colOffset = token;
    SceneMap column =
        m_maps.valuesMap(columnKey, m_layers[layer].column,
                         QRectF(cells.left() - factorGap - width, cells.top(), width, cells.height()),
                         m_maps.range(Stage::A, m_options.head));
    column.name = QCoreApplication::translate("Scene", "A, head %1, column %2")
                      .arg(m_options.head + 1)
                      .arg(tokenName(token));
    column.rowLabels = m_maps.rowLabels(Stage::A);
    column.colLabels = {QString::fromStdString(m_maps.experiment().keyTokens().at(token))};
    column.rowLabelWidth = m_labelWidth;
    column.readOnly = false;
    column.isPinned = pinTest(snapshot, columnKey);
    scene.maps.push_back(std::move(column));

    const Index valueWidth = m_maps.snapshot().sizes().dHeadV;
    MapKey rowKey;
    rowKey.role = MapKey::Role::FootprintRow;
    rowKey.stage = Stage::V;
    rowKey.token = token;
    rowKey.rowOffset = token;
    rowKey.colOffset = kvHeadOf(m_maps.experiment(), m_options.head) * valueWidth;
    const double height = std::clamp(rowHeight, 12.0, 24.0);
    // Mapped through W^O the columns of v_t are not those of the layer: it stands smaller, before "W^O".
    const bool mapped = m_options.target == FootprintTarget::HeadMapped;
    const double rowWidth = mapped ? cells.width() - 44.0 : cells.width();
    const QRectF place(cells.left(), cells.top() - factorGap - height, rowWidth, height);
    SceneMap row = m_maps.valuesMap(rowKey, footprintRow(snapshot, m_options.head, token), place,
                                    m_maps.range(Stage::V, 0));
    row.name = QCoreApplication::translate("Scene", "V, row %1").arg(tokenName(token));
    row.rowLabels = column.colLabels;
    row.readOnly = false;
    row.isPinned = pinTest(snapshot, rowKey);
    scene.maps.push_back(std::move(row));
    if (mapped)
        scene.texts.push_back({QRectF(place.right() + 4.0, place.top(), 40.0, height),
                               QStringLiteral("·W^{O}"), SceneText::Style::Formula,
                               Qt::AlignLeft | Qt::AlignVCenter});
}

void FootprintLayers::addControls(Scene &scene, std::size_t layer, const QRectF &place) const
{
    const Index token = m_choice.shown[layer];
    const QString name = tokenName(token);
    double x = place.right() - 4.0 * buttonStep + (buttonStep - buttonSize);
    const auto add = [&](const char *id, const QString &text, const QString &spoken, bool checkable,
                         bool checked, bool enabled) {
        SceneControl control;
        control.id = QStringLiteral("%1:%2").arg(QLatin1String(id)).arg(token);
        control.rect = {x, place.top(), buttonSize, buttonSize};
        control.text = text;
        control.name = spoken;
        control.checkable = checkable;
        control.checked = checked;
        control.enabled = enabled;
        scene.controls.push_back(control);
        x += buttonStep;
    };
    const bool ordered = m_choice.rest.empty();
    add("solo", QCoreApplication::translate("Scene", "S", "solo"),
        QCoreApplication::translate("Scene", "Show %1 alone").arg(name), true, m_options.solo == token, true);
    add("mute", QCoreApplication::translate("Scene", "M", "mute"),
        QCoreApplication::translate("Scene", "Leave %1 out").arg(name), true, m_options.muted.contains(token),
        m_options.solo < 0);
    add("up", QStringLiteral("‹"), QCoreApplication::translate("Scene", "Move %1 forward").arg(name), false,
        false, ordered && layer > 0);
    add("down", QStringLiteral("›"), QCoreApplication::translate("Scene", "Move %1 back").arg(name), false,
        false, ordered && layer + 1 < m_layers.size());
}

void FootprintLayers::addRest(Scene &scene, const QPointF &corner) const
{
    SceneBox box;
    box.rect = QRectF(corner, m_block);
    scene.boxes.push_back(box);
    const QString title = m_choice.rest.size() == 1
                              ? QCoreApplication::translate("Scene", "the other token")
                              : QCoreApplication::translate("Scene", "the other %n tokens", nullptr,
                                                            static_cast<int>(m_choice.rest.size()));
    scene.texts.push_back({QRectF(corner.x() + layerPadding, corner.y() + layerPadding - 4.0,
                                  m_block.width() - 2.0 * layerPadding, buttonSize),
                           title, SceneText::Style::Label, Qt::AlignLeft | Qt::AlignVCenter});
    MapKey key;
    key.role = MapKey::Role::FootprintSum;
    key.stage = footprintTargetStage(m_options.target);
    key.head = m_options.head;
    const QRectF cells(corner + QPointF(m_block.width() - layerPadding - m_cells.width(),
                                        m_block.height() - layerPadding - m_cells.height()),
                       m_cells);
    SceneMap map = m_maps.valuesMap(key, m_rest, cells, m_range);
    map.name = title;
    scene.maps.push_back(std::move(map));
}

} // namespace attn
