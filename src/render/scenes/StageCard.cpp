#include "render/scenes/StageCard.h"

#include "render/LabelText.h"
#include "render/MathText.h"
#include "render/scenes/StageTexts.h"

#include <QCoreApplication>
#include <QFontMetricsF>

#include <algorithm>

namespace attn {

using namespace cardMetrics;

namespace {

constexpr double reasonWidth = 176.0;
constexpr double reasonLine = 16.0;
constexpr double narrowestLabelledColumn = 10.0;
constexpr double narrowestHeadTitle = 56.0; ///< below it the number alone

double cardTextWidth(const QFont &font, const QString &text)
{
    return QFontMetricsF(font).horizontalAdvance(text);
}

} // namespace

QStringList wrappedLines(const QString &text, const QFont &font, double width)
{
    const QFontMetricsF metrics(font);
    QStringList lines;
    QString line;
    for (const QString &word : text.split(u' ', Qt::SkipEmptyParts)) {
        const QString longer = line.isEmpty() ? word : QString(line + u' ' + word);
        if (!line.isEmpty() && metrics.horizontalAdvance(longer) > width) {
            lines.append(line);
            line = word;
        } else {
            line = longer;
        }
    }
    if (!line.isEmpty())
        lines.append(line);
    return lines;
}

double columnLabelHeight(const MapFactory &maps, Stage stage, double columnWidth)
{
    const double widest = std::min(maps.colLabelWidth(stage), 72.0);
    // Which key a column is must be readable however narrow it is: then every so many columns have a label,
    // as rows do. Numbered features say nothing that the table does not.
    const bool isToken = stageInfo(stage).cols == Axis::Key;
    if (widest <= 0.0 || (columnWidth < narrowestLabelledColumn && !isToken))
        return 0.0;
    return widest <= columnWidth ? 18.0 : std::max(18.0, widest);
}

StageCard::StageCard(const MapFactory &maps, Stage stage, const QSizeF &cells, const Options &options)
    : m_maps(maps)
    , m_stage(stage)
    , m_options(options)
    , m_available(maps.state(stage).hasValues())
{
    if (m_available)
        measureMaps(cells);
    else
        measureReason();
}

QString StageCard::title() const
{
    return m_options.title.isEmpty() ? symbolIn(m_maps.snapshot(), m_stage) : m_options.title;
}

double StageCard::headerWidth() const
{
    double width = mathTextWidth(title(), m_maps.theme().symbolFont);
    if (const QString text = shape(); !text.isEmpty())
        width += 10.0 + cardTextWidth(m_maps.theme().textFont, text);
    return width + 16.0 + cardTextWidth(m_maps.theme().textFont, badge()) + 16.0;
}

QString StageCard::shape() const
{
    const StageState &state = m_maps.state(m_stage);
    const bool isOneOfSeveral = !m_options.title.isEmpty() && m_options.heads.size() == 1;
    if (!isOneOfSeveral || !state.hasValues())
        return shapeTextOf(state);
    return QString::fromStdString(shapeText({1, state.values->rows(), state.values->cols()}));
}

QString StageCard::badge() const
{
    const QString state = stateText(m_maps.state(m_stage));
    return m_hasUneven ? state + QCoreApplication::translate("Scene", " · Σ ≠ 1") : state;
}

void StageCard::measureRowSums(const QSizeF &tile)
{
    if (m_stage != Stage::A)
        return;
    for (const Index head : m_options.heads) {
        m_uneven.push_back(unevenRows(m_maps.snapshot(), head));
        m_hasUneven = m_hasUneven || !m_uneven.back().empty();
    }
    if (m_hasUneven && rowSumsFit(m_maps.state(m_stage).values->rows(), tile.height()))
        m_sumRoom = rowSumRoom;
}

void StageCard::measureMaps(const QSizeF &cells)
{
    const StageValues &values = *m_maps.state(m_stage).values;
    const int heads = static_cast<int>(m_options.heads.size());
    HeadTiling tiling;
    if (m_options.tileColumns > 0) {
        tiling.columns = m_options.tileColumns;
        tiling.rows = (heads + tiling.columns - 1) / tiling.columns;
    } else {
        tiling = headTiling(heads, cells, values.rows());
        if (m_options.tilingHeads > heads)
            tiling.factor = headTiling(m_options.tilingHeads, cells, values.rows()).factor;
    }
    m_tileColumns = tiling.columns;
    m_tileRows = tiling.rows;
    m_barPerTile = m_maps.hasRangePerHead(m_stage);
    const QSizeF tile = cells * tiling.factor;
    measureRowSums(tile);
    m_colLabelHeight = columnLabelHeight(
        m_maps, m_stage, tile.width() / static_cast<double>(std::max<Index>(values.cols(), 1)));
    const double above = m_colLabelHeight + (m_options.headTitles ? tileTitleHeight : 0.0);
    const double bar = m_maps.display().showColorBars ? barRoom : 0.0;
    const double below = m_barPerTile ? axisRoom + bar : 0.0;
    m_cellsOffset = {cardPadding + m_options.rowLabelWidth, cardPadding + titleHeight + above};
    for (std::size_t i = 0; i < m_options.heads.size(); ++i) {
        const int row = static_cast<int>(i) / m_tileColumns;
        const int column = static_cast<int>(i) % m_tileColumns;
        m_tiles.emplace_back(m_cellsOffset + QPointF(column * (tile.width() + m_sumRoom + tileGap),
                                                     row * (tile.height() + above + below + tileGap)),
                             tile);
        m_cells |= m_tiles.back();
    }
    m_size = {std::max(m_cells.right() + m_sumRoom, cardPadding + headerWidth()) + cardPadding,
              m_cells.bottom() + axisRoom + bar + cardPadding};
}

void StageCard::measureReason()
{
    const QString reason = QString::fromStdString(m_maps.state(m_stage).reason);
    m_reason = wrappedLines(reason, m_maps.theme().textFont, reasonWidth);
    m_cellsOffset = {cardPadding, cardPadding + titleHeight};
    m_size = {std::max(reasonWidth, headerWidth()) + 2.0 * cardPadding,
              cardPadding + titleHeight + reasonLine * static_cast<double>(m_reason.size()) + cardPadding};
}

void StageCard::growTop(double cellsTop)
{
    const double more = cellsTop - m_cellsOffset.y();
    if (more <= 0.0)
        return;
    m_cellsOffset.ry() += more;
    m_cells.translate(0.0, more);
    for (QRectF &tile : m_tiles)
        tile.translate(0.0, more);
    m_size.rheight() += more;
}

void StageCard::placeCells(const QPointF &topLeft)
{
    m_topLeft = topLeft - m_cellsOffset;
}

QRectF StageCard::tileRect(std::size_t tile) const
{
    return m_tiles[tile].translated(m_topLeft);
}

void StageCard::addTo(Scene &scene) const
{
    if (m_options.framed || !m_available) {
        SceneBox box;
        box.rect = rect();
        box.dashed = !m_available;
        box.filled = m_available;
        scene.boxes.push_back(box);
    }
    addHeader(scene);
    if (!m_available) {
        addReason(scene);
        return;
    }
    for (std::size_t tile = 0; tile < m_tiles.size(); ++tile)
        addMap(scene, tile);
}

void StageCard::addHeader(Scene &scene) const
{
    const Theme &theme = m_maps.theme();
    const QRectF line(m_topLeft + QPointF(cardPadding, cardPadding - 2.0),
                      QSizeF(m_size.width() - 2.0 * cardPadding, titleHeight - 4.0));
    const double titleWidth = mathTextWidth(title(), theme.symbolFont) + 2.0;
    scene.texts.push_back({QRectF(line.topLeft(), QSizeF(titleWidth, line.height())), title(),
                           SceneText::Style::Title, Qt::AlignLeft | Qt::AlignVCenter});
    if (const QString text = shape(); !text.isEmpty())
        scene.texts.push_back({line.adjusted(titleWidth + 8.0, 0.0, 0.0, 0.0), text, SceneText::Style::Muted,
                               Qt::AlignLeft | Qt::AlignVCenter});
    if (!m_options.framed && m_available)
        return;
    const QString text = badge();
    const double badgeWidth = cardTextWidth(theme.textFont, text) + 12.0;
    const QRectF badgeRect(line.right() - badgeWidth, line.top() + 1.0, badgeWidth, line.height() - 2.0);
    scene.texts.push_back({badgeRect, text, m_available ? SceneText::Style::Badge : SceneText::Style::Warning,
                           Qt::AlignRight | Qt::AlignVCenter});
}

void StageCard::addReason(Scene &scene) const
{
    double y = m_topLeft.y() + cardPadding + titleHeight;
    for (const QString &line : m_reason) {
        scene.texts.push_back(
            {QRectF(m_topLeft.x() + cardPadding, y, m_size.width() - 2.0 * cardPadding, reasonLine), line,
             SceneText::Style::Muted, Qt::AlignLeft | Qt::AlignVCenter});
        y += reasonLine;
    }
}

void StageCard::addMap(Scene &scene, std::size_t tile) const
{
    const QRectF rect = tileRect(tile);
    SceneMap map = m_maps.stageMap(m_stage, m_options.heads[tile], rect);
    const int column = static_cast<int>(tile) % m_tileColumns;
    map.rowLabelWidth = column == 0 ? m_options.rowLabelWidth : 0.0;
    map.colLabelHeight = m_colLabelHeight;
    if (m_barPerTile) {
        map.colorBar = {rect.left(), rect.bottom() + axisRoom, rect.width(), barHeight};
    } else if (tile == 0) {
        const QRectF all = cellsRect();
        map.colorBar = {all.left(), all.bottom() + axisRoom, std::min(all.width(), 240.0), barHeight};
    }
    if (m_options.headTitles) {
        const QString text = rect.width() < narrowestHeadTitle
                                 ? QString::number(m_options.heads[tile] + 1)
                                 : headTitle(m_maps.experiment(), m_stage, m_options.heads[tile]);
        scene.texts.push_back({QRectF(rect.left(), rect.top() - m_colLabelHeight - tileTitleHeight,
                                      rect.width(), tileTitleHeight),
                               text, SceneText::Style::Muted, Qt::AlignLeft | Qt::AlignVCenter});
    }
    scene.maps.push_back(std::move(map));
    if (m_sumRoom > 0.0)
        addRowSums(scene, rect, m_maps.state(m_stage).values->rows(), m_uneven[tile]);
}

void StageCard::addColumnAxis(Scene &scene, int strokes) const
{
    const std::size_t first =
        static_cast<std::size_t>(m_tileRows - 1) * static_cast<std::size_t>(m_tileColumns);
    for (std::size_t tile = first; tile < m_tiles.size(); ++tile) {
        const QRectF rect = tileRect(tile);
        SceneLine line;
        const double y = rect.bottom() + 0.5 * axisRoom;
        line.points = QPolygonF({QPointF(rect.left(), y), QPointF(rect.right(), y)});
        line.ticks = strokes;
        scene.lines.push_back(line);
    }
}

void StageCard::addRowAxis(Scene &scene, int strokes) const
{
    for (std::size_t tile = 0; tile < m_tiles.size(); ++tile) {
        const bool rightmost =
            static_cast<int>(tile) % m_tileColumns == m_tileColumns - 1 || tile + 1 == m_tiles.size();
        if (!rightmost)
            continue;
        const QRectF rect = tileRect(tile);
        SceneLine line;
        const double x = rect.right() + 0.5 * axisRoom;
        line.points = QPolygonF({QPointF(x, rect.top()), QPointF(x, rect.bottom())});
        line.ticks = strokes;
        scene.lines.push_back(line);
    }
}

} // namespace attn
