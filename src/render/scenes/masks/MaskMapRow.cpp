#include "render/scenes/masks/MaskMapRow.h"

#include "render/scenes/StageCard.h"

#include <QFontMetricsF>
#include <algorithm>

namespace attn {

namespace {

constexpr double gapBetweenMaps = 32.0;
constexpr double mapTitleHeight = 22.0;
constexpr double narrowestMapBar = 120.0;

} // namespace

MaskMapRow::MaskMapRow(SceneDraft &draft, double left, double top, double width)
    : m_draft(draft)
    , m_left(left)
    , m_width(width)
    , m_x(left)
    , m_y(top)
{
}

QSizeF MaskMapRow::cellsFor(Index rows, Index cols, double most)
{
    return {axisExtent(cols, 44.0, most, most), axisExtent(rows, 30.0, most, most)};
}

QPointF MaskMapRow::nextCorner(double width, double height)
{
    if (m_x > m_left && m_x + width > m_left + m_width) {
        m_x = m_left;
        m_y += m_height + 16.0;
        m_height = 0.0;
    }
    const QPointF corner(m_x, m_y);
    m_x += width + gapBetweenMaps;
    m_height = std::max(m_height, height);
    return corner;
}

QRectF MaskMapRow::add(SceneMap map, const QString &title, Stage labelled, const QSizeF &cells, bool withBar)
{
    const MapFactory &maps = m_draft.maps();
    const Index cols = std::max<Index>(map.values->cols(), 1);
    const double rowLabels = maps.rowLabelWidth(labelled);
    const double colLabels = columnLabelHeight(maps, labelled, cells.width() / static_cast<double>(cols));
    const double barRoom = withBar ? cardMetrics::axisRoom + cardMetrics::barRoom : 8.0;
    const double barWidth = std::max(cells.width(), narrowestMapBar);
    const double titleWidth = QFontMetricsF(maps.theme().textFont).horizontalAdvance(title) + 8.0;
    const double width = std::max(rowLabels + (withBar ? barWidth : cells.width()), titleWidth);
    const QPointF corner = nextCorner(width, mapTitleHeight + colLabels + cells.height() + barRoom);
    m_draft.addText({corner.x(), corner.y(), width, mapTitleHeight}, title);
    map.rect = {{corner.x() + rowLabels, corner.y() + mapTitleHeight + colLabels}, cells};
    map.rowLabels = maps.rowLabels(labelled);
    map.colLabels = maps.colLabels(labelled);
    map.rowLabelWidth = rowLabels;
    map.colLabelHeight = colLabels;
    if (withBar)
        map.colorBar = {map.rect.left(), map.rect.bottom() + cardMetrics::axisRoom, barWidth,
                        cardMetrics::barHeight};
    const QRectF place = map.rect;
    m_draft.extendTo(corner.x() + width, place.bottom() + barRoom);
    m_draft.addMap(std::move(map));
    return place;
}

QRectF MaskMapRow::reserve(double width, double height)
{
    const QRectF place(nextCorner(width, height), QSizeF(width, height));
    m_draft.extendTo(place.right(), place.bottom());
    return place;
}

} // namespace attn
