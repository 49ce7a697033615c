#include "render/painting/MapPainter.h"

#include "engine/pooling/PooledMaps.h"
#include "render/cells/ChangeMarks.h"
#include "render/cells/VectorCells.h"
#include "render/painting/DeviceSpace.h"

#include <QCoreApplication>
#include <QPaintDevice>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace attn {

namespace {

bool hasCells(const SceneMap &map)
{
    return map.values && map.colorMap && map.values->rows() > 0 && map.values->cols() > 0;
}

/// Small maps are made whole, so that moving them costs nothing; of large ones only what is seen.
QRect imagePart(const QSize &size, const QRect &seen)
{
    const auto area = [](const QSize &s) {
        return static_cast<qint64>(s.width()) * s.height();
    };
    constexpr qint64 alwaysWhole = 512 * 512;
    const bool whole = area(size) <= std::max(alwaysWhole, 2 * area(seen.size()));
    return whole ? QRect(QPoint(), size) : seen;
}

void drawMapFrame(QPainter &painter, const QRectF &rect, double thickness, const QColor &color)
{
    const double t = thickness;
    painter.fillRect(QRectF(rect.left() - t, rect.top() - t, rect.width() + 2 * t, t), color);
    painter.fillRect(QRectF(rect.left() - t, rect.bottom(), rect.width() + 2 * t, t), color);
    painter.fillRect(QRectF(rect.left() - t, rect.top(), t, rect.height()), color);
    painter.fillRect(QRectF(rect.right(), rect.top(), t, rect.height()), color);
}

} // namespace

bool coversItsPlace(const SceneMap &map, const ScenePaintOptions &options)
{
    return hasCells(map) && !options.vectorCells;
}

MapPainter::MapPainter(QPainter &painter, const SceneMap &map, const ScenePaintOptions &options,
                       const QRectF &exposed, HeatmapCache &cache)
    : m_painter(painter)
    , m_map(map)
    , m_options(options)
    , m_exposed(exposed)
    , m_cache(cache)
    , m_highlight(highlightOf(map, options.highlight))
{
}

void MapPainter::paint()
{
    if (!hasCells(m_map))
        paintNothing();
    else if (m_options.vectorCells)
        paintVector();
    else
        paintPixels();
}

HeatmapLook MapPainter::lookFor(const QSize &size, const QRect &part, double unit) const
{
    const Index rows = m_map.values->rows();
    const Index cols = m_map.values->cols();
    HeatmapLook look{size,
                     part,
                     poolFor(rows, cols, size.width(), size.height()),
                     unit,
                     HatchColors(m_options.theme),
                     m_options.theme.text.rgb(),
                     CellVeils::of(m_map, m_options.theme),
                     std::nullopt,
                     nullptr,
                     0};
    if (m_options.pooled && PooledMaps::isWorthwhile(*m_map.values, look.pool)) {
        look.pooled = m_options.pooled;
        look.revision = m_options.pooledRevision;
    }
    if (m_options.showValues && m_map.showNumbers && look.pool.isNone())
        look.numbers = cellNumbers(*m_map.values, m_map.head, m_map.decimals,
                                   static_cast<double>(size.width()) / static_cast<double>(cols),
                                   static_cast<double>(size.height()) / static_cast<double>(rows),
                                   m_options.theme.numberFont, m_options.zoom, unit);
    // Without numbers one veil over the image does the same, and the image of a large map stays.
    look.veils.isUpdating = m_map.isUpdating && look.numbers;
    return look;
}

void MapPainter::paintPixels()
{
    const DeviceSpace device(m_painter);
    const QRect whole = wholePixels(device.map(m_map.rect));
    QRect seen = whole;
    if (!m_exposed.isEmpty())
        seen &= device.map(m_exposed).toAlignedRect();
    else if (m_painter.device()->devType() == QInternal::Image)
        seen &= QRect(0, 0, qCeil(m_painter.device()->width() * m_painter.device()->devicePixelRatioF()),
                      qCeil(m_painter.device()->height() * m_painter.device()->devicePixelRatioF()));
    if (seen.isEmpty())
        return;
    const double unit = device.scale() / m_options.zoom;
    const QRect part = imagePart(whole.size(), seen.translated(-whole.topLeft()));
    const HeatmapLook look = lookFor(whole.size(), part, unit);
    m_painter.drawImage(whole.topLeft() + part.topLeft(), m_cache.image(m_map, look));

    const CellGrid grid{m_map.values->rows(), m_map.values->cols(), QRectF(whole), true};
    if (m_map.isUpdating && !look.veils.isUpdating) {
        QColor veil = m_options.theme.card;
        veil.setAlpha(120);
        m_painter.fillRect(grid.rect, veil);
    }
    const double hair = std::max(1.0, std::floor(unit));
    drawMapFrame(m_painter, grid.rect, hair, m_options.theme.hairline);
    paintOver(grid, cellsMeeting(grid, QRectF(seen)), unit);
}

