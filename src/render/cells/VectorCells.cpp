#include "render/cells/VectorCells.h"

#include "render/Scene.h"
#include "render/cells/CellGrid.h"
#include "render/cells/ClipMarks.h"
#include "render/cells/HeatmapCells.h"
#include "render/cells/HeatmapImage.h"

#include <QPainter>

#include <algorithm>

namespace attn {

namespace {

class VectorCellPainter
{
public:
    VectorCellPainter(QPainter &painter, const SceneMap &map, const ScenePaintOptions &options)
        : m_painter(painter)
        , m_map(map)
        , m_options(options)
        , m_hatch(options.theme)
        , m_veils(CellVeils::of(map, options.theme))
        , m_grid{map.values->rows(), map.values->cols(), map.rect, false}
        , m_unit(1.0 / options.zoom)
    {
    }

    void paint()
    {
        if (std::max(m_grid.rows, m_grid.cols) <= mostVectorCells)
            paintRectangles();
        else
            paintImage();
        if (m_options.showValues && m_map.showNumbers)
            paintNumbers();
    }

private:
    HeatmapCells allCells() const { return {m_map, {}, {0, 0, m_grid.rows, m_grid.cols}}; }

    void paintRectangles()
    {
        const HeatmapCells cells = allCells();
        const bool clipped = clipMarksFit(m_map, m_map.rect.size(), m_unit);
        std::vector<QRgb> colors(static_cast<std::size_t>(m_grid.cols));
        for (Index row = 0; row < m_grid.rows; ++row) {
            cells.colors().map(cells.row(row), m_grid.cols, colors.data());
            for (Index col = 0; !m_veils.isNone() && col < m_grid.cols; ++col)
                colors[static_cast<std::size_t>(col)] =
                    m_veils.over(colors[static_cast<std::size_t>(col)], row, col);
            Index begin = 0;
            for (Index col = 1; col <= m_grid.cols; ++col) {
                if (col < m_grid.cols && isSameLook(cells, colors, row, begin, col))
                    continue;
                paintRun(cells.mark(row, begin), colors[static_cast<std::size_t>(begin)], row, begin, col);
                begin = col;
            }
        }
        for (Index row = 0; clipped && row < m_grid.rows; ++row)
            for (Index col = 0; col < m_grid.cols; ++col)
                drawClipMark(m_painter, cells, row, col, m_grid.cells(row, col), m_unit);
    }

    bool isSameLook(const HeatmapCells &cells, const std::vector<QRgb> &colors, Index row, Index one,
                    Index other) const
    {
        if (!m_veils.isNone() && m_veils.over(0, row, one) != m_veils.over(0, row, other))
            return false;
        return colors[static_cast<std::size_t>(one)] == colors[static_cast<std::size_t>(other)] &&
               cells.mark(row, one) == cells.mark(row, other);
    }

    QRgb markGround(CellMark mark, QRgb color, Index row, Index col) const
    {
        const QRgb ground = m_hatch.ground(mark, color);
        return hasOwnColors(mark) ? m_veils.over(ground, row, col) : ground;
    }

    void paintRun(CellMark mark, QRgb color, Index row, Index begin, Index end)
    {
        const QRectF rect = m_grid.cells(row, begin, 1, end - begin);
        const QRgb ground = markGround(mark, color, row, begin);
        // Viewers that smooth the shared edge of two rectangles would show a light seam; what is drawn later
        // covers this overlap exactly.
        constexpr double overlap = 0.25;
        const QRectF filled(rect.topLeft(), QPointF(std::min(m_grid.rect.right(), rect.right() + overlap),
                                                    std::min(m_grid.rect.bottom(), rect.bottom() + overlap)));
        m_painter.setRenderHint(QPainter::Antialiasing, false);
        m_painter.fillRect(filled, QColor(ground));
        m_painter.setRenderHint(QPainter::Antialiasing);
        if (mark == CellMark::None)
            return;
        const HatchStyle style = HatchStyle::of(mark, 1.0);
        const QRgb stroke = m_hatch.stroke(mark, color);
        m_painter.setPen(QPen(QColor(hasOwnColors(mark) ? m_veils.over(stroke, row, begin) : stroke),
                              style.stroke, Qt::SolidLine, Qt::FlatCap));
        for (const QLineF &line : hatchLines(rect, style))
            m_painter.drawLine(line);
    }

    /// One image, a whole number of pixels per cell where that stays small.
    void paintImage()
    {
        constexpr Index wanted = 1024;
        constexpr Index most = 4096;
        const Index greater = std::max(m_grid.rows, m_grid.cols);
        const Index scale = std::clamp<Index>(wanted / greater, 1, 8);
        HeatmapLook look{{},      {},           {},      1.0, m_hatch, m_options.theme.text.rgb(),
                         m_veils, std::nullopt, nullptr, 0};
        look.size = QSize(static_cast<int>(std::min(most, m_grid.cols * scale)),
                          static_cast<int>(std::min(most, m_grid.rows * scale)));
        look.part = QRect(QPoint(), look.size);
        look.pool = poolFor(m_grid.rows, m_grid.cols, look.size.width(), look.size.height());
        HeatmapMemory memory;
        m_painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
        m_painter.drawImage(m_map.rect, heatmapImage(m_map, look, memory).image);
    }

    void paintNumbers()
    {
        const auto style =
            cellNumbers(*m_map.values, m_map.head, m_map.decimals, m_grid.cellWidth(), m_grid.cellHeight(),
                        m_options.theme.numberFont, m_options.zoom, m_unit);
        if (!style)
            return;
        const HeatmapCells cells = allCells();
        for (Index row = 0; row < m_grid.rows; ++row)
            for (Index col = 0; col < m_grid.cols; ++col)
                paintNumber(*style, cells, row, col);
    }

    void paintNumber(const CellNumbers &style, const HeatmapCells &cells, Index row, Index col)
    {
        const QRectF cell = m_grid.cells(row, col);
        const PlacedNumber placed =
            placeNumber(style, m_map.values->value(m_map.head, row, col), cell, m_unit);
        if (placed.pixelSize == 0)
            return;
        const CellMark mark = cells.mark(row, col);
        QColor ink = readableOn(m_veils.over(cells.colors().color(cells.row(row)[col]), row, col));
        if (hasOwnColors(mark)) {
            ink = m_options.theme.text;
            m_painter.fillRect(placed.plate.intersected(cell), QColor(markGround(mark, 0, row, col)));
        }
        QFont font = style.font;
        font.setPixelSize(placed.pixelSize);
        m_painter.setFont(font);
        m_painter.setPen(ink);
        m_painter.drawText(QPointF(placed.x, placed.baseline), placed.text);
    }

    QPainter &m_painter;
    const SceneMap &m_map;
    const ScenePaintOptions &m_options;
    HatchColors m_hatch;
    CellVeils m_veils;
    CellGrid m_grid;
    double m_unit;
};

} // namespace

void paintVectorCells(QPainter &painter, const SceneMap &map, const ScenePaintOptions &options)
{
    painter.save();
    VectorCellPainter(painter, map, options).paint();
    painter.restore();
}

} // namespace attn