void MapPainter::paintVector()
{
    paintVectorCells(m_painter, m_map, m_options);
    const CellGrid grid{m_map.values->rows(), m_map.values->cols(), m_map.rect, false};
    drawMapFrame(m_painter, grid.rect, 0.75, m_options.theme.hairline);
    paintOver(grid, {0, 0, grid.rows, grid.cols}, 1.0 / m_options.zoom);
}

void MapPainter::paintOver(const CellGrid &grid, const CellBlock &visible, double unit)
{
    if (m_map.isUpdating)
        paintUpdatingFrame(grid.rect, unit);
    if (m_options.changes && m_options.changeFade > 0.0)
        if (const ChangeMarks *marks = m_options.changes->find(m_map.key))
            drawChangeMarks(m_painter, grid, visible, *marks, m_options.changeFade, m_options.theme, unit);
    paintCorners(grid, visible, unit);
    drawEmphasis(m_painter, grid, m_map.emphasis, m_options.theme, unit);
    drawHighlight(m_painter, grid, m_highlight, m_options.highlight.crossHair, m_options.theme, unit);
}

void MapPainter::paintUpdatingFrame(const QRectF &rect, double unit)
{
    // Dashes far outside of the window would be made one by one.
    constexpr double longest = 16384.0;
    if (std::max(rect.width(), rect.height()) > longest)
        return;
    QPen pen(m_options.theme.mutedText, unit, Qt::DashLine);
    m_painter.setBrush(Qt::NoBrush);
    m_painter.setPen(pen);
    m_painter.drawRect(rect.adjusted(-unit / 2, -unit / 2, unit / 2, unit / 2));
}

/// Small triangles: set by hand in the upper right corner, contradicted by its inputs in the upper left.
void MapPainter::paintCorners(const CellGrid &grid, const CellBlock &visible, double unit)
{
    const double cell = std::min(grid.cellWidth(), grid.cellHeight());
    if (cell < 4.0 * unit)
        return;
    const double size = std::min(8.0 * unit, cell * 0.35);
    m_painter.save();
    m_painter.setRenderHint(QPainter::Antialiasing);
    m_painter.setPen(QPen(m_options.theme.card, std::min(unit, size / 5)));
    const auto paint = [&](const auto &isMarked, const QColor &color, auto corner, double direction) {
        if (!isMarked)
            return;
        m_painter.setBrush(color);
        for (Index row = visible.row; row < visible.row + visible.rowCount; ++row) {
            for (Index col = visible.col; col < visible.col + visible.colCount; ++col) {
                if (!isMarked(row, col))
                    continue;
                const QPointF tip = (grid.cells(row, col).*corner)();
                m_painter.drawPolygon(
                    QPolygonF({tip, tip + QPointF(0, size), tip + QPointF(direction * size, 0)}));
            }
        }
    };
    paint(m_map.isPinned, m_options.theme.pin, &QRectF::topRight, -1.0);
    paint(m_map.isContradicted, contradictionColor(m_options.theme), &QRectF::topLeft, 1.0);
    m_painter.restore();
}

void MapPainter::paintNothing()
{
    m_painter.save();
    m_painter.setPen(QPen(m_options.theme.hairline, 1.0, Qt::DashLine));
    m_painter.setBrush(Qt::NoBrush);
    m_painter.drawRect(m_map.rect);
    m_painter.setPen(m_options.theme.mutedText);
    m_painter.setFont(m_options.theme.textFont);
    m_painter.drawText(m_map.rect, Qt::AlignCenter | Qt::TextWordWrap | Qt::TextDontClip,
                       QCoreApplication::translate("Scene", "empty"));
    m_painter.restore();
}

QColor contradictionColor(const Theme &theme)
{
    return theme.isDark ? QColor(0xff4d3d) : QColor(0xe00000);
}

PoolSize mapPool(const QPainter &painter, const SceneMap &map, const ScenePaintOptions &options)
{
    if (!hasCells(map))
        return {};
    if (options.vectorCells) {
        constexpr double most = 4096.0; // as in VectorCells
        return poolFor(map.values->rows(), map.values->cols(), most, most);
    }
    const QRect whole = wholePixels(painter.deviceTransform().mapRect(map.rect));
    return poolFor(map.values->rows(), map.values->cols(), whole.width(), whole.height());
}

} // namespace attn
